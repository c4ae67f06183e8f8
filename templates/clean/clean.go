// Package clean writes untrusted text without characters that control or hide text, and
// counts the columns that it takes.
package clean

import (
	"strconv"
	"unicode/utf8"
)

// Classes of bytes, so that the common run of plain text is copied at once.
const (
	plainByte = iota
	controlByte
	markupByte // must be escaped in HTML and SVG
	longByte   // part of a multi-byte rune
)

var byteClasses = func() (t [256]uint8) {
	for i := range t {
		switch {
		case i < ' ' || i == 0x7f:
			t[i] = controlByte
		case i >= utf8.RuneSelf:
			t[i] = longByte
		}
	}
	for _, c := range []byte(`&<>"'`) {
		t[c] = markupByte
	}
	return t
}()

// Mode says how untrusted text is written.
type Mode uint8

// Modes, which may be added; 0 is text of one line in UTF-8.
const (
	Escaped  Mode = 1 << iota // as HTML or XML text or attribute value, in ASCII
	Verbatim                  // line breaks and tabs are kept
	ASCII                     // other runes are folded to ASCII
)

// Append appends s without control characters, without runes that control or hide text
// (bidirectional overrides, zero-width signs), and with broken UTF-8 replaced. Without
// Verbatim a line break or tab becomes a space.
func Append(b []byte, s string, m Mode) []byte {
	start := 0
	for i := 0; i < len(s); {
		class := byteClasses[s[i]]
		if class == plainByte || class == markupByte && m&Escaped == 0 {
			i++
			continue
		}
		b = append(b, s[start:i]...)
		if class == longByte {
			r, n := utf8.DecodeRuneInString(s[i:])
			switch {
			case Hidden(r):
			case m&ASCII != 0:
				b = append(b, Fold(r))
			case m&Escaped != 0: // mails are ASCII where they can be
				b = append(strconv.AppendInt(append(b, "&#"...), int64(r), 10), ';')
			case r == utf8.RuneError:
				b = append(b, "\uFFFD"...)
			default:
				b = append(b, s[i:i+n]...)
			}
			i += n
			start = i
			continue
		}
		switch c := s[i]; c {
		case '&':
			b = append(b, "&amp;"...)
		case '<':
			b = append(b, "&lt;"...)
		case '>':
			b = append(b, "&gt;"...)
		case '"':
			b = append(b, "&#34;"...)
		case '\'':
			b = append(b, "&#39;"...)
		case '\n', '\t':
			if m&Verbatim == 0 {
				c = ' '
			}
			b = append(b, c)
		}
		i++
		start = i
	}
	return append(b, s[start:]...)
}

// AppendHTML appends s as HTML text or as a quoted attribute value. It escapes what html/template escapes, and then
// cleans as AppendMarkup does.
func AppendHTML(b []byte, s string) []byte {
	start := 0
	for i := 0; i < len(s); {
		c := s[i]
		if byteClasses[c] == plainByte && c != '+' || c == '\n' {
			i++
			continue
		}
		b = append(b, s[start:i]...)
		n := 1
		switch c {
		case 0:
			b = append(b, "&#65533;"...)
		case '+':
			b = append(b, "&#43;"...)
		default:
			b, n = appendEscaped(b, s[i:])
		}
		i += n
		start = i
	}
	return append(b, s[start:]...)
}

// AppendMarkup appends HTML. Runes beyond ASCII become references, because mails carry ASCII without encoding, and
// runes that control or hide text are left out.
func AppendMarkup(b []byte, s string) []byte {
	start := 0
	for i := 0; i < len(s); {
		if class := byteClasses[s[i]]; class == plainByte || class == markupByte || s[i] == '\n' {
			i++
			continue
		}
		var n int
		b, n = appendEscaped(append(b, s[start:i]...), s[i:])
		i += n
		start = i
	}
	return append(b, s[start:]...)
}

// appendEscaped appends the first rune of s, escaped, and returns its length in bytes.
func appendEscaped(b []byte, s string) (out []byte, n int) {
	n = 1
	if s[0] >= utf8.RuneSelf {
		_, n = utf8.DecodeRuneInString(s)
	}
	return Append(b, s[:n], Escaped), n
}

// Plain reports whether s is printable ASCII that Append would write unchanged.
func Plain(s string, m Mode) bool {
	for i := range len(s) {
		switch byteClasses[s[i]] {
		case controlByte, longByte:
			return false
		case markupByte:
			if m&Escaped != 0 {
				return false
			}
		}
	}
	return true
}

// Hidden reports whether a rune beyond ASCII is invisible but changes what is seen, or
// is not allowed in XML.
func Hidden(r rune) bool {
	switch {
	case r < 0xA0, r == 0xAD, r == 0x061C, r == 0x180E, r == 0xFEFF,
		0x200B <= r && r <= 0x200F,
		0x2028 <= r && r <= 0x202E,
		0x2060 <= r && r <= 0x206F,
		0xFFF9 <= r && r <= 0xFFFB,
		r&0xFFFE == 0xFFFE,
		0xE0000 <= r && r <= 0xE0FFF:
		return true
	}
	return false
}

// latinFold maps U+00C0..U+017F to the nearest ASCII letter.
const latinFold = "AAAAAAACEEEEIIIIDNOOOOOxOUUUUYTsaaaaaaaceeeeiiiidnooooo/ouuuuyty" +
	"AaAaAaCcCcCcCcDdDdEeEeEeEeEeGgGgGgGgHhHhIiIiIiIiIiIiJjKkkLlLlLlL" +
	"lLlNnNnNnnNnOoOoOoOoRrRrRrSsSsSsSsTtTtTtUuUuUuUuUuUuWwYyYZzZzZzs"

// Fold returns one printable ASCII byte for a rune, '?' if none is like it.
func Fold(r rune) byte {
	switch {
	case ' ' <= r && r < 0x7f:
		return byte(r)
	case 0xC0 <= r && int(r)-0xC0 < len(latinFold):
		return latinFold[r-0xC0]
	case r == 0xA0:
		return ' '
	case r == 0x2018, r == 0x2019:
		return '\''
	case r == 0x201C, r == 0x201D:
		return '"'
	case 0x2010 <= r && r <= 0x2015:
		return '-'
	}
	return '?'
}

// Columns returns the number of columns that s takes once Append has cleaned it. Wide
// runes count two, and combining ones count one, so that it is never less than the
// number of runes or of true columns.
func Columns(s string) int {
	n := 0
	for i := 0; i < len(s); {
		switch byteClasses[s[i]] {
		case controlByte:
			if s[i] == '\n' || s[i] == '\t' {
				n++
			}
			i++
		case longByte:
			r, size := utf8.DecodeRuneInString(s[i:])
			n += RuneColumns(r)
			i += size
		default:
			n++
			i++
		}
	}
	return n
}

// RuneColumns returns the number of columns of one rune.
func RuneColumns(r rune) int {
	switch {
	case Hidden(r):
		return 0
	case r < 0x1100:
		return 1
	case r <= 0x115F, 0x2E80 <= r && r <= 0xA4CF, 0xAC00 <= r && r <= 0xD7A3,
		0xF900 <= r && r <= 0xFAFF, 0xFE30 <= r && r <= 0xFE6F,
		0xFF00 <= r && r <= 0xFF60, 0xFFE0 <= r && r <= 0xFFE6,
		0x1F000 <= r && r <= 0x1FAFF, 0x20000 <= r && r <= 0x3FFFD:
		return 2
	}
	return 1
}

// Clip cuts s to n columns, and ends it with two dots if it was longer.
func Clip(s string, n int) string {
	if Columns(s) <= n {
		return s
	}
	width, i := 0, 0
	for i < len(s) {
		r, size := utf8.DecodeRuneInString(s[i:])
		w := 1
		if r >= utf8.RuneSelf {
			w = RuneColumns(r)
		}
		if width+w > n-2 {
			break
		}
		width += w
		i += size
	}
	return s[:i] + ".."
}
