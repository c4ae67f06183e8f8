package command

import (
	"fmt"
	"strings"

	"starpost/orders"
	"starpost/pbem/auth"
	"starpost/pbem/desk/codes"
	"starpost/pbem/desk/effect"
)

// commandWords splits a line into words.
func commandWords(line string, number int) []orders.Word {
	return orders.Splitting{Comments: true}.Words(line, number)
}

// readCommand reads the words that follow a command's verb. known reports whether a word is the
// name of a game. If a word may also mean something else, only a known name counts as a game;
// otherwise any word of a name's form does, so that the answer can name a misspelt game.
func readCommand(v Spec, at orders.Pos, rest []orders.Word, known func(string) bool) *Command {
	r := &commandReader{cmd: &Command{Verb: v, Pos: at}, rest: rest, games: known}
	if v.colon {
		r.words()
	}
	r.options()
	r.cmd.Said = effect.Shortened(orders.JoinWords(r.rest, " "))
	if v.read == nil {
		r.game()
	} else {
		v.read(r)
	}
	if len(r.rest) > 0 {
		r.fail(r.rest[0], fmt.Sprintf("%q is not understood here", effect.Shortened(r.rest[0].Text)))
	}
	return r.cmd
}

// nothing reads a command that is only its verb.
func (r *commandReader) nothing() {}

// most takes up to n words unchanged.
func (r *commandReader) most(n int) {
	for len(r.rest) > 0 && len(r.cmd.Words) < n {
		w, _ := r.next()
		r.cmd.Words = append(r.cmd.Words, w.Text)
	}
}

// fail records that the command was not understood, and ends the reading.
func (r *commandReader) fail(at orders.Word, message string) {
	r.rest = nil
	if !r.cmd.OK() {
		return
	}
	pos := at.Pos
	if pos.Col == 0 {
		pos = r.cmd.Pos
	}
	r.cmd.Diagnostics = append(r.cmd.Diagnostics, orders.Diagnostic{
		Pos: pos, Code: codes.BadCommand, Message: message, Hint: "write: " + strings.Join(r.cmd.Verb.Usage, ", or: "),
	})
}

// next takes the next word.
func (r *commandReader) next() (orders.Word, bool) {
	if len(r.rest) == 0 {
		return orders.Word{}, false
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
		if w != "" && !strings.EqualFold(r.rest[i].Text, w) {
			return false
		}
	}
	return true
}

// options removes the words that may be anywhere: key, turn and ship. In a command with ownWords,
// only the first few words count.
func (r *commandReader) options() {
	bound := len(r.rest)
	if r.cmd.Verb.ownWords {
		bound = min(bound, 3) // [GAME] key K
	}
	var left []orders.Word
	for i := 0; i < len(r.rest); i++ {
		w := r.rest[i]
		more := i+1 < len(r.rest)
		switch {
		case i >= bound || !more:
			left = append(left, w)
		case strings.EqualFold(w.Text, "key") && (!r.cmd.Verb.ownWords || keyLike(r.rest[i+1].Text)):
			i++
			r.cmd.Key = r.rest[i].Text
			// A key may be typed in two halves.
			if i+1 < len(r.rest) && len(r.cmd.Key) == 4 && len(r.rest[i+1].Text) == 4 {
				if whole, ok := auth.Normalise(r.cmd.Key + r.rest[i+1].Text); ok {
					i, r.cmd.Key = i+1, whole
				}
			}
		case strings.EqualFold(w.Text, "turn") && r.cmd.Verb.past: // read reads the number
		case strings.EqualFold(w.Text, "turn") && !r.cmd.Verb.noTurn:
			i++
			r.number(r.rest[i])
		case strings.EqualFold(w.Text, "ship") && r.cmd.Verb.takesShip:
			i++
			r.cmd.Ship = r.rest[i].Text
		default:
			left = append(left, w)
		}
	}
	r.rest = left
}

func keyLike(s string) bool { _, ok := auth.Normalise(s); return ok }

// number reads a turn.
func (r *commandReader) number(w orders.Word) {
	n, ok := orders.TurnNumber(w.Text)
	if !ok {
		r.fail(w, fmt.Sprintf("%q is not a turn", effect.Shortened(w.Text)))
		return
	}
	r.cmd.Turn, r.cmd.TurnPos = n, w.Pos
}

// game reads the name of a game, if there is one.
func (r *commandReader) game() {
	if len(r.rest) == 0 || !r.games(r.rest[0].Text) && !plainName(r.rest[0].Text) {
		return
	}
	w, _ := r.next()
	r.cmd.Game = w.Text
}

// plainName reports whether s could be the name of a game, so that the answer can say that no such
// game exists.
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

// turn reads a bare number as a turn.
func (r *commandReader) turn() {
	if len(r.rest) == 1 && r.cmd.TurnPos == (orders.Pos{}) {
		w, _ := r.next()
		r.number(w)
	}
}

// words takes the words after a colon as the message: "message Riskadh: Yield!".
func (r *commandReader) words() {
	for i, w := range r.rest {
		whom, said, ok := strings.Cut(w.Text, ":")
		if !ok {
			continue
		}
		r.cmd.Text = strings.TrimSpace(said + " " + orders.JoinWords(r.rest[i+1:], " "))
		if r.rest = r.rest[:i:i]; whom != "" {
			r.rest = append(r.rest, orders.Word{Text: whom, Pos: w.Pos})
		}
		return
	}
}
