package fasa

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"starpost/engine"
	"starpost/engine/rules/fasa/ship"
	"starpost/engine/scenario"
	"starpost/engine/testkit/enginetest"
)

// TestLawsOfSensors plays random battles in fog, in which one captain has two
// ships, and checks every turn: what each may know, and which locks and questions
// are possible.
func TestLawsOfSensors(t *testing.T) {
	enginetest.FewChecks(t, 15)
	rapid.Check(t, lawsOfSensors(t))
}

// FuzzLawsOfSensors searches for battles that break them.
func FuzzLawsOfSensors(f *testing.F) { f.Fuzz(rapid.MakeFuzz(lawsOfSensors(f))) }

func lawsOfSensors(tb testing.TB) func(*rapid.T) {
	tb.Helper()
	r := foggy(tb)
	return func(t *rapid.T) {
		g := drawFoggyGame(t, r)
		playLaws(t, r, g, 2, func(g *engine.Game, id engine.ShipID) engine.Sheet { return drawSensorSheet(t, r, g, id) }, func(before, after *engine.Game, events []engine.Event) error {
			return errors.Join(sensorLaws(before, after, events), enginetest.CheckSecrets(r, after, events, blurSensors))
		})
	}
}

func drawFoggyGame(t *rapid.T, r *engine.Rules) *engine.Game { return drawFoggyGameOf(t, r, true) }

// drawFoggyGameOf returns a game of a course, with or without fog.
func drawFoggyGameOf(t *rapid.T, r *engine.Rules, fog bool) *engine.Game {
	var b strings.Builder
	b.WriteString("format = 1\nname = \"fog\"\ntitle = \"Fog\"\nrules = \"" + r.Name + "\"\n[bounds]\ncolumns = 16\nrows = 16\n" +
		"[[side]]\nid = \"one\"\nname = \"One\"\n[[side]]\nid = \"two\"\nname = \"Two\"\n")
	for _, s := range [][4]string{
		{"Hood", "one", "constitution-hood", "Ann"},
		{"Kongo", "one", "constitution-hood", "Ann"},
		{"Wolf", "two", "d-10-wolf", "Ben"},
		{"Fox", "two", "d-10-wolf", "Cay"},
	} {
		column := map[string]int{"Hood": 2, "Kongo": 6, "Wolf": 10, "Fox": 14}[s[0]]
		fmt.Fprintf(&b, "[[ship]]\nname = %q\nside = %q\nclass = %q\ncaptain = %q\nhex = \"%02d%02d\"\nheading = %q\n", s[0], s[1], s[2], s[3],
			column, rapid.IntRange(1, 16).Draw(t, "row"), string(rune('A'+rapid.IntRange(0, 5).Draw(t, "heading"))))
	}
	for i := range rapid.IntRange(0, 5).Draw(t, "fog") {
		if !fog {
			continue
		}
		fmt.Fprintf(&b, "[[terrain]]\nkind = \"fog\"\nhexes = [\"%02d%02d\"]\n", 3+2*i, rapid.IntRange(2, 15).Draw(t, "fog row"))
	}
	sc, diags := scenario.Parse([]byte(b.String()))
	if sc == nil {
		t.Fatal(diags)
	}
	g, diags := sc.NewGame(r, "game", nil)
	if g == nil {
		t.Fatal(diags)
	}
	return g
}

func drawSensorSheet(t *rapid.T, r *engine.Rules, g *engine.Game, id engine.ShipID) engine.Sheet {
	one := func(words ...string) string { return rapid.SampledFrom(words).Draw(t, "word") }
	whom := func() string { return one("Hood", "Kongo", "Wolf", "Fox", "nearest", "nearest", "locked") }
	when := func() string {
		return one("", "", " when locked", " when not locked "+whom(), " when seen", " when shield 2 of "+whom()+" < 3", " when power of locked > 5", " when range < 9")
	}
	var b strings.Builder
	b.WriteString("power\n move 12\n shields 2:9\n arm bank-a 2 2\n arm bank-b 2 2\n")
	for n := 1; n <= coursePhases; n++ {
		fmt.Fprintf(&b, "phase %d\n %s\n", n, one("move F", "move FF", "move FR", "move SL", "pursue "+whom(), "flee "+whom(), "face "+whom()))
		for range rapid.IntRange(0, 2).Draw(t, "uses") {
			fmt.Fprintf(&b, " lock %s%s\n", one(whom(), whom(), "none"), when())
		}
		for range rapid.IntRange(0, 2).Draw(t, "asks") {
			fmt.Fprintf(&b, " question %s%s\n", one("1", "2", "3", "4", "5", "6", "7", "8", "9", "mines"), when())
		}
		fmt.Fprintf(&b, " fire all at %s%s\n", whom(), when())
	}
	fmt.Fprintf(&b, "standing\n sensors %s\n questions %s\n", one("none", "nearest", "Wolf", "Hood"), one("none", "3 9", "1", "mines 4"))
	return drawnSheet(t, r, g, id, b.String())
}

// sensorLaws checks what holds of locks and questions in every turn.
func sensorLaws(before, after *engine.Game, events []engine.Event) error {
	locks := map[engine.ShipID]engine.ShipID{}
	down := map[engine.ShipID]bool{}
	for _, s := range before.Ships {
		locks[s.ID] = ship.Of(s).LockTarget()
		down[s.ID] = ship.Of(s).Sensors().Down
	}
	asked := map[engine.ShipID]int{}
	for _, e := range events {
		switch b := e.Body.(type) {
		case *ship.Locking:
			if locks[b.Ship] != "" || down[b.Ship] || b.Held != (b.Roll <= 6) || b.Held != (b.Auto != nil) {
				return fmt.Errorf("event %d: %s tries for a lock, with one on %q: %+v", e.Seq, b.Ship, locks[b.Ship], b)
			}
			if b.Held {
				locks[b.Ship] = b.Target
			}
		case *ship.Unlock:
			if locks[b.Ship] != b.Target {
				return fmt.Errorf("event %d: %s loses a lock on %s, its lock is on %q", e.Seq, b.Ship, b.Target, locks[b.Ship])
			}
			locks[b.Ship] = ""
		case *ship.Answered:
			if asked[b.Ship] == e.Phase || locks[b.Ship] != b.Target {
				return fmt.Errorf("event %d: a question of %s to %s in phase %d, its lock is on %q", e.Seq, b.Ship, b.Target, e.Phase, locks[b.Ship])
			}
			asked[b.Ship] = e.Phase
		case *ship.Damage:
			down[b.Ship] = down[b.Ship] || slices.ContainsFunc(b.Tracks, func(m ship.Marked) bool { return m.System == ship.NameSensors })
		case *ship.Mend:
			if b.System == ship.NameSensors && b.Done {
				down[b.Ship] = false
			}
		case *ship.Fire:
			if down[b.Ship] {
				return fmt.Errorf("event %d: %s fires with damaged sensors", e.Seq, b.Ship)
			}
		}
		if private := []string{"lock", "unlock", "answer", "lost", "sighted"}; slices.Contains(private, e.Type.Name) && (e.See.Rest || len(e.See.Whole) > 2) {
			return fmt.Errorf("event %d (%s) is seen by %v", e.Seq, e.Type.Name, e.See)
		}
	}
	for _, s := range after.Ships {
		k := ship.Of(s).Sensors()
		if len(k.Locks) > 1 || ship.Of(s).LockTarget() != locks[s.ID] || k.Down != down[s.ID] || k.Down && len(k.Locks) > 0 || s.Status != engine.Active && len(k.Locks) > 0 {
			return fmt.Errorf("the sensors of %s: %+v", s.ID, k)
		}
		for _, lock := range k.Locks {
			if other, ok := after.Ship(lock.Target); !ok || !other.Status.OnMap() || other.Status == engine.Destroyed {
				return fmt.Errorf("%s has a lock on %s, which is gone", s.ID, lock.Target)
			}
		}
	}
	return nil
}

// blurSensors changes everything of a ship that captains of other ships may not know,
// including what its sensors know.
func blurSensors(s *engine.Ship) {
	blur(s)
	k := ship.Of(s).Sensors()
	*k = ship.Sensors{Down: !k.Down, Target: "kongo", Asked: 3, Navy: "unknown", Crew: 1}
	ship.Of(s).Shares().Drop("engines")
	ship.Of(s).Put(&ship.People{Skill: 1, Efficiency: 1}, &ship.RepairState{Tracks: map[string]ship.Track{"shield-2": {Boxes: 4, Tries: 2, Hurt: 9}, ship.NameConverter: {Boxes: 1, Down: true}}})
	if ship.Of(s).Detailed() {
		ship.Of(s).Put(&ship.Hull{Chart: "A"}, &ship.Crew{Lost: 777})
	}
}
