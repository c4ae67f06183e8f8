package manual_test

import (
	"strings"
	"testing"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/engine/rules/manual"
	"starpost/engine/ruling"
	"starpost/engine/testkit/enginetest"
)

// A filed turn can be ruled on like any other.
func TestRulingsOnAFiledTurn(t *testing.T) {
	g := cinder(t)
	play := func(rulings ...ruling.Ruling) (*engine.Game, []engine.Event, error) {
		r, err := manual.Rules().Filed(g, example(t, "turn-1.txt"))
		if err != nil {
			t.Fatal(err)
		}
		return engine.Resolve(ruling.Upon(r, rulings), g, sheets(t, g), dice.FromSeed(7))
	}
	rule := func(what string, before bool) ruling.Ruling {
		return ruling.Ruling{By: "Quinn", Why: "a slip", What: what, Before: before}
	}
	after, events, err := play(rule("set Wasp hull 8", false), rule("roll t1.wasp.guns 3", false), rule("damage Lantern shields.1 2", false))
	if err != nil {
		t.Fatal(err)
	}
	if err := enginetest.CheckTurn(manual.Rules(), g, after, events); err != nil {
		t.Error(err)
	}
	_, wasp := viewOf(t, after, events, "wasp")
	expect(t, "Wasp", wasp, []string{"Wasp: hull 9 to 6, of 9", "hull | 8 | 9", "Die wasp.guns (d10): 3"}, []string{"shields"})
	_, lantern := viewOf(t, after, events, "lantern")
	expect(t, "Lantern", lantern, []string{"shields 1 | 2 | 4"}, []string{"hull was"})

	_, _, err = play(rule("set Wasp hull 12", false))
	if err == nil || !strings.Contains(err.Error(), "0 to 9") {
		t.Errorf("beyond what the track holds: %v", err)
	}
}

// A line of the filing that has become impossible by an earlier ruling is left out, and the referee is told.
func TestFilingAfterARuling(t *testing.T) {
	one, _ := filed(t, cinder(t), "#rulings\nout Wasp crippled\n")
	r, err := manual.Rules().Filed(one, []byte("#rulings\nenter Wasp 0607 A\nmove Lantern 1011\n"))
	if err != nil {
		t.Fatal(err)
	}
	r = ruling.Upon(r, []ruling.Ruling{{By: "Quinn", Why: "she was only stunned", What: "revive Wasp", Before: true}})
	after, events, err := engine.Resolve(r, one, sheets(t, one), dice.FromSeed(7))
	if err != nil {
		t.Fatal(err)
	}
	if err := enginetest.CheckTurn(manual.Rules(), one, after, events); err != nil {
		t.Error(err)
	}
	wasp, _ := after.Ship("wasp")
	if lantern, _ := after.Ship("lantern"); wasp.Hex.Label() != "0604" || lantern.Hex.Label() != "1011" {
		t.Errorf("Wasp is at %s, Lantern at %s", wasp.Hex.Label(), lantern.Hex.Label())
	}
	v, err := engine.BuildView(r, after, events, engine.Viewer{All: true})
	if err != nil {
		t.Fatal(err)
	}
	told := 0
	for _, c := range r.Present(v).Phases {
		for _, l := range c.Lines {
			if strings.HasPrefix(l.Text, "Line 2 of the filing could no longer be played: Wasp is in the fight already") {
				told++
			}
		}
	}
	if told != 1 {
		t.Errorf("the referee is told %d times", told)
	}
	_, seen := viewOf(t, after, events, "lantern")
	expect(t, "Lantern", seen, nil, []string{"of the filing"})
}
