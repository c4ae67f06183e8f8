package composer

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"strings"
	"sync"
)

// maxLink is the most characters of a link: mail programs and browsers accept links of this length.
const maxLink = 8000

// root is the folder in which a site keeps the pages of all versions.
const root = "compose/"

// Folder returns the folder of the page for a version of the program, relative to the site: "compose/v1.4.0/".
func Folder(version string) string {
	name := strings.Trim(strings.Map(func(r rune) rune {
		if 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r == '.' || r == '-' || r == '_' {
			return r
		}
		return '-'
	}, version), ".-")
	if name == "" {
		name = "unknown"
	}
	return root + name + "/"
}

// Way leads captains from a mail to their orders on the page.
type Way struct {
	Address string
	File    string // the attachment to open there; "" if the address holds the view
}

// compressors are reused: making one took a seventh of the time for drawing a mail.
var compressors = sync.Pool{New: func() any {
	w, err := flate.NewWriter(nil, flate.BestCompression)
	if err != nil {
		panic(err) // there is this level
	}
	return w
}}

// WayTo returns the way to a view, which the mail also has as file. Small is its JSON without events, which orders do
// not need. The address holds that unless it becomes longer than maxLink: after the #, which browsers send to no server,
// "1.", the address for orders, a dot, and the JSON compressed by deflate; both in base64url.
func WayTo(page, to, file string, small []byte) Way {
	var b bytes.Buffer
	w := compressors.Get().(*flate.Writer)
	defer compressors.Put(w)
	w.Reset(&b)
	if _, err := w.Write(small); err != nil {
		panic(err) // memory takes all
	}
	if err := w.Close(); err != nil {
		panic(err) // likewise
	}
	link := page + "#1." + base64.RawURLEncoding.EncodeToString([]byte(to)) + "." + base64.RawURLEncoding.EncodeToString(b.Bytes())
	if len(link) > maxLink {
		return Way{page, file}
	}
	return Way{Address: link}
}

// In returns a report with the way at its end. The address is too long for the top, so a line above the first
// section refers to it.
func (w Way) In(report string) string {
	if head, rest, ok := strings.Cut(report, "\n\n== "); ok && w.Address != "" {
		report = head + "\n\nTo compose your orders by clicking on a map, open the link at the end.\n\n== " + rest
	}
	return w.Below(report)
}

// Below returns a text with the way, which is long, at its end. Without an address it returns the text unchanged.
func (w Way) Below(text string) string {
	if w.Address == "" {
		return text
	}
	text = strings.TrimRight(text, "\n") + "\n\nCompose your orders: " + w.Address + "\n"
	if w.File != "" {
		text += "Open the attachment " + w.File + " on that page.\n"
	}
	return text
}
