package fasa

import (
	"bytes"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"starpost/engine"
	"starpost/engine/blind"
	"starpost/engine/dark"
	"starpost/engine/dice"
	"starpost/engine/rules/fasa/rulebook"
	"starpost/engine/rules/fasa/ship"
	"starpost/engine/rules/fasa/tables"
	"starpost/engine/testkit/enginetest"
	"starpost/orders"
)

// darkBooks returns the books that can be played in the dark.
func darkBooks(tb testing.TB) []*engine.Rules {
	tb.Helper()
	var books []*engine.Rules
	for _, course := range []func(*tables.Library) (*engine.Rules, error){Basic, bookOneRules, advanced, Graduate, Command} {
		if r := rulesOf(tb, course); dark.Of(r).Dark != nil {
			books = append(books, r)
		}
	}
	return books
}

// toldTo is [enginetest.Told] of a seat such as "hood/helm".
func toldTo(tb rapid.TB, r *engine.Rules, g *engine.Game, events []engine.Event, seat string, tries ...string) []byte {
	tb.Helper()
	id, post, _ := strings.Cut(seat, "/")
	out, err := enginetest.Told(r, g, events, engine.Seat{Ship: engine.ShipID(id), Post: post}, tries...)
	if err != nil {
		tb.Fatal(err)
	}
	return out
}

// darkShip returns a ship of a scenario.
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

// drawPlan draws the orders of a ship for a turn, which may name ships that are there or not.
func drawPlan(t *rapid.T, r *engine.Rules, label string) string {
	_, later := r.Options[rulebook.OptionRatings] // the book has sensors, cloaks, planets
	var b strings.Builder
	pick := func(what string, of ...string) {
		if label == "near1" { // her actions must not depend on what she finds of the others
			of = slices.DeleteFunc(of, func(line string) bool {
				return strings.Contains(line, "nearest") || strings.HasPrefix(line, "scan") || strings.HasPrefix(line, "report") || strings.Contains(line, "study")
			})
		}
		if line := rapid.SampledFrom(of).Draw(t, label+" "+what); line != "" {
			b.WriteString(" " + line + "\n")
		}
	}
	fmt.Fprintf(&b, "power\n move %d\n shields 1:%d 2:%d\n arm bank-a %d\n", rapid.IntRange(0, 8).Draw(t, label+" move"), rapid.IntRange(0, 4).Draw(t, label+" s1"), rapid.IntRange(0, 4).Draw(t, label+" s2"), rapid.IntRange(1, 2).Draw(t, label+" arm"))
	if later {
		pick("torpedo", "", "arm torpedo-1")
		pick("cloak", "", "cloak on", "cloak ready", "cloak off")
	}
	pick("labs", "", "labs 1", "labs 4")
	for _, work := range []string{"study c01 with 1", "study near1 with 2", "study far1 with 1", "decode any with 1", "decode green with 1", "decode c01 with 1", "steal charts with 1", "new code"} {
		if rapid.IntRange(0, 5).Draw(t, label+" "+work) == 0 && (work != "new code" || !strings.HasPrefix(label, "far1")) { // a ship that studies her side's code would notice a new one
			b.WriteString(work + "\n")
		}
	}
	for n := range 3 {
		fmt.Fprintf(&b, "phase %d\n", n+1)
		pick("way", "", "move F", "move R", "pursue c01 to 3", "face c02", "course 1515", "pursue c01 when range < 9", "pursue near1 to 2")
		pick("probe", "", "", "probe to 1515", "probe to 1812 study c01", "probe to 1525 study far1", "probe to 1518 carry", "probe to 2015 receive charts when damaged")
		pick("fire", "", "fire all at c01", "fire all at c02 when range < 7", "fire all at near1", "fire all at far1", "fire bank-a at c03 when targeted")
		if later {
			pick("sensors", "", "lock nearest", "lock c01", "lock near1", "lock none", "scan 2", "scan for c01", "lock object 1515")
			pick("question", "", "question 3", "question 9", "question mines", "question 7 when locked c01")
			pick("more", "", "fire all at nearest", "fire all at locked", "tactical left when seen c01", "tactical showing 2 to c01", "cloak on", "cloak off when range to c01 < 9", "fire all at c01 when shield 1 of c01 < 3", "evade port", "evade port against c01")
		}
	}
	if rapid.IntRange(0, 9).Draw(t, label+" leaves") == 0 {
		b.WriteString("message side\n#text\nhold on\n#endtext\nmessage courier\n#text\ncome to me\n#endtext\n")
	}
	if rapid.IntRange(0, 4).Draw(t, label+" talks") == 0 {
		b.WriteString("say\n#text\nwho is there\n#endtext\n")
	}
	pick("passes on", "", "", "relay on", "relay off")
	if !strings.HasPrefix(label, "far1") { // near1 would act on what her mate reports
		pick("reports", "", "", "", "report contacts")
	}
	if later {
		pick("warp", "", "", "", "warp +1")
		b.WriteString("standing\n")
		pick("sensors", "sensors nearest", "sensors none", "sensors c01")
		pick("questions", "", "questions 3 9 mines")
		pick("evade", "", "evade port", "evade port against c01", "evade starboard when range < 6")
		pick("follow", "", "follow all", "follow c01")
		pick("scan", "", "scan 2", "scan for c01")
	}
	return b.String()
}

// playDark plays the battle, leaving orders that a ship cannot give out of her set.
func playDark(t rapid.TB, r *engine.Rules, scenario string, plans []map[engine.ShipID]string, each func(turn int, g *engine.Game, events []engine.Event)) {
	g := gameOf(t, r, scenario)
	each(0, g, nil)
	for n, plan := range plans {
		var sheets []engine.Sheet
		for _, seat := range r.Owed(g) {
			id := seat.Ship
			text, ok := plan[id]
			if !ok {
				sheets = append(sheets, engine.Sheet{Ship: id, Post: seat.Post, Policy: engine.PolicyStanding})
				continue
			}
			blocks, _ := orders.Parse([]byte(fmt.Sprintf("#orders game turn %d ship %s\n%s#end\n", n+1, mustShip(g, id).Name, text)), r.Language)
			if len(blocks) != 1 {
				t.Fatal(text)
			}
			sheets = append(sheets, engine.Sheet{Ship: id, Post: seat.Post, Block: &blocks[0]})
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

// TestWhatIsInTheDarkTellsNothing plays each battle twice: ships that a captain never detects are
// elsewhere, act differently, or differ in number, and so does what the captain does not know of
// detected ships. All that the captain gets is the same to the last byte.
func TestWhatIsInTheDarkTellsNothing(t *testing.T) {
	enginetest.FewChecks(t, 40)
	books := darkBooks(t)
	classes := []string{"constitution-hood", "d-10-wolf"}
	rapid.Check(t, func(t *rapid.T) {
		r := rapid.SampledFrom(books).Draw(t, "book")
		_, later := r.Options[rulebook.OptionRatings]
		at := func(label string, col, row int) string {
			return fmt.Sprintf("%02d%02d", col+rapid.IntRange(0, 9).Draw(t, label), row+rapid.IntRange(0, 9).Draw(t, label))
		}
		heading := func(label string) string {
			return rapid.SampledFrom([]string{"A", "B", "C", "D", "E", "F"}).Draw(t, label)
		}
		turns := rapid.IntRange(1, 3).Draw(t, "turns")
		settings := fmt.Sprintf("[blind]\ntalk = %q\nechoes = %d\n", rapid.SampledFrom([]string{blind.TalkSide, blind.TalkRange, blind.TalkRange}).Draw(t, "talk"), rapid.IntRange(0, 2).Draw(t, "echoes"))
		near := []string{
			darkShip("Hood", "red", classes[0], at("hood", 10, 10), heading("hood"), ""),
			darkShip("Mate", "red", classes[0], at("mate", 10, 30), heading("mate"), ""),
		}
		seats := []string{"hood", "mate"}
		if len(r.Posts()) > 0 && rapid.Bool().Draw(t, "officers") {
			near[0] += "crew = { engineer = \"Boyle\", helm = \"Chen\", weapons = \"Gun\", science = \"Dahl\" }\n"
			seats = append(seats, "hood/engineer", "hood/helm", "hood/weapons", "hood/science")
		}
		ghost, foe, cloak := "", classes[1], ""
		var unfound [2]string // terrain that Hood and Mate never come near
		if later {
			settings += "chart = \"unknown\"\n"
			unfound = [2]string{
				darkTerrain("planet", "side = \"green\"\n", at("planet0", 85, 10)) + darkTerrain("asteroid", "", at("rocks0", 10, 76)),
				darkTerrain("asteroid", "", at("rocks1", 20, 76), "1599") + darkTerrain("planet", "", "9030", "9530") + darkTerrain("planet", "", at("planet1", 85, 20)),
			}
			foe = rapid.SampledFrom([]string{classes[1], "v-7"}).Draw(t, "foe")
			if foe == "v-7" {
				cloak = "state = { cloak = \"" + rapid.SampledFrom([]string{"on", "off"}).Draw(t, "cloak") + "\" }\n"
			}
			ghost = darkShip("Ghost", "blue", "v-7", at("ghost", 21, 14), heading("ghost"), "state = { cloak = \"on\" }")
			near[0] += darkTerrain("asteroid", "", at("rocks", 10, 10), at("rocks", 10, 20), at("rocks", 8, 15))
			near[0] += darkTerrain("mine", "side = \"green\"\n", at("mine", 10, 12)) + darkTerrain("planet", "", "2024")
		}
		wanted := rapid.Bool().Draw(t, "files")
		if wanted { // gives robots work for laboratories
			near[0] += "[bounds]\ncolumns = 400\nrows = 300\n[[file]]\nname = \"letter\"\nship = \"Mate\"\n"
			for file, ship := range map[string]string{"letter": "Hood", "charts": "Mate"} {
				near[1] += fmt.Sprintf("[[victory]]\nside = \"red\"\nwhen = \"file\"\nfile = %q\nships = [%q]\nedge = \"north\"\n", file, ship)
			}
		}
		plans := [2][]map[engine.ShipID]string{}
		for range turns {
			common := map[engine.ShipID]string{"hood": drawPlan(t, r, "hood"), "mate": drawPlan(t, r, "mate"), "near1": drawPlan(t, r, "near1")}
			for k := range plans {
				plan := maps.Clone(common)
				plan["still"] = fmt.Sprintf("power\n move %d\n", rapid.IntRange(0, 8).Draw(t, fmt.Sprint("still", k)))
				for _, id := range []engine.ShipID{"far1", "far2", "amid"} {
					plan[id] = drawPlan(t, r, fmt.Sprint(id, k))
				}
				plan["ghost"] = fmt.Sprintf("power\n move %d\n cloak ready\nphase 1\n move %s\n", rapid.IntRange(0, 2).Draw(t, "ghost"), rapid.SampledFrom([]string{"F", "R", "H"}).Draw(t, "ghost"))
				plans[k] = append(plans[k], plan)
			}
		}
		near1, still := at("near1", 10, 20), at("still", 31, 10)
		near1Heading := heading("near1")
		var got [2][][]byte
		var stands [2][]string // the places of Still
		for k := range 2 {
			traits := fmt.Sprintf("title = \"No %d\"\nshort = \"%c\"\nvalue = %d\n", k, 'x'+rune(k), 3+k)
			ships := append([]string{unfound[k]}, near...)
			ships = append(ships, darkShip("Near1", "green", foe, near1, near1Heading, traits+cloak),
				darkShip("Still", []string{"green", "blue"}[k], classes[k], still, []string{"A", "C"}[k], ""))
			for i, id := range []string{"Far1", "Far2", "Amid"} {
				side := []string{"green", "blue", "blue"}[i]
				if i == 0 || rapid.Bool().Draw(t, fmt.Sprint(id, k)) {
					ships = append(ships, darkShip(id, side, classes[rapid.IntRange(0, 1).Draw(t, "class")], fmt.Sprintf("%d.250", 250+50*i+10*k), heading("far"), ""))
				}
			}
			if k == 1 && ghost != "" {
				ships = append(ships, ghost)
			}
			if wanted {
				ships = append(ships, fmt.Sprintf("[[file]]\nname = \"charts\"\nship = %q\n", []string{"Far1", "Still"}[k]))
			}
			playDark(t, r, strings.Replace(darkScenario(r, ships...), "[blind]\n", settings, 1), plans[k], func(_ int, g *engine.Game, events []engine.Event) {
				stands[k] = append(stands[k], mustShip(g, "still").Hex.Label())
				if c := g.Blind.Log("Near1").Held("still"); c != nil && c.Size != "" {
					t.Skip("one who is seen may act by knowing more")
				}
				for _, id := range seats {
					got[k] = append(got[k], toldTo(t, r, g, events, id, "power\n move 3\nphase 1\n fire all at near1\n pursue c01 to 3\n", "power\nphase 1\n fire all at far1\n", "power\nphase 1\n fire all at thin-air\n", "power\n move 8\nphase 1\n course 9030\nphase 2\n lock object 9030\n"))
					for _, c := range g.Blind.Log(mustShip(g, engine.ShipID(id[:4])).Captain).Contacts {
						switch {
						case c.Ship == "near1" && c.Named, c.Ship == "still" && c.Size != "", c.Ship == "ghost":
							t.Skip("near enough to know more")
						}
					}
					if events != nil {
						continue
					}
					if v := toldTo(t, r, g, events, id); regexp.MustCompile(`(?i)\b(near1|far[12]|amid|ghost)\b`).Match(v) {
						t.Fatalf("%s is told of whom he does not see:\n%s", id, v)
					}
				}
			})
		}
		for n := range min(len(got[0]), len(got[1])) {
			if turn := n / len(seats); stands[0][turn] != stands[1][turn] { // her helm was hit, and she drifts on her heading
				return
			}
			if !bytes.Equal(got[0][n], got[1][n]) {
				t.Fatalf("%s, turn %d:\n%s", r.Name, n/len(seats), cmp.Diff(strings.Split(string(got[0][n]), "\n"), strings.Split(string(got[1][n]), "\n")))
			}
		}
	})
}

// TestOrderOfWhatIsToldInTheDark: ships of unknown speed fire at each other and at Hood, and ships
// that she and Mate have locks on cloak, in the order of their speeds. Kirk, who commands both, is
// told the same whichever is faster.
func TestOrderOfWhatIsToldInTheDark(t *testing.T) {
	for _, r := range darkBooks(t) {
		_, later := r.Options[rulebook.OptionRatings]
		fleet := []string{darkShip("Hood", "red", "constitution-hood", "2020", "A", "captain = \"Kirk\""), darkShip("Mate", "red", "constitution-hood", "2321", "A", "captain = \"Kirk\"")}
		for _, s := range [][3]string{{"Slow", "2005", "C"}, {"Fast", "2305", "E"}, {"Third", "1705", "C"}} {
			fleet = append(fleet, darkShip(s[0], "green", "constitution-hood", s[1], s[2], ""))
		}
		hood := "c03" // Hood's number on the others' lists
		if later {
			hood = "c05"
			fleet = append(fleet, darkShip("Near", "blue", "v-7", "2013", "D", ""), darkShip("By", "blue", "v-7", "2313", "D", ""))
		}
		var got [2][]string
		for k, points := range [][2]int{{4, 9}, {9, 4}} {
			move := map[string]int{"hood": 6, "slow": points[0], "fast": points[1], "third": 6, "near": points[0], "by": points[1]}
			g := gameOf(t, r, darkScenario(r, fleet...))
			var sheets []engine.Sheet
			for _, id := range g.InFight() {
				text := fmt.Sprintf("power\n move %d\n arm bank-a 1\n arm bank-b 1\n arm bank-c 1\nphase 1\n fire bank-a at %s\nphase 2\n fire all at %s\n", move[string(id)],
					map[engine.ShipID]string{"hood": "c03", "slow": "fast", "fast": "slow", "third": "slow"}[id], map[engine.ShipID]string{"hood": "c02", "slow": hood, "fast": hood, "third": "slow"}[id])
				switch {
				case id == "near" || id == "by":
					text = fmt.Sprintf("power\n move %d\n cloak ready\nphase 3\n cloak on\n", move[string(id)])
				case later && id == "hood":
					text += "phase 1\n lock c01\n"
				case later && id == "mate":
					text = "phase 1\n lock c02\n"
				}
				blocks, _ := orders.Parse([]byte(fmt.Sprintf("#orders game turn 1 ship %s\n%s#end\n", mustShip(g, id).Name, text)), r.Language)
				sheets = append(sheets, engine.Sheet{Ship: id, Block: &blocks[0]})
			}
			for seed := range uint64(8) {
				after, events, err := engine.Resolve(r, g, sheets, dice.FromSeed(seed))
				if err != nil {
					t.Fatal(err)
				}
				got[k] = append(got[k], string(toldTo(t, r, after, events, "hood")))
			}
		}
		for kind, wanted := range map[string]bool{"fire-seen": true, "shield-seen": true, "damage-seen": true, "unlock": later} {
			if n := strings.Count(strings.Join(got[0], ""), `"type":"`+kind+`"`); wanted && n == 0 {
				t.Errorf("%s: Kirk was told of no %s", r.Name, kind)
			}
		}
		for n := range got[0] {
			if diff := cmp.Diff(strings.Split(got[0][n], "\n"), strings.Split(got[1][n], "\n")); diff != "" {
				t.Errorf("%s, seed %d:\n%s", r.Name, n, diff)
			}
		}
	}
}

// darkTerrain returns a terrain feature in some hexes.
func darkTerrain(kind, more string, hexes ...string) string {
	return fmt.Sprintf("[[terrain]]\nkind = %q\nname = %q\nhexes = [\"%s\"]\n%s", kind, kind, strings.Join(hexes, "\", \""), more)
}

// TestRobotsFightInTheDark has robots find and fight each other; every kind of event that is retold
// in part comes up.
func TestRobotsFightInTheDark(t *testing.T) {
	kinds := map[string]int{}
	for _, r := range darkBooks(t) {
		for seed := range uint64(3) {
			g := playByRobots(t, r, gameOf(t, r, darkScenario(r,
				darkShip("Hood", "red", "constitution-hood", "1133", "A", ""), darkShip("Riskadh", "green", "d-10-wolf", "1101", "D", ""))), seed, 60, func(g *engine.Game, events []engine.Event) {
				for _, ship := range []engine.ShipID{"hood", "riskadh"} {
					v := viewOf(t, r, g, events, ship)
					for _, e := range v.Events {
						kinds[e.Type.Name]++
						if e.Type.Has(engine.InPlace) && g.Result != nil {
							t.Errorf("%s: the battle is over, and %s stands for what is told anyway", r.Name, e.Type.Name)
						}
					}
					for i, s := range v.Sides {
						if g.Result != nil && s.Points != g.Sides[i].Total() {
							t.Errorf("%s: the battle is over, and %s has %d points, not %d", r.Name, s.Name, s.Points, g.Sides[i].Total())
						}
					}
				}
			})
			if g.Result == nil {
				t.Errorf("%s, seed %d: no end after %d turns", r.Name, seed, g.Turn)
			}
		}
	}
	for _, kind := range []string{"contact", "wake", "fire-seen", "shield-seen", "damage-seen", "move", "skip", "lock", "answer", "unlock"} {
		if kinds[kind] == 0 {
			t.Errorf("no captain was told of %s: %v", kind, kinds)
		}
	}
}

// TestRobotsFireAtNoFriendInTheDark: where an unnamed contact may be a friend, robots hold their fire until they
// know who it is, or are hit.
func TestRobotsFireAtNoFriendInTheDark(t *testing.T) {
	for _, r := range darkBooks(t) {
		fired := 0
		for seed := range uint64(2) {
			text := strings.Replace(darkScenario(r, darkShip("Hood", "red", "constitution-hood", "1122", "A", ""), darkShip("Lexington", "red", "constitution-hood", "1110", "D", ""),
				darkShip("Riskadh", "green", "d-10-wolf", "3016", "E", "")), "[blind]\n", "[blind]\nrecognition = \"none\"\n", 1)
			struck := map[engine.ShipID]bool{} // in the previous turn
			playByRobots(t, r, gameOf(t, r, text), seed, 12, func(g *engine.Game, events []engine.Event) {
				now := map[engine.ShipID]bool{}
				for _, e := range events {
					if hit, ok := e.Body.(engine.Striking); ok {
						now[hit.Strikes()] = true
					}
					if f, ok := e.Body.(*ship.Fire); ok {
						fired++
						if friends := f.Ship != "riskadh" && (f.Target == "hood" || f.Target == "lexington"); friends && !struck[f.Ship] {
							t.Errorf("%s, seed %d, turn %d: %s fires at %s", r.Name, seed, g.Turn, f.Ship, f.Target)
						}
					}
				}
				struck = now
			})
		}
		if fired == 0 {
			t.Errorf("%s: no one has fired", r.Name)
		}
	}
}

// BenchmarkInTheDark plays a turn and makes the views of all captains, alternately in the open and in the dark, and
// reports the fastest of each: the cost of a turn in the dark relative to one in the open, and of its views.
func BenchmarkInTheDark(b *testing.B) {
	for _, r := range []*engine.Rules{rulesOf(b, Basic), rulesOf(b, Graduate)} {
		for _, ships := range []int{2, 10, 20, 40} {
			b.Run(fmt.Sprintf("%s/%d", r.Name, ships), func(b *testing.B) {
				var turns [2]played
				for dark := range turns {
					g := fleets(b, r, ships, 12)
					if dark == 1 {
						g.Blind = &blind.State{}
						g.Blind.Settings, _, _, _ = blind.Settings{}.Complete()
						for _, c := range g.Captains() {
							g.Blind.Logs = append(g.Blind.Logs, blind.Log{Captain: c.Name})
						}
					}
					turns[dark] = record(b, r, g, 1, 1)[0]
				}
				var turn, views [2]time.Duration
				least := func(of *time.Duration, begun time.Time) {
					if d := time.Since(begun); *of == 0 || d < *of {
						*of = d
					}
				}
				for b.Loop() {
					for dark, t := range turns {
						begun := time.Now()
						after, events, err := engine.Resolve(r, t.before, t.sheets, dice.FromSeed(1))
						if err != nil {
							b.Fatal(err)
						}
						least(&turn[dark], begun)
						begun = time.Now()
						builder := engine.NewViewBuilder(r, after, events)
						for _, s := range after.Ships {
							if _, err := builder.View(after.Viewer(s)); err != nil {
								b.Fatal(err)
							}
						}
						least(&views[dark], begun)
					}
				}
				b.ReportMetric(float64(turn[0].Microseconds())/1000, "open-turn-ms")
				b.ReportMetric(float64(turn[1].Microseconds())/1000, "dark-turn-ms")
				b.ReportMetric(float64(turn[1])/float64(turn[0]), "dark/open")
				b.ReportMetric(float64(views[0].Microseconds())/1000, "open-views-ms")
				b.ReportMetric(float64(views[1].Microseconds())/1000, "dark-views-ms")
			})
		}
	}
}

// TestRetoldEventsAreRead: a retold event survives encoding and decoding.
func TestRetoldEventsAreRead(t *testing.T) {
	r := rulesOf(t, advanced)
	e := engine.Event{Seq: 1, Turn: 1, Step: "sensors", Rule: []string{"stcs 7.1"}, See: engine.SeeOnly("hood"), Type: r.TypeOf(&engine.Retold{})}
	e.Body = engine.Retell(r.TypeOf(&ship.Locking{}), &ship.Locking{Ship: "hood", Target: "c01", Need: 6, Roll: 3, Held: true})
	data, err := engine.EncodeEvents([]engine.Event{e})
	if err != nil {
		t.Fatal(err)
	}
	back, err := engine.DecodeEvents(data, r)
	if err != nil || len(back) != 1 {
		t.Fatal(err, back)
	}
	if told, ok := back[0].Body.(*engine.Retold); !ok || !cmp.Equal(told.As, e.Body.(*engine.Retold).As) {
		t.Errorf("%s came back as %+v", data, back[0].Body)
	}
	if _, err := engine.DecodeEvents([]byte(`{"seq":1,"turn":1,"type":"retold","what":"nonsense","as":{}}`), r); err == nil {
		t.Error("a type that is not known was read")
	}
}

// TestWhatALockTellsStandsAmongTheContacts: the class that a lock revealed of an unnamed contact is in
// the list of contacts from then on.
func TestWhatALockTellsStandsAmongTheContacts(t *testing.T) {
	r := rulesOf(t, advanced)
	g := gameOf(t, r, darkScenario(r, darkShip("Hood", "red", "constitution-hood", "1010", "A", ""), darkShip("Riskadh", "green", "d-10-wolf", "1005", "D", "")))
	what := func(g *engine.Game, events []engine.Event) string {
		for _, p := range r.Present(viewOf(t, r, g, events, "hood")).Panels {
			if p.Key == "contacts" && len(p.Rows) == 1 {
				return p.Rows[0][1]
			}
		}
		return ""
	}
	if got := what(g, nil); strings.Contains(got, "D-10") {
		t.Errorf("before a lock she shows as %q", got)
	}
	var sheets []engine.Sheet
	for _, id := range g.InFight() {
		text := ""
		if id == "hood" {
			text = "power\n sensors 2\nphase 1\n lock c01\n"
		}
		blocks, _ := orders.Parse([]byte(fmt.Sprintf("#orders game turn 1 ship %s\n%s#end\n", mustShip(g, id).Name, text)), r.Language)
		sheets = append(sheets, engine.Sheet{Ship: id, Block: &blocks[0]})
	}
	held := false
	for seed := range uint64(8) { // 6 or less on a die of 10 gets a lock
		after, events, err := engine.Resolve(r, g, sheets, dice.FromSeed(seed))
		if err != nil {
			t.Fatal(err)
		}
		now := slices.ContainsFunc(events, func(e engine.Event) bool { b, ok := e.Body.(*ship.Locking); return ok && b.Held })
		if got := what(after, events); strings.Contains(got, "D-10") != now {
			t.Errorf("lock: %t, and she shows as %q", now, got)
		}
		held = held || now
	}
	if !held {
		t.Error("no seed gave a lock")
	}
}

// TestNoWarningBetraysAFriend: where ships do not recognise their own side, a friend that is only a
// contact looks like any other: in the report, and when a captain orders to fire at it, lock on it or follow it.
func TestNoWarningBetraysAFriend(t *testing.T) {
	for _, r := range darkBooks(t) {
		var got [2][]byte
		for i, at := range [][2]string{{"0513", "9090"}, {"9090", "0513"}} {
			g := gameOf(t, r, strings.Replace(darkScenario(r, darkShip("Hood", "red", "constitution-hood", "0505", "A", ""),
				darkShip("Mate", "red", "constitution-hood", at[0], "A", ""), darkShip("Foe", "green", "constitution-hood", at[1], "A", "")), "[blind]\n", "[blind]\nrecognition = \"none\"\n", 1))
			got[i] = toldTo(t, r, g, nil, "hood", "phase 1\n fire all at c01\n lock c01\n", "phase 1\n fire all at nearest\nstanding\n follow c01\n", "phase 1\n pursue c01 to 3\n")
		}
		if !bytes.Equal(got[0], got[1]) {
			t.Errorf("%s: a friend shows: %s", r.Name, enginetest.Difference(got[0], got[1]))
		}
	}
}
