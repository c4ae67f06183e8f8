package command

import (
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"starpost/orders"
	"starpost/pbem/auth"
	"starpost/pbem/desk/codes"
)

// word is a word of a command line with its column, from 1.
type word struct {
	text string
	col  int
}

// wordsOf cuts a line into words; a semicolon that begins a word begins a
// comment. Columns count runes from first.
func wordsOf(line string, first int) []word {
	var out []word
	col, start, startCol := first, -1, 0
	flush := func(end int) {
		if start >= 0 {
			out = append(out, word{line[start:end], startCol})
			start = -1
		}
	}
	for i, r := range line {
		switch {
		case r == ' ' || r == '\t' || r == '\u00a0':
			flush(i)
		case start < 0:
			if r == ';' {
				return out
			}
			start, startCol = i, col
		}
		col++
	}
	flush(len(line))
	return out
}

// commandReader reads the words of one command.
type commandReader struct {
	cmd   *Command
	line  int
	rest  []word
	games func(string) bool
}

// readCommand reads the words that follow a command's verb. known tells whether
// a word is the name of a game: what is not is not taken for one where another
// word may stand.
func readCommand(v Spec, at orders.Pos, rest []word, known func(string) bool) *Command {
	r := &commandReader{cmd: &Command{Verb: v, Pos: at}, line: at.Line, rest: rest, games: known}
	if v.Name == "message" {
		r.words()
	}
	r.options()
	r.cmd.Said = Shorten(joined(r.rest))
	switch v.Name {
	case "report":
		r.game()
		r.turn()
	case "vote":
		r.vote()
	case "join":
		r.join()
	case "message":
		r.message()
	case "allocate":
		r.allocate()
	case "away":
		r.away()
	case "protest":
		r.protest()
	case "address":
		r.address()
	case "name":
		r.name()
	case "observe":
		r.observe()
	case "beacon":
		r.beacon()
	case "invite":
		r.invite()
	case "confirm", "undo":
		r.token()
	case "rehearse":
		if len(r.rest) > 0 && !r.is("times") && !strings.Contains(r.rest[0].text, "=") {
			r.game()
		}
		for len(r.rest) > 0 && len(r.cmd.Words) < maxWished {
			w, _ := r.next()
			r.cmd.Words = append(r.cmd.Words, w.text)
		}
	case "check", "games":
	case "leave":
		if r.is("list") && len(r.rest) == 1 {
			r.cmd.Words, r.rest = []string{"list"}, nil
		}
		r.game()
	case "help", "rules", "ships", "scenarios", "handbook", "record", "practice", "create":
		most := maxAsked
		if v.Name == "create" {
			most = maxWished
		}
		for len(r.rest) > 0 && len(r.cmd.Words) < most {
			w, _ := r.next()
			r.cmd.Words = append(r.cmd.Words, w.text)
		}
	default:
		r.game()
	}
	if len(r.rest) > 0 {
		r.fail(r.rest[0], fmt.Sprintf("%q is not understood here", Shorten(r.rest[0].text)))
	}
	return r.cmd
}

// maxWished is how many words may say which game is wanted.
const maxWished = 40

// maxAsked is how many words may say which text is wanted: a sentence asks for none.
const maxAsked = 4

// Shorten cuts what a sender wrote to what an answer may quote of it.
func Shorten(s string) string {
	const most = 40
	if utf8.RuneCountInString(s) > most {
		return string([]rune(s)[:most]) + "..."
	}
	return s
}

func (r *commandReader) pos(w word) orders.Pos { return orders.Pos{Line: r.line, Col: w.col} }

// fail notes that the command was not understood, and ends the reading.
func (r *commandReader) fail(at word, message string) {
	r.rest = nil
	if !r.cmd.OK() {
		return
	}
	pos := r.pos(at)
	if at.col == 0 {
		pos = r.cmd.Pos
	}
	r.cmd.Diagnostics = append(r.cmd.Diagnostics, orders.Diagnostic{
		Pos: pos, Code: codes.BadCommand, Message: message, Hint: "write: " + strings.Join(r.cmd.Verb.Usage, ", or: "),
	})
}

// next takes the next word.
func (r *commandReader) next() (word, bool) {
	if len(r.rest) == 0 {
		return word{}, false
	}
	w := r.rest[0]
	r.rest = r.rest[1:]
	return w, true
}

func (r *commandReader) is(words ...string) bool {
	if len(r.rest) < len(words) {
		return false
	}
	for i, w := range words {
		if w != "" && !strings.EqualFold(r.rest[i].text, w) {
			return false
		}
	}
	return true
}

// options takes out what may stand anywhere: key, turn and ship. A protest's and
// a message's words are their own behind the first few.
func (r *commandReader) options() {
	bound := len(r.rest)
	if r.cmd.Verb.Name == "protest" {
		bound = min(bound, 3) // [GAME] key K
	}
	var left []word
	for i := 0; i < len(r.rest); i++ {
		w := r.rest[i]
		more := i+1 < len(r.rest)
		switch {
		case i >= bound || !more:
			left = append(left, w)
		case strings.EqualFold(w.text, "key") && (r.cmd.Verb.Name != "protest" || keyLike(r.rest[i+1].text)):
			i++
			r.cmd.Key = r.rest[i].text
			// A key may be typed in two halves.
			if i+1 < len(r.rest) && len(r.cmd.Key) == 4 && len(r.rest[i+1].text) == 4 {
				if whole, ok := auth.Normalise(r.cmd.Key + r.rest[i+1].text); ok {
					i, r.cmd.Key = i+1, whole
				}
			}
		case strings.EqualFold(w.text, "turn") && r.cmd.Verb.Name == "protest": // a number follows anyway
		case strings.EqualFold(w.text, "turn") && r.cmd.Verb.Name != "message" && r.cmd.Verb.Name != "join":
			i++
			r.number(r.rest[i])
		case strings.EqualFold(w.text, "ship") && r.cmd.Verb.Name == "cancel":
			i++
			r.cmd.Ship = r.rest[i].text
		default:
			left = append(left, w)
		}
	}
	r.rest = left
}

func keyLike(s string) bool { _, ok := auth.Normalise(s); return ok }

// number reads a turn.
func (r *commandReader) number(w word) {
	n, err := strconv.Atoi(w.text)
	if err != nil || n < 0 || n > 1_000_000 {
		r.fail(w, fmt.Sprintf("%q is no turn", Shorten(w.text)))
		return
	}
	r.cmd.Turn, r.cmd.TurnPos = n, r.pos(w)
}

// game takes the name of a game, if one stands there.
func (r *commandReader) game() {
	if len(r.rest) == 0 || !r.games(r.rest[0].text) && !plainName(r.rest[0].text) {
		return
	}
	w, _ := r.next()
	r.cmd.Game = w.text
}

// plainName tells what could be the name of a game, so that a misspelt one is
// called that.
func plainName(s string) bool {
	if s == "" || len(s) > 40 || s[0] == '-' || s[0] >= '0' && s[0] <= '9' {
		return false
	}
	for _, c := range []byte(s) {
		if (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && c != '-' {
			return false
		}
	}
	return true
}

// turn takes a bare number for a turn.
func (r *commandReader) turn() {
	if len(r.rest) == 1 && r.cmd.TurnPos == (orders.Pos{}) {
		w, _ := r.next()
		r.number(w)
	}
}

func (r *commandReader) vote() {
	if !r.is(VoteDraw) && !r.is(voteContinue) {
		r.game()
	}
	w, ok := r.next()
	switch {
	case !ok:
		r.fail(w, "it is not said for what you vote")
	case strings.EqualFold(w.text, VoteDraw):
		r.cmd.Vote = VoteDraw
	case strings.EqualFold(w.text, voteContinue):
		r.cmd.Vote = voteContinue
	default:
		r.fail(w, fmt.Sprintf("%q cannot be voted for", Shorten(w.text)))
	}
}

func (r *commandReader) join() {
	if len(r.rest) == 0 || r.is("as") || r.is("side") {
		r.fail(word{}, "it is not said which game you want to join")
		return
	}
	r.game()
	switch {
	case r.cmd.Game == "":
		r.fail(r.rest[0], fmt.Sprintf("%q is no name of a game", Shorten(r.rest[0].text)))
		return
	case len(r.rest) == 0:
	case r.is("as", ""):
		r.cmd.Ship = joined(r.rest[1:])
	case r.is("side", ""):
		r.cmd.Side = joined(r.rest[1:])
	case r.is("as") || r.is("side"):
		r.fail(r.rest[0], "it is not said which seat you want")
	default:
		return // what is left over is told of
	}
	r.rest = nil
}

// words takes what stands behind a colon for the message itself: "message Riskadh: Yield!".
func (r *commandReader) words() {
	for i, w := range r.rest {
		whom, said, ok := strings.Cut(w.text, ":")
		if !ok {
			continue
		}
		r.cmd.Text = strings.TrimSpace(said + " " + joined(r.rest[i+1:]))
		if r.rest = r.rest[:i:i]; whom != "" {
			r.rest = append(r.rest, word{whom, w.col})
		}
		return
	}
}

// message reads whom it is for, with the word to before it or without, and the game before that.
func (r *commandReader) message() {
	if !r.is("to") && len(r.rest) > 1 && (r.games(r.rest[0].text) || strings.EqualFold(r.rest[1].text, "to")) {
		r.game()
	}
	if r.is("to", "") || r.is("for", "") {
		r.rest = r.rest[1:]
	}
	if len(r.rest) == 0 || r.is("to") && len(r.rest) == 1 {
		r.fail(word{}, "it is not said whom the message is for")
		return
	}
	r.cmd.To = joined(r.rest)
	r.rest = nil
}

func (r *commandReader) allocate() {
	if len(r.rest) > 1 {
		r.game()
	}
	w, ok := r.next()
	if !ok {
		r.fail(w, "it is not said on whose sheet")
		return
	}
	r.cmd.Ship = w.text
}

func joined(words []word) string {
	parts := make([]string, len(words))
	for i, w := range words {
		parts[i] = w.text
	}
	return strings.Join(parts, " ")
}

func (r *commandReader) away() {
	// Two words are the days, however they are written: no game was named then.
	if len(r.rest) > 0 && !r.is("from") && (len(r.rest) > 2 || r.games(r.rest[0].text)) {
		r.game()
	}
	if r.is("from") {
		r.rest = r.rest[1:]
	}
	r.cmd.From = r.date("the first day")
	if r.is("to") || r.is("until") {
		r.rest = r.rest[1:]
	}
	if r.cmd.OK() {
		r.cmd.Until = r.date("the last day")
	}
}

func (r *commandReader) date(which string) time.Time {
	w, ok := r.next()
	if !ok {
		r.fail(w, which+" of your absence is missing")
		return time.Time{}
	}
	day, err := time.Parse(time.DateOnly, w.text)
	if err != nil || day.Year() < 2000 || day.Year() > 9999 {
		r.fail(w, fmt.Sprintf("%q is no day such as 2026-08-03", Shorten(w.text)))
	}
	return day
}

func (r *commandReader) protest() {
	r.game()
	w, ok := r.next()
	if !ok {
		r.fail(w, "it is not said which event you protest against")
		return
	}
	turn, event, both := strings.Cut(w.text, ".")
	r.number(word{turn, w.col})
	if !both || !r.cmd.OK() {
		return
	}
	n, err := strconv.Atoi(event)
	if err != nil || n < 1 || n > 1_000_000 {
		r.fail(w, fmt.Sprintf("%q is not the number of a turn and of an event, such as 3.17", Shorten(w.text)))
		return
	}
	r.cmd.Event = n
	r.cmd.Text = joined(r.rest)
	r.rest = nil
}

func (r *commandReader) address() {
	if len(r.rest) > 1 {
		r.game()
	}
	w, ok := r.next()
	if !ok || !strings.Contains(w.text, "@") {
		r.fail(w, "the new address is missing")
		return
	}
	r.cmd.To = strings.Trim(w.text, "<>")
}

func (r *commandReader) observe() {
	if r.is(VoteOff) {
		r.cmd.Vote, r.rest = VoteOff, r.rest[1:]
	}
	r.game()
	if r.cmd.Game == "" && r.cmd.Vote == "" {
		r.fail(word{}, "it is not said which game you want to watch")
	}
}

// name reads what is left: a game only where one is called so, and more follows.
func (r *commandReader) name() {
	if len(r.rest) > 1 && r.games(r.rest[0].text) {
		r.game()
	}
	if len(r.rest) == 0 {
		r.fail(word{}, "it is not said what you want to be called")
		return
	}
	r.cmd.Words, r.rest = []string{joined(r.rest)}, nil
}

func (r *commandReader) invite() {
	if len(r.rest) > 0 && !strings.Contains(r.rest[0].text, "@") {
		r.game()
	}
	w, ok := r.next()
	if !ok || !strings.Contains(w.text, "@") {
		r.fail(w, "it is not said whom to invite")
		return
	}
	r.cmd.To = strings.Trim(w.text, "<>,")
	if r.is("as", "") {
		r.cmd.Ship, r.rest = joined(r.rest[1:]), nil
	}
}

// beacon reads a round and its signature, which a mail program may have broken into several words.
func (r *commandReader) beacon() {
	r.game()
	w, _ := r.next()
	round, err := strconv.ParseUint(w.text, 10, 64)
	if err != nil || round == 0 {
		r.fail(w, fmt.Sprintf("%q is no round of a beacon", Shorten(w.text)))
		return
	}
	var sig strings.Builder
	for _, w := range r.rest {
		sig.WriteString(w.text)
	}
	r.cmd.Words, r.rest = []string{strconv.FormatUint(round, 10), strings.ToLower(sig.String())}, nil
}

func (r *commandReader) token() {
	if len(r.rest) == 0 {
		return
	}
	at := r.rest[0]
	token, ok := auth.NormaliseToken(joined(r.rest))
	if !ok {
		r.fail(at, "this is no token: it has sixteen letters and digits")
		return
	}
	r.cmd.Token, r.rest = token, nil
}
