package mime

import (
	"bytes"
	"cmp"
	"strings"

	"github.com/emersion/go-message"

	stdmime "mime"

	"starpost/pbem/pattern"
)

// block is one header block and what follows it.
type block struct {
	fields message.Header
	body   []byte
}

// splitHeader splits raw into header and body and repairs what would make the MIME library refuse
// the whole block: a leading mbox line, lines that are no field, a body that follows without an
// empty line, more than MaxHeader bytes (maxPartHeader in a part). It never fails; warn is told
// about repairs. top means the mail itself rather than a part: only there may junk precede the
// first field, while a part that does not begin with a field has no header.
func splitHeader(raw []byte, top bool, warn func(string, ...any)) block {
	raw = bytes.TrimPrefix(raw, []byte("\xef\xbb\xbf"))
	limit := MaxHeader
	if !top {
		limit = maxPartHeader
	}
	clean, body := salvage(raw, top, limit, warn)
	// The library gets only fields and their continuations, so an error here costs single fields at
	// most.
	e, err := message.ReadWithOptions(bytes.NewReader(clean), &message.ReadOptions{MaxHeaderBytes: 4 * MaxHeader})
	if e == nil {
		warn("The header could not be read (%v).", err)
		return block{body: body}
	}
	return block{fields: e.Header, body: body}
}

// isField reports whether a line begins with a field name and a colon, and returns the name (RFC
// 5322 section 2.2).
func isField(line []byte) (name []byte, ok bool) {
	for i, c := range line {
		switch {
		case c == ':' || c == ' ' || c == '\t':
			rest := bytes.TrimLeft(line[i:], " \t")
			return line[:i], i > 0 && len(rest) > 0 && rest[0] == ':'
		case c < '!' || c > '~' || i > 100:
			return nil, false
		}
	}
	return nil, false
}

// usual reports whether a field is one that only mails have.
func usual(name []byte) bool {
	switch lower := strings.ToLower(string(name)); lower {
	case "from", "sender", "to", "cc", "subject", "date", "message-id", "received", "return-path", "delivered-to", "reply-to",
		"mime-version", "dkim-signature":
		return true
	default:
		return strings.HasPrefix(lower, "content-") || strings.HasPrefix(lower, "x-")
	}
}

var mboxLine = pattern.New(`^>?From [^:]{0,200}\d\d:\d\d`)

// salvage returns a header block that contains only fields and ends with an empty line, and the
// body. It reads at most limit bytes and maxFields fields.
func salvage(raw []byte, top bool, limit int, warn func(string, ...any)) (clean, body []byte) {
	type span struct {
		from, to int // to is after the line end
		field    bool
	}
	lines := make([]span, 0, 32)
	lastField, end, fields := -1, -1, 0
	known := !top // at least one field is typical of mails
	pos := 0
	for pos < len(raw) {
		if pos > limit || fields > maxFields || len(lines) > 8*maxFields {
			warn("The header is longer than can be read; the rest of it was left out.")
			end = bodyAfter(raw, pos)
			break
		}
		next := len(raw)
		if i := bytes.IndexByte(raw[pos:], '\n'); i >= 0 {
			next = pos + i + 1
		}
		line := trimEOL(raw[pos:next])
		if len(line) == 0 {
			if lastField >= 0 || !top {
				end = next
				break
			}
			// An empty line before any field does not end the header.
			pos = next
			continue
		}
		if bytes.HasPrefix(line, []byte(ordersMark)) {
			end = pos
			break
		}
		name, field := isField(line)
		if field {
			lastField = len(lines)
			fields++
			known = known || usual(name)
		} else if !top && len(lines) == 0 {
			break
		}
		lines = append(lines, span{pos, next, field})
		pos = next
	}
	if end < 0 {
		end = pos
	}

	switch {
	case lastField < 0 && !top:
		return []byte("\r\n"), raw[end:]
	case lastField < 0 || !known:
		return []byte("\r\n"), raw
	}
	kept := false
	clean = make([]byte, 0, min(end, limit)+2)
	for i, s := range lines {
		line := trimEOL(raw[s.from:s.to])
		blank := len(bytes.TrimSpace(line[:min(len(line), limit)])) == 0
		switch {
		case s.field:
			kept = true
		case kept && !blank && (line[0] == ' ' || line[0] == '\t'):
			// A continuation of a kept field.
		case i > lastField && blank:
			return append(clean, "\r\n"...), raw[s.to:]
		case i > lastField:
			warn("The header runs into the text without an empty line between.")
			return append(clean, "\r\n"...), raw[s.from:]
		default:
			if !blank && !mboxLine().Match(line[:min(len(line), 300)]) {
				warn("A header line that is no field was left out.")
			}
			kept = kept && blank
			continue
		}
		if room := limit - len(clean); len(line) > room {
			line = line[:max(0, room)]
		}
		clean = append(append(clean, line...), "\r\n"...)
	}
	return append(clean, "\r\n"...), raw[end:]
}

// bodyAfter finds the end of an overlong header.
func bodyAfter(raw []byte, from int) int {
	best := len(raw)
	for _, sep := range []string{"\n\n", "\n\r\n"} {
		if i := bytes.Index(raw[from:], []byte(sep)); i >= 0 && from+i+len(sep) < best {
			best = from + i + len(sep)
		}
	}
	return best
}

func trimEOL(line []byte) []byte {
	return bytes.TrimRight(line, "\r\n")
}

// headerMap collects the fields by lower-case name, undecoded.
func headerMap(fields []Field) map[string][]string {
	out := make(map[string][]string, len(fields))
	for _, f := range fields {
		name := strings.ToLower(f.Name)
		out[name] = append(out[name], f.Value)
	}
	return out
}

// rawValue returns the first value of a field unchanged, cut to maxParams.
func rawValue(h message.Header, name string) string {
	v := h.Get(name)
	return v[:min(len(v), maxParams)]
}

// contentType returns the media type in lower case and its parameters. From a broken field it takes
// what can be recognised. A missing or unreadable type is text/plain, as in RFC 2045 section 5.2.
func contentType(h message.Header) (string, map[string]string) {
	return mediaType(rawValue(h, "Content-Type"), "text/plain")
}

// disposition returns "inline", "attachment" or "", and the parameters.
func disposition(h message.Header) (string, map[string]string) {
	return mediaType(rawValue(h, "Content-Disposition"), "")
}

// looseParams reads as much as possible of broken parameters. The first one with a name counts.
func looseParams(value string) map[string]string {
	out := map[string]string{}
	for {
		_, rest, found := strings.Cut(value, ";")
		if !found {
			return out
		}
		name, after, found := strings.Cut(rest, "=")
		if i := strings.LastIndexByte(name, ';'); i >= 0 {
			name = name[i+1:] // skip words without a value before the name
		}
		if !found {
			return out
		}
		after = strings.TrimLeft(after, " \t")
		var text string
		if strings.HasPrefix(after, `"`) {
			text, value, _ = strings.Cut(after[1:], `"`)
		} else {
			end := strings.IndexAny(after, "; \t\"")
			if end < 0 {
				end = len(after)
			}
			text, value = after[:end], after[end:]
		}
		if i := strings.IndexByte(value, ';'); i < 0 && value != "" {
			value = ";" + value // a semicolon is missing
		}
		name = strings.ToLower(strings.TrimSpace(name))
		if _, twice := out[name]; !twice {
			out[name] = text
		}
	}
}

func mediaType(value, absent string) (string, map[string]string) {
	value = oneLine(value)
	if value == "" {
		return absent, map[string]string{}
	}
	media, params, err := stdmime.ParseMediaType(value)
	if err != nil || params == nil {
		params = looseParams(value)
		media, _, _ = strings.Cut(value, ";")
		media = strings.ToLower(strings.TrimSpace(media))
	}
	if absent != "" && (media == "text" || media == "plain" || !strings.Contains(media, "/")) {
		media = absent
	}
	return media, params
}

// fileName returns the name of a part, or "".
func fileName(dispositionParams, typeParams map[string]string) string {
	name := cmp.Or(dispositionParams["filename"], typeParams["name"])
	return decodeWords(name)
}
