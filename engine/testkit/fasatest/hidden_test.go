package fasatest_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/engine/rules/fasa/ship"
	"starpost/engine/rules/fasa/tables"
	"starpost/engine/scenario"
	"starpost/engine/testkit/enginetest"
)

// TestHiddenOrdersLeaveNoTrace plays battles twice, with different orders for a ship that is cloaked or walled in by
// planets. While she stays hidden, the other side must see the same, byte for byte. She has a side and a captain of
// her own. No ship scans, because finding and being found are noticed, and none leaves, because a pursued ship must
// stay.
func TestHiddenOrdersLeaveNoTrace(t *testing.T) {
	lib, courses := allCourses(t)
	for _, name := range []string{"stcs-advanced", "stcs-graduate"} {
		t.Run(name, func(t *testing.T) {
			enginetest.FewChecks(t, 15)
			rapid.Check(t, hiddenOrders(lib, courses[name]))
		})
	}
}

// FuzzHiddenOrdersLeaveNoTrace looks for battles that violate this.
func FuzzHiddenOrdersLeaveNoTrace(f *testing.F) {
	lib, courses := allCourses(f)
	f.Fuzz(rapid.MakeFuzz(hiddenOrders(lib, courses["stcs-graduate"])))
}

func hiddenOrders(lib *tables.Library, r *engine.Rules) func(*rapid.T) {
	return func(t *rapid.T) {
		walled := rapid.Bool().Draw(t, "walled")
		g := drawGhostGame(t, r, lib, walled)
		secret := dice.FromSeed(rapid.Uint64Range(0, 1<<40).Draw(t, "secret"))
		games, events := [2]*engine.Game{g, g.Clone()}, [2][]engine.Event{}
		for range rapid.IntRange(1, 3).Draw(t, "turns") {
			var same []engine.Sheet
			for _, id := range games[0].InFight() {
				if id != "ghost" {
					same = append(same, drawTame(t, r, games[0], events[0], id, "scan", "warp", "self-destruct"))
				}
			}
			var texts string
			for i := range games {
				own := drawTame(t, r, games[i], events[i], "ghost", "scan", "lay", "fire", "warp", "message", "luck", "cloak", "self-destruct", "surrender", "place")
				sheets := append([]engine.Sheet{own}, same...)
				texts += sheetTexts(sheets[:1])
				after, es, err := engine.Resolve(r, games[i], sheets, secret)
				if err != nil {
					t.Fatalf("%v\n%s", err, sheetTexts(sheets))
				}
				games[i], events[i] = after, es
			}
			for i := range games {
				if s, _ := games[i].Ship("ghost"); games[i].Result != nil || !secretly(s, walled) {
					return // she is lost, or has lost her power
				}
			}
			for _, c := range games[0].Captains() {
				if c.Name == "ghost" {
					continue
				}
				one, err := enginetest.Seen(r, games[0], events[0], c)
				if err != nil {
					t.Fatal(err)
				}
				other, err := enginetest.Seen(r, games[1], events[1], c)
				if err != nil {
					t.Fatal(err)
				}
				if string(one) != string(other) {
					t.Fatalf("turn %d: %s can tell what the ghost does:\n%s\n%s\n%s", games[0].Turn, c.Name, enginetest.Difference(one, other), texts, sheetTexts(same))
				}
			}
		}
	}
}

// secretly reports whether a ship is active, cloaked or walled in, and undamaged.
func secretly(s *engine.Ship, walled bool) bool {
	sys, ok := s.System.(*ship.State)
	return ok && s.Status == engine.Active && (walled || sys.Cloak().On) && !sys.Hurt
}

// drawGhostGame makes up a battle with a hidden ship on a side of its own.
func drawGhostGame(t *rapid.T, r *engine.Rules, lib *tables.Library, walled bool) *engine.Game {
	num := func(low, high int) int { return rapid.IntRange(low, high).Draw(t, "number") }
	designs := slices.DeleteFunc(lib.DesignNames(), func(name string) bool { return lib.Designs[name].Outpost })
	var b strings.Builder
	fmt.Fprintf(&b, "format = 1\nname = \"ghost\"\ntitle = \"Ghost\"\nrules = %q\n[[side]]\nid = \"red\"\n[[side]]\nid = \"dark\"\n", r.Name)
	for i := range num(1, 3) {
		fmt.Fprintf(&b, "[[ship]]\nname = \"S%d\"\nside = \"red\"\nclass = %q\nhex = \"%02d%02d\"\nheading = \"D\"\ncaptain = \"c%d\"\n",
			i, rapid.SampledFrom(designs).Draw(t, "class"), 3+3*i, num(1, 9), num(0, 1))
	}
	class, at, state := rapid.SampledFrom(cloakers(lib)).Draw(t, "ghost"), fmt.Sprintf("%02d%02d", num(1, 12), num(10, 18)), "cloak = \"on\", "
	if walled {
		class, at, state = rapid.SampledFrom(designs).Draw(t, "prisoner"), "2020", ""
		b.WriteString("[[terrain]]\nkind = \"planet\"\nat = \"2020\"\nfrom = 3\nto = 3\n")
	}
	fmt.Fprintf(&b, "[[ship]]\nname = \"Ghost\"\nside = \"dark\"\nclass = %q\nhex = %q\nheading = \"A\"\ncaptain = \"ghost\"\nstate = { %sskill = %d }\n",
		class, at, state, num(40, 75))
	fmt.Fprintf(&b, "[[terrain]]\nkind = \"planet\"\nhexes = [\"%02d%02d\"]\n", num(1, 12), 19)
	b.WriteString("[[terrain]]\nkind = \"minefield\"\nside = \"dark\"\nat = \"0610\"\nto = 3\nfigure = { mines = 4, dummies = 4 }\n")
	sc, diags := scenario.Parse([]byte(b.String()))
	if sc == nil {
		t.Fatalf("%v\n%s", diags, b.String())
	}
	g, diags := sc.NewGame(r, "game", nil)
	if g == nil {
		t.Fatalf("%v\n%s", diags, b.String())
	}
	return g
}

// drawTame makes up valid orders without some verbs; a cloaked ship powers her cloak.
func drawTame(t *rapid.T, r *engine.Rules, g *engine.Game, events []engine.Event, id engine.ShipID, without ...string) engine.Sheet {
	v := viewOf(t, r, g, events, id)
	s, _ := v.Ship(id)
	sys, ok := s.System.(*ship.State)
	if !ok {
		t.Fatalf("%s has no system of its own", id)
	}
	pen := &scribe{t: t, lang: r.Language, v: v, sys: sys, ships: []string{"S0", "S1", "S2", "Ghost"}}
	lines := slices.DeleteFunc(pen.drawText(), func(l string) bool { return slices.Contains(without, strings.Fields(l)[0]) })
	if i := slices.Index(lines, "power"); i >= 0 && sys.Cloak().On {
		lines = slices.Insert(lines, i+1, "cloak ready")
	}
	b := pen.valid(r, id, lines)
	return engine.Sheet{Ship: id, Block: &b}
}
