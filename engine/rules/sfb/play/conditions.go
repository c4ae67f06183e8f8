package play

import (
	"slices"
	"strconv"
	"strings"

	"starpost/engine"
	"starpost/engine/dark"
	"starpost/engine/hex"
	"starpost/engine/rules/sfb/rulebook"
	"starpost/engine/rules/sfb/state"
	"starpost/orders"
)

// judge evaluates a condition, which asks only for what is known.
func judge(l *rulebook.Rules, t *engine.Turn, s, target *engine.Ship, cond *orders.Cond) bool {
	return cond.Eval(func(c *orders.Cond) bool {
		switch c.Subject {
		case "range":
			return target != nil && c.Holds(hex.Distance(s.Hex, target.Hex))
		case "impulse":
			return c.Holds(t.Phase.No)
		case "damaged":
			return state.Of(s).Hit
		case dark.AboutHeard:
			return dark.In(t).Heard(s)
		case "facing":
			return target != nil && !target.Small() && headingKnown(l, t.Game, s, target) && c.Holds(struck(s, target)+1)
		case "cloaked":
			return target != nil && state.Cloaked(target) && whole(l, t.Game, s, target)
		case "drones":
			n := 0
			for _, d := range state.Drones(t.Game) {
				n += rulebook.BoolInt(state.Of(d).Flight.Target == s.ID && whole(l, t.Game, s, d))
			}
			return c.Holds(n)
		}
		if a, named := c.Arg("SHIP"); named && dark.AsksContact(c) {
			return judgeContact(l, t, s, a.Text, c)
		}
		side, _ := c.Arg("SHIELD")
		whose := s
		if a, named := c.Arg("SHIP"); named {
			whose = aim(l, t.Game, s, rulebook.NearestEnemy)
			if !strings.EqualFold(a.Text, rulebook.NearestEnemy) {
				whose = shipNamed(l, t.Game, s, a.Text)
			}
		}
		return whose != nil && !whose.Small() && sees(&l.Book, t.Game, s, whose) && whole(l, t.Game, s, whose) && c.Holds(state.Of(whose).Sheet.Shields[side.Num-1].Left)
	})
}

// struck returns the side of a target hit by fire from a ship; on the line between two, the target's standing choice
// decides (ruling D6).
func struck(from, target *engine.Ship) int {
	sys := state.Of(target)
	p, apart := hex.Bearing(target.Hex, from.Hex)
	if !apart {
		for _, n := range sys.Near {
			if n.Ship == from.ID {
				return n.Side
			}
		}
		return 0
	}
	first, second, line := hex.Side(p.Relative(target.Heading))
	if !line {
		return second
	}
	a, b := sys.Sheet.Shields[first].Left, sys.Sheet.Shields[second].Left
	switch sys.Standing.Choose {
	case strconv.Itoa(first + 1):
		return first
	case strconv.Itoa(second + 1):
		return second
	case state.Weakest:
		a, b = -a, -b
	}
	if a > b {
		return first
	}
	return second
}

// forPhasers returns the energy available for phasers, in halves: the capacitors and, if the captain so ordered, the
// reserve and the batteries (ruling R3b).
func forPhasers(sys *state.System) int {
	if !sys.Draws {
		return sys.Charge()
	}
	return sys.Charge() + 2*(sys.Reserve+sys.Batteries)
}

// judgeContact evaluates a condition on what a captain's sensors know of a ship.
func judgeContact(l *rulebook.Rules, t *engine.Turn, s *engine.Ship, word string, c *orders.Cond) bool {
	var of *engine.Ship
	if strings.EqualFold(word, rulebook.NearestEnemy) || t.Game.Blind == nil {
		if of = aim(l, t.Game, s, engine.ShipID(strings.ToLower(word))); of == nil {
			return false
		}
	}
	met, known := dark.In(t).ContactFact(s, strings.ToLower(word), of, c)
	return met && known
}

// shipNamed returns the ship that a condition names, if its captain may know what the condition asks.
func shipNamed(l *rulebook.Rules, g *engine.Game, s *engine.Ship, word string) *engine.Ship {
	if g.Blind == nil {
		whose, _, _ := engine.FindShip(g.Ships, word)
		return whose
	}
	own := slices.DeleteFunc(slices.Clone(g.Ships), func(o *engine.Ship) bool { return o.Captain != s.Captain })
	if whose, _, ok := engine.FindShip(own, word); ok {
		return whose
	}
	whose := aimInTheDark(l, g, s, engine.ShipID(strings.ToLower(word)))
	if whose == nil || !whole(l, g, s, whose) {
		return nil
	}
	return whose
}
