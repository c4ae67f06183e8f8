package mime

import (
	"strings"
	"sync"
)

// Shown is the HTML form of the mail's text as its writer saw it, where the mail
// has the text in both forms; else "". Mail programs put quote marks into the
// plain form only, so what somebody wrote between quoted lines stands here
// without any. Source and warnings speak of Text, not of this.
func (m Mail) Shown() string {
	if m.shown == nil {
		return ""
	}
	return m.shown()
}

// keepShown notes the HTML form among the parts of an alternative of which the
// plain one was read.
func (w *walker) keepShown(parts [][]byte) {
	for _, p := range parts {
		if w.shown != nil || w.parts >= MaxParts {
			return
		}
		w.parts++
		b := splitHeader(p, false, func(string, ...any) {})
		media, params := contentType(b.fields)
		if strings.HasPrefix(media, "multipart/") {
			// Pictures come with the HTML in a multipart/related.
			if inner, _ := w.split(b.body, params["boundary"]); len(inner) > 0 {
				b = splitHeader(inner[0], false, func(string, ...any) {})
				media, params = contentType(b.fields)
			}
		}
		if media == "text/html" {
			l := leaf{html: true, fields: b.fields, params: params, body: b.body}
			w.shown = sync.OnceValue(func() string { return l.text(maxHTML, func(string, ...any) {}) })
		}
	}
}
