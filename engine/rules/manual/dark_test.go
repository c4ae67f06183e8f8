package manual_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"starpost/engine"
	"starpost/engine/blind"
	"starpost/engine/dice"
	"starpost/engine/rules/manual"
	"starpost/engine/scenario"
	"starpost/engine/testkit/enginetest"
	"starpost/orders"
)

var battles = flag.Int("battles", enginetest.Fewer(12), "how many battles in the dark are fought twice")

// darkTable returns a game in the dark: Hood with a mate, and the given other ships.
func darkTable(t *testing.T, ships ...string) *engine.Game {
	t.Helper()
	text := "format = 1\nname = \"dark\"\ntitle = \"Dark\"\nrules = \"manual\"\n[blind]\n[options]\nsheets = \"open\"\n[[side]]\nid = \"red\"\n[[side]]\nid = \"green\"\n"
	for _, s := range append([]string{`name = "Hood" side = "red" hex = "2020" state = { hull = 9 } blind = { labs = 2, probes = 1 }`, `name = "Mate" side = "red" hex = "2120" state = { hull = 9 }`}, ships...) {
		for _, key := range []string{" side =", " hex =", " state =", " blind ="} {
			s = strings.Replace(s, key, "\n"+key[1:], 1)
		}
		class := "Sloop"
		if strings.Contains(s, "\"red\"") {
			class = "Cutter"
		}
		text += "[[ship]]\nclass = \"" + class + "\"\nheading = \"A\"\n" + s + "\n"
	}
	sc, ds := scenario.Parse([]byte(text))
	if sc == nil {
		t.Fatal(ds, "\n", text)
	}
	g, ds := sc.NewGame(manual.Rules(), "cinder", nil)
	if g == nil {
		t.Fatal(ds)
	}
	return g
}

func enemy(name, at, state string) string {
	return fmt.Sprintf("name = %q side = \"green\" hex = %q state = { hull = 5%s }", name, at, state)
}

// TestATableInTheDark: captains learn what their sensors show of the ships that the referee moved, unless rulings on
// sight override them.
func TestATableInTheDark(t *testing.T) {
	for _, c := range []struct {
		law, ship, filing string
		want, not         []string
	}{
		{"presence within 20: a place", enemy("Wasp", "2035", ""), "", []string{"c02 | | 2035 | | 15 | 180 | | presence"}, []string{"Wasp", "Sloop"}},
		{"nothing beyond that", enemy("Wasp", "2045", ""), "#rulings\nset Wasp hull 2\n", nil, []string{"Wasp", "c02"}},
		{"a field within 30, from a move on", enemy("Wasp", "2045", ""), "#rulings\nmove Wasp 2046\n", []string{"new contact c02 at 2046: a warp field", "c02 | | 2046 | | 26 | 180 | | field"}, []string{"Wasp"}},
		{"no field without a warp drive", enemy("Wasp", "2045", ", warp = false"), "#rulings\nmove Wasp 2046\n", nil, []string{"Wasp", "c02"}},
		{"rough within 10: size, speed in threes and heading", enemy("Wasp", "2029", `, size = "large"`), "#rulings\nmove Wasp 2030 C\n", []string{"c02 at 2030, large, heading C, speed up to 3"}, []string{"Wasp", "Sloop"}},
		{"full within 2: who she is, and open sheets", enemy("Wasp", "2022", ""), "", []string{"c02 Wasp (W) | Sloop, green | 2022 A |", "Wasp: hull 5"}, nil},
		{"a base shows at twice the range", enemy("Wasp", "2050", `, size = "base"`), "", []string{"c02 | | 2050 | | 30 | 180 | | presence"}, nil},
		{"craft within 2 only", enemy("Wasp", "2023", `, size = "craft"`), "", nil, []string{"Wasp", "c02"}},
		{"what is hidden is hidden", enemy("Wasp", "2021", ", hidden = true"), "", nil, []string{"Wasp", "c02"}},
		{"a ruling hides her", enemy("Wasp", "2021", ""), "#rulings\nsee red Wasp no\n", []string{"Wasp (c01) is lost: last at 2021 at the start", "last turn 0"}, nil},
		{"a ruling shows as much as it says", enemy("Wasp", "2021", ", hidden = true"), "#rulings\nsee Hood Wasp rough\n", []string{"c02 at 2021, medium, heading A"}, []string{"Wasp"}},
		{"a ruling shows her at any distance", enemy("Wasp", "2060", ""), "#rulings\nsee Hood Wasp yes\n", []string{"c02 Wasp (W) | Sloop, green | 2060 A |"}, nil},
		{"sensors again", enemy("Wasp", "2060", ""), "#rulings\nsee Hood Wasp yes\nsee Hood Wasp sensors\n", nil, []string{"Wasp", "c02"}},
		{"she is hit by something unseen", enemy("Wasp", "2045", ""), "#rulings\nshot Wasp Hood hit with guns\n", []string{"something unseen fires at Hood and hits"}, []string{"Wasp", "guns"}},
		{"a miss by something unseen is nothing", enemy("Wasp", "2045", ""), "#rulings\nshot Wasp Hood miss\n", nil, []string{"fires"}},
		{"she fires at a number", enemy("Wasp", "2035", ""), "#rulings\nshot Hood Wasp miss with guns\n", []string{"Hood fires with guns at c02 and misses"}, []string{"Wasp"}},
		{"a shot between others is told as far as they show", enemy("Wasp", "2035", ""), "#rulings\nshot Wasp Mate hit with guns\n", []string{"c02 fires at Mate and hits"}, []string{"Wasp", "guns"}},
		{"a roll is for those who are named", enemy("Wasp", "2045", ""), "#rulings\nroll search d6\nroll guns d10 for Hood\n", []string{"Die guns (d10)"}, []string{"search"}},
		{"words for one ship are hers", enemy("Wasp", "2045", ""), "#ship Wasp\nYou hear them.\n#ship Hood\nYou feel watched.\n#ship Mate\nNothing.\n", []string{"To Hood: You feel watched."}, []string{"You hear", "Nothing"}},
		{"her end shows as that of a number", enemy("Wasp", "2035", ""), "#rulings\nout Wasp destroyed for good\n", []string{"c02 is destroyed"}, []string{"Wasp", "for good"}},
		{"points of others are not told", enemy("Wasp", "2035", ""), "#rulings\nscore green 5 for the convoy\nscore red 2 for nerve\n", []string{"red: 2 points (nerve)"}, []string{"convoy"}},
		{"sensors with half their boxes see half as far", enemy("Wasp", "2035", ""), "#rulings\ntrack Hood sensors 3 of 6\ntrack Mate sensors 0 of 6\n", []string{"c02 is lost: last at 2035 at the start"}, nil},
	} {
		t.Run(c.law, func(t *testing.T) {
			g := darkTable(t, c.ship, enemy("Far", "9090", ""))
			after, events := filed(t, g, c.filing+"#all\nSo it goes.\n")
			_, text := viewOf(t, after, events, "hood")
			expect(t, "Hood", strings.ReplaceAll(strings.ReplaceAll(text, "|  |", "| |"), "|  |", "| |"), c.want, append(c.not, "phase 0", ".0 ", "Far"))
		})
	}
}

// TestATableFindsItsTerrain: if the chart is unknown, ships must find the terrain that a referee marks, planets at
// twice the range; when the referee removes some, those who had found it are told.
func TestATableFindsItsTerrain(t *testing.T) {
	g := darkTable(t, enemy("Wasp", "9999", ""))
	g.Blind.Chart = blind.Uncharted
	for _, c := range []struct {
		filing    string
		want, not []string
	}{
		{"mark asteroid belt 2035 2099\nmark planet Rock 2060 2061\nmark planet Other 9020\n", []string{"found: asteroid belt at 2035; planet Rock at 2060", "within 40"}, []string{"2099", "2061", "Other"}},
		{"mark asteroid belt 2034 2036 2099\nunmark Other\n", []string{"no longer there: asteroid belt at 2035", "found: asteroid belt at 2034 2036"}, []string{"2099", "Other"}},
		{"unmark belt\n", []string{"no longer there: asteroid belt at 2034 2036"}, []string{"2099", "found: asteroid"}},
		{"mark asteroid belt 2036 2098\n", []string{"found: asteroid belt at 2036"}, []string{"2098"}},
	} {
		after, events := filed(t, g, "#rulings\n"+c.filing)
		if err := enginetest.CheckTurn(manual.Rules(), g, after, events); err != nil {
			t.Fatal(err)
		}
		g = after
		v, text := viewOf(t, g, events, "hood")
		data, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		expect(t, "Hood", text+string(data), c.want, append(c.not, "truth"))
	}
}

// TestRulingsOnSightInTheOpen: levels of sight are only for games in the dark.
func TestRulingsOnSightInTheOpen(t *testing.T) {
	_, err := manual.Rules().Filed(cinder(t), []byte("#rulings\nsee Lantern Gnat rough\n"))
	if err == nil || !strings.Contains(err.Error(), "2:18: E306 in this game all see the map") {
		t.Errorf("got %v", err)
	}
	for order, want := range map[string]bool{"say hello to them and turn away": false, "say\n#text\nhello\n#endtext": true} {
		blocks, ds := orders.Parse([]byte("#orders cinder turn 1 ship Hood\n"+order+"\n#end\n"), manual.Rules().Language)
		if len(ds) > 0 || len(blocks) != 1 {
			t.Fatalf("%s: %v", order, ds)
		}
		if got := len(engine.TalkStatements(&blocks[0])) == 1; got != want {
			t.Errorf("%q is talk: got %t, want %t", order, got, want)
		}
		if again := orders.Format(blocks[0]); !strings.Contains(again, strings.Split(order, "\n")[0]) || strings.Contains(again, "do say") {
			t.Errorf("%q is written %q", order, again)
		}
	}
}

// TestTheRefereeReadsWhatCaptainsHave: the filing to be filled in shows each captain's contacts.
func TestTheRefereeReadsWhatCaptainsHave(t *testing.T) {
	g := darkTable(t, enemy("Wasp", "2035", ""))
	got := manual.Rules().Filing.Blank(g, sheets(t, g))
	if want := ";     (has c02 at 2035: Wasp, presence)"; !strings.Contains(got, want) {
		t.Errorf("want %q in:\n%s", want, got)
	}
}

// TestAFilingInTheDarkTellsNothing plays turns twice. Ships that Hood never detects differ in place, number and
// actions, and a contact known only by place is a different ship. Everything Hood's captain gets must be the same,
// byte for byte.
func TestAFilingInTheDarkTellsNothing(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for round := range *battles {
		near := []string{enemy("Near", "2036", `, size = "small"`), `name = "Close" side = "green" hex = "2036" state = { hull = 80, guns = 2, size = "huge" }`}
		one := darkTable(t, near[0], enemy("Far", "2090", ""))
		other := darkTable(t, near[1], enemy("Far", "9020", ", guns = 3"), enemy("Wide", "0190", ""))
		one.Blind.Chart, other.Blind.Chart = blind.Uncharted, blind.Uncharted
		for n := range 3 {
			var a, b strings.Builder
			both := func(format string, args ...any) { // Near and Close do the same
				text := fmt.Sprintf("#rulings\n"+format+"\n", args...)
				a.WriteString(text)
				b.WriteString(strings.ReplaceAll(text, "Near", "Close"))
			}
			for i := range 6 {
				switch rng.IntN(11) {
				case 0:
					both("move Near 20%d", 35+rng.IntN(4))
				case 1:
					both("shot Near %s %s", []string{"Hood", "Mate"}[rng.IntN(2)], []string{"hit", "miss"}[rng.IntN(2)])
				case 2:
					both("shot Hood Near hit with guns")
				case 3:
					both("see Hood Near %s", []string{"no", "presence", "sensors"}[rng.IntN(3)])
				case 4:
					both("change Near hull -1")
				case 5:
					fmt.Fprintf(&a, "#rulings\nmove Far 20%d D\nset Far hull 3\nscore green 2 for Far\nroll far%d d6\n", 70+rng.IntN(20), i)
				case 6:
					fmt.Fprintf(&b, "#rulings\nshot Wide Far hit with Hood\nmove Wide %02d90\nturn Close %s\n#ship Wide\nhood\n", 1+rng.IntN(9), string(rune('A'+rng.IntN(6))))
				case 7:
					b.WriteString("#rulings\nshot Wide Far hit\nshot Far Hood miss\nout Wide crippled\nenter Wide 0190 A\nmark mine m 9090\nunmark m\n")
					a.WriteString("#rulings\nmark mine m 9090\nunmark m\n")
				case 8:
					both("move Hood 202%d\nmove Mate 212%d", rng.IntN(2), rng.IntN(2))
				case 9: // terrain that Hood finds, and some that she does not
					both("mark asteroid belt 20%d 2099", 36+rng.IntN(3))
				case 10:
					fmt.Fprintf(&a, "#rulings\nmark planet rock 9090\nmark asteroid belt 2037 9099\n")
					fmt.Fprintf(&b, "#rulings\nmark asteroid belt 2037 9091 9092\n")
				}
			}
			a.WriteString("#ship Hood\nhood\n")
			b.WriteString("#ship Hood\nhood\n")
			var got [2][]byte
			for i, text := range []string{a.String(), b.String()} {
				g := []*engine.Game{one, other}[i]
				all := sheets(t, g)
				for k := range all {
					if all[k].Ship == "hood" {
						blocks, _ := orders.Parse([]byte("#orders cinder turn 1 ship Hood\nstudy c02 with 1\nsteal charts with 1\nprobe to 2008 study c02\n#end\n"), manual.Rules().Language)
						all[k].Block = &blocks[0]
					}
				}
				after, events, err := resolveFiled(manual.Rules(), g, all, []byte(text), dice.FromSeed(uint64(round)))
				if err != nil {
					t.Fatalf("%v\n%s", err, text)
				}
				if err := enginetest.CheckTurn(manual.Rules(), g, after, events); err != nil {
					t.Fatal(err)
				}
				got[i] = hoodGets(t, after, events)
				if i == 0 {
					one = after
				} else {
					other = after
				}
			}
			if !bytes.Equal(got[0], got[1]) {
				t.Fatalf("battle %d, turn %d: Hood can tell\n%s\n%s\n%s", round, n+1, enginetest.Difference(got[0], got[1]), a.String(), b.String())
			}
		}
	}
}

func hoodGets(t *testing.T, g *engine.Game, events []engine.Event) []byte {
	t.Helper()
	v, text := viewOf(t, g, events, "hood")
	data, err := json.MarshalIndent(v, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	for i := range v.Events {
		text += fmt.Sprintf("%+v\n", manual.Rules().Words(v, i))
	}
	return append(append(data, text...), manual.Rules().Template(v, "hood").String()...)
}

// TestTwoRoomsIsPlayedToItsEnd: a referee moves the scenario's ships, the captains of each room find those of the
// other by their sensors, and the game ends by its goals.
func TestTwoRoomsIsPlayedToItsEnd(t *testing.T) {
	files, err := manual.Family().ScenarioFiles()
	if err != nil {
		t.Fatal(err)
	}
	sc, ds := scenario.Parse(files["two-rooms"])
	if sc == nil || len(ds) > 0 {
		t.Fatal(ds)
	}
	for _, place := range []uint64{1, 2, 3} {
		if _, ds := sc.Drawn(dice.FromSeed(place), "cinder").NewGame(manual.Rules(), "cinder", nil); len(ds) > 0 {
			t.Errorf("places drawn by %d: %v", place, ds)
		}
	}
	g, ds := sc.NewGame(manual.Rules(), "cinder", nil)
	if g == nil {
		t.Fatal(ds)
	}
	g, events := filed(t, g, "#rulings\nmove Amaranth 0830 A\nmove Carmine 1122 A\nmove Teal 1106 D\n")
	if _, text := viewOf(t, g, events, "carmine"); !strings.Contains(text, "new contact c02 at 1106") || strings.Contains(text, "Teal") {
		t.Errorf("the Carmine has 16 hexes to the Teal, and is told:\n%s", text)
	}
	if _, text := viewOf(t, g, events, "amaranth"); !strings.Contains(text, "a warp field") || strings.Contains(text, "Teal") {
		t.Errorf("the Amaranth has the field alone, and is told:\n%s", text)
	}
	g, _ = filed(t, g, "#rulings\nroll carmine.guns d10 for Carmine\nchange Teal hull -5\nout Teal crippled\n")
	g, events = filed(t, g, "#all\nThe Ultramarine turns home.\n#rulings\nout Ultramarine left by north\n")
	if g.Result == nil || g.Result.Side != "red" {
		t.Errorf("both ships of the Blue Room are out of the fight, and the game says %+v", g.Result)
	}
	if _, text := viewOf(t, g, events, "carmine"); !strings.Contains(text, "Ultramarine") {
		t.Error("the last report does not say who was there")
	}
}
