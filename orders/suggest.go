package orders

import (
	"fmt"
	"strconv"
	"strings"
)

// Suggest returns the word in among that word is most likely a misspelling of, ignoring case, or "" if none is
// near. Near means one slip (a letter too many, missing or wrong, or two letters swapped) in a word of three or
// four letters, two in a longer one and three from nine letters on; in two letters only the swap. Otherwise, if
// word has at least three letters and only one candidate begins with it, that is returned. The earlier of two
// equally near ones wins.
func Suggest(word string, among []string) string {
	w := []rune(strings.ToLower(word))
	if len(w) < 2 || len(w) > MaxWordRunes {
		return ""
	}
	limit := 1
	switch {
	case len(w) >= 9:
		limit = 3
	case len(w) >= 5:
		limit = 2
	}
	best, bestAt, begins, beginners := "", limit+1, "", 0
	for _, a := range among {
		c := []rune(strings.ToLower(a))
		if len(c) > MaxWordRunes {
			continue
		}
		if len(w) >= 3 && strings.HasPrefix(string(c), string(w)) {
			if begins != a {
				beginners++
			}
			begins = a
		}
		if len(c)-len(w) > limit || len(w)-len(c) > limit {
			continue
		}
		d := slips(w, c)
		if len(w) == 2 && d > 0 && (len(c) != 2 || w[0] != c[1] || w[1] != c[0]) {
			continue
		}
		if d < bestAt && d < len(c) {
			best, bestAt = a, d
		}
	}
	if best == "" && beginners == 1 {
		return begins
	}
	return best
}

// oneSlip reports whether a word is one slip from another, ignoring case.
func oneSlip(word, other string) bool {
	a, b := []rune(strings.ToLower(word)), []rune(strings.ToLower(other))
	return other != "" && len(a)-len(b) <= 1 && len(b)-len(a) <= 1 && slips(a, b) == 1
}

// slips returns the Damerau-Levenshtein distance with adjacent swaps (no letter is changed twice).
func slips(a, b []rune) int {
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := range a {
		row[0] = i + 1
		for j := range b {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			row[j+1] = min(last[j+1]+1, row[j]+1, last[j]+cost)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}

// didYouMean returns the hint for a misspelling, "" if nothing is near.
func didYouMean(word string, among []string) string {
	return DidYouMean("%s", word, among, "")
}

// plural returns "1 line" or "3 lines".
func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}

// quote quotes a captain's word for a message, shortened if it is long.
func quote(word string) string {
	const longest = 30
	if rs := []rune(word); len(rs) > longest {
		word = string(rs[:longest]) + "..."
	}
	return `"` + word + `"`
}

// DidYouMean returns a hint for an unknown word: the one of among that it is most likely a misspelling of,
// formatted by form ("%q", "--%s"), or else another hint.
func DidYouMean(form, word string, among []string, otherwise string) string {
	if near := Suggest(word, among); near != "" {
		return fmt.Sprintf("did you mean "+form+"?", near)
	}
	return otherwise
}
