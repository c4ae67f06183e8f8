package mime

import (
	"strings"
	"unicode/utf8"
)

// normal brings text into the form that the order language expects: \n line ends, plain spaces,
// plain dashes and quotes in place of those of word processors, and nothing invisible.
func normal(s string, warn func(string, ...any)) string {
	if isNormal(s) {
		return s
	}
	var out strings.Builder
	out.Grow(min(len(s), MaxText))
	lines := 0
	var last rune
	for i, size := 0, 0; i < len(s); i += size {
		room := MaxText - 4 - out.Len()
		if room <= 0 {
			warn("The text is longer than %d bytes; the rest was left out.", MaxText)
			break
		}
		// Nearly all of nearly every mail.
		if n := plainRun(s[i:min(len(s), i+room)]); n > 0 {
			out.WriteString(s[i : i+n])
			last, size = ' ', n
			continue
		}
		var r rune
		r, size = utf8.DecodeRuneInString(s[i:])
		prev := last
		last = r
		switch r {
		case '\r', '\n', '\v', '\f', '\u0085', '\u2028', '\u2029':
			if r == '\n' && prev == '\r' {
				continue
			}
			lines++
			if lines >= MaxLines {
				warn("The text has more than %d lines; the rest was left out.", MaxLines)
				return out.String()
			}
			r = '\n'
		case '\t':
		case '\u2018', '\u2019', '\u201a', '\u201b', '\u2032', '\u00b4':
			r = '\''
		case '\u201c', '\u201d', '\u201e', '\u201f', '\u2033', '\u00ab', '\u00bb':
			r = '"'
		case '\u2010', '\u2011', '\u2012', '\u2013', '\u2212':
			r = '-'
		case '\u2014':
			out.WriteByte('-')
			r = '-'
		case '\u2026':
			out.WriteString("..")
			r = '.'
		default:
			switch {
			case r < ' ', r == 0x7f, r >= 0x80 && r < 0xa0, invisible(r):
				continue
			case r == '\u00a0', r >= '\u2000' && r <= '\u200a', r == '\u202f', r == '\u205f', r == '\u3000':
				r = ' '
			}
		}
		if r < utf8.RuneSelf {
			out.WriteByte(byte(r))
		} else {
			out.WriteRune(r)
		}
	}
	return out.String()
}

// plainRun returns how many bytes at the start of s are printable ASCII.
func plainRun(s string) int {
	for i := range len(s) {
		if s[i] < ' ' || s[i] >= 0x7f {
			return i
		}
	}
	return len(s)
}

// isNormal reports whether normal has nothing to do.
func isNormal(s string) bool {
	if len(s) >= MaxText-4 || strings.Count(s, "\n") >= MaxLines-1 {
		return false
	}
	for i := range len(s) {
		if c := s[i]; (c < ' ' || c >= 0x7f) && c != '\n' && c != '\t' {
			return false
		}
	}
	return true
}

// invisible characters do not belong in orders: zero-width joiners, soft hyphens, byte order marks,
// and marks that change the direction of writing.
func invisible(r rune) bool {
	switch {
	case r == '\u00ad', r == '\ufeff', r == '\u034f', r == '\u061c', r == '\u180e':
		return true
	case r >= '\u200b' && r <= '\u200f', r >= '\u202a' && r <= '\u202e', r >= '\u2060' && r <= '\u206f':
		return true
	}
	return false
}

// unflow undoes format=flowed (RFC 3676 section 4): it removes space stuffing, and joins a line
// that ends in a space to the next of the same quote depth.
//
// Two exceptions keep orders intact if a line of them happens to end in a space: a line is not
// joined to the one before if it is empty, starts with # or, after unstuffing, is indented. A
// program that wraps prose writes none of these.
func unflow(s string, delSp bool) string {
	s = strings.ReplaceAll(s, "\r\n", "\n")
	var b strings.Builder
	b.Grow(len(s))
	open, openDepth := false, 0 // the last line written may continue
	start := true
	for line := range strings.SplitSeq(s, "\n") {
		depth := len(line) - len(strings.TrimLeft(line, ">"))
		text := strings.TrimPrefix(line[depth:], " ")
		signature := text == "-- "
		joined := open && depth == openDepth && text != "" && !signature && !strings.HasPrefix(text, "#") && !strings.HasPrefix(text, " ")
		if !joined {
			if !start {
				b.WriteByte('\n')
			}
			if depth > 0 {
				b.WriteString(strings.Repeat(">", depth))
				b.WriteByte(' ')
			}
		}
		start = false
		open = strings.HasSuffix(text, " ") && !signature
		openDepth = depth
		if open && delSp {
			text = text[:len(text)-1]
		}
		b.WriteString(text)
	}
	return b.String()
}
