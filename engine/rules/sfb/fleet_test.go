package sfb

import (
	"maps"
	"slices"
	"testing"

	"starpost/engine/rules/sfb/play"
	"starpost/engine/rules/sfb/sheet"
)

// fleet returns the sheets of the house rules: those with a turn mode by letter.
func fleet(t *testing.T) map[string]*sheet.Class {
	t.Helper()
	all, err := sheet.Classes(nil)
	if err != nil {
		t.Fatal(err)
	}
	out := maps.Clone(all)
	maps.DeleteFunc(out, func(_ string, c *sheet.Class) bool { return c.Letter == "" })
	if len(out) != 24 {
		t.Fatalf("%d sheets, want 24: %q", len(out), slices.Sorted(maps.Keys(out)))
	}
	return out
}

// TestWhatShipsOfTheHouseRulesLackIsPassed lists, ship by ship, the cells of the chart for which a sheet has no box;
// every other cell must hit one.
func TestWhatShipsOfTheHouseRulesLackIsPassed(t *testing.T) {
	ships := fleet(t)
	all := slices.Sorted(maps.Keys(ships))
	but := func(names ...string) []string {
		return slices.DeleteFunc(slices.Clone(all), func(s string) bool { return slices.Contains(names, s) })
	}
	destroyers := []string{"federation-dd", "federation-ddm", "federation-sc"}
	kzinti := []string{"kzinti-bc", "kzinti-cc", "kzinti-cl", "kzinti-cs", "kzinti-ff"}
	racks := append([]string{"federation-ffg", "klingon-d6", "klingon-d7", "klingon-e4", "klingon-f5"}, kzinti...)
	lacks := map[string][]string{
		"flag":      but("federation-dn", "kzinti-cc"),
		"emergency": {"orion-cr", "romulan-we"},
		"auxiliary": {"federation-tug", "gorn-dd", "romulan-we"},
		"lab":       {"klingon-e4", "orion-cr", "romulan-we"},
		"probe":     {"orion-cr"},
		"cargo":     but("federation-ddm", "federation-tug", "orion-cr"),
		"apr":       append([]string{"federation-ca", "orion-cr", "romulan-we", "tholian-pc"}, destroyers...),
		"left":      destroyers,
		"right":     destroyers,
		"center":    but(append(append([]string{"federation-dn"}, destroyers...), kzinti...)...),
		"drone":     but(racks...),
		"torp":      {"federation-cmc", "federation-tug", "orion-cr"},
	}
	for name, c := range ships {
		seen := map[string]bool{}
		for _, row := range house().Block {
			for _, cell := range row {
				reaches := len(play.Meant(cell, &c.Sheet)) > 0
				if want := !slices.Contains(lacks[cell.What], name); reaches != want && !seen[cell.What] {
					t.Errorf("%s: %s reaches a box: %t, want %t", name, cell.What, reaches, want)
				}
				seen[cell.What] = true
			}
		}
		if len(seen) != 26 {
			t.Errorf("the chart has %d things to hit", len(seen))
		}
	}
}

// TestEveryRowTakesAShipApart: whatever the roll, points inside take boxes until only the one that destroys the ship
// is left.
func TestEveryRowTakesAShipApart(t *testing.T) {
	for name, c := range fleet(t) {
		for roll := 2; roll <= 12; roll++ {
			hers := c.Sheet.Clone()
			for blocks := 0; ; blocks++ {
				if blocks > 500 {
					t.Fatalf("%s: roll %d never destroys her", name, roll)
				}
				before := boxesLeft(&hers)
				d := &play.BlockDamage{Sheet: &hers, Left: 7}
				if d.Armour(); d.Left > 0 {
					d.Bank(house().Block, roll)
				}
				if len(d.Hits) > 0 && d.Hits[len(d.Hits)-1].Bank < 0 {
					if hers.Count(sheet.Excess).Left != 0 {
						t.Errorf("%s: roll %d destroys her with excess damage left", name, roll)
					}
					break
				}
				if after := boxesLeft(&hers); before-after != 7 {
					t.Fatalf("%s: roll %d: 7 points take %d boxes", name, roll, before-after)
				}
			}
		}
	}
}

func boxesLeft(s *sheet.Sheet) (n int) {
	for _, b := range s.Banks {
		n += b.Left
	}
	return n
}

// TestFiguresOfTheFleetArePlayable checks move costs, breakdown and boarding.
func TestFiguresOfTheFleetArePlayable(t *testing.T) {
	for name, c := range fleet(t) {
		if c.MoveCost == 0 || c.Breakdown < 2 || c.Boarding == 0 || c.Size < 2 || c.Size > 4 {
			t.Errorf("%s: move cost %d, breakdown %d, boarding parties %d, size %d", name, c.MoveCost, c.Breakdown, c.Boarding, c.Size)
		}
		for _, figure := range []string{"move_cost", "breakdown", "boarding", "size"} {
			if len(c.Marks[figure]) == 0 {
				t.Errorf("%s: %s has no source", name, figure)
			}
		}
		if (c.Cloak > 0) != (c.Navy == "romulan") {
			t.Errorf("%s has a cloak for %d", name, c.Cloak)
		}
	}
}
