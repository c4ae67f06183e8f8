package sheet

import (
	"fmt"
	"strings"
	"testing"
)

func class(t *testing.T, name string) *Class {
	t.Helper()
	all, err := Classes(nil)
	if err != nil {
		t.Fatal(err)
	}
	c := all[name]
	if c == nil {
		t.Fatalf("no class %s", name)
	}
	return c
}

// TestBuiltInSheetsAreWholeAndNameTheirSources: each figure has a mark, and the totals match the design.
func TestBuiltInSheetsAreWholeAndNameTheirSources(t *testing.T) {
	for name, want := range map[string]struct{ inside, excess, power, phasers int }{
		"cadet-federation": {43, 3, 20, 3},
		"cadet-klingon":    {37, 2, 20, 4},
		"cadet-romulan":    {29, 3, 18, 2},
	} {
		c := class(t, name)
		if got := c.Inside(); got.All != want.inside || got.Left != want.inside {
			t.Errorf("%s has %+v boxes inside, want %d", name, got, want.inside)
		}
		if got := c.In(ExcessBoxes).Left; got != want.excess {
			t.Errorf("%s has %d boxes of excess damage, want %d", name, got, want.excess)
		}
		if got := c.Count(Phaser1, Phaser2).Left; got != want.phasers {
			t.Errorf("%s has %d phasers, want %d", name, got, want.phasers)
		}
		if got := c.Power(); got != want.power {
			t.Errorf("%s has power %d, want %d", name, got, want.power)
		}
	}
	all, _ := Classes(nil)
	for name, c := range all {
		for _, figure := range []string{"shields", "turn_mode"} {
			if len(c.Marks[figure]) == 0 {
				t.Errorf("%s: %s has no source", name, figure)
			}
		}
		for _, b := range c.Banks {
			if len(c.Marks["banks."+b.Name]) == 0 {
				t.Errorf("%s: bank %s has no source", name, b.Name)
			}
			if b.Kind.Category() == WeaponBoxes && (b.Arcs == 0 || b.All != 1) {
				// A drone rack has no arcs.
				if b.Kind != DroneRack || b.All != 1 {
					t.Errorf("%s: weapon %s is %+v", name, b.Name, b)
				}
			}
		}
		again, err := Read("again.toml", []byte(c.toml()))
		if err != nil || fmt.Sprint(*again) != fmt.Sprint(*c) {
			t.Errorf("%s reads back as %+v, %v, want %+v", name, again, err, c)
		}
	}
}

// TestTracksAndReaches: a bank may be a track of numbers, lost best first, and a weapon's range may be shorter than
// its chart; both can be written and read back.
func TestTracksAndReaches(t *testing.T) {
	const sheet = "name = \"a\"\nshields = \"1 1 1 1 1 1\"\nturn_mode = \"D\"\n[banks]\nscanner = \"4/0-0-1-3-5-9 scanner\"\ndisruptor-a = \"1 disruptor LF+5 r22\"\n"
	c, err := Read("a.toml", []byte(sheet))
	if err != nil {
		t.Fatal(err)
	}
	again, err := Read("a.toml", []byte(c.toml()))
	if err != nil || fmt.Sprint(*again) != fmt.Sprint(*c) || c.Banks[1].Reach != 22 || c.Banks[0].All != 6 {
		t.Errorf("read is %+v, then %+v, %v", c, again, err)
	}
	for left, want := range []int{9, 9, 5, 3, 1, 0, 0} {
		c.Banks[0].Left = left
		if got, ok := c.Rating(Scanner); !ok || got != want {
			t.Errorf("with %d boxes left the track stands at %d, want %d", left, got, want)
		}
	}
	for _, bad := range []string{"7/0-1 scanner", "0-x scanner", "0-1-2-3-4-5-6-7-8-9-9-9-9 scanner", "1 lab r3", "1 disruptor r0", "1 disruptor r3 FA", "1 disruptor FA LS", "1 disruptor FA r3 r4"} {
		text := strings.Replace(sheet, "4/0-0-1-3-5-9 scanner", bad, 1)
		if _, err := Read("a.toml", []byte(text)); err == nil || !strings.Contains(err.Error(), "a.toml:5") {
			t.Errorf("%s: %v, want a mistake in line 5", bad, err)
		}
	}
}

// TestMoveCosts: a sheet gives the energy of a hex in whole numbers and fractions, and it can be written and read
// back.
func TestMoveCosts(t *testing.T) {
	const file = "name = \"a\"\nshields = \"1 1 1 1 1 1\"\nturn_mode = \"D\"\nmove_cost = %\n[banks]\nhull = \"1 hull\"\n"
	for text, want := range map[string]int{`"1"`: 60, `"2/3"`: 40, `"1/3"`: 20, `"3/4"`: 45, `"1 1/2"`: 90, `"1/7"`: 0, `"0"`: 0, `"1/0"`: 0, `"x"`: 0} {
		c, err := Read("a.toml", []byte(strings.Replace(file, "%", text, 1)))
		if want == 0 {
			if err == nil || !strings.Contains(err.Error(), "a.toml:4") {
				t.Errorf("%s: %v, want a mistake in line 4", text, err)
			}
			continue
		}
		if err != nil || c.MoveCost != want || c.Letter != "D" {
			t.Fatalf("%s: cost %d, letter %q, %v; want %d", text, c.MoveCost, c.Letter, err, want)
		}
		again, err := Read("a.toml", []byte(c.toml()))
		if err != nil || again.MoveCost != want || again.Letter != "D" {
			t.Errorf("%s comes back as %d, %q, %v:\n%s", text, again.MoveCost, again.Letter, err, c.toml())
		}
	}
}
