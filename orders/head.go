package orders

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// headWords are the words of a head that this package knows.
var headWords = []string{"turn", "phase", "key", "ship", "captain"}

// headReader reads the words behind #orders: the game, then in any order turn
// N, phase N, ship NAME (or captain NAME, or POST NAME) and key KEY.
type headReader struct {
	head  Head
	toks  []token
	i     int
	end   Pos
	diags []Diagnostic
	// heard marks the parts that were named, good or bad, so that a bad one is
	// not reported as missing too.
	heard map[string]bool
}

// maxHeadWords is far more than a good head has.
const maxHeadWords = 30

const headUsage = "write: #orders GAME turn NUMBER ship NAME key KEY"

func readHead(at Pos, l *logical) (Head, []Diagnostic) {
	r := headReader{head: Head{Pos: at}, toks: l.toks, end: l.end, heard: map[string]bool{}}
	if len(r.toks) > maxHeadWords {
		r.report(r.toks[maxHeadWords].pos, CodeHeadWord, "the head has too many words", headUsage)
		r.toks = r.toks[:maxHeadWords]
	}
	r.game()
	for r.i < len(r.toks) {
		r.part()
	}
	if !r.heard["turn"] {
		r.report(r.end, CodeHeadTurn, "the turn is missing", headUsage)
	}
	if !r.heard["ship"] {
		r.report(r.end, CodeHeadShip, "the ship is missing", headUsage)
	}
	return r.head, r.diags
}

func (r *headReader) report(at Pos, code, message, hint string) {
	r.diags = append(r.diags, Diagnostic{Pos: at, Code: code, Message: message, Hint: hint})
}

// next takes the word behind a keyword, if there is one.
func (r *headReader) next() (token, bool) {
	if r.i == len(r.toks) || known(r.toks[r.i].text) {
		return token{pos: r.end}, false
	}
	r.i++
	return r.toks[r.i-1], true
}

func known(word string) bool {
	for _, w := range headWords {
		if same(w, word) {
			return true
		}
	}
	return false
}

func (r *headReader) game() {
	t, ok := r.next()
	if !ok {
		if r.i < len(r.toks) {
			t.pos = r.toks[r.i].pos
		}
		r.report(t.pos, CodeHeadGame, "the game is missing", headUsage)
		return
	}
	if !r.name(t, CodeHeadGame, "a game's name") {
		return
	}
	r.head.Game, r.head.GamePos = t.text, t.pos
}

// part reads one keyword and its value.
func (r *headReader) part() {
	t := r.toks[r.i]
	r.i++
	word := strings.ToLower(t.text)
	if !known(word) {
		if near := Suggest(word, headWords); near != "" {
			r.report(t.pos, CodeHeadWord, quote(t.text)+" is not understood here", "did you mean "+near+"?")
			word = near
		}
	}
	switch word {
	case "turn":
		r.turn(t)
	case "phase":
		r.phase(t)
	case "key":
		r.key(t)
	default:
		r.kind(t, word)
	}
}

// once reports a part that was already given.
func (r *headReader) once(t token, part string) {
	if r.heard[part] {
		r.report(t.pos, CodeHeadWord, "the "+part+" is given twice", headUsage)
	}
	r.heard[part] = true
}

func (r *headReader) turn(t token) {
	r.once(t, "turn")
	v, ok := r.next()
	n, err := strconv.Atoi(v.text)
	if !ok || !digits(v.text) || err != nil || n > MaxNumber {
		r.report(v.pos, CodeHeadTurn, "after turn a number is expected", headUsage)
		return
	}
	r.head.Turn, r.head.TurnPos = n, v.pos
}

// phase reads which part of the turn the set is for. Most games have no use for it.
func (r *headReader) phase(t token) {
	r.once(t, "phase")
	v, ok := r.next()
	n, err := strconv.Atoi(v.text)
	if !ok || !digits(v.text) || err != nil || n < 1 || n > MaxNumber {
		r.report(v.pos, CodeHeadPhase, "after phase a number from 1 is expected", "write: #orders GAME turn NUMBER phase NUMBER ship NAME key KEY")
		return
	}
	r.head.Phase, r.head.PhasePos = n, v.pos
}

func (r *headReader) key(t token) {
	r.once(t, "key")
	v, ok := r.next()
	if !ok || !keyShape(v.text) {
		r.report(v.pos, CodeHeadKey, "after key the turn key is expected: letters, digits and hyphens",
			"copy it from the last report, such as 7K4Q-92FM")
		return
	}
	r.head.Key, r.head.KeyPos = strings.ToUpper(v.text), v.pos
}

func keyShape(s string) bool {
	for _, c := range []byte(s) {
		if c != '-' && !('0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z') {
			return false
		}
	}
	return len(s) >= 4 && len(s) <= MaxWordRunes
}

// kind reads ship NAME and its like. Any word will do as a post; whether there
// is such a post is for the language to say.
func (r *headReader) kind(t token, word string) {
	if !known(word) {
		first, _ := utf8.DecodeRuneInString(word)
		follows := r.i < len(r.toks) && !known(r.toks[r.i].text)
		if r.heard["ship"] || !follows || first < 'a' || first > 'z' || !nameShape(word) {
			hint := headUsage
			if digits(t.text) && !r.heard["turn"] {
				hint = "write turn " + t.text
			}
			r.report(t.pos, CodeHeadWord, quote(t.text)+" is not understood here", hint)
			return
		}
	}
	r.once(t, "ship")
	v, ok := r.next()
	if !ok {
		r.report(v.pos, CodeHeadShip, "after "+word+" a name is expected", headUsage)
		return
	}
	if !r.name(v, CodeHeadShip, "a name") {
		return
	}
	r.head.Kind, r.head.KindPos = word, t.pos
	r.head.Name, r.head.NamePos = v.text, v.pos
}

// name checks that a token can be a name, and reports it otherwise.
func (r *headReader) name(t token, code, what string) bool {
	switch {
	case utf8.RuneCountInString(t.text) > MaxWordRunes:
		r.report(t.pos, CodeWordTooLong, quote(t.text)+" is too long for "+what, "")
	case !nameShape(t.text):
		r.report(t.pos, code, quote(t.text)+" cannot be "+what, "names have letters, digits and - ' . _")
	default:
		return true
	}
	return false
}
