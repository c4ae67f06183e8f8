package fasa

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"starpost/engine"
	"starpost/engine/dark"
	"starpost/engine/dice"
	"starpost/engine/rules/fasa/ship"
	"starpost/orders"
)

// talked plays a turn in which no ship moves and some talk, and returns what each hears of it, one
// event a line.
func talked(t *testing.T, r *engine.Rules, g *engine.Game, said map[string]string) map[engine.ShipID]string {
	t.Helper()
	var sheets []engine.Sheet
	for _, id := range g.InFight() {
		text := "power\n move 0\n" + said[string(id)]
		blocks, diags := orders.Parse([]byte(fmt.Sprintf("#orders game turn 1 ship %s\n%s#end\n", mustShip(g, id).Name, text)), r.Language)
		if len(diags) > 0 {
			t.Fatal(diags)
		}
		sheets = append(sheets, engine.Sheet{Ship: id, Block: &blocks[0]})
	}
	after, events, err := engine.Resolve(r, g, sheets, dice.FromSeed(7))
	if err != nil {
		t.Fatal(err)
	}
	out := map[engine.ShipID]string{}
	for _, id := range g.InFight() {
		v, err := engine.BuildView(r, after, events, after.Viewer(mustShip(after, id)))
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range v.Events {
			if _, heard := e.Body.(*dark.Overheard); heard || slices.Contains([]string{"message", "skip", "relay", "passed"}, e.Type.Name) {
				line, _ := v.Tell(e)
				if skip, ok := e.Body.(*engine.Skip); ok {
					line.Text = "skipped: " + skip.Reason
				}
				out[id] += line.Text + "\n"
			}
		}
	}
	return out
}

// TestTalkInTheDark is case 18 and related ones: open talk is read by ships with sensors that reach
// the speaker, at 20 hexes but not at 21; they learn only the approximate length of coded talk. The
// speaker's own side reads both, at any distance or in range.
func TestTalkInTheDark(t *testing.T) {
	words := "one two three four five six seven eight nine ten eleven twelve thirteen"
	say, message := "say\n#text\n"+words+"\n#endtext\n", "message side\n#text\n"+words+"\n#endtext\n"
	for _, c := range []struct {
		talk, order string
		want        map[string]string
	}{
		{"side", say, map[string]string{"hood": "Hood to all: " + words, "mate": "Hood to all: " + words, "at20": "c02 at 0505, in the open: " + words}},
		{"side", message, map[string]string{"hood": "Hood to side: " + words, "mate": "Hood to side: " + words, "at20": "c02 at 0505, in code, about 15 words"}},
		{"side", "report contacts\n", map[string]string{"hood": "Hood to side: c01 at 0525", "mate": "Hood to side: c01 at 0525", "at20": "c02 at 0505, in code, about 5 words"}},
		{"range", message, map[string]string{"hood": "Hood to side: " + words, "at20": "c02 at 0505, in code, about 15 words"}},
		{"none", message, map[string]string{"hood": "skipped: in this game no one hears another ship"}},
		{"side", "message side\n#text\n" + strings.Repeat(strings.Repeat("x", 79)+"\n", 60) + "#endtext\n", map[string]string{"hood": "skipped: it is longer than 4000 characters"}},
		{"side", strings.Replace(message, "side", "Mate", 1), map[string]string{"hood": "skipped: in the dark only your own side hears you: write message side, or say"}},
		{"side", "say\n#text\n" + strings.Repeat(strings.Repeat("x", 79)+"\n", 60) + "#endtext\n", map[string]string{"hood": "skipped: it is longer than 4000 characters"}},
	} {
		for _, r := range darkBooks(t) {
			g := gameOf(t, r, strings.Replace(darkScenario(r,
				darkShip("Hood", "red", "constitution-hood", "0505", "A", ""), darkShip("Mate", "red", "constitution-hood", "0560", "A", ""),
				darkShip("At20", "green", "d-10-wolf", "0525", "A", ""), darkShip("At21", "green", "d-10-wolf", "05.26", "A", ""),
			), "[blind]\n", "[blind]\ntalk = \""+c.talk+"\"\n", 1))
			got := talked(t, r, g, map[string]string{"hood": c.order})
			for _, id := range g.InFight() {
				if strings.TrimSuffix(got[id], "\n") != c.want[string(id)] {
					t.Errorf("%s, talk %s, %.12s: %s hears %q, want %q", r.Name, c.talk, c.order, id, got[id], c.want[string(id)])
				}
			}
		}
	}
}

// TestHailsInTheDark: with officers aboard open talk is a hail, which other sides hear if its roll
// succeeds, even if no one is there; and when communications are without power no one hears
// anything, in code or not.
func TestHailsInTheDark(t *testing.T) {
	r := rulesOf(t, Command)
	say, message := "say\n#text\nhello\n#endtext\n", "message side\n#text\nhello\n#endtext\n"
	for _, c := range []struct {
		order       string
		skill       int
		dead, alone bool
		want        map[string]string
	}{
		{say, 99, false, false, map[string]string{"hood": "Hood to all: hello", "mate": "Hood to all: hello", "at20": "c01 at 0505, in the open: hello"}},
		{say, 1, false, false, map[string]string{"hood": "skipped: it does not get through: say it again in a later turn\nHood to all: hello", "mate": "Hood to all: hello"}},
		{say, 1, false, true, map[string]string{"hood": "skipped: it does not get through: say it again in a later turn\nHood to all: hello", "mate": "Hood to all: hello"}},
		{message, 1, false, false, map[string]string{"hood": "Hood to side: hello", "mate": "Hood to side: hello", "at20": "c01 at 0505, in code, about 5 words"}},
		{say, 99, true, false, map[string]string{"hood": "skipped: communications are without power\nHood to all: hello"}},
		{message, 99, true, false, map[string]string{"hood": "skipped: communications are without power\nHood to side: hello"}},
	} {
		there := "0525"
		if c.alone {
			there = "05.90"
		}
		g := gameOf(t, r, darkScenario(r,
			darkShip("Hood", "red", "constitution-hood", "0505", "A", fmt.Sprintf("state = { communications = %d }\n", c.skill)), darkShip("Mate", "red", "constitution-hood", "0560", "A", ""),
			darkShip("At20", "green", "d-10-wolf", there, "A", "")))
		if c.dead {
			ship.Of(mustShip(g, "hood")).Bridge().Shaken = map[string]int{ship.ShakenCommunications: 1}
		}
		got := talked(t, r, g, map[string]string{"hood": c.order})
		for _, id := range g.InFight() {
			if strings.TrimSuffix(got[id], "\n") != c.want[string(id)] {
				t.Errorf("%.12q, skill %d, dead %t, alone %t: %s hears %q, want %q", c.order, c.skill, c.dead, c.alone, id, got[id], c.want[string(id)])
			}
		}
	}
}

// TestRelaysInTheDark: where a side hears its own ships only within range, a ship between two of them relays
// their talk by the next phase, and others then hear her. Relays that have no effect are not reported.
func TestRelaysInTheDark(t *testing.T) {
	message, far := "message side\n#text\nGo north.\n#endtext\n", "Hood to side in turn 1, by Mate: Go north."
	for _, c := range []struct {
		talk, relay string
		want        map[string]string
	}{
		{"range", "relay on\n", map[string]string{
			"hood": "Hood to side: Go north.", "far": far, "wolf": "c02 at 0520, in code, about 5 words",
			"mate": "Mate relays coded talk of her side that she reads\nHood to side: Go north.\nMate relays what Hood said in turn 1",
		}},
		{"range", "relay off\n", map[string]string{"hood": "Hood to side: Go north.", "mate": "Hood to side: Go north."}},
		{"side", "relay on\n", map[string]string{
			"hood": "Hood to side: Go north.", "far": "Hood to side: Go north.",
			"mate": "Hood to side: Go north.\nskipped: in this game your side hears you at any distance",
		}},
		{"none", "relay on\n", map[string]string{"hood": "skipped: in this game no one hears another ship", "mate": "skipped: in this game no one hears another ship"}},
	} {
		for _, r := range darkBooks(t) {
			if r.Rounds() < 2 {
				continue // she relays it as the next turn begins
			}
			g := gameOf(t, r, strings.Replace(darkScenario(r,
				darkShip("Hood", "red", "constitution-hood", "0505", "A", ""), darkShip("Mate", "red", "constitution-hood", "0520", "A", ""),
				darkShip("Far", "red", "constitution-hood", "0535", "A", ""), darkShip("Wolf", "green", "d-10-wolf", "05.36", "A", ""),
			), "[blind]\n", "[blind]\ntalk = \""+c.talk+"\"\n", 1))
			got := talked(t, r, g, map[string]string{"hood": message, "mate": c.relay})
			for _, id := range g.InFight() {
				if strings.TrimSuffix(got[id], "\n") != c.want[string(id)] {
					t.Errorf("%s, talk %s, %.12s: %s hears %q, want %q", r.Name, c.talk, c.relay, id, got[id], c.want[string(id)])
				}
			}
		}
	}
}
