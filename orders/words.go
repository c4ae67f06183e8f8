package orders

import (
	"strconv"
	"strings"
	"unicode"
)

// Word is a word of a command, such as people mail or type it: a line by itself, which is no statement
// of an order set.
type Word struct {
	Text   string
	Pos    Pos
	Quoted bool // it stood between double quotes
}

// Splitting says how a command is cut into words beside at spaces.
type Splitting struct {
	Quotes   bool // what stands between double quotes is one word, also between those of word processors; one that is not closed goes to the end
	Comments bool // a semicolon that begins a word begins a comment
	Commas   bool // a comma parts words
}

// Words cuts a line, whose number is given, into words.
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

// JoinWords is the words with something between.
func JoinWords(words []Word, between string) string {
	parts := make([]string, len(words))
	for i, w := range words {
		parts[i] = w.Text
	}
	return strings.Join(parts, between)
}

// TurnNumber reads the number of a turn in a command; ok is false for none, and for one that no game
// comes to.
func TurnNumber(text string) (n int, ok bool) {
	n, err := strconv.Atoi(text)
	return n, err == nil && n >= 0 && n <= 1_000_000
}
