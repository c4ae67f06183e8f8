package mime

import (
	"slices"
	"strings"
	"sync"

	"starpost/pbem/pattern"
)

// HTMLText is the HTML form of the mail's text as its writer saw it, where the mail
// has the text in both forms; else "". Mail programs put quote marks into the
// plain form only, so what someone wrote between quoted lines stands here
// without any. Source and warnings speak of Text, not of this.
func (m Mail) HTMLText() string {
	if m.shown == nil {
		return ""
	}
	return m.shown()
}

// HTMLTextPart is the part of the mail that HTMLText stands in, as Part has it; "" for none.
func (m Mail) HTMLTextPart() string { return m.shownAt }

// others looks at the parts of an alternative that were not read, for the n-th is
// plain: it keeps the HTML form, and notes a calendar's reply.
func (w *walker) others(parts [][]byte, n int) {
	for i := range parts {
		p := (n + 1 + i) % len(parts) // HTML stands behind the plain form
		if p == n || w.parts >= MaxParts {
			return
		}
		w.parts++
		b := splitHeader(parts[p], false, func(string, ...any) {})
		media, params := contentType(b.fields)
		path := append(slices.Clone(w.path), p+1)
		if strings.HasPrefix(media, "multipart/") {
			// Pictures come with the HTML in a multipart/related.
			if inner, _ := w.split(b.body, params["boundary"]); len(inner) > 0 {
				b = splitHeader(inner[0], false, func(string, ...any) {})
				media, params = contentType(b.fields)
				path = append(path, 1)
			}
		}
		w.noteCalendar(media, params, b)
		if media == "text/html" && w.shown == nil {
			l := leaf{html: true, fields: b.fields, params: params, body: b.body}
			w.shown = sync.OnceValue(func() string { return l.text(maxHTML, func(string, ...any) {}) })
			w.shownAt = (&walker{path: path}).part(media)
		}
	}
}

// noteCalendar notes that a calendar program answers an invitation (RFC 6047
// section 2.4): that is what its user pressed a button for and wrote nothing.
func (w *walker) noteCalendar(media string, params map[string]string, b block) {
	if media != "text/calendar" || w.calendar {
		return
	}
	method := params["method"]
	if method == "" {
		text := content(b.fields, b.body, maxCalendar, func(string, ...any) {})
		if m := calendarMethod().FindSubmatch(text); m != nil {
			method = string(m[1])
		}
	}
	switch strings.ToLower(strings.TrimSpace(method)) {
	case "reply", "counter", "declinecounter", "refresh":
		w.calendar = true
	}
}

// maxCalendar is how much of a calendar is looked through for its method, which
// stands at its beginning.
const maxCalendar = 8 << 10

var calendarMethod = pattern.New(`(?im)^METHOD:[ \t]*([a-z]+)`)
