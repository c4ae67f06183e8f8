package fasa

import (
	"bytes"
	"fmt"
	"testing"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/engine/rules/fasa/ship"
	"starpost/engine/testkit/enginetest"
	"starpost/orders"
)

// TestShotsTellNothingOfTheFirersCrew fires the same shots from a ship without casualties and from
// one with many, or with repaired weapons: as long as the same shots hit, only the firer sees a
// difference (stcs 15.14).
func TestShotsTellNothingOfTheFirersCrew(t *testing.T) {
	r := rulesOf(t, Graduate)
	play := func(seed uint64, state string, repaired bool) (hits string, seen []byte) {
		t.Helper()
		g := gameOf(t, r, fmt.Sprintf(`format = 1
name = "shots"
title = "Shots"
rules = %q
[[side]]
id = "one"
[[side]]
id = "two"
[[ship]]
name = "Hood"
side = "one"
class = "constitution-hood"
hex = "0505"
heading = "D"
%s
[[ship]]
name = "Kongo"
side = "one"
class = "constitution-hood"
hex = "0405"
heading = "D"
captain = "Kirk"
[[ship]]
name = "Wolf"
side = "two"
class = "d-10-wolf"
hex = "0512"
heading = "A"
`, r.Name, state))
		hood, _ := g.Ship("hood")
		ship.Of(hood).Banks[1].Mounts[0].Repaired = repaired
		text := "#orders game turn 1 ship Hood\npower\n arm bank-a 2 2\n arm bank-b 2 2\nphase 1\n fire bank-a at Wolf\nphase 2\n fire bank-b at Wolf\n#end\n"
		blocks, diags := orders.Parse([]byte(text), r.Language)
		if len(blocks) != 1 || orders.HasErrors(diags) {
			t.Fatal(diags)
		}
		quiet := engine.Sheet{Block: &orders.Block{}}
		sheets := []engine.Sheet{{Ship: "hood", Block: &blocks[0]}, {Ship: "kongo", Block: quiet.Block}, {Ship: "wolf", Block: quiet.Block}}
		after, events, err := enginetest.Resolve(r, g, sheets, dice.FromSeed(seed))
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range events {
			if f, ok := e.Body.(*ship.Fire); ok {
				hits += fmt.Sprint(f.Hit)
			}
		}
		for _, c := range []engine.Captain{{Name: "Wolf", Ships: []engine.ShipID{"wolf"}}, {Name: "Kirk", Ships: []engine.ShipID{"kongo"}}} {
			view, err := enginetest.Seen(r, after, events, c)
			if err != nil {
				t.Fatal(err)
			}
			seen = append(seen, view...)
		}
		return hits, seen
	}
	alike := 0
	for seed := range uint64(30) {
		whole, view := play(seed, "", false)
		for _, state := range []string{"state = { casualties = 236 }", "state = { casualties = 850 }", ""} {
			hits, other := play(seed, state, state == "")
			if hits != whole {
				continue
			}
			alike++
			if !bytes.Equal(view, other) {
				t.Errorf("seed %d, %s: others see a difference:\n%s", seed, state, enginetest.Difference(view, other))
			}
		}
	}
	if alike < 10 {
		t.Errorf("only %d pairs were alike", alike)
	}
}
