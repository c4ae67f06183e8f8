package sfb

import (
	"fmt"
	"strings"
	"testing"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/engine/robots"
	"starpost/engine/rules/sfb/play"
	"starpost/engine/rules/sfb/rulebook"
	"starpost/engine/rules/sfb/state"
	"starpost/engine/scenario"
)

const duel = `
format = 1
name = "duel"
title = "Duel"
rules = "sfb-cadet"
side = [{id = "a"}, {id = "b"}]
ship = [
  {name = "Hood", side = "a", class = "cadet-federation", hex = "1010", heading = "D", state = {speed = 8, photon-a = 2, capacitors = 3}},
  {name = "Riskadh", side = "b", class = "cadet-klingon", hex = "1014", heading = "A", state = {speed = 8, capacitors = 4}},
]
`

// BenchmarkTurn plays a turn of a duel, and one of twelve ships with at least twenty drones in flight, by robots'
// orders.
func BenchmarkTurn(b *testing.B) {
	for _, of := range []struct {
		rules       *engine.Rules
		duel, class string
		speed       int
	}{{cadetRules(b), duel, "cadet-klingon", 4}, {houseRules(b), houseBench, "klingon-d7", 8}} {
		b.Run(strings.TrimPrefix(of.rules.Name, "sfb-"), func(b *testing.B) { benchTurns(b, of.rules, of.duel, of.class, of.speed) })
	}
}

const houseBench = `
format = 1
name = "duel"
title = "Duel"
rules = "sfb-house"
side = [{id = "a"}, {id = "b"}]
ship = [
  {name = "Hood", side = "a", class = "federation-ca", hex = "1010", heading = "D", state = {speed = 8, photon-a = 2, capacitors = 3}},
  {name = "Riskadh", side = "b", class = "klingon-d7", hex = "1014", heading = "A", state = {speed = 8, capacitors = 4}},
]
`

func benchTurns(b *testing.B, r *engine.Rules, duel, class string, speed int) {
	b.Helper()
	var fleet strings.Builder
	fmt.Fprintf(&fleet, "format = 1\nname = \"fleet\"\ntitle = \"Fleet\"\nrules = %q\nside = [{id = \"a\"}, {id = \"b\"}]\n", r.Name)
	for i := range 12 {
		side, row, heading := "a", 10, "D"
		if i%2 == 1 {
			side, row, heading = "b", 40, "A"
		}
		fmt.Fprintf(&fleet, "[[ship]]\nname = \"S%d\"\nside = %q\nclass = %q\nhex = \"%02d%02d\"\nheading = %q\nstate = {speed = %d}\n", i, side, class, 10+i, row, heading, speed)
	}
	for _, battle := range []struct {
		name, scenario string
		launch         bool
	}{{"duel", duel, false}, {"fleet", fleet.String(), true}} {
		b.Run(battle.name, func(b *testing.B) {
			sc, diags := scenario.Parse([]byte(battle.scenario))
			if sc == nil {
				b.Fatal(diags)
			}
			g, diags := sc.NewGame(r, "g", nil)
			if g == nil {
				b.Fatal(diags)
			}
			for range 2 * rulebook.BoolInt(battle.launch) { // two turns of launches, too far away to hit
				var sheets []engine.Sheet
				for _, id := range g.InFight() {
					text := "power\n  speed 0\nphase 2\n  launch drone-1 at nearest\n"
					sheets = append(sheets, engine.Sheet{Ship: id, Block: play.Read((&rulebook.Rules{Language: r.Language}), text)})
				}
				var err error
				if g, _, err = engine.Resolve(r, g, sheets, dice.FromSeed(1)); err != nil {
					b.Fatal(err)
				}
			}
			sheets, err := robots.Orders(r, g, nil)
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for b.Loop() {
				if _, _, err := engine.Resolve(r, g, sheets, dice.FromSeed(1)); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(len(state.Drones(g))), "drones")
		})
	}
}

// BenchmarkCheck checks a robot's orders for a turn of a duel, as when its captain's mail is answered.
func BenchmarkCheck(b *testing.B) {
	for _, of := range []struct {
		rules *engine.Rules
		duel  string
	}{{cadetRules(b), duel}, {houseRules(b), houseBench}} {
		b.Run(strings.TrimPrefix(of.rules.Name, "sfb-"), func(b *testing.B) {
			sc, diags := scenario.Parse([]byte(of.duel))
			if sc == nil {
				b.Fatal(diags)
			}
			g, diags := sc.NewGame(of.rules, "g", nil)
			if g == nil {
				b.Fatal(diags)
			}
			sheets, err := robots.Orders(of.rules, g, nil)
			if err != nil {
				b.Fatal(err)
			}
			s, _ := g.Ship(sheets[0].Ship)
			v, err := engine.BuildView(of.rules, g, nil, g.Viewer(s))
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for b.Loop() {
				if checked := of.rules.Check(v, s.ID, *sheets[0].Block); len(checked.Path) < 2 {
					b.Fatal(checked.Diagnostics)
				}
			}
		})
	}
}
