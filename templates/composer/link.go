package composer

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
)

// maxLink is how many characters a link may have: mail programs and browsers take such ones.
const maxLink = 8000

// root is where a site keeps the pages of all versions.
const root = "compose/"

// Folder is where a site keeps the page of a version of the program, below its own address: "compose/v1.4.0/".
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

// Way leads a captain from a mail to his orders on the page.
type Way struct {
	Address string
	File    string // the attachment to be opened there; "" where the address holds what it does
}

// compressors are used again: to make one took a seventh of the time that drawing a mail takes.
var compressors = sync.Pool{New: func() any {
	w, err := flate.NewWriter(nil, flate.BestCompression)
	if err != nil {
		panic(err) // there is this level
	}
	return w
}}

// WayTo is the way to a view, which the mail has as a file too. The address holds the view where it does not
// get too long by that: behind the #, which browsers send to no server, stands "1.", the address that orders are
// mailed to, and the view's JSON without its events, as orders need none, compressed by deflate; both as base64url.
func WayTo(page, to, file string, view []byte) (Way, error) {
	fail := func(err error) (Way, error) { return Way{}, fmt.Errorf("link to the view %s: %w", file, err) }
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(view, &fields); err != nil {
		return fail(err)
	}
	fields["events"] = json.RawMessage("[]")
	small, err := json.Marshal(fields)
	if err != nil {
		return fail(err)
	}
	var b bytes.Buffer
	w := compressors.Get().(*flate.Writer)
	defer compressors.Put(w)
	w.Reset(&b)
	if _, err := w.Write(small); err != nil {
		return fail(err)
	}
	if err := w.Close(); err != nil {
		return fail(err)
	}
	link := page + "#1." + base64.RawURLEncoding.EncodeToString([]byte(to)) + "." + base64.RawURLEncoding.EncodeToString(b.Bytes())
	if len(link) > maxLink {
		return Way{page, file}, nil
	}
	return Way{Address: link}, nil
}

// In is a report with the way below it, and a line above its first section that says so: the address is too long to
// stand there.
func (w Way) In(report string) string {
	if head, rest, ok := strings.Cut(report, "\n\n== "); ok && w.Address != "" {
		report = head + "\n\nTo compose your orders by clicking on a map, open the link at the end.\n\n== " + rest
	}
	return w.Below(report)
}

// Below is a text with the way below it: the address is long. Where there is none the text stays as it is.
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
