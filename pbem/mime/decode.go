package mime

import (
	"bytes"
	"io"

	"github.com/emersion/go-message"
	htmlcharset "golang.org/x/net/html/charset"
)

// content undoes the transfer encoding of a leaf, at most limit bytes of it.
func content(h message.Header, body []byte, limit int, warn func(string, ...any)) []byte {
	encoding := keyword(rawValue(h, "Content-Transfer-Encoding"))
	if encoding == "base64" && uncoded(body) {
		warn("A part says that it is base64 and is not; it was read as it stands.")
		encoding = "8bit"
	}
	// The charset is our own matter (the library turns what it cannot decode
	// into U+FFFD), so the library is not told that this is text.
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
		if encoding == "quoted-printable" {
			out = looseQuotedPrintable(body, limit+1)
		}
	}
	return clip(out, limit, warn)
}

func clip(b []byte, limit int, warn func(string, ...any)) []byte {
	if len(b) > limit {
		warn("The text is longer than %d bytes; the rest was left out.", limit)
		b = b[:limit]
	}
	return b
}

// uncoded tells whether a body cannot be base64: its first line holds another
// character.
func uncoded(body []byte) bool {
	line, _, _ := bytes.Cut(bytes.TrimSpace(body), []byte("\n"))
	for _, c := range bytes.TrimSpace(line) {
		switch {
		case c >= 'A' && c <= 'Z', c >= 'a' && c <= 'z', c >= '0' && c <= '9', c == '+', c == '/', c == '=':
		default:
			return true
		}
	}
	return false
}

// looseQuotedPrintable decodes what it can and keeps the rest.
func looseQuotedPrintable(in []byte, limit int) []byte {
	out := make([]byte, 0, min(len(in), limit))
	for i := 0; i < len(in) && len(out) < limit; i++ {
		if in[i] != '=' {
			out = append(out, in[i])
			continue
		}
		rest := in[i+1:]
		switch {
		case len(rest) >= 2 && hex(rest[0]) >= 0 && hex(rest[1]) >= 0:
			out = append(out, byte(hex(rest[0])<<4|hex(rest[1])))
			i += 2
		case bytes.HasPrefix(rest, []byte("\r\n")):
			i += 2
		case bytes.HasPrefix(rest, []byte("\n")):
			i++
		default:
			out = append(out, '=')
		}
	}
	return out
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

// htmlCharset is what an HTML part declares inside, if its header declares
// nothing.
func htmlCharset(b []byte, declared string) string {
	if declared != "" {
		return declared
	}
	// Windows-1252 is also what it says when it found nothing.
	if _, name, _ := htmlcharset.DetermineEncoding(b[:min(len(b), 1024)], "text/html"); name != "windows-1252" {
		return name
	}
	return ""
}
