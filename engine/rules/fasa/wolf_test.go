package fasa

import (
	"fmt"
	"testing"

	"starpost/engine"
	"starpost/engine/rules/fasa/ship"
	"starpost/engine/rules/fasa/tables"
	"starpost/engine/tactical"
)

// TestWolfIsThePrintedOne compares the ships of The Big Bad Wolf with the scenario's
// printed page, and with ruling D55 where the print is lost.
func TestWolfIsThePrintedOne(t *testing.T) {
	g := scenarioGame(t, basicRules(t), "big-bad-wolf")
	if g.Bounds != nil || g.Victory.LastTurn != 0 {
		t.Errorf("bounds %v, last turn %d", g.Bounds, g.Victory.LastTurn)
	}
	for _, want := range []struct {
		ship, place    engine.ShipID
		power          int
		move, shield   tactical.Ratio
		superstructure int
		maxShield      int
		banks          []string
	}{
		{
			"hood", "1133 A", 44,
			tactical.Ratio{A: 4, B: 1},
			tactical.Ratio{A: 1, B: 2},
			20, 16,
			[]string{
				"bank-a: 2 FH-3 beam [f p] chart W 0-5 [{3 1 10} {2 11 17} {1 18 20}]",
				"bank-b: 2 FH-3 beam [f] chart W 0-5 [{3 1 10} {2 11 17} {1 18 20}]",
				"bank-c: 2 FH-3 beam [f s] chart W 0-5 [{3 1 10} {2 11 17} {1 18 20}]",
				"torpedo-1: 1 FP-1 missile [f] chart L arm 1 damage 10",
				"torpedo-2: 1 FP-1 missile [f] chart L arm 1 damage 10",
			},
		},
		{
			"riskadh", "1101 D", 40,
			tactical.Ratio{A: 4, B: 1},
			tactical.Ratio{A: 1, B: 2},
			24, 15,
			[]string{
				"bank-a: 2 KD-9 beam [f p] chart W 0-5 [{3 1 8} {2 9 15} {1 16 20}]",
				"bank-b: 2 KD-9 beam [f] chart W 0-5 [{3 1 8} {2 9 15} {1 16 20}]",
				"bank-c: 2 KD-9 beam [f s] chart W 0-5 [{3 1 8} {2 9 15} {1 16 20}]",
				"bank-d: 2 KD-3 beam [a] chart I 0-5 []",
				"torpedo-1: 1 KP-4 missile [f] chart Q arm 2 damage 18",
				"torpedo-2: 1 KP-4 missile [a] chart Q arm 2 damage 18",
			},
		},
	} {
		s := mustShip(g, want.ship)
		sys := ship.Of(s)
		got := fmt.Sprint(s.Hex.Label()+" "+s.Heading.String(), sys.Power, sys.Design.Move, sys.Design.Shield, sys.Superstructure, sys.Design.MaxShield)
		if w := fmt.Sprint(want.place, want.power, want.move, want.shield, want.superstructure, want.maxShield); got != w {
			t.Errorf("%s is %s, expected %s", want.ship, got, w)
		}
		var banks []string
		for i := range sys.Banks {
			b := &sys.Banks[i]
			text := fmt.Sprintf("%s: %d %s %s %v chart %s", b.ID, len(b.Mounts), b.Type, b.Kind, b.Arcs, b.Chart)
			if b.Kind == tables.Beam {
				text += fmt.Sprintf(" 0-%d %v", b.Max, b.Bands)
			} else {
				text += fmt.Sprintf(" arm %d damage %d", b.Arm, b.Damage)
			}
			banks = append(banks, text)
		}
		if fmt.Sprint(banks) != fmt.Sprint(want.banks) {
			t.Errorf("%s has\n%q\nexpected\n%q", want.ship, banks, want.banks)
		}
	}
	for _, goal := range g.Victory.Goals {
		if goal.When != engine.GoalDriveOff {
			t.Errorf("a goal is %s", goal.When)
		}
	}
}

// TestRatios: power gives points rounded down, points cost power rounded up
// (rulings D17, D18; cases C5 and C11).
func TestRatios(t *testing.T) {
	four3 := tactical.Ratio{A: 4, B: 3}
	for power, want := range []int{0, 0, 1, 2, 3, 3, 4, 5, 6, 6, 7} {
		if got := four3.Points(power); got != want {
			t.Errorf("4/3: %d power give %d points, expected %d", power, got, want)
		}
	}
	half := tactical.Ratio{A: 1, B: 2}
	if half.Points(8) != 16 || half.Cost(37) != 19 || half.Cost(16) != 8 || half.Cost(0) != 0 {
		t.Errorf("1/2: 8 power give %d, 37 points cost %d", half.Points(8), half.Cost(37))
	}
	for _, r := range []tactical.Ratio{{A: 1, B: 1}, {A: 4, B: 1}, {A: 4, B: 3}, {A: 2, B: 3}, {A: 1, B: 2}, {A: 1, B: 4}, {A: 5, B: 1}} {
		for points := range 60 {
			cost := r.Cost(points)
			if r.Points(cost) < points || cost > 0 && r.Points(cost-1) >= points {
				t.Errorf("%s: %d points do not cost %d", r, points, cost)
			}
		}
	}
}
