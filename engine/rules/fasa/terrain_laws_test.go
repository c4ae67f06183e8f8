package fasa

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"starpost/engine"
	"starpost/engine/hex"
	"starpost/engine/rules/fasa/board"
	"starpost/engine/rules/fasa/play"
	"starpost/engine/rules/fasa/ship"
	"starpost/engine/scenario"
	"starpost/engine/testkit/enginetest"
)

// TestLawsOfTerrain plays random battles among planets, asteroids and mines, with
// plasma and ships that blow themselves up.
func TestLawsOfTerrain(t *testing.T) {
	enginetest.FewChecks(t, 12)
	rapid.Check(t, lawsOfTerrain(t))
}

// FuzzLawsOfTerrain searches for battles that break them.
func FuzzLawsOfTerrain(f *testing.F) { f.Fuzz(rapid.MakeFuzz(lawsOfTerrain(f))) }

func lawsOfTerrain(tb testing.TB) func(*rapid.T) {
	tb.Helper()
	rules := []*engine.Rules{rulesOf(tb, advanced), rulesOf(tb, Graduate)}
	return func(t *rapid.T) {
		r := rapid.SampledFrom(rules).Draw(t, "course")
		g := drawMinedGame(t, r)
		playLaws(t, r, g, 2, func(g *engine.Game, id engine.ShipID) engine.Sheet { return drawRashSheet(t, r, g, id) }, func(before, after *engine.Game, events []engine.Event) error {
			return errors.Join(enginetest.CheckTurn(r, before, after, events), terrainLaws(before, after, events), minesAreSecret(r, after, events))
		})
	}
}

func drawMinedGame(t *rapid.T, r *engine.Rules) *engine.Game {
	var b strings.Builder
	fmt.Fprintf(&b, "format = 1\nname = \"field\"\ntitle = \"Field\"\nrules = %q\n", r.Name)
	b.WriteString("[bounds]\ncolumns = 20\nrows = 20\n[[side]]\nid = \"one\"\nname = \"One\"\n[[side]]\nid = \"two\"\nname = \"Two\"\n")
	for i, s := range [][4]string{
		{"Hood", "one", "constitution-hood", "Ann"},
		{"Kongo", "one", "constitution-hood", "Cay"},
		{"Wolf", "two", "v-30", "Ben"},
		{"Fox", "two", "v-6", "Ben"},
	} {
		fmt.Fprintf(&b, "[[ship]]\nname = %q\nside = %q\nclass = %q\ncaptain = %q\nhex = \"%02d%02d\"\nheading = %q\nrepair = { superstructure = %d }\nstate = { free = \"anywhere\" }\n",
			s[0], s[1], s[2], s[3], 3+4*i, rapid.SampledFrom([]int{3, 6, 15}).Draw(t, "row"), string(rune('A'+rapid.IntRange(0, 5).Draw(t, "heading"))),
			rapid.SampledFrom([]int{3, 20}).Draw(t, "superstructure"))
	}
	b.WriteString("[[terrain]]\nkind = \"planet\"\nat = \"1010\"\nto = 1\n[[terrain]]\nkind = \"asteroid\"\nat = \"1005\"\nto = 2\n")
	fmt.Fprintf(&b, "[[terrain]]\nkind = \"minefield\"\nside = \"two\"\nat = \"1010\"\nfrom = 1\nto = 5\nfigure = { mines = %d, dummies = %d }\n",
		rapid.IntRange(0, 30).Draw(t, "mines"), rapid.IntRange(0, 30).Draw(t, "dummies"))
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

func drawRashSheet(t *rapid.T, r *engine.Rules, g *engine.Game, id engine.ShipID) engine.Sheet {
	one := func(words ...string) string { return rapid.SampledFrom(words).Draw(t, "word") }
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n%s\n%s\n", one("", "", "place 0909 C", "place 1010 A", "place 2020 F"), one("", "", "self-destruct 2", "self-destruct 1 when damaged"),
		one("", "lay mines 1012 1008 0101", "lay dummies 1012 1308"))
	fmt.Fprintf(&b, "power\n move 16\n shields 2:5 3:2\n%s", one(" arm plasma-1\n", " arm bank-a 2 2\n arm bank-b 2 2\n"))
	for n := 1; n <= coursePhases; n++ {
		fmt.Fprintf(&b, "phase %d\n %s\n lock nearest\n question mines\n fire all at nearest\n", n,
			one("move F F", "move FF FF", "move FR FF", "move SL SR", "move EL F", "move B", "course 1010", "pursue nearest"))
	}
	return drawnSheet(t, r, g, id, b.String())
}

// terrainLaws checks what holds of obstacles, mines and explosions in every turn.
func terrainLaws(before, after *engine.Game, events []engine.Event) error {
	gone := map[engine.ShipID]bool{}
	for _, s := range before.Ships {
		gone[s.ID] = ship.Of(s).Blast().Gone
	}
	power := map[engine.ShipID]int{}
	met := map[hex.Hex]bool{}
	for i, e := range events {
		switch b := e.Body.(type) {
		case *ship.Explode:
			if gone[b.Ship] || b.Exploded != (b.Ordered || b.Need >= 10 || b.Roll <= b.Need) || (b.Roll == 0) != (b.Ordered || b.Need >= 10) {
				return fmt.Errorf("event %d: %+v, gone before: %v", e.Seq, b, gone[b.Ship])
			}
			gone[b.Ship] = b.Exploded
			power[b.Ship] = b.Power
		case *ship.Blasted:
			hit, ok := events[i+1].Body.(*ship.ShieldHit)
			if !ok || gone[b.Ship] || b.Damage != ship.BlastAt(power[b.From], b.Range) || hit.Ship != b.Ship || hit.Absorbed+hit.Through != b.Damage {
				return fmt.Errorf("event %d: %+v of %d power, then %+v", e.Seq, b, power[b.From], events[i+1].Body)
			}
		case *ship.MineMet:
			if met[b.Hex] || !b.Evaded && b.Dummy == (b.Damage > 0) {
				return fmt.Errorf("event %d: %+v, met before: %v", e.Seq, b, met[b.Hex])
			}
			met[b.Hex] = !b.Evaded
		case *engine.Move:
			for _, f := range before.TerrainAt(b.To.Hex) {
				if f.Kind == board.Planet && b.From.Hex != b.To.Hex {
					return fmt.Errorf("event %d: %s enters %s", e.Seq, b.Ship, f.ID)
				}
			}
		}
	}
	for _, f := range before.Terrain {
		if f.Kind == board.Minefield && !f.Gone && laid(after) != f.Figure[board.FigureMines]+f.Figure[board.FigureDummies] {
			return fmt.Errorf("%d mines and dummies were laid of %v", laid(after), f.Figure)
		}
	}
	return nil
}

// laid returns how many mines and dummies a game has, including those that are gone.
func laid(g *engine.Game) int {
	n := 0
	for _, f := range g.Terrain {
		n += play.BoolInt(f.Kind == board.Mine)
	}
	return n
}

// minesAreSecret checks that captains see nothing of mines they do not know.
func minesAreSecret(r *engine.Rules, g *engine.Game, events []engine.Event) error {
	if g.Result != nil {
		return nil
	}
	for _, c := range g.Captains() {
		want, err := enginetest.Seen(r, g, events, c)
		if err != nil {
			return err
		}
		var sides []string
		for _, id := range c.Ships {
			s, _ := g.Ship(id)
			sides = append(sides, s.Side)
		}
		other := g.Clone()
		other.Terrain = slices.DeleteFunc(other.Terrain, func(f engine.Feature) bool {
			return !f.KnownTo(engine.Viewer{Captain: c.Name, Ships: c.Ships}, sides)
		})
		known := slices.DeleteFunc(slices.Clone(events), func(e engine.Event) bool { return !e.See.ToBy(r.Eyes(engine.Viewer{Captain: c.Name, Ships: c.Ships})) })
		got, err := enginetest.Seen(r, other, known, c)
		if err != nil {
			return err
		}
		if string(got) != string(want) {
			return fmt.Errorf("%s can tell of hidden mines:\n%s", c.Name, enginetest.Difference(want, got))
		}
	}
	return nil
}
