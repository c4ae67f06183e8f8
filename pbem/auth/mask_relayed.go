package auth

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"starpost/pbem/pattern"
)

const (
	// half is the number of symbols before and after the dash of a key.
	half = keyLength / 2
	// strewn limits the signs between two symbols of a key in relayed words; blanks and quote marks
	// do not count.
	strewn = 8
	// foreign marks a place in a skeleton that no key may span.
	foreign = 0
)

// escape matches an encoded sign in mails and HTML: a dash becomes =2D, %2D, &#45; or &ndash;.
var escape = pattern.New(`^(?:[=%][0-9A-Fa-f]{2}|&(?:amp;)*#?[0-9A-Za-z]{1,8};)`)

// MaskRelayed is Mask for words that other people will read. It also hides each of keys if a few
// signs are between its symbols, including line ends with quote marks, or an escape between its
// halves, and if its letters are wide or other variants. Robots do not read that as a key, but
// people do. In any case all symbols must be there, in order and with no other letter or digit
// among them.
func MaskRelayed(text string, keys []string) string {
	s := skeletonOf(text)
	var hits [][2]int // offset ranges in text
	for _, k := range keys {
		if key, ok := symbols(k); ok {
			hits = s.find(hits, string(key[:]))
		}
	}
	if len(hits) > 0 {
		text = hideAt(text, hits)
	}
	// Only now: in a head Mask would take half a key for the whole.
	return Mask(text, keys)
}

// hideAt replaces each hit by Redacted; overlapping hits share one.
func hideAt(text string, hits [][2]int) string {
	slices.SortFunc(hits, func(a, b [2]int) int { return a[0] - b[0] })
	var b strings.Builder
	done := 0
	for _, h := range hits {
		if h[0] >= done {
			b.WriteString(text[done:h[0]])
			b.WriteString(Redacted)
		}
		done = max(done, h[1])
	}
	b.WriteString(text[done:])
	return b.String()
}

// skeleton is a text without the signs between its letters and digits.
type skeleton struct {
	text    string
	symbols string // of the alphabet, or foreign
	at, end []int  // offsets in text of each symbol's beginning and end
}

func skeletonOf(text string) skeleton {
	s := skeleton{text: text}
	out := make([]byte, 0, len(text))
	s.at, s.end = make([]int, 0, len(text)), make([]int, 0, len(text))
	signs := 0 // number since the last symbol
	add := func(c byte, at, end int) {
		out, s.at, s.end = append(out, c), append(s.at, at), append(s.end, end)
		signs = 0
	}
	for at, end := 0, 0; at < len(text); at = end {
		_, n := utf8.DecodeRuneInString(text[at:])
		end = at + n
		plain := text[at:end]
		if n > 1 {
			plain = norm.NFKC.String(plain)
		}
		for _, r := range plain {
			switch c, ok := symbol(r); {
			case ok:
				add(c, at, end)
			case unicode.IsLetter(r) || unicode.IsNumber(r):
				add(foreign, at, end)
			case !blank(r):
				if signs++; signs == strewn+1 {
					add(foreign, at, end)
				}
			}
		}
	}
	s.symbols = string(out)
	return s
}

// find adds to hits the occurrences of key, which has no dash.
func (s skeleton) find(hits [][2]int, key string) [][2]int {
	for from := 0; ; from++ {
		n := strings.Index(s.symbols[from:], key[:half])
		if n < 0 {
			return hits
		}
		from += n
		if second := s.behind(from+half, key[half:]); second >= 0 {
			hits = append(hits, [2]int{s.at[from], s.end[second+half-1]})
		}
	}
}

// behind returns the index where rest begins, at place or after a few escapes there, and -1 if it
// does not. An escape may also be literal text: there are keys with 2D in them.
func (s skeleton) behind(place int, rest string) int {
	at := s.end[place-1]
	for signs := 0; signs <= strewn; {
		if strings.HasPrefix(s.symbols[place:], rest) {
			return place
		}
		n := len(escape().FindString(s.text[at:]))
		if n == 0 {
			if at == len(s.text) || place < len(s.at) && s.at[place] == at {
				break
			}
			var r rune
			if r, n = utf8.DecodeRuneInString(s.text[at:]); blank(r) {
				signs--
			}
		}
		signs++
		at += n
		for place < len(s.at) && s.at[place] < at {
			place++
		}
	}
	return -1
}

// blank reports whether a character may be between two symbols any number of times: white space,
// and quote marks.
func blank(r rune) bool { return unicode.IsSpace(r) || r == '>' || r == '|' }
