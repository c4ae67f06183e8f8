package report

import (
	"encoding/json"
	"unicode/utf16"
	"unicode/utf8"
)

// longest is the length at which lines of JSON are broken. Mail allows 998.
const longest = 900

// mailable makes JSON safe to mail without further encoding: it escapes all but
// ASCII and breaks long lines between values. The values stay the same.
func mailable(data []byte) []byte {
	if len(data) <= longest && ascii(data) {
		return data
	}
	out := make([]byte, 0, len(data)+len(data)/8+16)
	line, place := 0, 0 // where the line began, and where it can be broken
	quoted := false
	for i := 0; i < len(data); {
		c := data[i]
		switch {
		case c >= utf8.RuneSelf:
			r, n := utf8.DecodeRune(data[i:])
			out = appendEscaped(out, r)
			i += n
		case quoted && c == '\\':
			out = append(out, c, data[i+1])
			i += 2
		default:
			if c == '"' {
				quoted = !quoted
			}
			out = append(out, c)
			i++
			if !quoted && (c == ',' || c == ':' || c == '{' || c == '[') {
				place = len(out)
			}
		}
		if len(out)-line > longest && place > line {
			out = append(out[:place], append([]byte{'\n'}, out[place:]...)...)
			line, place = place+1, 0
		}
	}
	return out
}

func ascii(data []byte) bool {
	for _, c := range data {
		if c >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// appendEscaped appends a rune as a JSON escape, or as a surrogate pair if it
// is above U+FFFF.
func appendEscaped(b []byte, r rune) []byte {
	if high, low := utf16.EncodeRune(r); high != utf8.RuneError {
		return appendEscaped(appendEscaped(b, high), low)
	}
	const digits = "0123456789abcdef"
	return append(b, '\\', 'u', digits[r>>12&15], digits[r>>8&15], digits[r>>4&15], digits[r&15])
}

// appendString appends a string as JSON, in ASCII.
func appendString(b []byte, s string) []byte {
	data, err := json.Marshal(s)
	if err != nil { // impossible for a string
		panic("report: a string is no JSON: " + err.Error())
	}
	return append(b, mailable(data)...)
}
