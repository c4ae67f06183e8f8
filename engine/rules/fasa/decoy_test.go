package fasa

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/engine/hex"
	"starpost/engine/rules/fasa/rulebook"
	"starpost/engine/rules/fasa/ship"
	"starpost/engine/testkit/enginetest"
	"starpost/orders"
)

// playOrders plays a turn; ships without orders in it follow standing ones.
func playOrders(tb testing.TB, r *engine.Rules, g *engine.Game, seed uint64, sets map[engine.ShipID]string) (*engine.Game, []engine.Event) {
	tb.Helper()
	var sheets []engine.Sheet
	for _, id := range g.InFight() {
		s := engine.Sheet{Ship: id, Policy: engine.PolicyStanding}
		if text, given := sets[id]; given {
			blocks, diags := orders.Parse([]byte(fmt.Sprintf("#orders game turn %d ship %s\n%s#end\n", g.Turn+1, mustShip(g, id).Name, text)), r.Language)
			if len(blocks) != 1 || orders.HasErrors(diags) {
				tb.Fatalf("%s: %v", text, diags)
			}
			s.Block = &blocks[0]
		}
		sheets = append(sheets, s)
	}
	after, events, err := engine.Resolve(r, g, sheets, dice.FromSeed(seed))
	if err != nil {
		tb.Fatal(err)
	}
	return after, events
}

// decoyScenario returns a scenario with Hood, and away hexes ahead of her Huron, a ship of a class or a decoy that
// imitates one; Guard, of Huron's side, is out of her sight.
func decoyScenario(r *engine.Rules, class string, decoy bool, away int, more string) string {
	as := ""
	if decoy {
		class, as = "decoy", fmt.Sprintf("as = %q\n", class)
	}
	return darkScenario(r, darkShip("Hood", "red", "constitution-hood", "2040", "A", more),
		darkShip("Huron", "green", class, hex.At(20, 40-away).Label(), "A", as), darkShip("Guard", "green", "larson-vi", "90.90", "A", ""))
}

// withoutLocks returns orders that keep the sensors from trying for a lock, where ships have sensors.
func withoutLocks(r *engine.Rules) string {
	if _, later := r.Options[rulebook.OptionRatings]; later {
		return "standing\n sensors none\n"
	}
	return ""
}

// TestADecoyIsToldFromNoShip: everything that an enemy without level 3 or a lock gets is the same to the last byte for
// a decoy as for the ship that it imitates, under the same orders, even while firing at it until it is crippled.
func TestADecoyIsToldFromNoShip(t *testing.T) {
	for _, r := range darkBooks(t) {
		for _, class := range []string{"merchantman", "larson-vi"} {
			hits, outs := 0, 0
			for seed := range uint64(3) {
				var games [2]*engine.Game
				for k := range games {
					games[k] = gameOf(t, r, decoyScenario(r, class, k == 1, 6, ""))
				}
				for turn := range 4 {
					var got [2][]byte
					for k, g := range games {
						sets := map[engine.ShipID]string{
							"hood":  "power\n move 6\n arm bank-a 4\n arm bank-b 4\nphase 1\n move F\n fire all at c01\nphase 2\n fire all at c01\nphase 3\n fire all at c01\n" + withoutLocks(r),
							"huron": "power\n move 6\n shields 4:2\nphase 1\n move F\n",
						}
						after, events := playOrders(t, r, g, seed+uint64(10*turn), sets)
						games[k] = after
						got[k] = toldTo(t, r, after, events, "hood", "power\n arm bank-a 4\nphase 1\n fire all at c01\n pursue c01 to 3\n", "phase 1\n fire all at Huron\n")
						hits += bytes.Count(got[k], []byte(`"type":"fire-seen"`))
						outs += bytes.Count(got[k], []byte(`"type":"out-seen"`))
					}
					if !bytes.Equal(got[0], got[1]) {
						t.Fatalf("%s, %s, seed %d, turn %d: %s", r.Name, class, seed, turn+1, enginetest.Difference(got[0], got[1]))
					}
					if games[0].Result != nil || mustShip(games[0], "huron").Status != engine.Active {
						break
					}
				}
			}
			if hits == 0 || outs == 0 {
				t.Errorf("%s, %s: fired at her %d times, and %d times she was out of the fight", r.Name, class, hits, outs)
			}
		}
	}
}

// TestWhatShowsADecoy: a captain within 2 hexes, with a lock or with her sheet is told that she is a decoy, and her
// own captain always is.
func TestWhatShowsADecoy(t *testing.T) {
	for _, r := range darkBooks(t) {
		g := gameOf(t, r, decoyScenario(r, "merchantman", true, 2, ""))
		if s, _ := viewOf(t, r, g, nil, "hood").Ship("huron"); s == nil || s.Class != engine.ClassDecoy || s.Kind != engine.KindDecoy {
			t.Errorf("%s: at 2 hexes she shows as %+v", r.Name, s)
		}
		g = gameOf(t, r, decoyScenario(r, "larson-vi", true, 8, "blind = { labs = 12 }"))
		if own := toldTo(t, r, g, nil, "huron"); !bytes.Contains(own, []byte("a decoy: looks like a ship of class Larson")) {
			t.Errorf("%s: her own captain is told of no decoy", r.Name)
		}
		_, later := r.Options[rulebook.OptionRatings]
		locks, sheets := 0, 0
		for seed := range uint64(4) {
			text := "study c01 with 12\n" + withoutLocks(r)
			if later {
				text = "phase 1\n lock c01\n" + text
			}
			after, events := playOrders(t, r, g, seed, map[engine.ShipID]string{"hood": text})
			got := string(toldTo(t, r, after, events, "hood"))
			if strings.Contains(strings.ToLower(got), "huron") {
				t.Fatalf("%s: her name is told: %s", r.Name, got)
			}
			for _, e := range events {
				if b, held := e.Body.(*ship.Locking); held && b.Held {
					if locks++; b.Auto.Class != engine.ClassDecoy || b.Auto.Aboard != 0 {
						t.Errorf("%s: a lock tells %+v", r.Name, b.Auto)
					}
				}
			}
			if strings.Contains(got, "has no weapons") {
				sheets++
			}
			if strings.Contains(got, "bank-a: ") {
				t.Errorf("%s: the nature of a weapon is told that is none: %s", r.Name, got)
			}
		}
		if sheets == 0 || later && locks == 0 {
			t.Errorf("%s: %d sheets and %d locks", r.Name, sheets, locks)
		}
	}
}

// TestADecoyCountsForNothing: a decoy that is crippled, or leaves over a goal's edge, is worth no points and meets no
// goal, and a side with only decoys left has lost.
func TestADecoyCountsForNothing(t *testing.T) {
	r := rulesOf(t, advanced)
	text := decoyScenario(r, "merchantman", true, 4, "") + `[bounds]
columns = 99
rows = 99
[[victory]]
side = "red"
when = "cripple"
count = 1
[[victory]]
side = "green"
when = "exit"
edge = "north"
count = 1
`
	ruled := func(g *engine.Game, what string) *engine.Game {
		after, _, err := ruledDark(t, r, g, what)
		if err != nil {
			t.Fatal(what, err)
		}
		return after
	}
	after := ruled(gameOf(t, r, text), "kill Huron")
	if after.Result != nil || after.Sides[0].Total() != 0 || mustShip(after, "huron").Status != engine.Destroyed {
		t.Errorf("the decoy is out: %+v, sides %+v", after.Result, after.Sides)
	}
	if after = ruled(after, "kill Guard"); after.Result == nil || after.Result.Side != "red" {
		t.Errorf("the ship is out: %+v", after.Result)
	}
	if !slices.ContainsFunc(r.Present(viewOf(t, r, after, nil, "hood")).Panels, func(p engine.Panel) bool {
		return p.Key == "others" && slices.ContainsFunc(p.Rows, func(row []string) bool { return row[1] == "Huron" && row[3] == "destroyed, decoy" })
	}) {
		t.Error("who fired at her is not told at the end that she was a decoy")
	}
	edge := strings.Replace(text, hex.At(20, 36).Label(), "2001", 1)
	after, _ = playOrders(t, r, gameOf(t, r, edge), 1, map[engine.ShipID]string{"huron": "power\n move 6\nphase 1\n move F\n"})
	if after.Result != nil || after.Sides[1].Total() != 0 || mustShip(after, "huron").Status != engine.Left {
		t.Errorf("the decoy has left: %+v, sides %+v", after.Result, after.Sides)
	}
	alone := strings.Replace(text, `when = "cripple"`, "when = \"points\"\npoints = 99", 1)
	alone = strings.Replace(alone, "count = 1\n[[victory]]", "[[victory]]", 1)
	if after = ruled(gameOf(t, r, alone), "kill Guard"); after.Result == nil || after.Result.Side != "red" {
		t.Errorf("decoys alone are left: %+v", after.Result)
	}
}

// TestADecoyKeepsStation: without movement orders she stays in the ordered place beside her ship, on the same heading,
// through that ship's turns. A captain who does not know where the ship is stays behind, and is told why.
func TestADecoyKeepsStation(t *testing.T) {
	for _, r := range darkBooks(t) {
		for _, captain := range []string{"captain = \"Huron\"\n", ""} { // commanded by the captain of her ship, or by another
			g := gameOf(t, r, darkScenario(r, darkShip("Huron", "red", "merchantman", "2040", "A", ""), darkShip("Husk", "red", "decoy", "2038", "A", "as = \"merchantman\"\n"+captain),
				darkShip("Foe", "green", "larson-vi", "90.90", "A", "")))
			huron := []string{"power\n move 6\nphase 1\n move F\nphase 2\n move R\nphase 3\n move F\n", "power\n move 10\nphase 1\n move F\n move L\nphase 2\n move F\nphase 3\n move R\n", ""}
			for turn, text := range huron {
				sets := map[engine.ShipID]string{}
				if text != "" {
					sets["huron"] = text
				}
				if turn == 0 {
					sets["husk"] = "power\n shields 2:2\nstanding\n station on Huron 2 A\n"
				}
				g, _ = playOrders(t, r, g, 3, sets)
				lead, s := mustShip(g, "huron"), mustShip(g, "husk")
				if want := lead.Hex.StepN(hex.A, 2); s.Hex != want || s.Heading != lead.Heading {
					t.Errorf("%s, turn %d: Huron at %s %s, Husk at %s %s", r.Name, turn+1, lead.Hex.Label(), lead.Heading, s.Hex.Label(), s.Heading)
				}
				if own, to := ship.Of(s).Alloc.Points, ship.Of(lead).Alloc.Points; own != to {
					t.Errorf("%s, turn %d: Huron has %d movement points, Husk %d", r.Name, turn+1, to, own)
				}
			}
		}
		g := gameOf(t, r, darkScenario(r, darkShip("Huron", "red", "merchantman", "2040", "A", ""), darkShip("Husk", "red", "decoy", "80.80", "A", "as = \"merchantman\"\n"),
			darkShip("Foe", "green", "larson-vi", "90.90", "A", "")))
		after, events := playOrders(t, r, g, 3, map[engine.ShipID]string{"huron": "power\n move 6\n", "husk": "power\n move 6\nstanding\n station on Huron 2 A\n"})
		skips := slices.DeleteFunc(events, func(e engine.Event) bool {
			b, skip := e.Body.(*engine.Skip)
			return !skip || b.Ship != "husk" || !strings.Contains(b.Reason, "nowhere in sight")
		})
		if s := mustShip(after, "husk"); s.Hex.Label() != "8080" || len(skips) == 0 {
			t.Errorf("%s: out of contact Husk is at %s and is told %v", r.Name, s.Hex.Label(), skips)
		}
	}
}

// TestRobotsAndDecoys: a robot ignores a known decoy, and has its own run for the edge of its side, or keep station.
func TestRobotsAndDecoys(t *testing.T) {
	for _, r := range darkBooks(t) {
		for _, decoy := range []bool{false, true} {
			g := gameOf(t, r, decoyScenario(r, "merchantman", decoy, 2, ""))
			if text := r.Robot(viewOf(t, r, g, nil, "hood"), "hood").String(); strings.Contains(text, "at Huron") == decoy {
				t.Errorf("%s, decoy %t: the robot orders\n%s", r.Name, decoy, text)
			}
		}
		husk := darkShip("Husk", "red", "decoy", "2038", "A", "as = \"merchantman\"\n")
		fleet := darkScenario(r, darkShip("Huron", "red", "merchantman", "2040", "A", ""), husk, darkShip("Foe", "green", "larson-vi", "2001", "D", ""))
		robot := func(text string) string {
			g := gameOf(t, r, text)
			v := viewOf(t, r, g, nil, "husk")
			text = r.Robot(v, "husk").String()
			b := orders.Block{}
			if blocks, _ := orders.Parse([]byte("#orders game turn 1 ship Husk\n"+text+"#end\n"), r.Language); len(blocks) == 1 {
				b = blocks[0]
			}
			if diags := r.Check(v, "husk", b).Diagnostics; orders.HasErrors(diags) {
				t.Errorf("%s: %v", text, diags)
			}
			return text
		}
		if text := robot(fleet); !strings.Contains(text, "station on huron 2 A") {
			t.Errorf("%s: with nowhere to go she orders\n%s", r.Name, text)
		}
		if text := robot(fleet + "[bounds]\ncolumns = 99\nrows = 99\n[[victory]]\nside = \"red\"\nwhen = \"exit\"\nships = [\"Huron\"]\nedge = \"north\"\n"); !strings.Contains(text, "move") || strings.Contains(text, "station") {
			t.Errorf("%s: where others leave in the north she orders\n%s", r.Name, text)
		}
	}
}
