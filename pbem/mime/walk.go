package mime

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/emersion/go-message"

	"starpost/pbem/pattern"
)

// walker walks the parts of one mail within the limits.
type walker struct {
	warn     func(string, ...any)
	parts    int
	attached []leaf        // *.txt and *.ord
	scenario []leaf        // *.toml
	digest   bool          // there were mails of other people
	shown    func() string // the HTML form of what was read as plain text
	shownAt  string        // the part that it comes from
	calendar bool          // there is a reply to an invitation
	path     []int         // of the current part
	unread
	signatures
	budget
}

// budget is the remaining work for one mail.
type budget struct {
	plain, html int // bytes of text, decoded
	scan        int // bytes searched for boundaries
	near        int // lines that start like a boundary and are none
}

func newBudget() budget {
	return budget{plain: 2 * MaxText, html: maxHTML, scan: 4 * MaxBytes, near: 10000}
}

// leaf is a text part, not yet decoded: most are never needed.
type leaf struct {
	html   bool
	part   string
	name   string
	fields message.Header
	params map[string]string
	body   []byte
}

// text decodes the leaf, at most limit bytes of it.
func (l leaf) text(limit int, warn func(string, ...any)) string {
	raw := l.raw(limit, warn)
	if l.html {
		return normal(htmlText(toUTF8(raw, htmlCharset(raw, l.params["charset"]), warn), warn), warn)
	}
	return l.plain(raw, warn)
}

// raw decodes the transfer encoding.
func (l leaf) raw(limit int, warn func(string, ...any)) []byte {
	return content(l.fields, l.body, limit, warn)
}

// plain converts the result of raw to text.
func (l leaf) plain(raw []byte, warn func(string, ...any)) string {
	s := toUTF8(raw, l.params["charset"], warn)
	if strings.EqualFold(l.params["format"], "flowed") {
		s = unflow(s, strings.EqualFold(l.params["delsp"], "yes"))
	}
	return normal(s, warn)
}

// unit is a piece of the inline text.
type unit struct {
	form form
	part string // see Mail.Part
	text string
}

// form is the format of a text. Of several alternatives the lowest is read.
type form uint8

const (
	formPlain form = iota
	formHTML
	formOther // text/enriched, text/markdown and the like: readable, but with markup
)

// formOf returns the form of a text type.
func formOf(media string) form {
	switch media {
	case "text/plain", "text": // what a broken header calls text is treated as plain
		return formPlain
	case "text/html", "text/watch-html":
		return formHTML
	}
	return formOther
}

// first returns the first unit that is not blank.
func first(units []unit) (u unit, ok bool) {
	i := slices.IndexFunc(units, func(u unit) bool { return strings.TrimSpace(u.text) != "" })
	if i < 0 {
		return unit{}, false
	}
	return units[i], true
}

// part names the current part: its type and, unless it is the whole mail, its number as in IMAP
// (RFC 9051 section 6.4.5).
func (w *walker) part(media string) string {
	if len(w.path) == 0 {
		return media
	}
	number := strings.Trim(strings.Join(strings.Fields(fmt.Sprint(w.path)), "."), "[]")
	return media + " in part " + number
}

// inner walks the i-th part, from 0, of the current multipart.
func (w *walker) inner(i int, b block, depth int) []unit {
	w.path = append(w.path, i+1)
	defer func() { w.path = w.path[:len(w.path)-1] }()
	return w.walk(b, depth)
}

// walk returns the inline text of a part and everything in it.
func (w *walker) walk(b block, depth int) []unit {
	if w.parts >= MaxParts {
		w.warn("The mail has more than %d parts; the rest was left out.", MaxParts)
		return nil
	}
	w.parts++
	media, params := contentType(b.fields)
	if strings.HasPrefix(media, "multipart/") {
		return w.multipart(b, media, params, depth)
	}
	how, dispositionParams := disposition(b.fields)
	name := fileName(dispositionParams, params)
	w.noteCalendar(media, params, b)
	part := w.part(media)
	l := leaf{html: formOf(media) == formHTML, part: part, name: name, fields: b.fields, params: params, body: b.body}
	inline := how != "attachment" && (name == "" || depth == 0)
	switch {
	case inline && l.html:
		text := l.text(w.html, w.warn)
		w.html = max(0, w.html-len(l.body))
		return []unit{{form: formHTML, part: part, text: text}}
	case inline && plainText(media):
		raw := l.raw(w.plain, w.warn)
		w.plain = max(0, w.plain-len(raw))
		w.clearSigned(raw)
		w.sealed(raw)
		for _, file := range uuencoded(raw, MaxParts+1-len(w.attached)) {
			w.attached = append(w.attached, leaf{name: file.name, part: w.part("a uuencoded file"), body: file.body})
		}
		return []unit{{form: formOf(media), part: part, text: l.plain(raw, w.warn)}}
	case orderFile(name):
		l.html = false
		w.attached = append(w.attached, l)
	case strings.HasSuffix(strings.ToLower(name), ".toml"):
		l.html = false
		w.scenario = append(w.scenario, l)
	case depth == 0 && plainText(media):
		return []unit{{part: part, text: l.text(w.plain, w.warn)}}
	default:
		w.leave(media, name, params)
	}
	return nil
}

// plainText reports whether a type is read unchanged: every text type except those known to be for
// machines (RFC 2046 section 4.1.4).
func plainText(media string) bool {
	switch media {
	case "text/calendar", "text/css", "text/csv", "text/directory", "text/javascript", "text/rfc822-headers",
		"text/rtf", "text/richtext", "text/vcard", "text/x-vcard", "text/x-amp-html", "text/xml", "text/html", "text/watch-html":
		return false
	}
	return strings.HasPrefix(media, "text/")
}

func (w *walker) multipart(b block, media string, params map[string]string, depth int) []unit {
	if depth >= MaxDepth {
		w.warn("Parts nested deeper than %d were left out.", MaxDepth)
		return nil
	}
	boundary := params["boundary"]
	var parts [][]byte
	whole := false
	if boundary != "" {
		parts, whole = w.split(b.body, boundary)
	}
	if len(parts) == 0 {
		if guess := guessBoundary(b.body); guess != "" && guess != boundary {
			if boundary != "" {
				w.warn("The parts of the mail do not begin where its header says; they were read as its lines have it.")
			}
			parts, whole = w.split(b.body, guess)
		}
	}
	if len(parts) == 0 {
		w.warn("A multipart without parts was read as plain text.")
		params = map[string]string{"charset": params["charset"]}
		return []unit{{part: w.part(media), text: leaf{fields: b.fields, params: params, body: b.body}.text(w.plain, w.warn)}}
	}
	if !whole {
		w.warn("The end of a multipart is missing; the mail may have been cut short.")
	}
	switch media {
	case "multipart/encrypted":
		w.leave(media, "", params)
		return nil
	case "multipart/alternative":
		return w.alternative(parts, depth)
	}
	var out []unit
	plain := false
	for i, p := range parts {
		block := splitHeader(p, false, w.warn)
		if media == "multipart/digest" && !block.fields.Has("Content-Type") {
			w.digest = true
			continue // RFC 2046 section 5.1.5: each is a separate mail
		}
		for _, u := range w.inner(i, block, depth+1) {
			// Some programs send the same text as plain and HTML in a multipart/mixed: the first
			// wins.
			if u.form == formHTML && plain {
				continue
			}
			plain = plain || u.form != formHTML && strings.TrimSpace(u.text) != ""
			out = append(out, u)
		}
		if media == "multipart/signed" && i == 0 {
			text, _ := join(out)
			w.signed(parts, text, w.warn)
		}
		if w.parts >= MaxParts {
			w.warn("The mail has more than %d parts; the rest was left out.", MaxParts)
			break
		}
	}
	return out
}

// alternative picks one of several forms of the same text: text/plain in any position, or else
// HTML, or else the first that is not blank.
func (w *walker) alternative(parts [][]byte, depth int) []unit {
	var best []unit
	form := formOther + 1
	for i, p := range parts {
		units := w.inner(i, splitHeader(p, false, w.warn), depth+1)
		u, ok := first(units)
		if ok && u.form < form {
			best, form = units, u.form
		}
		if ok && form == formPlain {
			w.others(parts, i)
			break
		}
		if w.parts >= MaxParts {
			break
		}
	}
	return best
}

// guessBoundary returns the first line that starts with two dashes and is followed by a field or an
// empty line; failing that, the first that starts with two dashes.
func guessBoundary(body []byte) string {
	first := ""
	for n := 0; len(body) > 0 && n < maxGuesses; {
		var line []byte
		line, body, _ = bytes.Cut(body, []byte("\n"))
		line = bytes.TrimSpace(line)
		if len(line) < 3 || len(line) > 200 || !bytes.HasPrefix(line, []byte("--")) {
			continue
		}
		n++
		next, _, _ := bytes.Cut(body[:min(len(body), 1000)], []byte("\n"))
		next = trimEOL(next)
		if _, field := isField(next); field || len(next) == 0 {
			return string(line[2:])
		}
		if first == "" {
			first = string(line[2:])
		}
	}
	return first
}

// maxGuesses is how many lines are tried as an undeclared boundary.
const maxGuesses = 100

// split splits the body of a multipart at its boundary lines (RFC 2046 section 5.1.1). It reports
// whether the closing boundary was found. It returns at most MaxParts+1 parts.
func (w *budget) split(body []byte, boundary string) (parts [][]byte, whole bool) {
	boundary = strings.TrimRight(boundary, " \t")
	w.scan -= len(body)
	if boundary == "" || w.scan < 0 {
		return nil, false
	}
	delimiter := []byte("\n--" + boundary)
	start := -1 // of the current part
	for pos := 0; pos < len(body) && len(parts) <= MaxParts && w.near > 0; {
		at := pos
		if pos > 0 || !bytes.HasPrefix(body, delimiter[1:]) {
			i := bytes.Index(body[max(0, pos-1):], delimiter)
			if i < 0 {
				break
			}
			at = max(0, pos-1) + i + 1
		}
		pos = at + len(delimiter) - 1
		// Only space may follow a boundary.
		line := body[pos:min(len(body), pos+80)]
		nl := bytes.IndexByte(line, '\n')
		if nl >= 0 {
			line = line[:nl]
		}
		mark := string(bytes.TrimSpace(line))
		if mark != "" && mark != "--" || nl < 0 && pos+80 < len(body) {
			w.near--
			continue
		}
		after := len(body)
		if nl >= 0 {
			after = pos + nl + 1
		}
		if start >= 0 {
			parts = append(parts, trimOneEOL(body[start:max(start, at)]))
		}
		if mark == "--" {
			return parts, true
		}
		start, pos = after, after
	}
	if start >= 0 && len(parts) <= MaxParts {
		parts = append(parts, body[start:])
	}
	return parts, false
}

// trimOneEOL removes the line end that belongs to the boundary.
func trimOneEOL(b []byte) []byte {
	b = bytes.TrimSuffix(b, []byte("\n"))
	return bytes.TrimSuffix(b, []byte("\r"))
}

// others examines the parts of an alternative that were not read because the n-th is plain: it
// keeps the HTML form, and notes a calendar's reply.
func (w *walker) others(parts [][]byte, n int) {
	for i := range parts {
		p := (n + 1 + i) % len(parts) // HTML comes after the plain form
		if p == n || w.parts >= MaxParts {
			return
		}
		w.parts++
		b := splitHeader(parts[p], false, func(string, ...any) {})
		media, params := contentType(b.fields)
		path := append(slices.Clone(w.path), p+1)
		if strings.HasPrefix(media, "multipart/") {
			// In a multipart/related, pictures accompany the HTML.
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

// noteCalendar notes a calendar program's answer to an invitation (RFC 6047 section 2.4): its user
// only pressed a button and wrote nothing.
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

// maxCalendar is how much of a calendar is searched for its method, which is at the start.
const maxCalendar = 8 << 10

var calendarMethod = pattern.New(`(?im)^METHOD:[ \t]*([a-z]+)`)

// join joins the pieces that are not blank, and reports whether HTML is among them.
func join(units []unit) (text string, html bool) {
	var pieces []string
	for _, u := range units {
		if strings.TrimSpace(u.text) == "" {
			continue
		}
		if n := len(pieces); n > 0 && !strings.HasSuffix(pieces[n-1], "\n") {
			pieces = append(pieces, "\n")
		}
		pieces = append(pieces, u.text)
		html = html || u.form == formHTML
	}
	return strings.Join(pieces, ""), html
}
