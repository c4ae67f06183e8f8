package mime

import (
	"bytes"
	"encoding/base64"
	"errors"
	"io"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/emersion/go-message/charset"
	"golang.org/x/text/encoding/unicode"
)

// toUTF8 decodes text from its declared charset. What the bytes show takes precedence: a byte order
// mark, the zeros of UTF-16, and UTF-8 if a single-byte charset is declared. Windows-1252 is the
// fallback.
func toUTF8(b []byte, declared string, warn func(string, ...any)) string {
	declared = strings.ToLower(strings.Trim(strings.TrimSpace(declared), `"'`))
	if order, ok := wide(b, declared); ok {
		if out, err := unicode.UTF16(order, unicode.UseBOM).NewDecoder().Bytes(b); err == nil {
			return string(out)
		}
	}
	// No other charset takes much more space than its UTF-8.
	b = clip(b, MaxText+MaxText/4, warn)
	switch declared {
	case "", "utf-8", "utf8", "us-ascii", "ascii", "unknown-8bit", "binary":
	case "utf-7", "unicode-1-1-utf-7", "x-unicode-1-1-utf-7":
		return utf7(tolerantUTF8(b))
	default:
		if utf8.Valid(b) && (bytes.HasPrefix(b, []byte("\xef\xbb\xbf")) || singleByte(declared) && !ascii(b)) {
			warn("The text says that its charset is %s, but it is UTF-8.", quoted(declared))
			return string(b)
		}
		r, err := charset.Reader(declared, bytes.NewReader(b))
		if err != nil {
			warn("The charset %s is unknown; the text was read as UTF-8 or windows-1252.", quoted(declared))
			break
		}
		out, err := io.ReadAll(io.LimitReader(r, 2*MaxText))
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

// wide reports whether text is UTF-16, and its byte order if there is no mark: the upper bytes of
// Latin letters are zero. No other text contains zeros.
func wide(b []byte, declared string) (unicode.Endianness, bool) {
	if bytes.HasPrefix(b, []byte("\xff\xfe")) || bytes.HasPrefix(b, []byte("\xfe\xff")) {
		return unicode.LittleEndian, true
	}
	sample := b[:min(len(b), 1024)&^1]
	even, odd := 0, 0
	for i := 0; i < len(sample); i += 2 {
		if sample[i] == 0 {
			even++
		}
		if sample[i+1] == 0 {
			odd++
		}
	}
	switch {
	case len(sample) < 8 || even+odd < len(sample)/4:
		return unicode.BigEndian, false
	case odd > 4*even:
		return unicode.LittleEndian, true
	case even > 4*odd:
		return unicode.BigEndian, true
	}
	return unicode.BigEndian, strings.HasPrefix(declared, "utf-16")
}

func ascii(b []byte) bool {
	for _, c := range b {
		if c >= 0x80 {
			return false
		}
	}
	return true
}

// singleByte reports whether non-ASCII text in a charset is hardly ever valid UTF-8 by accident.
func singleByte(name string) bool {
	begins := []string{"iso-8859-", "iso8859", "iso_8859", "latin", "windows-12", "cp12", "l1", "koi8", "macintosh", "x-mac", "ansi_x3"}
	return slices.ContainsFunc(begins, func(p string) bool { return strings.HasPrefix(name, p) })
}

// utf7 decodes RFC 2152: "+", the base64 of UTF-16, and "-". Undecodable text is kept.
func utf7(s string) string {
	var out strings.Builder
	out.Grow(len(s))
	for {
		plain, rest, found := strings.Cut(s, "+")
		out.WriteString(plain)
		if !found {
			return out.String()
		}
		n := 0
		for n < len(rest) && base64Sign(rest[n]) {
			n++
		}
		code, after := rest[:n], strings.TrimPrefix(rest[n:], "-")
		raw, err := base64.RawStdEncoding.DecodeString(code)
		switch {
		case n == 0:
			out.WriteByte('+')
		case err != nil || len(raw) < 2:
			out.WriteString("+" + code)
			after = rest[n:]
		default:
			units := make([]uint16, len(raw)/2)
			for i := range units {
				units[i] = uint16(raw[2*i])<<8 | uint16(raw[2*i+1])
			}
			out.WriteString(string(utf16.Decode(units)))
		}
		s = after
	}
}

func base64Sign(c byte) bool {
	return c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '+' || c == '/'
}
