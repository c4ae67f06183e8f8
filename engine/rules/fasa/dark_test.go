package fasa

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"starpost/engine"
	"starpost/engine/blind"
	"starpost/engine/dice"
	"starpost/orders"
)

// darkBooks are the books that can be played in the dark.
func darkBooks(tb testing.TB) []*engine.Rules {
	tb.Helper()
	return []*engine.Rules{rulesOf(tb, Basic), rulesOf(tb, BookOne)}
}

// told is all that a captain gets of a turn, and what he is told of some orders.
func told(tb rapid.TB, r *engine.Rules, g *engine.Game, events []engine.Event, id string, tries ...string) []byte {
	tb.Helper()
	s := mustShip(g, id)
	v, err := engine.BuildView(r, g, events, g.Viewer(s))
	if err != nil {
		tb.Fatal(err)
	}
	var b bytes.Buffer
	data, err := engine.Marshal(v)
	if err != nil {
		tb.Fatal(err)
	}
	b.Write(data)
	p := r.Present(v)
	for _, c := range p.Phases {
		for _, l := range c.Lines {
			fmt.Fprintf(&b, "\n%s: %s [%s]", c.Title, l.Text, l.Cite)
		}
	}
	fmt.Fprintf(&b, "\n%+v\n%+v\n%+v\n", p.Panels, p.Shots, p.Marks)
	for i := range v.Events {
		fmt.Fprintf(&b, "%+v\n", r.Words(v, i))
	}
	if s.Status == engine.Active && g.Result == nil {
		b.WriteString(r.Template(v, id) + "\n" + r.Robot(v, id))
		for _, try := range tries {
			blocks, diags := orders.Parse([]byte("#orders game turn 1 ship "+s.Name+"\n"+try+"#end\n"), r.Language)
			if len(blocks) != 1 {
				tb.Fatal(diags)
			}
			fmt.Fprintf(&b, "%+v\n", r.Check(v, id, blocks[0]))
		}
	}
	return b.Bytes()
}

// darkShip is a ship of a scenario.
func darkShip(name, side, class, at, heading, more string) string {
	return fmt.Sprintf("[[ship]]\nname = %q\nside = %q\nclass = %q\nhex = %q\nheading = %q\n%s\n", name, side, class, at, heading, more)
}

func darkScenario(r *engine.Rules, ships ...string) string {
	text := fmt.Sprintf("format = 1\nname = \"dark\"\ntitle = \"Dark\"\nrules = %q\n[blind]\n", r.Name)
	for _, side := range []string{"red", "green", "blue"} {
		if slices.ContainsFunc(ships, func(s string) bool { return strings.Contains(s, fmt.Sprintf("side = %q", side)) }) {
			text += fmt.Sprintf("[[side]]\nid = %q\n", side)
		}
	}
	return text + strings.Join(ships, "")
}

// drawPlan makes up the orders of a ship for a turn, which may name what is there or not.
func drawPlan(t *rapid.T, label string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "power\n move %d\n shields 1:%d 2:%d\n arm bank-a %d\n", rapid.IntRange(0, 8).Draw(t, label+" move"), rapid.IntRange(0, 4).Draw(t, label+" s1"), rapid.IntRange(0, 4).Draw(t, label+" s2"), rapid.IntRange(1, 2).Draw(t, label+" arm"))
	for n := range 3 {
		fmt.Fprintf(&b, "phase %d\n", n+1)
		way := rapid.SampledFrom([]string{"", "move F\n", "move R\n", "pursue c01 to 3\n", "face c02\n", "course 1515\n", "move F when range to c01 < 9\n", "pursue near1 to 2\n"}).Draw(t, label+" way")
		if strings.Contains(way, "range to") {
			way = "pursue c01 when range < 9\n"
		}
		b.WriteString(" " + way)
		b.WriteString(" " + rapid.SampledFrom([]string{"\n", "fire all at c01\n", "fire all at c02 when range < 7\n", "fire all at near1\n", "fire all at far1\n", "fire bank-a at c03 when targeted\n"}).Draw(t, label+" fire"))
	}
	if rapid.IntRange(0, 9).Draw(t, label+" leaves") == 0 {
		b.WriteString("message side\n#text\nhold on\n#endtext\n")
	}
	return strings.ReplaceAll(b.String(), "\n \n", "\n")
}

// playDark plays the battle; orders that a ship cannot give are left out of her set.
func playDark(t *rapid.T, r *engine.Rules, scenario string, plans []map[string]string, each func(turn int, g *engine.Game, events []engine.Event)) {
	g := gameOf(t, r, scenario)
	each(0, g, nil)
	for n, plan := range plans {
		var sheets []engine.Sheet
		for _, id := range g.InFight() {
			text, ok := plan[id]
			if !ok {
				sheets = append(sheets, engine.Sheet{Ship: id, Policy: engine.PolicyStanding})
				continue
			}
			blocks, _ := orders.Parse([]byte(fmt.Sprintf("#orders game turn %d ship %s\n%s#end\n", n+1, mustShip(g, id).Name, text)), r.Language)
			if len(blocks) != 1 {
				t.Fatal(text)
			}
			sheets = append(sheets, engine.Sheet{Ship: id, Block: &blocks[0]})
		}
		after, events, err := engine.Resolve(r, g, sheets, dice.FromSeed(7))
		if err != nil {
			t.Fatal(err)
		}
		if g = after; g.Result != nil {
			return
		}
		each(n+1, g, events)
	}
}

// TestWhatIsInTheDarkTellsNothing plays each battle twice: ships that a captain never
// detects are elsewhere, do something else, are more or fewer, and what he does not know of
// those he detects is otherwise. All that he gets is byte for byte the same.
func TestWhatIsInTheDarkTellsNothing(t *testing.T) {
	fewChecks(t, "30")
	books := darkBooks(t)
	classes := []string{"constitution-hood", "d-10-wolf"}
	rapid.Check(t, func(t *rapid.T) {
		r := rapid.SampledFrom(books).Draw(t, "book")
		at := func(label string, col, row int) string {
			return fmt.Sprintf("%02d%02d", col+rapid.IntRange(0, 9).Draw(t, label), row+rapid.IntRange(0, 9).Draw(t, label))
		}
		heading := func(label string) string {
			return rapid.SampledFrom([]string{"A", "B", "C", "D", "E", "F"}).Draw(t, label)
		}
		turns := rapid.IntRange(1, 3).Draw(t, "turns")
		near := []string{
			darkShip("Hood", "red", classes[0], at("hood", 10, 10), heading("hood"), ""),
			darkShip("Mate", "red", classes[0], at("mate", 10, 30), heading("mate"), ""),
		}
		plans := [2][]map[string]string{}
		for range turns {
			common := map[string]string{"hood": drawPlan(t, "hood"), "mate": drawPlan(t, "mate"), "near1": drawPlan(t, "near1"), "still": "power\n move 0\n"}
			for k := range plans {
				plan := maps.Clone(common)
				for _, id := range []string{"far1", "far2", "amid"} {
					plan[id] = drawPlan(t, fmt.Sprint(id, k))
				}
				plans[k] = append(plans[k], plan)
			}
		}
		near1, still := at("near1", 10, 20), at("still", 31, 10)
		near1Heading := heading("near1")
		var got [2][][]byte
		for k := range 2 {
			traits := fmt.Sprintf("title = \"No %d\"\nshort = \"%c\"\nvalue = %d\n", k, 'x'+rune(k), 3+k)
			ships := append(slices.Clone(near), darkShip("Near1", "green", classes[1], near1, near1Heading, traits),
				darkShip("Still", []string{"green", "blue"}[k], classes[k], still, []string{"A", "C"}[k], ""))
			for i, id := range []string{"Far1", "Far2", "Amid"} {
				side := []string{"green", "blue", "blue"}[i]
				if i == 0 || rapid.Bool().Draw(t, fmt.Sprint(id, k)) {
					ships = append(ships, darkShip(id, side, classes[rapid.IntRange(0, 1).Draw(t, "class")], fmt.Sprintf("%d.250", 250+50*i+10*k), heading("far"), ""))
				}
			}
			playDark(t, r, darkScenario(r, ships...), plans[k], func(_ int, g *engine.Game, events []engine.Event) {
				got[k] = append(got[k], told(t, r, g, events, "hood", "power\n move 3\nphase 1\n fire all at near1\n pursue c01 to 3\n", "power\nphase 1\n fire all at far1\n", "power\nphase 1\n fire all at thin-air\n"))
				if mustLevel(r, g, "hood", "near1") >= 3 || mustLevel(r, g, "hood", "still") >= 2 {
					t.Skip("near enough to know more")
				}
			})
		}
		for n := range min(len(got[0]), len(got[1])) {
			if !bytes.Equal(got[0][n], got[1][n]) {
				t.Fatalf("turn %d:\n%s", n, cmp.Diff(strings.Split(string(got[0][n]), "\n"), strings.Split(string(got[1][n]), "\n")))
			}
		}
	})
}

func mustLevel(r *engine.Rules, g *engine.Game, by, of string) int {
	return int(r.Detects(g, mustShip(g, by), mustShip(g, of)))
}

// TestRobotsFightInTheDark lets robots find and fight each other; each kind of event that
// tells less than the truth comes up.
func TestRobotsFightInTheDark(t *testing.T) {
	kinds := map[string]int{}
	for _, r := range darkBooks(t) {
		for seed := range uint64(3) {
			g := playByRobots(t, r, gameOf(t, r, darkScenario(r,
				darkShip("Hood", "red", "constitution-hood", "1133", "A", ""), darkShip("Riskadh", "green", "d-10-wolf", "1101", "D", ""))), seed, 60, func(g *engine.Game, events []engine.Event) {
				for _, ship := range []string{"hood", "riskadh"} {
					for _, e := range viewOf(t, r, g, events, ship).Events {
						kinds[e.Body.Type()]++
					}
				}
			})
			if g.Result == nil {
				t.Errorf("%s, seed %d: no end after %d turns", r.Name, seed, g.Turn)
			}
		}
	}
	for _, kind := range []string{"contact", "wake", "fire-seen", "shield-seen", "damage-seen", "move", "skip"} {
		if kinds[kind] == 0 {
			t.Errorf("no captain was told of %s: %v", kind, kinds)
		}
	}
}

// BenchmarkInTheDark plays a turn and makes the views of all captains, in the open and in
// the dark.
func BenchmarkInTheDark(b *testing.B) {
	r := rulesOf(b, Basic)
	for _, ships := range []int{2, 20} {
		for _, name := range []string{"open", "dark"} {
			b.Run(fmt.Sprintf("%d/%s", ships, name), func(b *testing.B) {
				g := fleets(b, r, ships, 12)
				if name == "dark" {
					g.Blind = &engine.Dark{}
					g.Blind.Settings, _, _, _ = blind.Settings{}.Complete()
					for _, c := range g.Captains() {
						g.Blind.Logs = append(g.Blind.Logs, blind.Log{Captain: c.Name})
					}
				}
				turns := record(b, r, g, 1, 1)
				for b.Loop() {
					after, events, err := engine.Resolve(r, turns[0].before, turns[0].sheets, dice.FromSeed(1))
					if err != nil {
						b.Fatal(err)
					}
					views := engine.NewViewBuilder(r, after, events)
					for _, s := range after.Ships {
						if _, err := views.View(after.Viewer(s)); err != nil {
							b.Fatal(err)
						}
					}
				}
			})
		}
	}
}
