package fasa

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"starpost/engine"
	"starpost/engine/rules/fasa/play"
	"starpost/engine/rules/fasa/rulebook"
	"starpost/engine/rules/fasa/ship"
	"starpost/engine/rules/fasa/tables"
	"starpost/engine/scenario"
	"starpost/engine/testkit/enginetest"
)

// TestLawsOfRepair plays random battles at close quarters, and checks every
// event of damage, repair and bonus in them.
func TestLawsOfRepair(t *testing.T) {
	enginetest.FewChecks(t, 15)
	rapid.Check(t, lawsOfRepair(t))
}

// FuzzLawsOfRepair searches for battles that break them.
func FuzzLawsOfRepair(f *testing.F) { f.Fuzz(rapid.MakeFuzz(lawsOfRepair(f))) }

func lawsOfRepair(tb testing.TB) func(*rapid.T) {
	tb.Helper()
	courses := map[string]*engine.Rules{}
	for name, make := range Courses() {
		if name != "stcs-basic" && name != "book-one" {
			lib, err := tables.Builtin()
			if err != nil {
				tb.Fatal(err)
			}
			if courses[name], err = make(lib); err != nil {
				tb.Fatal(err)
			}
		}
	}
	return func(t *rapid.T) {
		r := courses[rapid.SampledFrom([]string{"stcs-advanced", "stcs-graduate", "stcs-graduate"}).Draw(t, "course")]
		g := drawCloseGame(t, r)
		playLaws(t, r, g, 3, func(g *engine.Game, id engine.ShipID) engine.Sheet { return drawRepairSheet(t, r, g, id) }, func(before, after *engine.Game, events []engine.Event) error {
			return errors.Join(repairLaws(before, events), enginetest.CheckSecrets(r, after, events, blurSensors))
		})
	}
}

func drawCloseGame(t *rapid.T, r *engine.Rules) *engine.Game {
	var b strings.Builder
	fmt.Fprintf(&b, "format = 1\nname = \"close\"\ntitle = \"Close\"\nrules = %q\n[[side]]\nid = \"one\"\nname = \"One\"\n[[side]]\nid = \"two\"\nname = \"Two\"\n", r.Name)
	for i, s := range [][3]string{{"Hood", "one", "constitution-hood"}, {"Kongo", "one", "constitution-hood"}, {"Wolf", "two", "d-10-wolf"}, {"Fox", "two", "d-10-wolf"}} {
		fmt.Fprintf(&b, "[[ship]]\nname = %q\nside = %q\nclass = %q\nhex = \"%02d%02d\"\nheading = %q\n", s[0], s[1], s[2],
			10+i, rapid.IntRange(8, 14).Draw(t, "row"), string(rune('A'+rapid.IntRange(0, 5).Draw(t, "heading"))))
		if _, crews := r.Options[rulebook.OptionCrews]; crews {
			fmt.Fprintf(&b, "state = { efficiency = %d }\n", rapid.IntRange(1, 99).Draw(t, "efficiency"))
		}
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

func drawRepairSheet(t *rapid.T, r *engine.Rules, g *engine.Game, id engine.ShipID) engine.Sheet {
	s, _ := g.Ship(id)
	one := func(words ...string) string { return rapid.SampledFrom(words).Draw(t, "word") }
	foe := "Hood"
	if s.Side == "one" {
		foe = one("Wolf", "Fox")
	}
	system := func() string {
		return one("sensors", "shield-1", "shield-2", "shield-5", ship.NameConverter, ship.NameWeaponGrid, ship.NameShieldGrid, "bank-a-1", "torpedo-1")
	}
	var b strings.Builder
	b.WriteString("power\n")
	fmt.Fprintf(&b, " bonus %s\n", one("none", "superstructure", "engine port", "power to movement", "power to shield 2", "power to weapon bank-a-1"))
	fmt.Fprintf(&b, " move %d points\n %s\n arm bank-a 2 2\n arm bank-b 2 1\n arm torpedo-1\n", rapid.IntRange(0, 4).Draw(t, "points"), one("shields 2:3 5:3", "shields 1:2", "shields 1:1 2:1 3:1 4:1 5:1 6:1"))
	for n := 1; n <= coursePhases; n++ {
		fmt.Fprintf(&b, "phase %d\n move %s\n fire %s at %s\n", n, one("F", "FL", "R", "H"), one("all", "bank-a", "bank-b torpedo-1"), foe)
		for range rapid.IntRange(0, 2).Draw(t, "repairs") {
			fmt.Fprintf(&b, " repair %s%s\n", system(), one("", " when damaged"))
		}
	}
	fmt.Fprintf(&b, "standing\n repair %s\n bonus %s\n", one("all", "none", "shield-2 sensors"), one("none", "superstructure engines"))
	return drawnSheet(t, r, g, id, b.String())
}

// repairLaws checks a turn event by event.
func repairLaws(before *engine.Game, events []engine.Event) error {
	g := before.Clone()
	tried, bonus := map[engine.ShipID]int{}, map[engine.ShipID]bool{}
	for _, e := range events {
		if err := repairLaw(g, e, tried, bonus); err != nil {
			return fmt.Errorf("event %d: %w", e.Seq, err)
		}
		if err := engine.Apply(g, e); err != nil {
			return fmt.Errorf("event %d: %w", e.Seq, err)
		}
		for _, s := range g.Ships {
			if err := soundWorks(ship.Of(s)); err != nil {
				return fmt.Errorf("after event %d (%s), %s: %w", e.Seq, e.Type.Name, s.ID, err)
			}
		}
	}
	return nil
}

func repairLaw(g *engine.Game, e engine.Event, tried map[engine.ShipID]int, bonus map[engine.ShipID]bool) error {
	switch b := e.Body.(type) {
	case *ship.Mend:
		s, _ := g.Ship(b.Ship)
		sys := ship.Of(s)
		f, ok := sys.Fault(b.System)
		tr := sys.Track(b.System)
		numbers := map[string][]int{tables.TrackGenerator: {8, 6, 4, 2}, tables.TrackSensors: {8, 6, 4}, tables.TrackEngineering: {7, 5, 3}, tables.TrackBeam: {8}, tables.TrackMissile: {6}}[f.Track]
		switch {
		case !ok || !sys.Down(f) || tr.Boxes < 1 || tr.Boxes > len(numbers):
			return fmt.Errorf("%s repairs %s with %+v", b.Ship, b.System, tr)
		case tried[b.Ship] == e.Phase:
			return fmt.Errorf("%s tries a second repair in phase %d", b.Ship, e.Phase)
		case tr.Hurt >= basicCourse().FirePhase(e.Turn, e.Phase):
			return fmt.Errorf("%s repairs %s in the phase of its damage", b.Ship, b.System)
		case b.Need != numbers[tr.Boxes-1]+tr.Tries-ship.ShortHanded(sys) || b.Done != slimly(b.Need, b.Roll, rulebook.SlimRoll{Slim: b.Slim, Second: b.Second}):
			return fmt.Errorf("%s repairs %s by %+v with %+v", b.Ship, b.System, b, tr)
		case e.See.Rest || !slices.Equal(e.See.Whole, engine.CaptainSeats(b.Ship)):
			return fmt.Errorf("a repair is seen by %v", e.See)
		}
		tried[b.Ship] = e.Phase
	case *ship.Bonus:
		s, _ := g.Ship(b.Ship)
		most := play.BoolInt(b.Roll <= b.Need) + play.BoolInt(b.Roll <= min(5, b.Need))
		for _, e := range b.Engines {
			now, _ := ship.Of(s).Engine(e.Engine)
			most = min(most, now.Max-e.Before)
		}
		if b.Superstructure != nil {
			most = min(most, ship.Of(s).Design.Superstructure-b.Superstructure.Before)
		}
		if bonus[b.Ship] || b.Need != ship.Efficiency(ship.Of(s)) || b.Points != most {
			return fmt.Errorf("a bonus of %s: %+v", b.Ship, b)
		}
		bonus[b.Ship] = true
	case *ship.Damage:
		s, _ := g.Ship(b.Ship)
		return damageLaw(ship.Of(s), b)
	case *ship.Fire:
		s, _ := g.Ship(b.Ship)
		bank, _ := ship.Of(s).Bank(b.Weapon)
		if m := bank.Mounts[b.Mount-1]; ship.Of(s).GridDown(ship.NameWeaponGrid) || m.Destroyed || m.Repaired && m.Armed > bank.Max/2 && bank.Kind == tables.Beam {
			return fmt.Errorf("%s fires %s-%d: %+v", b.Ship, b.Weapon, b.Mount, m)
		}
	case *engine.Move:
		s, _ := g.Ship(b.Ship)
		if ship.Of(s).GridDown(ship.NameConverter) && (b.From.Heading != b.To.Heading || b.From.Hex == b.To.Hex) {
			return fmt.Errorf("%s is steered without its converter: %+v", b.Ship, b)
		}
	}
	return nil
}

// damageLaw checks where the points of a hit went: only to engines,
// superstructure and systems, and no more than there were.
func damageLaw(sys *ship.State, b *ship.Damage) error {
	lost, inside := 0, 0
	for _, c := range b.Engines {
		lost += c.Before - c.After
	}
	if b.Superstructure != nil {
		inside = b.Superstructure.Before - b.Superstructure.After
	}
	spent := lost + inside
	half := b.Points/2 <= spent || b.Location == tables.AtEngine || lost > 0
	switch {
	case spent > b.Points, inside < 0, lost < 0:
		return fmt.Errorf("of %d points %d are spent: %+v", b.Points, spent, b)
	case spent == 0 && len(b.Tracks) == 0 && b.Lost == nil && b.Points > 3 && (sys.Power > 0 || b.Location != tables.AtEngine):
		return fmt.Errorf("%d points come to nothing: %+v", b.Points, b)
	case slices.Contains([]string{tables.AtSuperstructure, tables.AtBridge, tables.AtEngineering, tables.AtSplit}, b.Location) && !half:
		return fmt.Errorf("of %d points only %d are spent: %+v", b.Points, spent, b)
	case slices.Contains([]string{tables.AtBridge, tables.AtEngineering}, b.Location) && inside != b.Points:
		return fmt.Errorf("%s of %d points takes %d: %+v", b.Location, b.Points, inside, b)
	case b.Casualties != nil && (inside == 0 || b.Casualties.After < b.Casualties.Before || b.Casualties.After > ship.MaxLost):
		return fmt.Errorf("casualties without superstructure: %+v", b)
	}
	for _, m := range b.Tracks {
		heavy := 1 + max(0, b.Points-5)/5
		if n := m.After - m.Before; n < 0 || n > heavy || !sys.Has("hull") && n > 1 {
			return fmt.Errorf("%d points mark %+v", b.Points, m)
		}
	}
	return nil
}

// soundWorks checks a ship's tracks and what depends on them.
func soundWorks(sys *ship.State) error {
	for name, tr := range sys.RepairState().Tracks {
		if f, ok := sys.Fault(name); !ok || tr.Boxes < 1 || tr.Boxes > 5 || tr.Tries < 0 || tr.Tries > 0 && !sys.Down(f) {
			return fmt.Errorf("the track of %s: %+v", name, tr)
		}
	}
	for i, sh := range sys.Shields {
		if sh.Now < 0 || sh.Now > sys.Raised(i) {
			return fmt.Errorf("shield %d: %+v", i+1, sh)
		}
	}
	for _, e := range sys.Engines() {
		if e.Now < 0 || e.Now > e.Max {
			return fmt.Errorf("engine %+v", e)
		}
	}
	if sys.Superstructure > sys.Design.Superstructure || ship.Efficiency(sys) < 0 {
		return fmt.Errorf("superstructure %d, efficiency %d", sys.Superstructure, ship.Efficiency(sys))
	}
	return nil
}
