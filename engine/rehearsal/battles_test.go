package rehearsal_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"testing"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/engine/family"
	"starpost/engine/rehearsal"
	"starpost/engine/robots"
	"starpost/engine/rules/fasa"
	"starpost/engine/rules/sfb"
	"starpost/engine/scenario"
	"starpost/engine/testkit/enginetest"
)

// own returns the order sets that a robot gives for the seats of a view.
func own(r *engine.Rules, v *engine.View) (sets []rehearsal.Set, err error) {
	for _, set := range robots.Sets(r, v) {
		kind := set.Seat.Post
		if kind == "" {
			kind = "ship"
		}
		block, diags := set.Orders.Block(r.Language, kind)
		if len(diags) > 0 {
			return nil, fmt.Errorf("%v in\n%s", diags, set.Orders)
		}
		sets = append(sets, rehearsal.Set{Seat: set.Seat, Block: block})
	}
	return sets, nil
}

func run(t *testing.T, task rehearsal.Task) (*rehearsal.Bands, []byte) {
	t.Helper()
	b, err := rehearsal.Run(task)
	if err != nil {
		t.Fatal(err)
	}
	data, err := json.Marshal(b)
	if err != nil {
		t.Fatal(err)
	}
	return b, data
}

// games sets up the scenarios of all families with the rule sets they are made for and with a third of the others,
// in the open and in the dark. Under the race detector it uses a share of them.
func games(t *testing.T, do func(t *testing.T, r *engine.Rules, g *engine.Game)) {
	t.Helper()
	n := 0
	for _, f := range []family.Family{fasa.Family(), sfb.Family()} {
		files, err := f.ScenarioFiles()
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range slices.Sorted(maps.Keys(files)) {
			for _, set := range f.Sets {
				for _, dark := range []bool{false, true} {
					text := files[name]
					sc, diags := scenario.Parse(text)
					if sc == nil {
						t.Fatal(diags)
					}
					if dark && sc.Blind == nil {
						sc, _ = scenario.Parse(append(bytes.Clone(text), "\n[blind]\n"...))
					}
					if sc == nil || dark != (sc.Blind != nil) {
						continue
					}
					if n++; n%3 > 0 && sc.Rules != set.Name || n%enginetest.Share > 0 {
						continue
					}
					sc.Rules = set.Name
					r, err := set.Rules(nil)
					if err != nil {
						t.Fatal(err)
					}
					g, diags := sc.Drawn(dice.FromSeed(1), "game").NewGame(r, "game", nil)
					if g == nil || len(diags) > 0 {
						continue
					}
					t.Run(fmt.Sprintf("%s/%s/dark=%v", name, set.Name, dark), func(t *testing.T) {
						t.Parallel()
						do(t, r, g)
					})
				}
			}
		}
	}
}

// All rule sets and scenarios can be rehearsed, in each of the first turns by each captain. The view that comes by
// mail gives the same bytes, so only its contents count; and it is not changed.
func TestAllScenarios(t *testing.T) {
	games(t, func(t *testing.T, r *engine.Rules, g *engine.Game) {
		t.Helper()
		enough := errors.New("enough")
		look := func(g *engine.Game, events []engine.Event) {
			for _, c := range g.Captains()[:min(4, len(g.Captains()))] {
				who, err := r.SeatViewer(g, c.Seats[0])
				if err != nil {
					t.Fatal(err)
				}
				v, err := engine.BuildView(r, g, events, who)
				if err != nil {
					t.Fatal(err)
				}
				if v.Due == 0 || !slices.ContainsFunc(v.Ships, func(s *engine.ShipView) bool { return s.Own && s.Status == engine.Active }) {
					continue
				}
				sets, err := own(r, v)
				if err != nil {
					t.Fatal(err)
				}
				task := rehearsal.Task{Rules: r, View: v, Sets: sets, Times: 2, Seed: 7}
				_, one := run(t, task)
				data, err := json.Marshal(v)
				if err != nil {
					t.Fatal(err)
				}
				if task.View, err = engine.DecodeView(data, r); err != nil {
					t.Fatal(err)
				}
				if _, two := run(t, task); !bytes.Equal(one, two) {
					t.Errorf("turn %d, %s: by mail it is another: %s", g.Turn+1, c.Name, enginetest.Difference(one, two))
				}
				if after, err := json.Marshal(v); err != nil || !bytes.Equal(data, after) {
					t.Errorf("turn %d, %s: the view was changed (%v)", g.Turn+1, c.Name, err)
				}
			}
		}
		look(g, nil)
		_, err := robots.Fight(r, g, dice.FromSeed(1), func(turn robots.Turn) error {
			look(turn.After, turn.Events)
			if turn.After.Turn >= 2 {
				return enough
			}
			return nil
		})
		if err != nil && !errors.Is(err, enough) {
			t.Fatal(err)
		}
	})
}
