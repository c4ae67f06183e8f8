package fasa

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/engine/rules/fasa/rulebook"
	"starpost/engine/rules/fasa/ship"
	"starpost/engine/scenario"
	"starpost/engine/testkit/enginetest"
)

// TestLawsOfCloaks plays battles with two ships that may cloak, and checks the laws of cloaks after
// each event, and that no captain's view holds a secret.
func TestLawsOfCloaks(t *testing.T) {
	enginetest.FewChecks(t, 12)
	rapid.Check(t, lawsOfCloaks(t))
}

// FuzzLawsOfCloaks searches for battles that break them.
func FuzzLawsOfCloaks(f *testing.F) { f.Fuzz(rapid.MakeFuzz(lawsOfCloaks(f))) }

func lawsOfCloaks(tb testing.TB) func(*rapid.T) {
	tb.Helper()
	rules := []*engine.Rules{rulesOf(tb, advanced), rulesOf(tb, Graduate)}
	return func(t *rapid.T) {
		r := rules[rapid.IntRange(0, 1).Draw(t, "course")]
		g := drawCloakGame(t, r, rapid.SampledFrom([]string{"on", "off"}).Draw(t, "cloak"))
		playLaws(t, r, g, 3, func(g *engine.Game, id engine.ShipID) engine.Sheet { return drawCloakSheet(t, r, g, id, "") }, func(before, after *engine.Game, events []engine.Event) error {
			return errors.Join(cloakLaws(before, events), enginetest.CheckSecrets(r, after, events, blurCloak))
		})
	}
}

// TestCloakedShipsAreSecret plays the same turns twice: with a cloaked ship, and with that ship doing
// something else or absent. As long as no scan finds her, her enemies are told the same to the last
// byte.
func TestCloakedShipsAreSecret(t *testing.T) {
	enginetest.FewChecks(t, 25)
	rapid.Check(t, cloakedAreSecret(t))
}

// FuzzCloakedShipsAreSecret searches for what gives them away.
func FuzzCloakedShipsAreSecret(f *testing.F) { f.Fuzz(rapid.MakeFuzz(cloakedAreSecret(f))) }

func cloakedAreSecret(tb testing.TB) func(*rapid.T) {
	tb.Helper()
	rules := []*engine.Rules{rulesOf(tb, advanced), rulesOf(tb, Graduate)}
	return func(t *rapid.T) {
		r := rules[rapid.IntRange(0, 1).Draw(t, "course")]
		start := rapid.SampledFrom([]string{"on", "off"}).Draw(t, "cloak")
		one := drawCloakGame(t, r, start)
		other := one.Clone()
		absent := start == "on" && rapid.Bool().Draw(t, "absent")
		if absent {
			other.Ships = slices.DeleteFunc(other.Ships, func(s *engine.Ship) bool { return s.ID == "wren" })
		}
		secret := dice.FromSeed(rapid.Uint64Range(0, 1<<40).Draw(t, "secret"))
		for turn := range 2 {
			if one.Result != nil || other.Result != nil {
				return
			}
			var same []engine.Sheet
			for _, id := range one.InFight() {
				if id != "wren" {
					same = append(same, drawCloakSheet(t, r, one, id, ""))
				}
			}
			mine, theirs := slices.Clone(same), slices.Clone(same)
			if s, ok := one.Ship("wren"); ok && s.Status == engine.Active {
				mine = append(mine, drawCloakSheet(t, r, one, "wren", "on"))
			}
			if s, ok := other.Ship("wren"); ok && s.Status == engine.Active {
				theirs = append(theirs, drawCloakSheet(t, r, other, "wren", "on"))
			}
			if turn == 0 && start == "off" { // she is seen until she cloaks, and does the same until then
				theirs[len(theirs)-1] = mine[len(mine)-1]
			}
			first, firstEvents, err := engine.Resolve(r, one, mine, secret)
			if err != nil {
				t.Fatal(err)
			}
			second, secondEvents, err := engine.Resolve(r, other, theirs, secret)
			if err != nil {
				t.Fatal(err)
			}
			if !unfound(first, firstEvents) || !unfound(second, secondEvents) || first.Result != nil || second.Result != nil {
				return
			}
			for _, c := range first.Captains() {
				if slices.Contains(c.Ships, "wren") || slices.Contains(c.Ships, "kite") {
					continue
				}
				want, err := enginetest.Seen(r, first, firstEvents, c)
				if err != nil {
					t.Fatal(err)
				}
				got, err := enginetest.Seen(r, second, secondEvents, c)
				if err != nil {
					t.Fatal(err)
				}
				if !bytes.Equal(want, got) {
					t.Fatalf("turn %d: %s can tell what the cloaked ship does (absent: %v):\n%s\n%s\n%s", turn+1, c.Name, absent,
						enginetest.Difference(want, got), sheetTexts(mine), sheetTexts(theirs))
				}
			}
			one, other = first, second
		}
	}
}

// unfound reports whether the cloaked ship was not found in a turn, did nothing to others, and was
// not destroyed, which all see.
func unfound(g *engine.Game, events []engine.Event) bool {
	for _, e := range events {
		switch b := e.Body.(type) {
		case *ship.Locking:
			if b.Target == "wren" && b.Cloaked {
				return false
			}
		case *ship.Cloaking:
			if b.Ship == "wren" && !b.On {
				return false
			}
		case *ship.MineMet:
			if b.Ship == "kite" {
				return false // the cloaked ship may clear a mine from a hex before kite enters it
			}
		case *ship.WarpSet:
			if b.Ship == "wren" && b.Follows != "" {
				return false // a ship that is followed does not get away
			}
		}
	}
	s, ok := g.Ship("wren")
	return !ok || s.Status == engine.Active || s.Status == engine.Left
}

func drawCloakGame(t *rapid.T, r *engine.Rules, start string) *engine.Game {
	var b strings.Builder
	b.WriteString("format = 1\nname = \"cloaks\"\ntitle = \"Cloaks\"\nrules = \"" + r.Name + "\"\n[bounds]\ncolumns = 20\nrows = 20\n" +
		"[[side]]\nid = \"one\"\nname = \"One\"\n[[side]]\nid = \"two\"\nname = \"Two\"\n")
	for i, s := range [][5]string{
		{"Hood", "one", "constitution-hood", "Ann", ""},
		{"Kongo", "one", "constitution-hood", "Cay", ""},
		{"Lexington", "one", "constitution-hood", "Ann", ""},
		{"Kite", "two", "v-7", "Dan", ""},
		{"Wren", "two", "v-7", "Ben", start},
	} {
		fmt.Fprintf(&b, "[[ship]]\nname = %q\nside = %q\nclass = %q\ncaptain = %q\nhex = \"%02d%02d\"\nheading = %q\n", s[0], s[1], s[2], s[3],
			[]int{2, 5, 7, 13, 16}[i], rapid.IntRange(3, 18).Draw(t, "row"), string(rune('A'+rapid.IntRange(0, 5).Draw(t, "heading"))))
		if s[4] != "" {
			fmt.Fprintf(&b, "state = { cloak = %q }\n", s[4])
		}
	}
	if rapid.Bool().Draw(t, "terrain") {
		b.WriteString("[[terrain]]\nkind = \"planet\"\nat = \"1010\"\nto = 1\n[[terrain]]\nkind = \"asteroid\"\nat = \"1005\"\nto = 1\n")
	}
	if rapid.Bool().Draw(t, "mines") {
		b.WriteString("[[terrain]]\nkind = \"minefield\"\nside = \"one\"\nat = \"1410\"\nfrom = 0\nto = 4\nfigure = { mines = 30, dummies = 10, damage = 1 }\n")
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

// drawCloakSheet draws orders. A cloak of "on" is never switched off.
func drawCloakSheet(t *rapid.T, r *engine.Rules, g *engine.Game, id engine.ShipID, cloak string) engine.Sheet {
	s, _ := g.Ship(id)
	one := func(words ...string) string { return rapid.SampledFrom(words).Draw(t, "word") }
	bird := "Wren"
	if id == "kite" {
		bird = "Lexington" // others may see what her own side does because of her
	}
	whom := func() string { return one("Hood", "Kongo", "Kite", bird, "nearest", "nearest", "locked") }
	when := func() string {
		return one("", "", "", " when locked", " when seen "+whom(), " when cloaked "+whom(), " when detected", " when range to "+whom()+" < 9", " when targeted")
	}
	var b strings.Builder
	b.WriteString(one("", "", "warp +1\n"))
	if id != "wren" {
		b.WriteString(one("", "message "+whom()+"\n#text\nStrike!\n#endtext\n", "message two\n#text\nStrike!\n#endtext\n"))
	}
	fmt.Fprintf(&b, "power\n move %d\n", rapid.IntRange(0, 5).Draw(t, "points")*4)
	if ship.Of(s).Has("cloak") {
		if cloak == "on" {
			b.WriteString(" cloak on\n")
		} else {
			for range rapid.IntRange(0, 2).Draw(t, "switches") {
				b.WriteString(" cloak " + one("on", "ready", "off", "on after 1", "off after 1", "on after 2 when damaged", "off after 3", "on after 3") + "\n")
			}
		}
	} else {
		b.WriteString(" arm bank-a 2 2\n arm torpedo-1\n shields 2:9\n")
	}
	b.WriteString(" arm bank-b 2 2\n")
	for n := 1; n <= coursePhases; n++ {
		fmt.Fprintf(&b, "phase %d\n %s\n", n, one("move F", "move FF", "move FR", "move SL", "move L", "move H", "move EL", "pursue "+whom(), "flee "+whom(), "face "+whom()))
		b.WriteString(one("", " lock "+whom()+when()+"\n", " scan 2\n", " scan for "+whom()+when()+"\n", fmt.Sprintf(" scan %d\n", rapid.IntRange(1, 6).Draw(t, "shield"))))
		b.WriteString(one("", " question 9\n", " tactical left\n", " tactical showing 2 to "+whom()+"\n"))
		fmt.Fprintf(&b, " fire all at %s%s\n", whom(), when())
	}
	fmt.Fprintf(&b, "standing\n sensors %s\n scan %s\n", one("none", "nearest", bird, "Hood"), one("none", "2", "for "+bird, "5"))
	b.WriteString(one("", " follow all\n", " shed cloak weapons\n", " evade port\n"))
	return drawnSheet(t, r, g, id, b.String())
}

// cloakLaws checks what holds of cloaks at any moment of a turn.
func cloakLaws(before *engine.Game, events []engine.Event) error {
	g := before.Clone()
	switched := map[engine.ShipID]int{} // by ship: one more than the phase of its last switch in this turn
	for _, e := range events {
		switch b := e.Body.(type) {
		case *ship.Cloaking:
			if e.Phase+1 == switched[b.Ship] && b.Why == "its captain switched it" {
				return fmt.Errorf("event %d: %s is switched twice without a movement phase between", e.Seq, b.Ship)
			}
			switched[b.Ship] = e.Phase + 1
		case *ship.Fire:
			s, _ := g.Ship(b.Ship)
			target, _ := g.Ship(b.Target)
			if ship.Cloaked(s) {
				return fmt.Errorf("event %d: %s fires under its cloak", e.Seq, b.Ship)
			}
			hidden := slices.ContainsFunc(b.Modifiers, func(m ship.Modifier) bool { return strings.HasPrefix(m.Name, "cloaked") })
			if hidden != ship.Cloaked(target) || hidden && !rulebook.Locked(s, b.Target) {
				return fmt.Errorf("event %d: fire at %s, cloaked: %v, with modifiers %v", e.Seq, b.Target, ship.Cloaked(target), b.Modifiers)
			}
		case *ship.Declare:
			target, _ := g.Ship(b.Target)
			if s, _ := g.Ship(b.Ship); ship.Cloaked(target) && !rulebook.Locked(s, b.Target) {
				return fmt.Errorf("event %d: fire declared on %s, which is cloaked", e.Seq, b.Target)
			}
		}
		if err := engine.Apply(g, e); err != nil {
			return err
		}
		for _, s := range g.Ships {
			sys := ship.Of(s)
			if !sys.Has("cloak") || !sys.Cloak().On || s.Status != engine.Active {
				continue
			}
			if slices.ContainsFunc(sys.Shields, func(sh ship.Shield) bool { return sh.Now > 0 }) {
				return fmt.Errorf("after event %d: %s has shields under its cloak", e.Seq, s.ID)
			}
			if e.Phase > 0 && sys.Alloc.Cloak != sys.Cloak().Need && e.Type.Name != "shed" {
				return fmt.Errorf("after event %d: the cloak of %s works with %d power", e.Seq, s.ID, sys.Alloc.Cloak)
			}
		}
	}
	return nil
}

// blurCloak changes what captains of other ships may not know, including the figures of a cloak.
func blurCloak(s *engine.Ship) {
	locks, contacts, learnt := ship.Of(s).Sensors().Locks, ship.Of(s).Sensors().Contacts, ship.Of(s).Sensors().Learnt
	blurSensors(s)
	ship.Of(s).Sensors().Locks, ship.Of(s).Sensors().Contacts, ship.Of(s).Sensors().Learnt = locks, contacts, learnt
	if k := ship.Of(s).Cloak(); ship.Of(s).Has("cloak") {
		k.Need, k.Late = 99, !k.Late
	}
}
