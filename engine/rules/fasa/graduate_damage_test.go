package fasa

import (
	"testing"

	"starpost/engine/rules/fasa/play"
	"starpost/engine/rules/fasa/rulebook"
	"starpost/engine/rules/fasa/ship"
	"starpost/engine/rules/fasa/tables"
)

// TestEveryCellOfTheChartsDoesSomething looks up every shield and die in every chart: its location
// has an effect, and halving and casualties occur only where they make sense.
func TestEveryCellOfTheChartsDoesSomething(t *testing.T) {
	lib, err := tables.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	effects, met := play.DetailedEffects(), map[string]bool{}
	for _, chart := range []string{"A", "B", "C", tables.OutpostChart} {
		for shield := 1; shield <= 6; shield++ {
			for die := 1; die <= 10; die++ {
				cell, ok := lib.HitOn(chart, shield, die)
				if !ok || effects[cell.Location] == nil {
					t.Errorf("chart %s, shield %d, die %d: nothing does %q", chart, shield, die, cell.Location)
				}
				met[cell.Location] = true
				structure := cell.Location == tables.AtSuperstructure || cell.Location == tables.AtSplit || cell.Location == tables.AtBridge || cell.Location == tables.AtEngineering
				if cell.Casualties > 0 && !structure || cell.Casualties > 2 {
					t.Errorf("chart %s, shield %d, die %d: casualties of %q", chart, shield, die, cell.Location)
				}
			}
		}
	}
	for location := range effects {
		if !met[location] {
			t.Errorf("no chart has %q", location)
		}
	}
}

// TestRepairNumbersFall follows each repair track to its end.
func TestRepairNumbersFall(t *testing.T) {
	lib, err := tables.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	l := &rulebook.Rules{Library: lib, Book: graduateCourse().Book}
	sys := &ship.State{Shields: make([]ship.Shield, 6)}
	sys.Put(&ship.Sensors{}, &ship.RepairState{}, &ship.Hull{Chart: "C"}, &ship.Crew{})
	for _, test := range []struct {
		system  string
		numbers []int
	}{
		{"shield-3", []int{8, 6, 4, 2}},
		{ship.NameSensors, []int{8, 6, 4}},
		{ship.NameShieldGrid, []int{7, 5, 3}},
		{ship.NameWeaponGrid, []int{7, 5, 3}},
		{ship.NameConverter, []int{7, 5, 3}},
	} {
		f, ok := sys.Fault(test.system)
		if !ok {
			t.Fatalf("there is no %s", test.system)
		}
		for boxes := 1; boxes <= len(test.numbers)+1; boxes++ {
			if err := sys.Mark(ship.Marked{System: test.system, Change: ship.Change{Before: boxes - 1, After: boxes}, Hurt: boxes}); err != nil {
				t.Fatal(err)
			}
			need, _, out := sys.Need(l.Library, f)
			if boxes > len(test.numbers) {
				if why := play.Idle(l, sys, f, 99); !out || why != f.Title()+" is beyond repair" {
					t.Errorf("%s with %d boxes can be repaired: %q", test.system, boxes, why)
				}
			} else if out || need != test.numbers[boxes-1] || !sys.Down(f) {
				t.Errorf("%s with %d boxes is repaired at %d, expected %d", test.system, boxes, need, test.numbers[boxes-1])
			}
		}
		if err := sys.Mark(ship.Marked{System: test.system, Change: ship.Change{After: 1}}); err == nil {
			t.Errorf("the track of %s can be turned back", test.system)
		}
	}
}
