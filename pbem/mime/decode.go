package mime

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/emersion/go-message"
	"github.com/emersion/go-message/charset"
	htmlcharset "golang.org/x/net/html/charset"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
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

// toUTF8 decodes text by its declared charset, with a byte order mark in it
// believed first and windows-1252 for the bytes that fit nothing.
func toUTF8(b []byte, declared string, warn func(string, ...any)) string {
	declared = strings.ToLower(strings.Trim(strings.TrimSpace(declared), `"'`))
	switch {
	case bytes.HasPrefix(b, []byte("\xff\xfe")), bytes.HasPrefix(b, []byte("\xfe\xff")):
		if out, err := unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewDecoder().Bytes(b); err == nil {
			return string(out)
		}
	case bytes.HasPrefix(b, []byte("\xef\xbb\xbf")):
		declared = "utf-8"
	}
	switch declared {
	case "", "utf-8", "utf8", "us-ascii", "ascii", "unknown-8bit", "binary":
	default:
		r, err := charset.Reader(declared, bytes.NewReader(b))
		if err != nil {
			warn("The charset %s is unknown; the text was read as UTF-8 or windows-1252.", quoted(declared))
			break
		}
		out, err := io.ReadAll(io.LimitReader(r, int64(4*len(b))+16))
		if err == nil || errors.Is(err, io.ErrUnexpectedEOF) {
			return string(out)
		}
		warn("The text does not fit its charset %s.", quoted(declared))
	}
	if !utf8.Valid(b) {
		warn("The text holds bytes that are no UTF-8; they were read as windows-1252.")
	}
	return tolerantUTF8(b)
}

// tolerantUTF8 keeps what is UTF-8 and reads every other byte as windows-1252:
// the two are hardly ever mistaken for each other, and one stray byte must not
// spoil the rest.
func tolerantUTF8(b []byte) string {
	if utf8.Valid(b) {
		return string(b)
	}
	var out strings.Builder
	out.Grow(len(b) + len(b)/4)
	for len(b) > 0 {
		r, size := utf8.DecodeRune(b)
		if r == utf8.RuneError && size == 1 {
			r = charmap.Windows1252.DecodeByte(b[0])
		}
		out.WriteRune(r)
		b = b[size:]
	}
	return out.String()
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
