package enginetest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"

	"starpost/engine"
	"starpost/engine/dice"
)

// CheckTurn checks the invariants of a resolved turn:
//
//   - replaying the events over the game before gives the game after;
//   - game and events survive JSON unchanged;
//   - events are numbered from 1, belong to the turn and cite a rule;
//   - no two rolls of the turn have the same name (ruling D2), and each is
//     listed by the rule set.
func CheckTurn(r *engine.Rules, before, after *engine.Game, events []engine.Event) error {
	want, err := engine.EncodeGame(after)
	if err != nil {
		return err
	}
	log, err := engine.EncodeEvents(events)
	if err != nil {
		return err
	}
	return checkTurn(r, before, after, events, want, log)
}

// checkTurn is [CheckTurn] with the game after and the events as JSON.
func checkTurn(r *engine.Rules, before, after *engine.Game, events []engine.Event, want, log []byte) error {
	again, err := engine.Replay(before, events)
	if err != nil {
		return fmt.Errorf("replay: %w", err)
	}
	if before.Blind != nil {
		if err := checkContacts(r, before, events); err != nil {
			return err
		}
	}
	if err := same("the game after a replay", want, func() ([]byte, error) { return engine.EncodeGame(again) }); err != nil {
		return err
	}
	if err := same("the game read back from JSON", want, func() ([]byte, error) {
		g, err := engine.DecodeGame(want, r)
		if err != nil {
			return nil, err
		}
		return engine.EncodeGame(g)
	}); err != nil {
		return err
	}
	if err := same("the events read back from JSON", log, func() ([]byte, error) {
		es, err := engine.DecodeEvents(log, r)
		if err != nil {
			return nil, err
		}
		if decoded, err := engine.Replay(before, es); err != nil {
			return nil, fmt.Errorf("replay of events from JSON: %w", err)
		} else if got, err := engine.EncodeGame(decoded); err != nil || !bytes.Equal(got, want) {
			return nil, fmt.Errorf("events from JSON lead to another game (%w)", err)
		}
		return engine.EncodeEvents(es)
	}); err != nil {
		return err
	}
	for _, seat := range r.Owed(after) {
		if s, ok := after.Ship(seat.Ship); !ok || !r.Commands(s) {
			return fmt.Errorf("orders are owed by %q, of whom nothing can be ordered", seat.Ship)
		}
	}
	rolled := map[engine.RollName]bool{}
	for i, e := range events {
		switch {
		case e.Seq != i+1 || e.Turn != before.Turn+1:
			return fmt.Errorf("event %d of turn %d stands at place %d of turn %d", e.Seq, e.Turn, i+1, before.Turn+1)
		case len(e.Rule) == 0 || slices.Contains(e.Rule, ""):
			return fmt.Errorf("event %d (%s) cites no rule", e.Seq, e.Type.Name)
		case e.Step == "":
			return fmt.Errorf("event %d (%s) belongs to no step", e.Seq, e.Type.Name)
		}
		if b, ok := e.Body.(*engine.Roll); ok {
			if low, high := b.Dice.Range(); b.Value < low || b.Value > high {
				return fmt.Errorf("roll %s of %s gave %d", b.Name, b.Dice, b.Value)
			}
			if rolled[b.Name] {
				return fmt.Errorf("two rolls are called %s", b.Name)
			}
			rolled[b.Name] = true
			if r.Dice != nil && !slices.ContainsFunc(r.Dice, func(n engine.NamedDie) bool { return n.Fits(b.Name.String(), b.Dice) }) {
				return fmt.Errorf("the rule set does not list the roll %s of %s among its dice", b.Name, b.Dice)
			}
		}
	}
	return nil
}

func same(what string, want []byte, produce func() ([]byte, error)) error {
	got, err := produce()
	if err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	if !bytes.Equal(want, got) {
		return fmt.Errorf("%s differs:\n%s", what, Difference(want, got))
	}
	return nil
}

// Difference shows the first line in which two texts differ; each field of long JSON lines counts as a line.
func Difference(want, got []byte) string {
	w, g := pieces(want), pieces(got)
	for i := range max(len(w), len(g)) {
		var a, b []byte
		if i < len(w) {
			a = w[i]
		}
		if i < len(g) {
			b = g[i]
		}
		if !bytes.Equal(a, b) {
			return fmt.Sprintf("line %d\nwant %s\ngot  %s", i+1, a, b)
		}
	}
	return "no line differs"
}

func pieces(text []byte) [][]byte {
	return bytes.Split(bytes.ReplaceAll(text, []byte(`,"`), []byte(",\n\"")), []byte("\n"))
}

// Resolve resolves a turn and checks the invariants of doing so: the game before is unchanged, the same input gives
// the same bytes, and the order of the sheets does not matter. It then calls [CheckTurn].
func Resolve(r *engine.Rules, before *engine.Game, sheets []engine.Sheet, secret dice.Secret) (*engine.Game, []engine.Event, error) {
	was, err := engine.EncodeGame(before)
	if err != nil {
		return nil, nil, err
	}
	after, events, err := engine.Resolve(r, before, sheets, secret)
	if err != nil {
		return nil, nil, err
	}
	if err := same("the game before the turn", was, func() ([]byte, error) { return engine.EncodeGame(before) }); err != nil {
		return nil, nil, err
	}
	state, err := engine.EncodeGame(after)
	if err != nil {
		return nil, nil, err
	}
	log, err := engine.EncodeEvents(events)
	if err != nil {
		return nil, nil, err
	}
	backward := slices.Clone(sheets)
	slices.Reverse(backward)
	for what, in := range map[string][]engine.Sheet{"a second run": sheets, "a run with the sheets in another order": backward} {
		g, es, err := engine.Resolve(r, before, in, secret)
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", what, err)
		}
		if err := same("the game after "+what, state, func() ([]byte, error) { return engine.EncodeGame(g) }); err != nil {
			return nil, nil, err
		}
		if err := same("the events of "+what, log, func() ([]byte, error) { return engine.EncodeEvents(es) }); err != nil {
			return nil, nil, err
		}
	}
	if err := checkTurn(r, before, after, events, state, log); err != nil {
		return nil, nil, err
	}
	return after, events, nil
}

// CheckDice checks that rolls of the same name in two runs of a turn are equal (ruling D2), so that changing one
// ship's orders affects no other ship's luck.
func CheckDice(one, other []engine.Event) error {
	rolled := map[engine.RollName]int{}
	for _, e := range one {
		if b, ok := e.Body.(*engine.Roll); ok {
			rolled[b.Name] = b.Value
		}
	}
	for _, e := range other {
		if b, ok := e.Body.(*engine.Roll); ok {
			if v, both := rolled[b.Name]; both && v != b.Value {
				return fmt.Errorf("roll %s is %d in one run and %d in the other", b.Name, v, b.Value)
			}
		}
	}
	return nil
}

// viewers returns a captain's viewers, one for each of the captain's ships, or for each seat if there are posts.
func viewers(r *engine.Rules, g *engine.Game, c engine.Captain) ([]engine.Viewer, error) {
	var out []engine.Viewer
	if len(r.Posts()) == 0 {
		for _, id := range c.Ships {
			out = append(out, engine.Viewer{Captain: c.Name, Ships: c.Ships, Focus: id})
		}
		return out, nil
	}
	for _, seat := range c.Seats {
		who, err := r.SeatViewer(g, seat)
		if err != nil {
			return nil, err
		}
		out = append(out, who)
	}
	return out, nil
}

// CheckPosts checks that officers who are not captain of their ship learn nothing about her other panels. Blur
// changes what the holders of the given posts cannot see, and their views must stay the same.
func CheckPosts(r *engine.Rules, g *engine.Game, events []engine.Event, blur func(s *engine.Ship, held []string)) error {
	if g.Result != nil || len(r.Posts()) == 0 {
		return nil
	}
	for _, c := range g.Captains() {
		changed, officer := g.Clone(), false
		for _, id := range c.Ships {
			s, _ := changed.Ship(id)
			if held := s.MannedBy(c.Name); !slices.Contains(held, "") {
				blur(s, held)
				officer = true
			}
		}
		if !officer {
			continue
		}
		want, err := Seen(r, g, events, c)
		if err != nil {
			return err
		}
		if err := same("what "+string(c.Name)+" sees, with other panels changed,", want, func() ([]byte, error) {
			return Seen(r, changed, events, c)
		}); err != nil {
			return err
		}
	}
	return nil
}

// Seen returns everything that a captain sees of a turn: the view as JSON, its words and tables, and the orders
// offered for the next turn.
func Seen(r *engine.Rules, g *engine.Game, events []engine.Event, captain engine.Captain) ([]byte, error) {
	var out bytes.Buffer
	all, err := viewers(r, g, captain)
	if err != nil {
		return nil, err
	}
	for _, who := range all {
		v, err := engine.BuildView(r, g, events, who)
		if err != nil {
			return nil, err
		}
		id := who.Focus
		for _, part := range []any{v, r.Present(v)} {
			data, err := json.Marshal(part)
			if err != nil {
				return nil, fmt.Errorf("view of %s: %w", captain.Name, err)
			}
			out.Write(append(data, '\n'))
		}
		out.WriteString(r.Template(v, id).String())
		out.WriteString(r.Robot(v, id).String())
	}
	return out.Bytes(), nil
}

// CheckSecrets checks that no captain's view reveals secrets: blur changes all secrets of another captain's ship, and
// the view must stay the same, byte for byte. It must not depend on the views made before by the same builder either.
// When the game is over there are no secrets.
func CheckSecrets(r *engine.Rules, g *engine.Game, events []engine.Event, blur func(*engine.Ship)) error {
	if g.Result != nil {
		return nil
	}
	builder := engine.NewViewBuilder(r, g, events)
	for _, c := range g.Captains() {
		if err := sharedView(r, g, events, c, builder); err != nil {
			return err
		}
		want, err := Seen(r, g, events, c)
		if err != nil {
			return err
		}
		changed := g.Clone()
		for _, s := range changed.Ships {
			if !slices.Contains(c.Ships, s.ID) {
				blur(s)
			}
		}
		// Unseen events must make no difference.
		known := []engine.Event{} // not nil: an empty view has an empty list
		eyes := r.Eyes(engine.Viewer{Captain: c.Name, Ships: c.Ships})
		for _, e := range events {
			if e.See.ToBy(eyes) {
				known = append(known, e)
			}
		}
		if err := same("what "+string(c.Name)+" sees, with the others' secrets changed,", want, func() ([]byte, error) {
			return Seen(r, changed, known, c)
		}); err != nil {
			return err
		}
	}
	return nil
}

// sharedView checks that a captain's view from a builder that has made others is the same as from a new one.
func sharedView(r *engine.Rules, g *engine.Game, events []engine.Event, c engine.Captain, builder *engine.ViewBuilder) error {
	all, err := viewers(r, g, c)
	if err != nil {
		return err
	}
	who := all[0]
	alone, err := engine.BuildView(r, g, events, who)
	if err != nil {
		return err
	}
	want, err := json.Marshal(alone)
	if err != nil {
		return err
	}
	return same("the view of "+string(c.Name)+" among others", want, func() ([]byte, error) {
		v, err := builder.View(who)
		if err != nil {
			return nil, err
		}
		return json.Marshal(v)
	})
}
