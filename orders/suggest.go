package orders

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Suggest gives the word of among that word is most likely a slip for, case
// ignored, or "" if none is near. Near means one slip (a letter too many, too
// few, wrong, or two changed places) in a word of three or four letters, two in
// a longer one and three from nine letters on; in two letters only the swap.
// Otherwise a single candidate that begins with word, three letters or more of
// it, is taken. The earlier of two equally near ones wins.
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

// slips is the Damerau-Levenshtein distance of adjacent swaps (no letter is
// touched twice).
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

// Hint says what a word that is not understood may be meant for: a word of other
// rules, one of among that newcomers call so, or one of among that it is a slip
// for; "" if it is none of them.
func (l *Language) Hint(word string, among []string) string {
	meant := l.meant(word, func(w string) bool {
		return slices.ContainsFunc(among, func(a string) bool { return same(a, w) })
	})
	question := "did you mean " + strings.Join(meant, " or ") + "?"
	switch rules := l.foreign()[strings.ToLower(word)]; {
	case rules != "" && len(meant) > 0:
		return "it is " + l.belongs(word) + "; " + question
	case rules != "":
		return "it is " + l.belongs(word)
	case len(meant) > 0:
		return question
	}
	if near := didYouMean(word, among); near != "" {
		return near
	}
	if other := l.meant(word, func(w string) bool { return l.foreign()[strings.ToLower(w)] != "" }); len(other) > 0 {
		first, _, _ := strings.Cut(other[0], " ")
		return "that would be " + l.belongs(first)
	}
	return ""
}

// foreign are the words of other rule sets.
func (l *Language) foreign() map[string]string {
	if l.Foreign == nil {
		return nil
	}
	return l.Foreign()
}

// belongs tells whose a word of other rules is.
func (l *Language) belongs(word string) string {
	return fmt.Sprintf("%s, a word of the rules %s; this game is played by %s", word, l.foreign()[strings.ToLower(word)], l.Rules)
}

// meant lists what newcomers mean by a word, if it begins with a word of the right kind.
func (l *Language) meant(word string, kind func(first string) bool) []string {
	var out []string
	for _, m := range l.Meant[strings.ToLower(word)] {
		if first, _, _ := strings.Cut(m, " "); kind(first) {
			out = append(out, m)
		}
	}
	return out
}

// didYouMean is the hint for a slip, "" if nothing is near.
func didYouMean(word string, among []string) string {
	return DidYouMean("%s", word, among, "")
}

// plural gives "1 line" or "3 lines".
func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}

// quote puts a captain's word into a message, cut if it is long.
func quote(word string) string {
	const longest = 30
	if rs := []rune(word); len(rs) > longest {
		word = string(rs[:longest]) + "..."
	}
	return `"` + word + `"`
}

// DidYouMean is a hint for a word that is not known: the one of among that it is most
// likely a slip for, written as form has it ("%q", "--%s"), or else another hint.
func DidYouMean(form, word string, among []string, otherwise string) string {
	if near := Suggest(word, among); near != "" {
		return fmt.Sprintf("did you mean "+form+"?", near)
	}
	return otherwise
}
