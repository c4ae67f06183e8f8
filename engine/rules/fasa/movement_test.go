package fasa

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/engine/rules/fasa/tables"
	"starpost/engine/scenario"
	"starpost/orders"
)

// perPhase is the printed table of the movement points used in each phase, by
// points allotted (stcs 3.6; case C10).
var perPhase = [31][]int{
	1: {0, 1, 0}, 2: {1, 0, 1}, 3: {1, 1, 1}, 4: {1, 2, 1}, 5: {2, 1, 2}, 6: {2, 2, 2},
	7: {2, 3, 2}, 8: {3, 2, 3}, 9: {3, 3, 3}, 10: {3, 4, 3}, 11: {4, 3, 4}, 12: {4, 4, 4},
	13: {4, 5, 4}, 14: {5, 4, 5}, 15: {5, 5, 5}, 16: {5, 6, 5}, 17: {6, 5, 6}, 18: {6, 6, 6},
	19: {6, 7, 6}, 20: {7, 6, 7}, 21: {7, 7, 7}, 22: {7, 8, 7}, 23: {8, 7, 8}, 24: {8, 8, 8},
	25: {8, 9, 8}, 26: {9, 8, 9}, 27: {9, 9, 9}, 28: {9, 10, 9}, 29: {10, 9, 10}, 30: {10, 10, 10},
}

// courierFile is a ship that can have every number of points in the table.
const courierFile = `
[designs.courier]
title = "Courier"
navy = "civil"
superstructure = 5
warp = [30]
move = "1/1"
shield = "1/1"
max_shield = 5
`

func courierRules(tb testing.TB) *engine.Rules {
	tb.Helper()
	lib, err := tables.Builtin()
	if err != nil {
		tb.Fatal(err)
	}
	if lib, err = lib.With(map[string][]byte{"courier.toml": []byte(courierFile)}); err != nil {
		tb.Fatal(err)
	}
	r, err := Basic(lib)
	if err != nil {
		tb.Fatal(err)
	}
	return r
}

func gameOf(tb rapid.TB, r *engine.Rules, text string) *engine.Game {
	tb.Helper()
	sc, diags := scenario.Parse([]byte(text))
	if sc == nil {
		tb.Fatal(diags)
	}
	g, diags := sc.NewGame(r, "game", nil)
	if g == nil {
		tb.Fatal(diags)
	}
	return g
}

// TestEveryRowOfTheMovementTable moves a ship with 1 to 30 points.
func TestEveryRowOfTheMovementTable(t *testing.T) {
	r := courierRules(t)
	g := gameOf(t, r, `
format = 1
name = "row"
title = "Row"
rules = "stcs-basic"
side = [{id = "a"}, {id = "b"}]
ship = [
  {name = "Swift", side = "a", class = "courier", hex = "1010", heading = "A"},
  {name = "Other", side = "b", class = "courier", hex = "3030", heading = "A"},
]
`)
	for points := 1; points <= 30; points++ {
		if got := basicCourse().Split.Points(points); !slices.Equal(got, perPhase[points]) {
			t.Errorf("Split(%d) = %v, the table says %v", points, got, perPhase[points])
		}
		text := fmt.Sprintf("#orders game turn 1 ship Swift\npower\n move %d points\n#end\n", points)
		blocks, diags := orders.Parse([]byte(text), r.Language)
		if len(blocks) != 1 || orders.HasErrors(diags) {
			t.Fatal(diags)
		}
		_, events, err := engine.Resolve(r, g, []engine.Sheet{{Ship: "swift", Block: &blocks[0]}, {Ship: "other", Block: &orders.Block{}}}, dice.FromSeed(1))
		if err != nil {
			t.Fatal(err)
		}
		moves := make([]int, coursePhases)
		for _, e := range events {
			if m, ok := e.Body.(*engine.Move); ok && m.Ship == "swift" {
				moves[e.Phase-1] += m.Cost
			}
		}
		if !slices.Equal(moves, perPhase[points]) {
			t.Errorf("%d points: moved %v, the table says %v", points, moves, perPhase[points])
		}
	}
}

// TestNoShipMovesWithoutBound: a game's own table cannot make a ship whose turn
// would never end.
func TestNoShipMovesWithoutBound(t *testing.T) {
	lib, err := tables.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	_, err = lib.With(map[string][]byte{"c.toml": []byte(strings.Replace(courierFile, `"1/1"`, `"1/4"`, 1))})
	if err == nil || !strings.Contains(err.Error(), "120 movement points") {
		t.Errorf("got %v", err)
	}
}

// TestReactiveOrders checks where reactive orders take a ship in a phase.
func TestReactiveOrders(t *testing.T) {
	r := courierRules(t)
	for _, test := range []struct {
		name, order string
		hex         string // of the moving ship; the other is at 1010 and heads A
		heading     string
		points      int // in the phase
		wantHex     string
		wantHeading string
	}{
		{"pursue closes to the range", "pursue Other to 3", "1020", "A", 4, "1013", "A"},
		{"pursue stands when it is there", "pursue Other to 3", "1013", "A", 4, "1013", "A"},
		{"pursue shows a shield, here by flying past", "pursue Other to 3 showing 5", "1013", "A", 4, "1007", "A"},
		{"pursue never ends in the hex of the other", "pursue Other to 0", "1011", "A", 1, "1011", "A"},
		{"flee runs", "flee Other", "1012", "D", 3, "1018", "D"},
		{"pursue turns in place where that is shorter", "pursue Other to 3 showing 3", "1013", "A", 4, "1013", "F"},
		{"face turns in place", "face Other", "1012", "D", 3, "1012", "A"},
		{"face shows a shield", "face Other with 4", "1012", "A", 3, "1012", "E"},
		{"course goes to a hex and stays", "course 1014", "1020", "A", 5, "1014", "A"},
		{"circle goes clockwise at the range", "circle Other at 3", "1007", "C", 2, "1310", "C"},
	} {
		t.Run(test.name, func(t *testing.T) {
			g := gameOf(t, r, fmt.Sprintf(`
format = 1
name = "react"
title = "React"
rules = "stcs-basic"
side = [{id = "a"}, {id = "b"}]
ship = [
  {name = "Swift", side = "a", class = "courier", hex = "%s", heading = "%s"},
  {name = "Other", side = "b", class = "courier", hex = "1010", heading = "A"},
]
`, test.hex, test.heading))
			text := fmt.Sprintf("#orders game turn 1 ship Swift\npower\n move %d points\nphase 1\n %s\n#end\n", 3*test.points, test.order)
			blocks, diags := orders.Parse([]byte(text), r.Language)
			if len(blocks) != 1 || orders.HasErrors(diags) {
				t.Fatal(diags)
			}
			_, events, err := engine.Resolve(r, g, []engine.Sheet{{Ship: "swift", Block: &blocks[0]}, {Ship: "other", Block: &orders.Block{}}}, dice.FromSeed(1))
			if err != nil {
				t.Fatal(err)
			}
			var last *engine.Move
			words := ""
			for _, e := range events {
				if m, ok := e.Body.(*engine.Move); ok && m.Ship == "swift" && e.Phase == 1 {
					last = m
					words += " " + m.Word
					if m.Reactive != test.order {
						t.Errorf("came of %q", m.Reactive)
					}
				}
			}
			if got := last.To.Hex.Label() + last.To.Heading.String(); got != test.wantHex+test.wantHeading {
				t.Errorf("ended at %s by%s, expected %s%s", got, words, test.wantHex, test.wantHeading)
			}
		})
	}
}
