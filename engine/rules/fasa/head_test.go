package fasa

import (
	"fmt"
	"strings"
	"testing"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/engine/rules/fasa/ship"
	"starpost/orders"
)

// TestLongHeadsAreNoPartOfTheOrders repeats orders with a head that needs more than one line in
// canonical form.
func TestLongHeadsAreNoPartOfTheOrders(t *testing.T) {
	r := courierRules(t)
	g := gameOf(t, r, `
format = 1
name = "long"
title = "Long"
rules = "stcs-basic"
side = [{id = "a"}, {id = "b"}]
ship = [
  {name = "Swift-as-a-mountain-wind", side = "a", class = "courier", hex = "1010", heading = "A"},
  {name = "Other", side = "b", class = "courier", hex = "3030", heading = "A"},
]
`)
	g.ID = strings.Repeat("long-game-name-", 3)
	text := fmt.Sprintf("#orders %s turn 1 ship Swift-as-a-mountain-wind key 7K4Q-92FM-7K4Q\npower\n move 3\nphase 1\n move F\nphase 2\n move F\nphase 3\n move F\nstanding\n missing repeat\n#end\n", g.ID)
	blocks, diags := orders.Parse([]byte(text), r.Language)
	if len(blocks) != 1 || orders.HasErrors(diags) {
		t.Fatal(diags)
	}
	id := "swift-as-a-mountain-wind"
	g, events, err := engine.Resolve(r, g, []engine.Sheet{{Ship: engine.ShipID(id), Block: &blocks[0]}, {Ship: "other", Block: &orders.Block{}}}, dice.FromSeed(1))
	if err != nil {
		t.Fatal(err)
	}
	s, _ := g.Ship(engine.ShipID(id))
	if last := ship.Of(s).Standing.Last; strings.Contains(last, "key") || !strings.HasPrefix(last, "power") {
		t.Errorf("the orders that are kept begin with the head:\n%s", last)
	}
	v := viewOf(t, r, g, events, engine.ShipID(id))
	if offered := r.Template(v, engine.ShipID(id)).String(); strings.Contains(offered, "key") {
		t.Errorf("offered:\n%s", offered)
	}
	g, _, err = engine.Resolve(r, g, []engine.Sheet{{Ship: engine.ShipID(id), Policy: engine.PolicyStanding}, {Ship: "other", Block: &orders.Block{}}}, dice.FromSeed(1))
	if err != nil {
		t.Fatal(err)
	}
	if s, _ := g.Ship(engine.ShipID(id)); s.Hex.Label() != "1004" {
		t.Errorf("after two turns of three hexes each the ship is at %s", s.Hex.Label())
	}
}
