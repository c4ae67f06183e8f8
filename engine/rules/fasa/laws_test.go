package fasa

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/engine/testkit/enginetest"
	"starpost/orders"
)

func viewOf(tb rapid.TB, r *engine.Rules, g *engine.Game, events []engine.Event, id engine.ShipID) *engine.View {
	v, err := engine.BuildView(r, g, events, engine.Viewer{Ships: []engine.ShipID{id}, Focus: id})
	if err != nil {
		tb.Fatal(err)
	}
	return v
}

// playLaws plays some turns of a game with the sheets that draw returns, and checks each by laws.
func playLaws(t *rapid.T, r *engine.Rules, g *engine.Game, turns int, draw func(g *engine.Game, id engine.ShipID) engine.Sheet, laws func(before, after *engine.Game, events []engine.Event) error) {
	secret := dice.FromSeed(rapid.Uint64Range(0, 1<<40).Draw(t, "secret"))
	for range turns {
		if g.Result != nil {
			return
		}
		var sheets []engine.Sheet
		for _, id := range g.InFight() {
			sheets = append(sheets, draw(g, id))
		}
		after, events, err := enginetest.Resolve(r, g, sheets, secret)
		if err == nil {
			err = laws(g, after, events)
		}
		if err != nil {
			t.Fatalf("%v\n%s", err, sheetTexts(sheets))
		}
		g = after
	}
}

// drawnSheet returns a sheet with random orders. Mistakes in them, such as orders
// against the ship itself, stay: they are left out when the turn is played. Checking
// them must not fail.
func drawnSheet(t *rapid.T, r *engine.Rules, g *engine.Game, id engine.ShipID, text string) engine.Sheet {
	blocks, _ := orders.Parse([]byte("#orders game turn 1 ship "+mustShip(g, id).Name+"\n"+text+"#end\n"), r.Language)
	if len(blocks) != 1 {
		t.Fatal(text)
	}
	r.Check(viewOf(t, r, g, nil, id), id, blocks[0])
	return engine.Sheet{Ship: id, Block: &blocks[0]}
}

func sheetTexts(sheets []engine.Sheet) string {
	var b strings.Builder
	for _, s := range sheets {
		if s.Block == nil {
			fmt.Fprintf(&b, "%s: %s\n", s.Ship, s.Policy)
			continue
		}
		b.WriteString(orders.Format(*s.Block))
	}
	return b.String()
}

func mustShip(g *engine.Game, id engine.ShipID) *engine.Ship {
	s, _ := g.Ship(id)
	return s
}

func hitKey(ship engine.ShipID, weapon string, mount int) string {
	return fmt.Sprintf("%s %s %d", ship, weapon, mount)
}

// TestUnseenSettingsAreUnseen plays the same turn twice, with enemy settings that
// differ but have no visible effect: the captain sees the same.
func TestUnseenSettingsAreUnseen(t *testing.T) {
	r := basicRules(t)
	g := scenarioGame(t, r, "big-bad-wolf")
	rapid.Check(t, func(t *rapid.T) {
		var seen [][]byte
		for range 2 {
			var b strings.Builder
			fmt.Fprintf(&b, "power\n move %d\n shields %d:%d\n arm bank-a %d %d\n", rapid.IntRange(8, 11).Draw(t, "move"), rapid.IntRange(1, 6).Draw(t, "shield"), rapid.IntRange(0, 15).Draw(t, "points"),
				rapid.IntRange(0, 5).Draw(t, "arm"), rapid.IntRange(0, 5).Draw(t, "arm"))
			fmt.Fprintf(&b, "phase 1\n move F\n fire all at Hood when range < %d\nphase 3\n %s\n", rapid.IntRange(0, 5).Draw(t, "when"),
				rapid.SampledFrom([]string{"move F", "course 1103", "move F when not targeted"}).Draw(t, "way"))
			fmt.Fprintf(&b, "standing\n choose shield %d\n missing %s\n", rapid.IntRange(1, 6).Draw(t, "choose"), rapid.SampledFrom([]string{"hold", "repeat"}).Draw(t, "missing"))
			blocks, diags := orders.Parse([]byte("#orders game turn 1 ship Riskadh\n"+b.String()+"#end\n"), r.Language)
			if len(blocks) != 1 || orders.HasErrors(diags) {
				t.Fatal(diags)
			}
			after, events, err := engine.Resolve(r, g, []engine.Sheet{{Ship: "hood", Block: &orders.Block{}}, {Ship: "riskadh", Block: &blocks[0]}}, dice.FromSeed(3))
			if err != nil {
				t.Fatal(err)
			}
			out, err := enginetest.Seen(r, after, events, engine.Captain{Name: "Hood", Ships: []engine.ShipID{"hood"}})
			if err != nil {
				t.Fatal(err)
			}
			seen = append(seen, out)
		}
		if !bytes.Equal(seen[0], seen[1]) {
			t.Fatalf("Hood sees a difference:\n%s", enginetest.Difference(seen[0], seen[1]))
		}
	})
}
