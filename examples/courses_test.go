package examples_test

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"starpost/engine"
	"starpost/engine/rules/fasa"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
)

// howtos describes the sections with order sets in the pages on the later courses: what the referee's log must say
// they did, the expected warnings, and what another captain does to make it possible. Robots command the other ships.
var howtos = map[string]struct {
	told, warnings []string
	other          string
}{
	"Get a lock and ask questions":     {told: []string{"Biter tries for a sensor lock on Kiev", "Biter's sensors report on Kiev"}},
	"Hide under a cloak":               {told: []string{"Nightjar: 44 power: 12 to movement, 0 to shields, 8 to weapons, 22 to the cloak", "Nightjar's cloak goes off"}},
	"Hunt a cloaked ship":              {told: []string{"Lexicon scans for cloaked ships through the arc of shield 2", "it finds the cloaked Nightjar", "Lexicon fires"}},
	"Fire plasma":                      {told: []string{"Talisman begins at 1125", "Talisman fires plasma-1 (plasma bolt) at Exeter"}, warnings: []string{"W154"}, other: "Exeter\npower\n  move 4\n"},
	"Evade missiles":                   {told: []string{"Kiev evades torpedo-"}},
	"Turn hard or go astern":           {told: []string{"heading A (B B)", "(F EL)", "Avenger is strained by her emergency heading change"}},
	"Repair":                           {told: []string{"Kongo's crew makes an extra effort for more power"}},
	"Escape at warp, or give chase":    {told: []string{"Kiev goes from warp 6 to warp 7, followed by Biter"}, warnings: []string{"W127"}},
	"Lay mines and find a way through": {told: []string{"Loknar tries for a sensor lock"}},
	"Fight an outpost":                 {told: []string{"Intrepid tries for a sensor lock on Eyrie", "Eyrie fires", "Intrepid fires"}},
}

// Each order set of the chapter is valid, without unexpected warnings, in the first turn of the scenario named in its
// first line, and has the effect that it demonstrates.
func TestDocumentsTeachesTheLaterCourses(t *testing.T) {
	files, err := fasa.Scenarios()
	if err != nil {
		t.Fatal(err)
	}
	parts := strings.Split(chapter(t, document("play-stcs-advanced"), "What the later courses add"), "\n### ")
	parts = append(parts, strings.Split(chapter(t, document("play-stcs-graduate"), "Plasma, warp, mines and outposts"), "\n### ")[1:]...)
	tried := 0
	for _, part := range parts[1:] {
		title, text, _ := strings.Cut(part, "\n")
		for _, m := range regexp.MustCompile("(?ms)^```\n(.*?)^```$").FindAllStringSubmatch(text, -1) {
			tried++
			t.Run(title, func(t *testing.T) {
				head := regexp.MustCompile(`^#orders (\S+) turn 1 ship `).FindStringSubmatch(m[1])
				if head == nil || files[head[1]] == nil {
					t.Fatalf("no order set for a scenario:\n%s", m[1])
				}
				g := newGame(t, head[1], files[head[1]], nil, wolfSeed)
				p, err := turn.Load(g)
				if err != nil {
					t.Fatal(err)
				}
				found := p.Check([]byte(m[1]))
				for _, d := range found.Diagnostics {
					if !slices.Contains(howtos[title].warnings, d.Code) {
						t.Error(d)
					}
				}
				if other := howtos[title].other; other != "" {
					ship, _, _ := strings.Cut(other, "\n")
					if err := g.Orders.Put(vault.At(1), ship, []byte("#orders "+head[1]+" turn 1 ship "+other+"#end\n"), time.Time{}); err != nil {
						t.Fatal(err)
					}
				}
				for _, s := range found.Sets {
					if err := g.Orders.Put(vault.At(1), s.Name, []byte(s.Text), time.Time{}); err != nil {
						t.Fatal(err)
					}
				}
				out, told := play(t, g, vault.PolicyRobot)
				for _, hex := range laid(m[1]) {
					if !slices.ContainsFunc(out.State.Terrain, func(f engine.Feature) bool {
						return f.Kind == "mine" && len(f.Hexes) == 1 && f.Hexes[0].Label() == hex
					}) {
						t.Errorf("nothing was laid at %s", hex)
					}
				}
				if len(howtos[title].told) == 0 {
					t.Error("the test knows nothing that these orders are to do")
				}
				for _, want := range howtos[title].told {
					if !strings.Contains(told, want) {
						t.Errorf("nothing is told of %q in\n%s", want, told)
					}
				}
			})
		}
	}
	if tried != len(howtos) {
		t.Errorf("%d parts with orders, %d known", tried, len(howtos))
	}
}

// The report headings named in the chapter appear in the reports of suitable scenarios.
func TestDocumentsNamesTheHeadingsOfLaterReports(t *testing.T) {
	files, err := fasa.Scenarios()
	if err != nil {
		t.Fatal(err)
	}
	var titles strings.Builder
	for _, scenario := range []string{"romulan-gambit", "outpost-raid"} {
		g := newGame(t, scenario, files[scenario], nil, wolfSeed)
		for n := range 2 {
			if n > 0 {
				play(t, g, vault.PolicyRobot)
			}
			state, err := g.Stages.State(vault.At(n))
			if err != nil {
				t.Fatal(err)
			}
			for _, s := range state.Ships {
				v, err := engine.BuildView(g.Rules(), state, nil, engine.Viewer{Captain: s.Captain, Ships: []engine.ShipID{s.ID}, Focus: s.ID})
				if err != nil {
					t.Fatal(err)
				}
				for _, p := range g.Rules().Present(v).Panels {
					_, title, ok := strings.Cut(p.Title, ": ") // it may be preceded by a ship's name
					if !ok {
						title = p.Title
					}
					titles.WriteString(strings.ToLower(title) + "\n")
				}
			}
		}
	}
	_, part, _ := strings.Cut(chapter(t, document("play-stcs-advanced"), "What the later courses add"), "### What else the report shows\n")
	part, _, _ = strings.Cut(part, "\n### ")
	named := regexp.MustCompile(`(?s)\*\*(.*?)\*\*`).FindAllStringSubmatch(part, -1)
	if len(named) < 8 {
		t.Errorf("the chapter names only %d headings", len(named))
	}
	for _, m := range named {
		if title := strings.Join(strings.Fields(m[1]), " "); !slices.Contains(strings.Split(titles.String(), "\n"), title) {
			t.Errorf("no report has the heading %q", title)
		}
	}
}

// TestDocumentsServesEveryPost: the four sets of the officers' chapters are valid in one turn, and each officer, but
// not everyone aboard, reads what the chapters say.
func TestDocumentsServesEveryPost(t *testing.T) {
	files, err := fasa.Scenarios()
	if err != nil {
		t.Fatal(err)
	}
	g := newGame(t, "maru", files["kobayashi-maru"], nil, 5)
	p, err := turn.Load(g)
	if err != nil {
		t.Fatal(err)
	}
	sets := regexp.MustCompile("(?ms)^```\n(#orders maru .*?)^```$").FindAllStringSubmatch(chapter(t, document("play-stcs-command"), "Several officers on one ship"), -1)
	if len(sets) != 4 {
		t.Fatalf("%d sets of orders", len(sets))
	}
	var seats []engine.Seat
	for _, m := range sets {
		found := p.Check([]byte(m[1]))
		if len(found.Sets) != 1 || len(found.Diagnostics) > 0 {
			t.Fatalf("%v in\n%s", found.Diagnostics, m[1])
		}
		s := found.Sets[0]
		seats = append(seats, s.Seat())
		for _, w := range g.Rules().Tell(s.View, s.Seat(), s.Block) {
			made(t, document("play-stcs-command"), "crew told "+w.Posts[0], fenced(strings.Join(w.Lines, "\n")))
		}
		if err := g.Orders.Put(vault.At(1), s.Name, []byte(s.Text), time.Time{}); err != nil {
			t.Fatal(err)
		}
	}
	out, _ := play(t, g, vault.PolicyRobot)
	read, seen := map[string][]string{}, map[string]int{}
	for _, seat := range seats {
		who, err := g.Rules().SeatViewer(out.State, seat)
		if err != nil {
			t.Fatal(err)
		}
		v, err := engine.BuildView(g.Rules(), out.State, out.Events, who)
		if err != nil {
			t.Fatal(err)
		}
		name := cmp.Or(seat.Post, engine.AllPosts)
		for _, c := range g.Rules().Present(v).Phases {
			for _, l := range c.Lines {
				line := c.Title + ": " + strings.Repeat("  ", l.Depth) + l.Text
				read[name] = append(read[name], line)
				seen[line]++
			}
		}
	}
	for name, lines := range read {
		own := slices.DeleteFunc(lines, func(l string) bool { return seen[l] == len(seats) })
		if len(own) == 0 {
			t.Errorf("%s reads nothing of his own", name)
		}
		made(t, document("play-stcs-command"), "crew "+name, fenced(strings.Join(own, "\n")))
	}
}

// laid returns the hexes in which orders lay mines or dummies.
func laid(text string) []string {
	var hexes []string
	for _, m := range regexp.MustCompile(`(?m)^lay \S+ (.*)$`).FindAllStringSubmatch(text, -1) {
		hexes = append(hexes, strings.Fields(m[1])...)
	}
	return hexes
}
