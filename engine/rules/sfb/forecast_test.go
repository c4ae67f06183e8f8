package sfb

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/engine/rules/sfb/state"
	"starpost/engine/scenario"
	"starpost/orders"
)

// aCourse returns random orders to move for a whole turn. They leave nothing to chance or to other ships.
func aCourse(r *rand.Rand, house bool) string {
	pick := func(of ...string) string { return of[r.IntN(len(of))] }
	var b strings.Builder
	speeds := []string{"0", "4", "9", "16"}
	if house {
		speeds = []string{"0", "1", "2", "2.5", "3\n  pool 8"}
	}
	fmt.Fprintf(&b, "power\n  speed %s\n", pick(speeds...))
	for phase := 1; phase <= 4; phase++ {
		fmt.Fprintf(&b, "phase %d\n", phase)
		for range 1 + r.IntN(3) {
			words := []string{"move " + pick("F", "L", "R F", "F F L R F F"), "pursue nearest to " + pick("0", "4"), "course " + pick("0101", "1511", "3030"), "flee nearest", "face nearest with 3"}
			if on := pick("", fmt.Sprintf(" on %d", 2*phase-r.IntN(2))); house {
				words = append(words, "hard "+pick("L", "RR")+on, "speed "+pick("0", "1", "2", "2.5")+on, "brake"+on)
			}
			fmt.Fprintf(&b, "  %s\n", pick(words...))
		}
	}
	return b.String()
}

// TestTheCheckForetellsTheCourse: where others stay at rest and nothing is left to chance, a ship goes as the check
// of her orders said, in whichever phase it was asked.
func TestTheCheckForetellsTheCourse(t *testing.T) {
	for _, of := range []struct {
		rules    *engine.Rules
		classes  [2]string
		terrain  string
		house    bool
		seeds    uint64
		perPhase int
	}{
		{rules: cadetRules(t), classes: [2]string{"cadet-federation", "cadet-klingon"}, seeds: 150, perPhase: 4},
		{rules: houseRules(t), classes: [2]string{"federation-ca", "klingon-d7"}, house: true, terrain: `terrain = [{kind = "moon", hexes = ["1509", "0909", "0505"]}]`, seeds: 400, perPhase: 2},
	} {
		sc, diags := scenario.Parse(fmt.Appendf(nil, `
format = 1
name = "course"
title = "A course"
rules = %q
last_turn = 9
bounds = {columns = 30, rows = 30}
side = [{id = "a"}, {id = "b"}]
%s
ship = [
  {name = "Hood", side = "a", class = %q, hex = "1012", heading = "A", state = {speed = 12}},
  {name = "Gurkan", side = "b", class = %q, hex = "1505", heading = "D", state = {speed = 4}},
]
`, of.rules.Name, of.terrain, of.classes[0], of.classes[1]))
		if sc == nil {
			t.Fatal(diags)
		}
		for seed := range of.seeds {
			r := rand.New(rand.NewPCG(seed, 3))
			g, diags := sc.NewGame(of.rules, "g", nil)
			if g == nil {
				t.Fatal(diags)
			}
			hood, _ := g.Ship("hood")
			state.Of(hood).Steady, state.Of(hood).Brakes = true, of.house
			text := aCourse(r, of.house)
			sheets := []engine.Sheet{{Ship: "hood"}, {Ship: "gurkan"}}
			for i, text := range []string{text, "power\n  speed 0\n"} {
				blocks, _ := orders.Parse(fmt.Appendf(nil, "#orders g turn 1 ship %s\n%s#end\n", sheets[i].Ship, text), of.rules.Language)
				sheets[i].Block = &blocks[0]
			}
			_, events, err := engine.Resolve(of.rules, g, sheets, dice.FromSeed(seed))
			if err != nil {
				t.Fatal(err, text)
			}
			went := followed(t, g, events)
			whole := *sheets[0].Block
			for round := 1; round <= of.rules.Rounds(); round++ {
				v, block := view(t, of.rules, g, nil), whole
				if round > 1 {
					mid, events, err := engine.ResolveRounds(of.rules, g, []engine.Sheet{inRounds(sheets[0], round-1), inRounds(sheets[1], round-1)}, engine.RoundLimit{Upto: round - 1}, dice.FromSeed(seed))
					if err != nil {
						t.Fatal(err, text)
					}
					if s, _ := mid.Ship("hood"); s.Status != engine.Active {
						break
					}
					v = view(t, of.rules, mid, events)
					block.Groups = slices.DeleteFunc(slices.Clone(whole.Groups), func(g orders.Group) bool { return g.Name != "phase" || g.N < round })
				}
				checked := of.rules.Check(v, "hood", block)
				if len(checked.Path) == 0 {
					t.Fatal(seed, round, checked.Diagnostics, text)
				}
				from := slices.IndexFunc(went[1:], func(s engine.Step) bool { return s.Phase > (round-1)*of.perPhase })
				if from < 0 {
					from = len(went) - 1
				}
				if got, want := course(checked.Path), course(went[from:]); got != want {
					t.Errorf("%s, seed %d, phase %d: the check says %s, and she goes %s\n%s", of.rules.Name, seed, round, got, want, text)
				}
			}
		}
	}
}

func view(t *testing.T, r *engine.Rules, g *engine.Game, events []engine.Event) *engine.View {
	t.Helper()
	s, _ := g.Ship("hood")
	v, err := engine.BuildView(r, g, events, g.Viewer(s))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// followed returns where the Hood was at first, and then each place to which events bring her.
func followed(t *testing.T, before *engine.Game, events []engine.Event) []engine.Step {
	t.Helper()
	g := before.Clone()
	s, _ := g.Ship("hood")
	out := []engine.Step{{At: s.Stands()}}
	for _, e := range events {
		if err := engine.Apply(g, e); err != nil {
			t.Fatal(err)
		}
		if at := s.Stands(); at != out[len(out)-1].At {
			out = append(out, engine.Step{Phase: e.Phase, At: at})
		}
	}
	return out
}

// course returns where a ship is after each impulse that brings her elsewhere, after the first step.
func course(steps []engine.Step) string {
	var out []string
	was := steps[0].At
	for i, s := range steps[1:] {
		if last := i+2 == len(steps) || steps[i+2].Phase != s.Phase; last && s.At != was {
			out, was = append(out, fmt.Sprintf("%d: %s %s", s.Phase, s.At.Hex.Label(), s.At.Heading)), s.At
		}
	}
	return strings.Join(out, ", ")
}
