package fasatest_test

import (
	"slices"
	"testing"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/engine/robots"
	"starpost/engine/rules/fasa/ship"
	"starpost/engine/testkit/fasatest"
)

// TestCheckFindsBreaches changes one event of a correct turn at a time: Check must find every error.
func TestCheckFindsBreaches(t *testing.T) {
	ways := map[string]func(engine.Body) bool{
		"a point of damage too many": tamper(func(b *ship.Damage) { b.Points++ }),
		"damage at another location": tamper(func(b *ship.Damage) { b.Location = "galley" }),
		"superstructure for nothing": tamper(func(b *ship.Damage) { b.Superstructure = &ship.Change{Before: 20, After: 12} }),
		"a point through a shield":   tamper(func(b *ship.ShieldHit) { b.Through++ }),
		"a shield that takes more":   tamper(func(b *ship.ShieldHit) { b.After-- }),
		"a number of its own":        tamper(func(b *ship.Fire) { b.Number++ }),
		"a modifier of nothing":      tamper(func(b *ship.Fire) { b.Modifiers = []ship.Modifier{{Name: "casualties", Value: -1}}; b.Need-- }),
		"a hit on another side":      tamper(func(b *ship.Fire) { b.Shield = (b.Shield+2)%6 + 1 }),
		"a hit that is a miss":       tamper(func(b *ship.Fire) { b.Hit = !b.Hit }),
		"another range":              tamper(func(b *ship.Fire) { b.Range++ }),
		"fire of a mount twice":      tamper(func(b *ship.Declare) { b.Mounts = append(b.Mounts, b.Mounts[0]); b.Weapon = "torpedo-9" }),
		"fire at itself":             tamper(func(b *ship.Declare) { b.Target = b.Ship }),
		"power out of nothing":       tamper(func(b *ship.PowerSet) { b.Available++; b.Unused++ }),
		"a point of movement":        tamper(func(b *ship.PowerSet) { b.Points++; b.Split[0]++ }),
		"a shield for nothing":       tamper(func(b *ship.PowerSet) { b.ShieldPoints[0] += 5 }),
		"two points for a step":      tamper(func(b *engine.Move) { b.Cost++ }),
		"a repair without a need":    tamper(func(b *ship.Mend) { b.Roll = b.Need + 1; b.Done = true }),
		"a lock without a roll":      tamper(func(b *ship.Locking) { b.Held = !b.Held }),
		"a crew that does more":      tamper(func(b *ship.Bonus) { b.Points++ }),
		"a crew that is spared":      tamper(func(b *ship.Damage) { b.Spared = !b.Spared }),
		"a manoeuvre for more":       tamper(func(b *ship.Strain) { b.Superstructure = &ship.Change{Before: 9, After: 4} }),
		"an evasion for luck":        tamper(func(b *ship.Evade) { b.Success = !b.Success }),
		"power that grows":           tamper(func(b *ship.Shed) { b.Alloc.Weapons += 40 }),
	}
	lib, courses := allCourses(t)
	found := map[string]bool{}
	for _, battle := range [][2]string{
		{"big-bad-wolf", "stcs-basic"}, {"big-bad-wolf", "stcs-advanced"}, {"big-bad-wolf", "stcs-graduate"}, {"needle", "stcs-graduate"},
	} {
		name, r := battle[0]+" by "+battle[1], courses[battle[1]]
		g := battleOf(t, r, battle[0])
		var events []engine.Event
		for turn := 0; g.Result == nil && turn < 12; turn++ {
			sheets, err := robots.Orders(r, g, events)
			if err != nil {
				t.Fatal(err)
			}
			after, es, err := engine.Resolve(r, g, sheets, dice.FromSeed(1))
			if err != nil {
				t.Fatal(err)
			}
			log, err := engine.EncodeEvents(es)
			if err != nil {
				t.Fatal(err)
			}
			for way, spoil := range ways {
				spoilt, err := engine.DecodeEvents(log, r)
				if err != nil {
					t.Fatal(err)
				}
				if !slices.ContainsFunc(spoilt, func(e engine.Event) bool { return spoil(e.Body) }) {
					continue // the first event of its kind, if any, is changed now
				}
				found[way] = true
				if err := fasatest.Check(lib, r, g, after, spoilt); err == nil {
					t.Errorf("%s, turn %d: %s is not found", name, after.Turn, way)
				}
			}
			g, events = after, es
		}
	}
	for way := range ways {
		if !found[way] {
			t.Errorf("no event for %s", way)
		}
	}
}

// tamper returns a function that changes events of one kind; it reports whether an event was of that kind.
func tamper[B any](spoil func(B)) func(engine.Body) bool {
	return func(body engine.Body) bool {
		b, ok := body.(B)
		if ok {
			spoil(b)
		}
		return ok
	}
}
