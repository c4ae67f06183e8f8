package fasa

import (
	"slices"
	"strings"

	"starpost/engine"
	"starpost/engine/dark"
	"starpost/engine/hex"
	"starpost/engine/rules/fasa/cites"
	"starpost/engine/rules/fasa/ship"
	"starpost/orders"
)

// judge works out a condition at the moment it is needed, with what the ship's
// captain may know then (ruling D10). A condition that cannot be decided without
// what he may not know is not met, also under not; missing says what that was.
func (l *rulebook) judge(t *engine.Turn, s *engine.Ship, target engine.ShipID, bank *ship.Bank, cond *orders.Cond) (met bool, missing []string) {
	value, known := cond.Decide(func(c *orders.Cond) (bool, bool) {
		v, ok := l.fact(t, s, target, bank, c)
		if !ok && !slices.Contains(missing, c.String()) {
			missing = append(missing, c.String())
		}
		return v, ok
	})
	if known {
		return value, nil
	}
	if memo(t).hearing == asIfOpen {
		missing = slices.DeleteFunc(missing, func(what string) bool { return what == aboutTargeted || what == aboutMissile })
		return len(missing) == 0, missing
	}
	return false, missing
}

// skip passes over an order that cannot be carried out, and tells it to the officer whose
// order it is on this ship, by the post that the rules give it to (ruling D13). Line 0 is for
// what stands in no set of this turn.
func (l *rulebook) skip(t *engine.Turn, s *engine.Ship, post string, line int, text, why string, rule ...cites.Topic) {
	t.Emit(&engine.Skip{Ship: s.ID, Post: station(s.Crew, post), Line: line, Order: text, Reason: why},
		engine.SeeOnly(s.ID), l.cite(append([]cites.Topic{cites.SkippedOrders}, rule...)...)...)
}

// unknown tells a captain, or the officer whose order it is, that a condition could not be
// decided.
func (l *rulebook) unknown(t *engine.Turn, s *engine.Ship, post string, line int, text string, missing []string) {
	t.Emit(&engine.Skip{
		Ship: s.ID, Post: station(s.Crew, post), Line: line, Order: text,
		Reason: "\"" + strings.Join(missing, "\", \"") + "\" cannot be known: the condition counts as not met",
	}, engine.SeeOnly(s.ID), l.cite(cites.Conditions)...)
}

func (l *rulebook) fact(t *engine.Turn, s *engine.Ship, target engine.ShipID, bank *ship.Bank, c *orders.Cond) (value, known bool) {
	n := memo(t)
	foe, seen := l.shown(t.Game, s, target)
	seen = seen && l.aware(t.Game, s, foe)
	if fact, ok := l.facts[c.Subject]; ok {
		q := question{l: l, t: t, ship: s, named: string(target), bank: bank, test: c}
		if seen {
			q.target = foe
		}
		return fact(q)
	}
	switch c.Subject {
	case aboutTargeted, aboutMissile:
		missile, declared := n.declared[s.ID]
		declared = declared && (missile || c.Subject == aboutTargeted) && n.hearing != asIfNone
		return declared, declared || n.hearing != asIfOpen
	case dark.AboutHeard:
		return dark.In(t).Heard(s), true
	case "damaged":
		return ship.Of(s).Hurt, true
	case "shield SHIELD":
		a, _ := c.Arg("SHIELD")
		return c.Holds(ship.Of(s).Shields[a.Num-1].Now), true
	case shieldOf:
		a, _ := c.Arg("SHIELD")
		who, _ := c.Arg("SHIP")
		if _, _, own := engine.FindShip([]*engine.Ship{s}, who.Text); own {
			return c.Holds(ship.Of(s).Shields[a.Num-1].Now), true
		}
		return false, false
	}
	if c.Subject == "crippled" && target == "" {
		return s.Status == engine.Crippled, true
	}
	if !seen {
		return false, false
	}
	switch c.Subject {
	case "range":
		return c.Holds(hex.Distance(s.Hex, foe.Hex)), true
	case "crippled":
		return foe.Status == engine.Crippled, true
	case "moved":
		return n.moved[foe.ID], true
	case "arc":
		p, ok := hex.Bearing(s.Hex, foe.Hex)
		if !ok {
			return false, true
		}
		for _, a := range l.Arcs[arcLetter(c.Word)] {
			if a.Contains(p.Relative(s.Heading)) {
				return true, true
			}
		}
		return false, true
	case "chance":
		if bank == nil {
			return false, false
		}
		return c.Holds(l.odds(t, s, foe, bank)), true
	}
	return false, false
}

// arcLetter is the arc that a condition's word means.
func arcLetter(word string) string {
	return map[string]string{"forward": "f", "port": "p", "starboard": "s", "aft": "a"}[strings.ToLower(word)]
}

// odds is the chance in per cent that a weapon of a ship hits another now.
func (l *rulebook) odds(t *engine.Turn, s, target *engine.Ship, b *ship.Bank) int {
	v := &volley{ship: s, target: target, rng: hex.Distance(s.Hex, target.Hex)}
	for v.bank = range ship.Of(s).Banks {
		if &ship.Of(s).Banks[v.bank] == b {
			break
		}
	}
	number := l.ToHit(b.Chart, v.rng)
	if number == 0 {
		return 0
	}
	need, _, _ := l.aim(t, v, number)
	return l.percent(need)
}
