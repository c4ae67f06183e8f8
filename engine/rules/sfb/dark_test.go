package sfb

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
	"starpost/engine/dark"
	"starpost/engine/dice"
	"starpost/engine/hex"
	"starpost/engine/robots"
	"starpost/engine/rules/sfb/state"
	"starpost/engine/scenario"
	"starpost/engine/testkit/enginetest"
	"starpost/orders"
)

// toldInTheDark is [enginetest.Told] for a ship's captain.
func toldInTheDark(tb rapid.TB, r *engine.Rules, g *engine.Game, events []engine.Event, id engine.ShipID, tries ...string) []byte {
	tb.Helper()
	out, err := enginetest.Told(r, g, events, engine.Seat{Ship: id}, tries...)
	if err != nil {
		tb.Fatal(err)
	}
	return out
}

func darkShip(name, side, class, at, heading, more string) string {
	return fmt.Sprintf("[[ship]]\nname = %q\nside = %q\nclass = %q\nhex = %q\nheading = %q\n%s\n", name, side, class, at, heading, more)
}

func darkGame(tb rapid.TB, r *engine.Rules, ships ...string) *engine.Game {
	tb.Helper()
	text := fmt.Sprintf("format = 1\nname = \"dark\"\ntitle = \"Dark\"\nrules = %q\n[blind]\n", r.Name)
	for _, side := range []string{"red", "green", "blue"} {
		if slices.ContainsFunc(ships, func(s string) bool { return strings.Contains(s, fmt.Sprintf("side = %q", side)) }) {
			text += fmt.Sprintf("[[side]]\nid = %q\n", side)
		}
	}
	if dark.Of(r).Labs != nil && strings.Contains(strings.Join(ships, ""), "Far2") { // a file in the dark, or none
		text += "[[file]]\nname = \"charts\"\nship = \"Far2\"\n"
	}
	if strings.Contains(strings.Join(ships, ""), "[[terrain]]") {
		text = strings.Replace(text, "[blind]\n", "[blind]\nchart = \"unknown\"\n", 1)
	}
	sc, diags := scenario.Parse([]byte(text + strings.Join(ships, "")))
	if sc == nil {
		tb.Fatal(diags)
	}
	g, diags := sc.NewGame(r, "game", nil)
	if g == nil {
		tb.Fatal(diags)
	}
	return g
}

// body returns a planet or a moon.
func body(kind, at, more string) string {
	return fmt.Sprintf("[[terrain]]\nkind = %q\nhexes = [%q]\n%s\n", kind, at, more)
}

// drawPlan makes up a ship's orders for a turn, which may name ships that exist or not.
func drawPlan(t *rapid.T, r *engine.Rules, label string) string {
	draw := func(what string, of ...string) string { return rapid.SampledFrom(of).Draw(t, label+" "+what) }
	var b strings.Builder
	speeds, cadet := []string{"1", "2", "2", "2.5", "3"}, r.Name != houseName
	if cadet {
		speeds = []string{"1", "4", "8", "12"}
	}
	b.WriteString("power\n speed " + draw("speed", speeds...) + "\n" + draw("phasers", "", " phasers 2\n", " phasers 4\n") + draw("arm", "", " arm photon-a photon-b\n", " arm disr-a\n"))
	for n := range r.Rounds() {
		fmt.Fprintf(&b, "phase %d\n", n+1)
		b.WriteString(draw("way", "", " move F\n", " move R\n", " pursue c01 to 3\n", " face c02\n", " course 1515\n", " pursue near1 to 2\n", " pursue nearest to 2 when range <= 9\n", " flee nearest when drones > 0\n"))
		b.WriteString(draw("fire", "", " fire all at nearest\n", " fire all at c01 when range <= 12\n", " fire phasers at far1\n", " fire all at nearest when shield 1 of nearest < 20\n", " launch drone-1 at nearest\n", " launch drone-1 drone-2 at c01\n", " fire all at nearest when facing = 1\n"))
		if !cadet {
			b.WriteString(draw("more", "", " tractor nearest with 2\n", " fire ph-1 blind\n", " raid c01 lab\n", " hard RR\n", " speed 3\n", " probe to 1520 study c01\n", " probe to 2025\n", " probe to 1520 carry\n", " probe to 2512 receive charts\n", " shuttle to 1818\n"))
		}
	}
	if label != "near1" || !cadet { // her actions must not depend on what she finds of the others
		b.WriteString(draw("labs", "", "study c01 with 3\n", "study c02 with 2\nsteal charts with 3\n", "study near1 with 8\n", "decode any with 2\n", "decode c01 with 1\ndecode green with 1\n"))
	}
	b.WriteString(draw("passes on", "", "", "relay on\n", "relay off\n"))
	if !strings.HasPrefix(label, "far1") { // near1 would act on what this mate tells her
		b.WriteString(draw("reports", "", "", "", "report contacts\n"))
	}
	b.WriteString("standing\n" + draw("guard", " choose shield weakest\n", " guard ph-1 within 4\n", " guard phasers within 2\n"))
	if draw("talks", "", "", "", "yes") != "" {
		b.WriteString("message " + draw("to", "side", "side", "blue", "all", "courier") + "\n#text\n" + spoken + "\n#endtext\n")
	}
	return b.String()
}

// spoken is replaced in plans by words that differ between the two battles.
const spoken = "WORDS"

// playDark plays the battle.
func playDark(t *rapid.T, r *engine.Rules, g *engine.Game, plans []map[engine.ShipID]string, each func(turn int, g *engine.Game, events []engine.Event)) {
	each(0, g, nil)
	for n, plan := range plans {
		var sheets []engine.Sheet
		for _, id := range g.InFight() {
			s, _ := g.Ship(id)
			text, ok := plan[id]
			if !ok {
				sheets = append(sheets, engine.Sheet{Ship: id, Policy: engine.PolicyStanding})
				continue
			}
			blocks, _ := orders.Parse([]byte(fmt.Sprintf("#orders game turn %d ship %s\n%s#end\n", n+1, s.Name, text)), r.Language)
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

// learnt reports whether Hood's captain has learnt what differs between the two battles, or a ship in sight may act
// on it; also in passing, by a shield that was hit within ten hexes.
func learnt(g *engine.Game, events []engine.Event) bool {
	for _, e := range events {
		switch b := e.Body.(type) {
		case *state.Fire:
			if b.Target == "still" && (b.Range <= 10 || probed(g, b.Target)) {
				return true
			}
		case *state.Strike:
			if b.Target == "still" {
				return true
			}
		case *engine.Roll: // if another ship has the name, it is drawn again
			if strings.Contains(b.Name.String(), ".name.") && !strings.HasSuffix(b.Name.String(), ".0") && !strings.HasSuffix(b.Name.String(), ".1") {
				return true
			}
		}
	}
	if g.Labs != nil && slices.ContainsFunc(g.Labs.Files, func(f engine.File) bool { return f.Book != "" }) {
		return true
	}
	return slices.ContainsFunc(g.Blind.Logs, func(l blind.Log) bool {
		return slices.ContainsFunc(l.Contacts, func(c blind.Contact) bool {
			hood := l.Captain == "Hood" && c.Ship == "near1" && c.Named
			return hood || slices.Contains([]blind.CaptainName{"Hood", "Mate", "Near1"}, l.Captain) && c.Ship == "still" && (c.Named || c.Size != "")
		})
	})
}

// probed reports whether a probe of Hood or Mate, which shows as much as a ship does within ten hexes, may have been
// that near to a ship during the turn: within ten hexes and the three of an impulse.
func probed(g *engine.Game, id engine.ShipID) bool {
	s, _ := g.Ship(id)
	return slices.ContainsFunc(g.Ships, func(p *engine.Ship) bool {
		return p.Kind == engine.KindProbe && (p.Parent == "hood" || p.Parent == "mate") && hex.Distance(p.Hex, s.Hex) <= 13
	})
}

// TestWhatIsInTheDarkTellsNothing plays each battle twice. Ships that a captain never detects differ in place,
// actions and number, and so does what the captain does not know of detected ships. Everything the captain gets must
// be the same, byte for byte.
func TestWhatIsInTheDarkTellsNothing(t *testing.T) {
	enginetest.FewChecks(t, 30)
	books := []*engine.Rules{houseRules(t), houseRules(t), cadetRules(t)}
	compared := 0
	rapid.Check(t, func(t *rapid.T) {
		r := books[rapid.IntRange(0, len(books)-1).Draw(t, "book")]
		own, foe, other := "federation-ca", "kzinti-cs", "klingon-d7"
		if r.Name != houseName {
			own, foe, other = "cadet-federation", "cadet-klingon", "cadet-romulan"
		}
		at := func(label string, col, row int) string {
			return fmt.Sprintf("%02d%02d", col+rapid.IntRange(0, 9).Draw(t, label), row+rapid.IntRange(0, 9).Draw(t, label))
		}
		heading := func(label string) string {
			return rapid.SampledFrom([]string{"A", "B", "C", "D", "E", "F"}).Draw(t, label)
		}
		turns := rapid.IntRange(1, 3).Draw(t, "turns")
		talk, echoes := rapid.SampledFrom([]string{blind.TalkSide, blind.TalkRange, blind.TalkRange}).Draw(t, "talk"), rapid.IntRange(0, 2).Draw(t, "echoes")
		ready := "state = { speed = 8, capacitors = 2 }"
		near := []string{
			darkShip("Hood", "red", own, at("hood", 10, 10), heading("hood"), ready),
			darkShip("Mate", "red", own, at("mate", 10, 30), heading("mate"), ready),
		}
		plans := [2][]map[engine.ShipID]string{}
		for range turns {
			common := map[engine.ShipID]string{"hood": drawPlan(t, r, "hood"), "mate": drawPlan(t, r, "mate"), "near1": drawPlan(t, r, "near1"), "still": "power\n speed 0\n"}
			for k := range plans {
				plan := maps.Clone(common)
				plan["near1"] = strings.ReplaceAll(plan["near1"], spoken, []string{"hold on", "turn about now"}[k])
				for _, id := range []engine.ShipID{"far1", "far2", "amid"} {
					plan[id] = drawPlan(t, r, fmt.Sprint(id, k))
				}
				plans[k] = append(plans[k], plan)
			}
		}
		near1, still := at("near1", 10, 20), at("still", 31, 10)
		near1Heading := heading("near1")
		var got [2][][]byte
		for k := range 2 {
			traits := fmt.Sprintf("title = \"No %d\"\nshort = \"%c\"\nvalue = %d\n%s", k, 'x'+rune(k), 3+k, ready)
			ships := append(slices.Clone(near), darkShip("Near1", "green", foe, near1, near1Heading, traits),
				darkShip("Still", "blue", []string{foe, other}[k], still, []string{"A", "C"}[k], ""))
			for i, id := range []string{"Far1", "Far2", "Amid"} {
				side := []string{"green", "blue", "blue"}[i]
				if i == 0 || rapid.Bool().Draw(t, fmt.Sprint(id, k)) {
					ships = append(ships, darkShip(id, side, rapid.SampledFrom([]string{own, foe, other}).Draw(t, "class"), fmt.Sprintf("%d.250", 250+4*i+10*k), heading("far"), ready))
				}
			}
			// Terrain that is found, and some that Hood and Mate never come near.
			if unfound := []string{body("planet", "200.200", ""), body("moon", "210.210", "name = \"Luna\"") + body("planet", "205.205", "side = \"green\"")}; len(r.Terrain) > 0 {
				ships = append(ships, unfound[k], body("moon", "2525", "name = \"Ardana\""), body("planet", "6015", ""))
			}
			g := darkGame(t, r, ships...)
			g.Blind.Talk, g.Blind.Echoes = talk, echoes
			playDark(t, r, g, plans[k], func(_ int, g *engine.Game, events []engine.Event) {
				got[k] = append(got[k], toldInTheDark(t, r, g, events, "hood",
					"power\n speed 2\nphase 1\n fire all at near1\n pursue c01 to 3\n", "power\n speed 2\nphase 1\n course 200.200\n", "power\nphase 1\n fire all at far1\n", "power\nphase 1\n fire all at thin-air\n launch drone-1 at c02\n tractor still with 2\n",
					"power\n labs 99\nphase 1\n probe to 1520 study far1\n probe to 1520 receive charts\n raid c09 lab\n fire all at c09\nstudy far1 with 1\nstudy c09 with 1\nstudy still with 1\nstudy mate with 1\nstudy amid with 1\nstudy c01 with 99\n",
					"power\nsend file charts to far1\nsend file charts to mate\nreceive charts with 1\nsteal charts with 1\ndecode green with 1\nsend file charts to amid\ndecode far1 with 1\ndecode amid with 1\n"))
				if learnt(g, events) {
					t.Skip("near enough to know more")
				}
			})
		}
		for n := range min(len(got[0]), len(got[1])) {
			compared++
			if !bytes.Equal(got[0][n], got[1][n]) {
				t.Fatalf("turn %d:\n%s", n, cmp.Diff(strings.Split(string(got[0][n]), "\n"), strings.Split(string(got[1][n]), "\n")))
			}
		}
	})
	if compared < enginetest.Fewer(30) {
		t.Errorf("only %d reports were compared", compared)
	}
}

// TestNoNameOfTheUnknownIsTold lets robots fight in the dark. Until a captain has had a ship at level 3, her name
// appears nowhere in what the captain gets. All kinds of events that reveal less than the truth must occur.
func TestNoNameOfTheUnknownIsTold(t *testing.T) {
	kinds := map[string]int{}
	for _, r := range []*engine.Rules{houseRules(t), cadetRules(t)} {
		for seed := range uint64(6) {
			classes := [2]string{"federation-ca", "kzinti-cs"}
			if r.Name != houseName {
				classes = [2]string{"cadet-federation", "cadet-klingon"}
			}
			text := darkShip("Alpheratz", "red", classes[0], "1133", "A", "") + darkShip("Zubenelgenubi", "green", classes[1], "1101", "D", "")
			sc, diags := scenario.Parse([]byte(fmt.Sprintf("format = 1\nname = \"dark\"\ntitle = \"Dark\"\nrules = %q\nlast_turn = 25\n[blind]\n[[side]]\nid = \"red\"\n[[side]]\nid = \"green\"\n%s[[victory]]\nside = \"red\"\nwhen = \"drive-off\"\n[[victory]]\nside = \"green\"\nwhen = \"drive-off\"\n", r.Name, text)))
			if sc == nil {
				t.Fatal(diags)
			}
			met := map[engine.ShipID]bool{}
			end, err := robots.Battle(r, sc, "dark", dice.FromSeed(seed), func(turn robots.Turn) error {
				for _, pair := range [][2]engine.ShipID{{"alpheratz", "zubenelgenubi"}, {"zubenelgenubi", "alpheratz"}} {
					s, _ := turn.After.Ship(pair[0])
					if s.Status != engine.Active || turn.After.Result != nil {
						continue
					}
					v, err := engine.BuildView(r, turn.After, turn.Events, turn.After.Viewer(s))
					if err != nil {
						return err
					}
					for _, e := range v.Events {
						kinds[e.Type.Name]++
						if c, ok := e.Body.(*dark.SensorContact); ok && c.Level == blind.WordFull {
							met[pair[0]] = true
						}
					}
					log := turn.After.Blind.Log(s.Captain)
					met[pair[0]] = met[pair[0]] || len(log.Met) > 0
					if all := strings.ToLower(string(toldInTheDark(t, r, turn.After, turn.Events, pair[0]))); !met[pair[0]] && strings.Contains(all, string(pair[1])) {
						at := strings.Index(all, string(pair[1]))
						t.Errorf("%s, seed %d, turn %d: %s is told of %s: ...%s", r.Name, seed, turn.After.Turn, pair[0], pair[1], all[max(0, at-200):at+30])
					}
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			if end.Result == nil {
				t.Errorf("%s, seed %d: no end", r.Name, seed)
			}
		}
	}
	for _, kind := range []string{"contact", "fire-seen", "strike-seen", "launch-seen", "move", "skip", "volley"} {
		if kinds[kind] == 0 {
			t.Errorf("no captain was told of %s: %v", kind, kinds)
		}
	}
}

// TestRobotsFireAtNoFriendInTheDark: if an unknown contact may be a friend, robots hold their fire until they have
// identified it, or are hit.
func TestRobotsFireAtNoFriendInTheDark(t *testing.T) {
	for _, r := range []*engine.Rules{houseRules(t), cadetRules(t)} {
		classes, fired := [2]string{"federation-ca", "klingon-d7"}, 0
		if r.Name != houseName {
			classes = [2]string{"cadet-federation", "cadet-klingon"}
		}
		text := darkShip("Hood", "red", classes[0], "1122", "A", "") + darkShip("Lexington", "red", classes[0], "1110", "D", "") + darkShip("Riskadh", "green", classes[1], "3016", "E", "")
		sc, diags := scenario.Parse([]byte(fmt.Sprintf("format = 1\nname = \"dark\"\ntitle = \"Dark\"\nrules = %q\nlast_turn = 12\n[blind]\nrecognition = \"none\"\n[[side]]\nid = \"red\"\n[[side]]\nid = \"green\"\n%s", r.Name, text)))
		if sc == nil {
			t.Fatal(diags)
		}
		struck := map[engine.ShipID]bool{} // in the previous turn
		if _, err := robots.Battle(r, sc, "dark", dice.FromSeed(1), func(turn robots.Turn) error {
			now := map[engine.ShipID]bool{}
			for _, e := range turn.Events {
				if hit, ok := e.Body.(engine.Striking); ok {
					now[hit.Strikes()] = true
				}
				if f, ok := e.Body.(*state.Fire); ok {
					fired++
					if friends := f.Ship != "riskadh" && (f.Target == "hood" || f.Target == "lexington"); friends && !struck[f.Ship] {
						t.Errorf("%s, turn %d: %s fires at %s", r.Name, turn.After.Turn, f.Ship, f.Target)
					}
				}
			}
			struck = now
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		if fired == 0 {
			t.Errorf("%s: no one has fired", r.Name)
		}
	}
}
