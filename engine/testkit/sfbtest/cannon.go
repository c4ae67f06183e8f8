package sfbtest

import (
	"fmt"

	"starpost/engine/rules/sfb/state"

	"starpost/engine"
	"starpost/engine/rules/sfb/sheet"
)

// cannon are the points of battery cannon, and the hexes that their shots fly in an impulse.
var cannon = map[sheet.Kind][2]int{sheet.PrimaryCannon: {12, 8}, sheet.SecondaryCannon: {8, 4}, sheet.TertiaryCannon: {4, 2}}

// flies examines an impulse of a shot's flight.
func (w *houseWalk) flies(d *engine.Ship, b *engine.Move) error {
	f := system(d).Flight
	age := 8*(w.g.Turn-f.Launched.Turn) + w.impulse - f.Launched.Impulse
	w.moved[b.Ship]++
	if b.To.Heading != b.From.Heading || b.To.Hex != b.From.Hex.StepN(b.From.Heading, b.Cost) || b.Cost < 1 || b.Cost > cannon[f.Kind][1] || age < 1 || age > 8 || w.moved[b.Ship] > 1 {
		return fmt.Errorf("%s flies %d hexes from %s %s to %s %s in impulse %d of its flight", b.Ship, b.Cost, b.From.Hex, b.From.Heading, b.To.Hex, b.To.Heading, age)
	}
	return nil
}

// bursts examines a shot that leaves a cannon: one an impulse, no more in a turn than its points.
func (w *houseWalk) bursts(b *state.Burst) error {
	s, _ := w.g.Ship(b.Ship)
	key := string(b.Ship) + "." + b.Weapon
	if now := 8*w.g.Turn + w.impulse; w.shot[key] == 0 {
		if err := w.again(b.Ship, b.Weapon); err != nil {
			return err
		}
	} else if w.last[key] >= now {
		return fmt.Errorf("%s fires twice in impulse %d", key, w.impulse)
	} else {
		w.last[key] = now
	}
	w.shot[key] += b.Flight.Damage
	if i := system(s).Sheet.Bank(b.Weapon); i < 0 || system(s).Sheet.Banks[i].Left < 1 || b.Flight.Damage < 1 || w.shot[key] > cannon[b.Flight.Kind][0] || b.At.Hex != s.Hex {
		return fmt.Errorf("%s fires %d points in a turn", key, w.shot[key])
	}
	return nil
}
