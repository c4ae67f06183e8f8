package fasa

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"starpost/engine"
	"starpost/engine/rules/fasa/ship"
	"starpost/engine/rules/fasa/tables"
	"starpost/engine/testkit/enginetest"
	"starpost/orders"
)

// TestLawsOfLasers plays random battles of ships with lasers.
func TestLawsOfLasers(t *testing.T) {
	enginetest.FewChecks(t, 20)
	r := rulesOf(t, Graduate)
	rapid.Check(t, func(t *rapid.T) {
		var b strings.Builder
		fmt.Fprintf(&b, "format = 1\nname = \"lasers\"\ntitle = \"Lasers\"\nrules = %q\n[[side]]\nid = \"one\"\nname = \"One\"\n[[side]]\nid = \"two\"\nname = \"Two\"\n", r.Name)
		for i, s := range [][2]string{{"Hood", "one"}, {"Kongo", "two"}} {
			fmt.Fprintf(&b, "[[ship]]\nname = %q\nside = %q\nclass = \"constitution-i\"\nhex = \"%02d%02d\"\nheading = %q\n", s[0], s[1],
				10+i, rapid.IntRange(8, 14).Draw(t, "row"), string(rune('A'+rapid.IntRange(0, 5).Draw(t, "heading"))))
		}
		playLaws(t, r, gameOf(t, r, b.String()), 2, func(g *engine.Game, id engine.ShipID) engine.Sheet { return drawLaserSheet(t, r, g, id) }, func(before, _ *engine.Game, events []engine.Event) error {
			return laserLaws(before, events)
		})
	})
}

func drawLaserSheet(t *rapid.T, r *engine.Rules, g *engine.Game, id engine.ShipID) engine.Sheet {
	s, _ := g.Ship(id)
	one := func(words ...string) string { return rapid.SampledFrom(words).Draw(t, "word") }
	foe := map[engine.ShipID]string{"hood": "Kongo", "kongo": "Hood"}[id]
	var b strings.Builder
	fmt.Fprintf(&b, "power\n move %d points\n", rapid.IntRange(0, 2).Draw(t, "points"))
	for _, bank := range []string{"bank-a", "bank-b-1", "bank-b-2", "bank-c"} {
		fmt.Fprintf(&b, " arm %s %d shots %d\n", bank, rapid.IntRange(1, 9).Draw(t, "power"), rapid.IntRange(1, 3).Draw(t, "shots"))
	}
	for n := 1; n <= coursePhases; n++ {
		fmt.Fprintf(&b, "phase %d\n move %s\n fire %s at %s\n fire %s at %s\n repair bank-a-1\n", n, one("F", "FL", "R"), one("all", "bank-a", "bank-b"), foe, one("all", "bank-c"), foe)
	}
	if rapid.Bool().Draw(t, "template") {
		b.Reset()
		b.WriteString(r.Template(viewOf(t, r, g, nil, id), id).String())
	}
	blocks, _ := orders.Parse([]byte("#orders game turn 1 ship "+s.Name+"\n"+b.String()+"#end\n"), r.Language)
	if len(blocks) != 1 {
		t.Fatal(b.String())
	}
	if c := r.Check(viewOf(t, r, g, nil, id), id, blocks[0]); strings.HasPrefix(b.String(), "power\n  ") && orders.HasErrors(c.Diagnostics) {
		t.Fatalf("the template has errors: %v\n%s", c.Diagnostics, b.String())
	}
	return engine.Sheet{Ship: id, Block: &blocks[0]}
}

// laserLaws checks a turn: a mount fires as often as it is armed for, once in
// a phase, where it bears, and with no more power than it got.
func laserLaws(before *engine.Game, events []engine.Event) error {
	g := before.Clone()
	fired, phases, used, sets := map[string]int{}, map[string]bool{}, map[string]int{}, map[engine.ShipID]*ship.PowerSet{}
	for _, e := range events {
		switch b := e.Body.(type) {
		case *ship.PowerSet:
			sets[b.Ship] = b
		case *ship.Declare:
			for _, m := range b.Mounts {
				key := hitKey(b.Ship, b.Weapon, m)
				phase := fmt.Sprintf("%s %d", key, e.Phase)
				if fired[key]++; fired[key] > sets[b.Ship].ShotsOf(b.Weapon, m-1) || phases[phase] {
					return fmt.Errorf("%s fires %d times, in phase %d", key, fired[key], e.Phase)
				}
				phases[phase] = true
			}
		case *ship.Fire:
			key := hitKey(b.Ship, b.Weapon, b.Mount)
			bank, _ := ship.Of(mustShip(g, b.Ship)).Bank(b.Weapon)
			if bank.Kind == tables.Beam && b.Hit {
				if used[key] += b.Base; b.Base < 1 || b.Base > bank.Max || used[key] > sets[b.Ship].Armed[b.Weapon][b.Mount-1] {
					return fmt.Errorf("%s does %d, %d in all", key, b.Base, used[key])
				}
			}
		}
		if err := engine.Apply(g, e); err != nil {
			return err
		}
	}
	return nil
}
