package orders

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// headWords are the words of a head that this package knows.
var headWords = []string{"turn", "phase", "key", "ship", "captain"}

// headReader parses the words after #orders: the game, then in any order turn N, phase N, ship NAME (or captain
// NAME, or POST NAME) and key KEY.
type headReader struct {
	head  Head
	toks  []token
	i     int
	end   Pos
	diags []Diagnostic
	// heard has the parts that were present, valid or not, so that an invalid one is not also reported as missing.
	heard map[string]bool
}

// maxHeadWords is far more than a valid head has.
const maxHeadWords = 30

// HeadUsage is the hint for a head that cannot be parsed, if nothing better is known.
const HeadUsage = "write: #orders GAME turn NUMBER ship NAME key KEY"

func readHead(at Pos, l *logical) (Head, []Diagnostic) {
	r := headReader{head: Head{Pos: at}, toks: l.toks, end: l.end, heard: map[string]bool{}}
	if len(r.toks) > maxHeadWords {
		r.report(r.toks[maxHeadWords].pos, CodeHeadWord, "the head has too many words", HeadUsage)
		r.toks = r.toks[:maxHeadWords]
	}
	sign, signed := r.leaveSigns()
	r.game()
	for r.i < len(r.toks) {
		r.part()
	}
	r.missing()
	if signed {
		r.report(sign.pos, CodeHeadWord, quote(sign.text)+" is not understood here: a head is a sequence of pairs", r.usage())
	}
	return r.head, r.diags
}

// leaveSigns rewrites game=wolf turn=3 and turn: 3 as the words that were meant, and returns the first sign
// removed.
func (r *headReader) leaveSigns() (first token, found bool) {
	sign := func(t token) bool { return t.is("=") || t.is(":") }
	at := slices.IndexFunc(r.toks, sign)
	if at < 0 {
		return token{}, false
	}
	first = r.toks[at]
	var toks []token
	game := 0 // index in toks of the name after the word game; 0 for none
	for i, t := range r.toks {
		if !sign(t) {
			toks = append(toks, t)
			continue
		}
		if n := len(toks); n > 0 && toks[n-1].is("game") && i+1 < len(r.toks) && !r.toks[i+1].sign() && !known(r.toks[i+1].text) {
			game = n
		}
	}
	if game > 0 {
		name := toks[game]
		toks = slices.Insert(slices.Delete(toks, game-1, game+1), 0, name)
	}
	r.toks = toks
	return first, true
}

// usage returns the correct form of a head that was understood all the same, as a hint.
func (r *headReader) usage() string {
	h := r.head
	if h.Game == "" || h.Turn == 0 || h.Name == "" {
		return HeadUsage
	}
	if h.Key != "" {
		h.Key = "KEY" // the hint may be shown to others
	}
	return "write: " + strings.Join(h.words(), " ")
}

// missing reports all missing parts together.
func (r *headReader) missing() {
	at, code := r.end, ""
	var parts []string
	for _, part := range []struct{ name, code string }{{"game", CodeHeadGame}, {"turn", CodeHeadTurn}, {"ship", CodeHeadShip}} {
		if r.heard[part.name] {
			continue
		}
		code = cmp.Or(code, part.code)
		parts = append(parts, "the "+part.name)
	}
	if code == CodeHeadGame && len(r.toks) > 0 {
		at = r.toks[0].pos
	}
	switch n := len(parts); n {
	case 0:
	case 1:
		r.report(at, code, parts[0]+" is missing", HeadUsage)
	default:
		r.report(at, code, strings.Join(parts[:n-1], ", ")+" and "+parts[n-1]+" are missing", HeadUsage)
	}
}

func (r *headReader) report(at Pos, code, message, hint string) {
	r.diags = append(r.diags, Diagnostic{Pos: at, Code: code, Message: message, Hint: hint})
}

// next returns the word after a keyword, if there is one.
func (r *headReader) next() (token, bool) {
	if r.i == len(r.toks) || known(r.toks[r.i].text) {
		return token{pos: r.end}, false
	}
	r.i++
	return r.toks[r.i-1], true
}

func known(word string) bool {
	return slices.ContainsFunc(headWords, func(w string) bool { return same(w, word) })
}

func (r *headReader) game() {
	t, ok := r.next()
	if !ok {
		return
	}
	r.heard["game"] = true
	if !r.name(t, CodeHeadGame, "a game's name") {
		return
	}
	r.head.Game, r.head.GamePos = t.text, t.pos
}

// part parses one keyword and its value.
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
		r.report(t.pos, CodeHeadWord, "the "+part+" is given twice", HeadUsage)
	}
	r.heard[part] = true
}

func (r *headReader) turn(t token) {
	r.once(t, "turn")
	v, ok := r.next()
	n, err := strconv.Atoi(v.text)
	if !ok || !digits(v.text) || err != nil || n > MaxNumber {
		r.report(v.pos, CodeHeadTurn, "after turn a number is expected", HeadUsage)
		return
	}
	r.head.Turn, r.head.TurnPos = n, v.pos
}

// phase parses the part of the turn that the set is for. Most games do not use it.
func (r *headReader) phase(t token) {
	r.once(t, "phase")
	v, ok := r.next()
	n, err := strconv.Atoi(v.text)
	if !ok || !digits(v.text) || err != nil || n < 1 || n > MaxNumber {
		r.report(v.pos, CodeHeadPhase, "after phase a number from 1 is expected", HeadUsage)
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

// kind parses ship NAME and the like. Any word is accepted as a post; whether the post exists is for the language
// to say.
func (r *headReader) kind(t token, word string) {
	if !known(word) {
		first, _ := utf8.DecodeRuneInString(word)
		follows := r.i < len(r.toks) && !known(r.toks[r.i].text)
		if r.heard["ship"] || !follows || first < 'a' || first > 'z' || !nameShape(word) {
			hint := HeadUsage
			switch {
			case digits(t.text) && !r.heard["turn"]:
				r.heard["turn"] = true
				hint = "write turn " + t.text
			case r.head.Name != "" && r.toks[r.i-2].pos == r.head.NamePos && nameShape(t.text):
				hint = fmt.Sprintf("did you mean %s %s? A name is one word", r.head.Kind, t.text)
				r.head.Name, r.head.NamePos = "", Pos{} // so that nothing else is reported about it
			case !r.heard["ship"] && !follows && nameShape(t.text):
				r.heard["ship"] = true
				hint = "write ship " + t.text
			}
			r.report(t.pos, CodeHeadWord, quote(t.text)+" is not understood here", hint)
			return
		}
	}
	r.once(t, "ship")
	v, ok := r.next()
	if !ok {
		r.report(v.pos, CodeHeadShip, "after "+word+" a name is expected", HeadUsage)
		return
	}
	if !r.name(v, CodeHeadShip, "a name") {
		return
	}
	r.head.Kind, r.head.KindPos = word, t.pos
	r.head.Name, r.head.NamePos = v.text, v.pos
}

// name reports whether a token can be a name, with a diagnostic if not.
func (r *headReader) name(t token, code, what string) bool {
	switch {
	case utf8.RuneCountInString(t.text) > MaxWordRunes:
		r.report(t.pos, CodeWordTooLong, quote(t.text)+" is too long for "+what, "")
	case !nameShape(t.text):
		hint := "names have letters, digits and - ' . _"
		if ship, post, ok := strings.Cut(t.text, "/"); ok && code == CodeHeadShip && nameShape(ship) && nameShape(post) {
			hint = "write: " + post + " " + ship // the form in a report's --as
		}
		r.report(t.pos, code, quote(t.text)+" cannot be "+what, hint)
	default:
		return true
	}
	return false
}
