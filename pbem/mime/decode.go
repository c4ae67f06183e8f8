package mime

import (
	"bytes"
	"io"

	"github.com/emersion/go-message"
	htmlcharset "golang.org/x/net/html/charset"
)

// content decodes the transfer encoding of a leaf, at most limit bytes of it.
func content(h message.Header, body []byte, limit int, warn func(string, ...any)) []byte {
	encoding := keyword(rawValue(h, "Content-Transfer-Encoding"))
	if encoding == "base64" && uncoded(body) {
		warn("A part says that it is base64 and is not; it was read as it stands.")
		encoding = "8bit"
	}
	switch encoding {
	case "", "7bit", "8bit", "binary":
		return clip(body, limit, warn)
	case "quoted-printable":
		out, whole := unquote(body, limit+1)
		if !whole {
			warn("The quoted-printable of a part is broken.")
		}
		return clip(out, limit, warn)
	}
	// Charsets are decoded here (the library turns undecodable bytes into U+FFFD), so the library is not told that
	// this is text.
	var bare message.Header
	bare.Set("Content-Type", "application/octet-stream")
	bare.Set("Content-Transfer-Encoding", encoding)
	e, err := message.New(bare, bytes.NewReader(body))
	if err != nil && !message.IsUnknownEncoding(err) {
		warn("A part could not be decoded (%v); it was read as it stands.", err)
		return clip(body, limit, warn)
	}
	if err != nil {
		warn("The transfer encoding %s is unknown; the part was read as it stands.", quoted(encoding))
	}
	out, err := io.ReadAll(io.LimitReader(e.Body, int64(limit)+1))
	if err != nil {
		warn("The %s of a part is broken.", encoding)
	}
	return clip(out, limit, warn)
}

func clip(b []byte, limit int, warn func(string, ...any)) []byte {
	if len(b) > limit {
		warn("The text is longer than can be read; the rest was left out.")
		b = b[:limit]
	}
	return b
}

// uncoded reports whether a body cannot be base64, because its first line contains another character.
func uncoded(body []byte) bool {
	line, _, _ := bytes.Cut(bytes.TrimSpace(body[:min(len(body), 1000)]), []byte("\n"))
	for _, c := range bytes.TrimSpace(line) {
		switch {
		case c >= 'A' && c <= 'Z', c >= 'a' && c <= 'z', c >= '0' && c <= '9', c == '+', c == '/', c == '=':
		default:
			return true
		}
	}
	return false
}

// unquote decodes quoted-printable (RFC 2045 section 6.7) up to limit bytes. It keeps invalid codes as they are, and
// then reports false. Of a line end it keeps the \n, which is enough for reading the text.
func unquote(in []byte, limit int) (out []byte, whole bool) {
	in = in[:min(len(in), 4*limit)] // no more is needed, except with soft line ends
	out, whole = make([]byte, 0, min(len(in), limit)), true
	solid := 0 // length of out without spaces at the end of the line
	eol := -1  // end of the current line
	for i := 0; i < len(in) && len(out) < limit; i++ {
		if i > eol {
			eol = lineEnd(in, i)
		}
		c := in[i]
		switch {
		case c == '\r' && i+1 < len(in) && in[i+1] == '\n':
			continue
		case c == '\n':
			out = append(out[:solid], c)
			solid = len(out)
			continue
		case c == ' ' || c == '\t' || c == '\r':
			out = append(out, c)
			continue
		case c != '=': // everything up to the next code or the end of the line at once
			n := solidRun(in[i:min(eol, i+limit-len(out))])
			out = append(out, in[i:i+n]...)
			i += n - 1
		case i+2 < len(in) && hex(in[i+1]) >= 0 && hex(in[i+2]) >= 0:
			out = append(out, byte(hex(in[i+1])<<4|hex(in[i+2])))
			i += 2
		default:
			n := 1
			for i+n < len(in) && n < 80 && (in[i+n] == ' ' || in[i+n] == '\t' || in[i+n] == '\r') {
				n++
			}
			switch {
			case i+n == len(in):
				i = len(in) // a soft line end at the very end
			case in[i+n] == '\n':
				i += n
			default:
				out, whole = append(out, '='), false
			}
		}
		solid = len(out)
	}
	return out, whole
}

// lineEnd returns the end of the line that contains from.
func lineEnd(b []byte, from int) int {
	if n := bytes.IndexByte(b[from:], '\n'); n >= 0 {
		return from + n
	}
	return len(b)
}

// solidRun returns how many bytes at the start of a line represent themselves: those before the first code, without
// trailing space.
func solidRun(line []byte) int {
	n := bytes.IndexByte(line, '=')
	if n < 0 {
		n = len(line)
	}
	for n > 0 && (line[n-1] == ' ' || line[n-1] == '\t' || line[n-1] == '\r') {
		n--
	}
	return n
}

func hex(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c >= 'a' && c <= 'f':
		return int(c-'a') + 10
	case c >= 'A' && c <= 'F':
		return int(c-'A') + 10
	}
	return -1
}

// htmlCharset returns the charset declared inside an HTML part, if its header declares none.
func htmlCharset(b []byte, declared string) string {
	if declared != "" {
		return declared
	}
	// Windows-1252 is also the result if nothing was found.
	if _, name, _ := htmlcharset.DetermineEncoding(b[:min(len(b), 1024)], "text/html"); name != "windows-1252" {
		return name
	}
	return ""
}
