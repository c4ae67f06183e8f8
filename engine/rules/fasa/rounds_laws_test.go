package fasa

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/engine/rules/fasa/ship"
	"starpost/engine/rules/fasa/tables"
	"starpost/engine/rules/fasa/verbs"
	"starpost/engine/testkit/enginetest"
	"starpost/orders"
)

// everyCourse checks a law on random turns of each course and book.
func everyCourse(t *testing.T, checks int, law func(*rapid.T, *engine.Rules, *tables.Library)) {
	t.Helper()
	enginetest.FewChecks(t, checks)
	lib, err := tables.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	for name, course := range Courses() {
		r, err := course(lib)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(name, func(t *testing.T) { rapid.Check(t, func(t *rapid.T) { law(t, r, lib) }) })
	}
}

// TestRoundsAreTheSameBattle plays random turns of every course at once and in
// rounds, with the same orders: the events are the same to the last byte, and so is
// the game (ruling D9).
func TestRoundsAreTheSameBattle(t *testing.T) {
	everyCourse(t, 20, func(t *rapid.T, r *engine.Rules, lib *tables.Library) {
		g, sheets := drawRoundsTurn(t, r, lib)
		secret := dice.FromSeed(rapid.Uint64Range(0, 1<<40).Draw(t, "secret"))
		after, events, err := engine.Resolve(r, g, sheets, secret)
		if err != nil {
			t.Fatal(err)
		}
		cut := slices.Clone(sheets)
		for i := range cut {
			cut[i].Later = drawSame(t, r, g, cut[i])
		}
		sameBattle(t, r, g, cut, secret, after, events)
	})
}

// TestRoundsInPieces gives each phase's orders only when they are due: the events
// are the same, except those that record the orders in force.
func TestRoundsInPieces(t *testing.T) {
	everyCourse(t, 20, func(t *rapid.T, r *engine.Rules, lib *tables.Library) {
		g, sheets := drawRoundsTurn(t, r, lib)
		if slices.ContainsFunc(g.Ships, func(s *engine.Ship) bool { return len(ship.Of(s).Bridge().Out) > 0 }) {
			t.Skip() // an officer who is out keeps the settings of the turn's start, and can change them later
		}
		withoutMistakes(t, r, g, sheets)
		secret := dice.FromSeed(rapid.Uint64Range(0, 1<<40).Draw(t, "secret"))
		after, events, err := engine.Resolve(r, g, sheets, secret)
		if err != nil {
			t.Fatal(err)
		}
		mistaken := func(e engine.Event) bool {
			_, ok := e.Body.(*engine.Skip)
			return ok && e.Step == "orders" // a mistake, which is told when the set is read
		}
		if slices.ContainsFunc(events, mistaken) {
			t.Skip()
		}
		cut := slices.Clone(sheets)
		for i := range cut {
			if cut[i].Block == nil {
				continue
			}
			whole := *cut[i].Block
			cut[i].Block = rewrite(t, r, g, cut[i].Ship, whole, func(g orders.Group) bool { return g.Name != "phase" || g.N == 1 })
			for k := 2; k <= r.Rounds(); k++ {
				cut[i].Later = append(cut[i].Later, engine.Reply{Block: rewrite(t, r, g, cut[i].Ship, whole, lateGroup(k))})
			}
		}
		_, rounds := playRounds(t, r, g, cut, secret)
		if slices.ContainsFunc(rounds[len(rounds)-1].events, mistaken) {
			t.Skip() // it names a ship that is out of sight after placing, and would be refused
		}
		got, want := plainEvents(t, rounds[len(rounds)-1].events), plainEvents(t, events)
		if !bytes.Equal(got, want) {
			t.Fatalf("%s\n%s", enginetest.Difference(want, got), sheetTexts(sheets))
		}
		if a, b := encoded(t, withoutLast(after)), encoded(t, withoutLast(rounds[len(rounds)-1].state)); !bytes.Equal(a, b) {
			t.Fatalf("%s\n%s", enginetest.Difference(a, b), sheetTexts(sheets))
		}
	})
}

// TestRoundsOfAnyOrders plays rounds with orders of any kind, or none: each begins
// as the last one did, its report tells nothing that the whole turn's does not, and
// no captain sees a secret.
func TestRoundsOfAnyOrders(t *testing.T) {
	everyCourse(t, 10, func(t *rapid.T, r *engine.Rules, lib *tables.Library) {
		g, sheets := drawRoundsTurn(t, r, lib)
		secret := dice.FromSeed(rapid.Uint64Range(0, 1<<40).Draw(t, "secret"))
		for k := 2; k <= r.Rounds(); k++ {
			others := drawRoundsSheets(t, r, g)
			for i := range sheets {
				reply := engine.Reply{Block: others[i].Block, Policy: others[i].Policy}
				if rapid.IntRange(0, 3).Draw(t, "silent") == 0 {
					reply = engine.Reply{}
				}
				sheets[i].Later = append(sheets[i].Later, reply)
			}
		}
		after, rounds := playRounds(t, r, g, sheets, secret)
		if err := enginetest.CheckTurn(r, g, after, rounds[len(rounds)-1].events); err != nil {
			t.Fatal(err)
		}
		told := 0
		for _, round := range rounds {
			if err := enginetest.CheckSecrets(r, round.state, round.events[told:], blurRounds); err != nil {
				t.Fatal(err)
			}
			tellsNoMore(t, r, round.state, round.events[told:], after, rounds[len(rounds)-1].events)
			checkRoundOffers(t, r, round.state)
			told = len(round.events)
		}
	})
}

// playedRound is a turn up to a round.
type playedRound struct {
	state  *engine.Game
	events []engine.Event
}

// playRounds plays a turn round by round.
func playRounds(t *rapid.T, r *engine.Rules, g *engine.Game, sheets []engine.Sheet, secret dice.Secret) (*engine.Game, []playedRound) {
	var rounds []playedRound
	var told []engine.Event
	for k := 1; k <= r.Rounds(); k++ {
		upto := slices.Clone(sheets)
		for i := range upto {
			upto[i].Later = upto[i].Later[:min(k-1, len(upto[i].Later))]
		}
		after, events, err := engine.ResolveRounds(r, g, upto, engine.RoundLimit{Upto: k, Told: told}, secret)
		if err != nil {
			t.Fatalf("round %d: %v\n%s", k, err, sheetTexts(sheets))
		}
		want := k
		if k == r.Rounds() || after.Result != nil {
			want = 0
		}
		if after.Round != want || after.Turn != g.Turn+1 {
			t.Fatalf("turn %d round %d after round %d", after.Turn, after.Round, k)
		}
		rounds = append(rounds, playedRound{after, events})
		told = events
		if after.Result != nil { // there is no other round
			break
		}
	}
	return rounds[len(rounds)-1].state, rounds
}

func sameBattle(t *rapid.T, r *engine.Rules, g *engine.Game, sheets []engine.Sheet, secret dice.Secret, after *engine.Game, events []engine.Event) {
	state, rounds := playRounds(t, r, g, sheets, secret)
	want, err := engine.EncodeEvents(events)
	if err != nil {
		t.Fatal(err)
	}
	got, err := engine.EncodeEvents(rounds[len(rounds)-1].events)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(want, got) {
		t.Fatalf("%s\n%s", enginetest.Difference(want, got), sheetTexts(sheets))
	}
	if a, b := encoded(t, after), encoded(t, state); !bytes.Equal(a, b) {
		t.Fatalf("%s", enginetest.Difference(a, b))
	}
}

func encoded(t *rapid.T, g *engine.Game) []byte {
	data, err := engine.EncodeGame(g)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// plainEvents returns events without their numbers and the lines of orders, and
// without those that record which orders are in force.
func plainEvents(t *rapid.T, events []engine.Event) []byte {
	var kept []engine.Event
	for _, e := range events {
		if _, ok := e.Body.(*ship.StandingSet); ok {
			continue
		}
		if s, ok := e.Body.(*engine.Skip); ok {
			c := *s
			c.Line = 0
			e.Body = &c
		}
		e.Seq = 0
		kept = append(kept, e)
	}
	data, err := engine.EncodeEvents(kept)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// withoutMistakes gives robots' orders to ships whose own have errors.
func withoutMistakes(t *rapid.T, r *engine.Rules, g *engine.Game, sheets []engine.Sheet) {
	for i, sheet := range sheets {
		v := viewOf(t, r, g, nil, sheet.Ship)
		if sheet.Block == nil || !orders.HasErrors(r.Check(v, sheet.Ship, *sheet.Block).Diagnostics) {
			continue
		}
		s, _ := v.Ship(sheet.Ship)
		blocks, _ := orders.Parse([]byte(fmt.Sprintf("#orders %s turn %d ship %s\n%s\n#end\n", v.Game, v.Due, s.Name, r.Robot(v, sheet.Ship).String())), r.Language)
		if len(blocks) != 1 {
			t.Fatal(r.Robot(v, sheet.Ship).String())
		}
		sheets[i].Block = &blocks[0]
	}
}

// withoutLast returns a game without the recorded last orders of ships that are out
// of the fight, since their captains' later sets are not read; and without those of
// all ships when the game is over, which may be before the last phase.
func withoutLast(g *engine.Game) *engine.Game {
	c := g.Clone()
	for _, s := range c.Ships {
		if s.Status != engine.Active || c.Result != nil {
			ship.Of(s).Standing.Last = ""
		}
	}
	return c
}

// drawRoundsTurn returns a game after up to two turns, and the sheets for its next turn.
func drawRoundsTurn(t *rapid.T, r *engine.Rules, lib *tables.Library) (*engine.Game, []engine.Sheet) {
	var g *engine.Game
	switch {
	case r.Terrain == nil:
		g = drawGame(t, r, lib)
	case rapid.Bool().Draw(t, "close"):
		g = drawCloseGame(t, r)
	default:
		g = drawMinedGame(t, r)
	}
	secret := dice.FromSeed(rapid.Uint64Range(0, 1<<40).Draw(t, "earlier dice"))
	for range rapid.IntRange(0, 2).Draw(t, "earlier turns") {
		after, _, err := engine.Resolve(r, g, drawRoundsSheets(t, r, g), secret)
		if err != nil {
			t.Fatal(err)
		}
		if after.Result != nil {
			break
		}
		g = after
	}
	return g, drawRoundsSheets(t, r, g)
}

func drawRoundsSheets(t *rapid.T, r *engine.Rules, g *engine.Game) []engine.Sheet {
	var sheets []engine.Sheet
	for _, id := range g.InFight() {
		var s engine.Sheet
		which := rapid.IntRange(0, 5).Draw(t, "kind of orders")
		_, wolfish := g.Ship("hood")
		switch {
		case r.Terrain == nil || which == 0 || !wolfish && which != 1:
			s = drawSheet(t, r, viewOf(t, r, g, nil, id), id)
		case which == 1:
			s = drawRashSheet(t, r, g, id)
		case which == 2:
			s = drawSensorSheet(t, r, g, id)
		case which == 3:
			s = drawHelmSheet(t, r, g, id)
		default:
			s = drawRepairSheet(t, r, g, id)
		}
		sheets = append(sheets, s)
	}
	return sheets
}

// drawSame returns later sets that change nothing: none, the whole set again, or
// the part that is due.
func drawSame(t *rapid.T, r *engine.Rules, g *engine.Game, s engine.Sheet) []engine.Reply {
	var later []engine.Reply
	for k := 2; k <= r.Rounds(); k++ {
		reply := engine.Reply{}
		switch way := rapid.IntRange(0, 2).Draw(t, "way"); {
		case s.Block == nil || way == 0:
		case way == 1:
			reply.Block = rewrite(t, r, g, s.Ship, *s.Block, func(g orders.Group) bool { return g.Name != "" })
			fallthrough
		default:
			reply.Block = rewrite(t, r, g, s.Ship, *s.Block, lateGroup(k))
		}
		later = append(later, reply)
	}
	return later
}

// lateGroup chooses the groups that are due in a round after the first.
func lateGroup(round int) func(orders.Group) bool {
	return func(g orders.Group) bool {
		return g.Name == "phase" && g.N == round || g.Name == "standing"
	}
}

// rewrite returns a set with some of its groups, its lines further down. Orders
// above the groups are all in a first set; later ones only have those to self-destruct.
func rewrite(t *rapid.T, r *engine.Rules, g *engine.Game, ship engine.ShipID, b orders.Block, keep func(orders.Group) bool) *orders.Block {
	var groups []orders.Group
	first := keep(orders.Group{Name: "power"}) && !keep(orders.Group{Name: "phase", N: 2})
	for _, grp := range b.Groups {
		if grp.Name == "" && !first {
			grp.Statements = slices.DeleteFunc(slices.Clone(grp.Statements), func(st orders.Statement) bool { return verbs.Destructs(st) == 0 })
			groups = append(groups, grp)
		} else if grp.Name == "" || keep(grp) {
			groups = append(groups, grp)
		}
	}
	s, _ := g.Ship(ship)
	b.Groups = groups
	b.Head = orders.Head{Game: g.ID, Turn: g.Turn + 1, Kind: "ship", Name: s.Name}
	text := strings.Replace(orders.Format(b), "\n", "\n; and so on\n; and so on\n; and so on\n", 1)
	blocks, diags := orders.Parse([]byte(text), r.Language)
	if len(blocks) != 1 || orders.HasErrors(diags) {
		t.Fatalf("%s\n%v", text, diags)
	}
	return &blocks[0]
}

// tellsNoMore checks that the report of the turn has all that a round's report has.
func tellsNoMore(t *rapid.T, r *engine.Rules, state *engine.Game, events []engine.Event, after *engine.Game, all []engine.Event) {
	for _, c := range state.Captains() {
		who := engine.Viewer{Captain: c.Name, Ships: c.Ships, Focus: c.Ships[0]}
		short, err := engine.NewViewBuilder(r, state, events).InRounds(r.Rounds()).View(who)
		if err != nil {
			t.Fatal(err)
		}
		whole, err := engine.NewViewBuilder(r, after, all).InRounds(r.Rounds()).View(who)
		if err != nil {
			t.Fatal(err)
		}
		told := map[string]bool{}
		for _, e := range whole.Events {
			told[entryText(t, e)] = true
		}
		for _, e := range short.Events {
			if after.Result == nil && !told[entryText(t, e)] {
				t.Fatalf("%s is told after a round and not after the turn: %s", c.Name, entryText(t, e))
			}
		}
		r.Present(short)
	}
}

func entryText(t *rapid.T, e engine.Entry) string {
	e.N = 0
	data, err := json.Marshal(e)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// checkRoundOffers checks what captains are offered for the round that is due: it
// has no errors, and the template not even a remark.
func checkRoundOffers(t *rapid.T, r *engine.Rules, g *engine.Game) {
	for _, id := range g.InFight() {
		v, err := engine.NewViewBuilder(r, g, nil).InRounds(r.Rounds()).View(engine.Viewer{Ships: []engine.ShipID{id}, Focus: id})
		if err != nil {
			t.Fatal(err)
		}
		s, _ := v.Ship(id)
		for what, text := range map[string]string{"template": r.Template(v, id).String(), "robot": r.Robot(v, id).String()} {
			text = fmt.Sprintf("#orders %s turn %d ship %s\n%s\n#end\n", g.ID, v.Due, s.Name, text)
			blocks, diags := orders.Parse([]byte(text), r.Language)
			if len(blocks) != 1 || orders.HasErrors(diags) {
				t.Fatalf("%s for round %d:\n%s\n%v", what, v.DueRound(), text, diags)
			}
			c := r.Check(v, id, blocks[0])
			if orders.HasErrors(c.Diagnostics) || slices.ContainsFunc(c.Diagnostics, func(d orders.Diagnostic) bool { return d.Code == "W130" }) {
				t.Fatalf("%s for round %d:\n%s\n%v", what, v.DueRound(), text, c.Diagnostics)
			}
			if v.Round > 0 && what == "template" && (strings.Contains(text, "power\n") || strings.Contains(text, fmt.Sprintf("phase %d\n", v.Round))) {
				t.Fatalf("more than what is due is offered:\n%s", text)
			}
		}
	}
}

// blurRounds changes what only its captain may know of a ship of any course.
func blurRounds(s *engine.Ship) {
	if ship.Of(s).Has("helm") {
		blurHelm(s)
		return
	}
	blur(s)
}
