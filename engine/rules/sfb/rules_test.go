package sfb

import (
	"os"
	"testing"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/engine/robots"
	"starpost/engine/rules/sfb/state"
	"starpost/engine/scenario"
	"starpost/engine/testkit/enginetest"
)

func cadetRules(tb testing.TB) *engine.Rules {
	tb.Helper()
	r, err := over(cadet, nil)
	if err != nil {
		tb.Fatal(err)
	}
	return r
}

// suite is where the public cases are.
const suite = "../../../examples/cases/"

// TestCases plays the worked examples of the cadet game.
func TestCases(t *testing.T) {
	enginetest.Run(t, cadetRules(t), os.DirFS(suite+"sfb-cadet"))
}

// TestShotsAndDronesOnTheMap: a shot is drawn in its impulse, between the places of the ships at that time, and a
// drone is a small craft with its target.
func TestShotsAndDronesOnTheMap(t *testing.T) {
	files, err := Family().ScenarioFiles()
	if err != nil {
		t.Fatal(err)
	}
	sc, diags := scenario.Parse(files["encounter"])
	if sc == nil {
		t.Fatal(diags)
	}
	r, shots, flying := cadetRules(t), 0, 0
	if _, err := robots.Battle(r, sc, "drawn", dice.FromSeed(1), func(turn robots.Turn) error {
		s, _ := turn.After.Ship("constellation")
		v, err := engine.BuildView(r, turn.After, turn.Events, turn.After.Viewer(s))
		if err != nil {
			return err
		}
		p := r.Present(v)
		var fired []int
		for _, e := range v.Events {
			switch e.Body.(type) {
			case *state.Fire, *state.Strike:
				fired = append(fired, e.Phase)
			}
		}
		for i, s := range p.Shots {
			if shots++; len(p.Shots) != len(fired) || s.Phase != fired[i] {
				t.Errorf("turn %d: shots %+v, fired on impulses %v", v.Turn, p.Shots, fired)
			}
		}
		for _, d := range v.Ships {
			if mark, ok := p.Marks[d.ID]; d.Kind == engine.KindDrone && d.Status == engine.Active {
				if flying++; !ok || !mark.Small || mark.Note != "seeks Constellation" {
					t.Errorf("%s is drawn as %+v", d.Name, mark)
				}
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if shots == 0 || flying == 0 {
		t.Errorf("%d shots and %d drones were looked at", shots, flying)
	}
}
