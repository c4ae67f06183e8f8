package orders

import (
	"strconv"
	"strings"
	"unicode"
)

// Word is a word of a command, as people mail or type it: a line by itself, not a statement of an order set.
type Word struct {
	Text   string
	Pos    Pos
	Quoted bool // it was in double quotes
}

// Splitting says what else splits a command into words, apart from spaces.
type Splitting struct {
	Quotes   bool // text in double quotes, plain or typographic, is one word; an unclosed one extends to the end
	Comments bool // a semicolon that begins a word begins a comment
	Commas   bool // a comma separates words
}

// Words splits a line with the given number into words.
func (s Splitting) Words(line string, number int) []Word {
	var out []Word
	var text strings.Builder
	var w Word // with a column once it has begun
	open := false
	end := func() {
		if w.Pos.Col > 0 {
			w.Text = text.String()
			out = append(out, w)
		}
		text.Reset()
		w = Word{}
	}
	col := 0
	for _, r := range line {
		col++
		switch {
		case s.Quotes && strings.ContainsRune("\"\u201c\u201d\u201e", r):
			end()
			if open = !open; open {
				w = Word{Pos: Pos{Line: number, Col: col}, Quoted: true}
			}
		case open && unicode.IsSpace(r):
			text.WriteByte(' ')
		case !open && (unicode.IsSpace(r) || s.Commas && r == ','):
			end()
		case s.Comments && r == ';' && w.Pos.Col == 0:
			return out
		default:
			if w.Pos.Col == 0 {
				w.Pos = Pos{Line: number, Col: col}
			}
			text.WriteRune(r)
		}
	}
	end()
	return out
}

// JoinWords returns the words joined with a separator.
func JoinWords(words []Word, between string) string {
	parts := make([]string, len(words))
	for i, w := range words {
		parts[i] = w.Text
	}
	return strings.Join(parts, between)
}

// TurnNumber parses the number of a turn in a command; ok is false if it is not a number, or one that no game
// reaches.
func TurnNumber(text string) (n int, ok bool) {
	n, err := strconv.Atoi(text)
	return n, err == nil && n >= 0 && n <= 1_000_000
}
