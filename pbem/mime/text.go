package mime

import (
	"fmt"
	stdmime "mime"
	"strings"
	"unicode/utf8"

	"github.com/emersion/go-message/charset"
	"golang.org/x/text/encoding/charmap"
)

// cut shortens s to at most n bytes without breaking a character.
func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

func firstOf(list []string) string {
	if len(list) == 0 {
		return ""
	}
	return list[0]
}

// keyword returns the first word of a value, in lower case.
func keyword(v string) string {
	v = strings.ToLower(strings.TrimSpace(v))
	if i := strings.IndexAny(v, " \t;("); i >= 0 {
		v = v[:i]
	}
	return cut(v, 60)
}

// quoted returns an untrusted string cut and quoted for a warning.
func quoted(s string) string {
	if r := []rune(s); len(r) > 60 {
		s = string(r[:60]) + "..."
	}
	return fmt.Sprintf("%q", s)
}

// oneLine makes a header value one line of clean UTF-8.
func oneLine(s string) string {
	if strings.IndexFunc(s, func(r rune) bool { return r < ' ' || r >= 0x7f }) < 0 {
		return strings.TrimSpace(s)
	}
	s = strings.Map(func(r rune) rune {
		if r == '\n' || r == '\r' || r == '\t' {
			return ' '
		}
		if r < ' ' || r == 0x7f {
			return -1
		}
		return r
	}, tolerantUTF8([]byte(s)))
	return strings.TrimSpace(s)
}

// decodeWords decodes RFC 2047 words, even where they are not allowed.
func decodeWords(s string) string {
	s = cut(s, maxWords)
	if d, err := wordDecoder().DecodeHeader(s); err == nil {
		s = d
	}
	return oneLine(s)
}

func wordDecoder() *stdmime.WordDecoder {
	return &stdmime.WordDecoder{CharsetReader: charset.Reader}
}

// tolerantUTF8 keeps valid UTF-8 and reads every other byte as windows-1252: the two are hardly
// ever mistaken for each other, and one stray byte must not spoil the rest.
func tolerantUTF8(b []byte) string {
	if utf8.Valid(b) {
		return string(b)
	}
	out := make([]byte, 0, len(b)+len(b)/4)
	for i := 0; i < len(b); {
		if b[i] < utf8.RuneSelf {
			out = append(out, b[i])
			i++
			continue
		}
		r, size := utf8.DecodeRune(b[i:])
		if r == utf8.RuneError && size == 1 {
			r = charmap.Windows1252.DecodeByte(b[i])
		}
		out = utf8.AppendRune(out, r)
		i += size
	}
	return string(out)
}

const maxWords = 4 << 10 // of encoded words
