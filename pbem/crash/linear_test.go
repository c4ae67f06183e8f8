package crash_test

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"

	"starpost/pbem/vault"
)

// The history of a game, as its captains see it, must be linearizable: there must be an order of all acts in which each
// act lies between the moments when a captain asked for it and heard of it, and in which a single undisturbed process
// would have given the same answers.

// act is one thing that happens to a game: a captain's mail, a turn played, or a report.
type act struct {
	kind actKind
	ship string            // that the orders in a mail are for
	turn int               // that the orders are for, that is played, or that is reported
	set  string            // the lines of the set; "" if the orders are withdrawn
	sent int               // position in the order of all captains' mails, from 1
	sets map[string]string // with which a turn was played, by ship
}

type actKind uint8

const (
	aSet    actKind = iota // orders are acknowledged as in force, or as withdrawn
	aLate                  // orders are too late, because the turn was played
	aTurn                  // a turn is played
	aReport                // the report of a turn comes
)

// standing is the model of a game: a turn, and a register for each ship.
type standing struct {
	turn int               // the last one played
	sets map[string]string // in force for the next one, by ship
	sent map[string]int    // act.sent of the last mail that counted, by ship
}

// next returns the state after an act; false if the act cannot happen in s.
func (s standing) next(a act) (standing, bool) {
	switch a.kind {
	case aSet:
		if s.turn != a.turn-1 || s.sent[a.ship] >= a.sent {
			return s, false
		}
		s.sets, s.sent = maps.Clone(s.sets), maps.Clone(s.sent)
		s.sets[a.ship], s.sent[a.ship] = a.set, a.sent
		return s, true
	case aLate:
		return s, s.turn >= a.turn
	case aTurn:
		if s.turn != a.turn-1 || !maps.Equal(s.sets, a.sets) {
			return s, false
		}
		s.turn, s.sets = a.turn, map[string]string{}
		return s, true
	default:
		return s, s.turn >= a.turn
	}
}

func (s standing) equal(o standing) bool {
	return s.turn == o.turn && maps.Equal(s.sets, o.sets) && maps.Equal(s.sent, o.sent)
}

func isLinearizable(past []porcupine.Operation) bool {
	return porcupine.CheckOperations(porcupine.Model{
		Init: func() any { return standing{sets: map[string]string{}, sent: map[string]int{}} },
		Step: func(state, input, _ any) (bool, any) {
			next, ok := state.(standing).next(input.(act)) //nolint:forcetypeassert // the model's own types
			return ok, next
		},
		Equal: func(a, b any) bool { return a.(standing).equal(b.(standing)) }, //nolint:forcetypeassert // the model's own types
	}, past)
}

// between returns an act with the times when it was asked for and heard of.
func between(asked, heard time.Time, a act) porcupine.Operation {
	return porcupine.Operation{Input: a, Call: asked.UnixNano(), Return: heard.UnixNano()}
}

// past returns the history of a game.
func (w *world) past(b *battle) (all []porcupine.Operation, err error) {
	answers, reports := map[string]delivery{}, map[int]time.Time{} // the first of each
	for id, copies := range w.copies {
		m := copies[0]
		answers[m.InReplyTo] = m
		var n int
		if _, err := fmt.Sscanf(strings.TrimPrefix(id, b.id+"."), "%d.", &n); err == nil && strings.HasPrefix(id, b.id+".") {
			if first, ok := reports[n]; !ok || m.at.Before(first) {
				reports[n] = m.at
			}
			all = append(all, between(m.at, m.at, act{kind: aReport, turn: n}))
		}
	}
	first := map[int]time.Time{} // when the first orders for a turn were sent
	for i, m := range w.mails {
		a, of := orderIn(m)
		answer, answered := answers[m.id]
		if of != b.id || !answered || !m.want.answered() {
			continue // not orders for this game, an automatic mail, or a copy
		}
		if at, ok := first[a.turn]; !ok || m.at.Before(at) {
			first[a.turn] = m.at
		}
		refused := strings.Contains(answer.Subject, "not accepted")
		switch {
		case refused && m.flawed:
			continue
		case refused, strings.Contains(answer.Subject, "played already"):
			a.kind = aLate
		}
		a.sent = i + 1
		all = append(all, between(m.at, answer.at, a))
	}
	g, err := b.open()
	if err != nil {
		return nil, err
	}
	for n := 1; n <= g.Turn(); n++ {
		sets := map[string]string{}
		for _, c := range b.captains {
			data, err := g.Stages.File(vault.At(n), vault.OrdersDir+"/"+c.ship+".txt")
			if err != nil {
				return nil, err
			}
			sets[c.ship] = inside.FindStringSubmatch(string(data))[1]
		}
		all = append(all, between(first[n], reports[n], act{kind: aTurn, turn: n, sets: sets}))
	}
	return all, nil
}

var orderMail = regexp.MustCompile(`(?s)#orders (\S+) turn (\d+) ship (\S+) key \S+\n(.*)#end`)

// orderIn returns the order set in a mail and its game; "" if there is none.
func orderIn(m *mail) (a act, game string) {
	found := orderMail.FindStringSubmatch(strings.ReplaceAll(m.raw, "\r\n", "\n"))
	if found == nil {
		return act{}, ""
	}
	a = act{kind: aSet, ship: found[3], set: found[4]}
	a.turn, _ = strconv.Atoi(found[2]) // it is all digits
	if a.set == "cancel\n" {
		a.set = ""
	}
	return a, found[1]
}

// checkPast checks that the history of each game is linearizable.
func (w *world) checkPast() {
	w.t.Helper()
	for id, b := range w.games {
		past, err := w.past(b)
		if err != nil {
			w.t.Fatal(err)
		}
		if !isLinearizable(past) {
			slices.SortFunc(past, func(a, b porcupine.Operation) int { return int(a.Call - b.Call) })
			w.t.Errorf("game %s: what its captains saw has no order in which it can have happened:\n%s", id, listed(past))
		}
	}
}

func listed(past []porcupine.Operation) string {
	var b strings.Builder
	for _, o := range past {
		fmt.Fprintf(&b, "%d to %d: %.400v\n", o.Call, o.Return, o.Input)
	}
	return b.String()
}

// TestHistoryThatCannotBe checks that histories in which something was lost, done twice or done too late are found.
func TestHistoryThatCannotBe(t *testing.T) {
	at := func(second int) time.Time { return time.Unix(int64(second), 0) }
	both := map[string]string{"Hood": "b", "Riskadh": "c"}
	good := []porcupine.Operation{
		between(at(0), at(0), act{kind: aReport}),
		between(at(1), at(8), act{kind: aSet, ship: "Hood", turn: 1, set: "a", sent: 1}), // acknowledged after the other one
		between(at(2), at(4), act{kind: aSet, ship: "Hood", turn: 1, set: "b", sent: 2}),
		between(at(3), at(5), act{kind: aSet, ship: "Riskadh", turn: 1, set: "c", sent: 3}),
		between(at(1), at(9), act{kind: aTurn, turn: 1, sets: both}),
		between(at(9), at(9), act{kind: aReport, turn: 1}),
		between(at(6), at(12), act{kind: aLate, ship: "Hood", turn: 1, set: "d", sent: 4}),
		between(at(10), at(11), act{kind: aSet, ship: "Hood", turn: 2, set: "", sent: 5}),
	}
	if !isLinearizable(good) {
		t.Error("a history that can have happened is refused")
	}
	with := func(more ...porcupine.Operation) []porcupine.Operation { return slices.Concat(good, more) }
	other := func(i int, asked, heard int, a act) []porcupine.Operation {
		changed := slices.Clone(good)
		changed[i] = between(at(asked), at(heard), a)
		return changed
	}
	for name, past := range map[string][]porcupine.Operation{
		"an acknowledged set is lost":        other(4, 1, 9, act{kind: aTurn, turn: 1, sets: map[string]string{"Hood": "a", "Riskadh": "c"}}),
		"a turn is played twice":             with(between(at(10), at(13), act{kind: aTurn, turn: 1, sets: both})),
		"a turn is left out":                 with(between(at(14), at(14), act{kind: aReport, turn: 2})),
		"a set counts after its turn":        with(between(at(10), at(13), act{kind: aSet, ship: "Riskadh", turn: 1, set: "e", sent: 6})),
		"a set is too late before its turn":  with(between(at(2), at(3), act{kind: aLate, ship: "Riskadh", turn: 2, set: "e", sent: 6})),
		"a report comes before its turn":     with(between(at(2), at(2), act{kind: aReport, turn: 1})),
		"an earlier mail displaces a later":  other(2, 2, 4, act{kind: aSet, ship: "Hood", turn: 1, set: "b", sent: 0}),
		"a turn is played before its orders": other(3, 10, 11, act{kind: aSet, ship: "Riskadh", turn: 1, set: "c", sent: 3}),
	} {
		if isLinearizable(past) {
			t.Errorf("%s, and nothing is found", name)
		}
	}
}
