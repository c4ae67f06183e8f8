package play

import (
	"slices"
	"strings"

	"starpost/engine"
	"starpost/engine/dark"
	"starpost/engine/hex"
	"starpost/engine/rules/fasa/cites"
	"starpost/engine/rules/fasa/rulebook"
	"starpost/engine/rules/fasa/ship"
	"starpost/orders"
)

// Judge evaluates a condition when it is needed, with what the ship's captain may know then
// (ruling D10). A condition that cannot be decided from that is not met, not even if negated;
// missing lists what was unknown.
func Judge(l *rulebook.Rules, t *engine.Turn, s *engine.Ship, target engine.ShipID, bank *ship.Bank, cond *orders.Cond) (met bool, missing []string) {
	value, known := cond.Decide(func(c *orders.Cond) (bool, bool) {
		v, ok := fact(l, t, s, target, bank, c)
		if !ok && !slices.Contains(missing, c.String()) {
			missing = append(missing, c.String())
		}
		return v, ok
	})
	if known {
		return value, nil
	}
	if Memo(t).hearing == asIfOpen {
		missing = slices.DeleteFunc(missing, func(what string) bool { return what == rulebook.AboutTargeted || what == rulebook.AboutMissile })
		return len(missing) == 0, missing
	}
	return false, missing
}

// Skip skips an order that cannot be carried out, and tells the officer who has the order's
// post on this ship (ruling D13). Line 0 means that the order is in no set of this turn.
func Skip(l *rulebook.Rules, t *engine.Turn, s *engine.Ship, post string, line int, text, why string, rule ...cites.Topic) {
	t.Emit(&engine.Skip{Ship: s.ID, Post: rulebook.Station(s.Crew, post), Line: line, Order: text, Reason: why},
		engine.SeeOnly(s.ID), l.Cite(append([]cites.Topic{cites.SkippedOrders}, rule...)...)...)
}

// Unknown tells the officer who has an order's post that the order's condition could not be
// decided.
func Unknown(l *rulebook.Rules, t *engine.Turn, s *engine.Ship, post string, line int, text string, missing []string) {
	t.Emit(&engine.Skip{
		Ship: s.ID, Post: rulebook.Station(s.Crew, post), Line: line, Order: text,
		Reason: "\"" + strings.Join(missing, "\", \"") + "\" cannot be known: the condition counts as not met",
	}, engine.SeeOnly(s.ID), l.Cite(cites.Conditions)...)
}

func fact(l *rulebook.Rules, t *engine.Turn, s *engine.Ship, target engine.ShipID, bank *ship.Bank, c *orders.Cond) (value, known bool) {
	n := Memo(t)
	foe, seen := l.Shown(t.Game, s, target)
	seen = seen && l.Aware(t.Game, s, foe)
	if fact, ok := l.Facts[c.Subject]; ok {
		q := rulebook.Question{Rules: l, Turn: t, Ship: s, Named: string(target), Test: c}
		if seen {
			q.Target = foe
		}
		return fact(q)
	}
	switch c.Subject {
	case rulebook.AboutTargeted, rulebook.AboutMissile:
		missile, declared := n.declared[s.ID]
		declared = declared && (missile || c.Subject == rulebook.AboutTargeted) && n.hearing != asIfNone
		return declared, declared || n.hearing != asIfOpen
	case dark.AboutHeard:
		return dark.In(t).Heard(s), true
	case "damaged":
		return ship.Of(s).Hurt, true
	case "shield SHIELD":
		a, _ := c.Arg("SHIELD")
		return c.Holds(ship.Of(s).Shields[a.Num-1].Now), true
	case rulebook.ShieldOf:
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
		return c.Holds(odds(l, t, s, foe, bank)), true
	}
	return false, false
}

// arcLetter returns the arc that a condition's word means.
func arcLetter(word string) string {
	return map[string]string{"forward": "f", "port": "p", "starboard": "s", "aft": "a"}[strings.ToLower(word)]
}

// odds returns the chance in per cent that a weapon of a ship hits another now.
func odds(l *rulebook.Rules, t *engine.Turn, s, target *engine.Ship, b *ship.Bank) int {
	v := &rulebook.Volley{Ship: s, Target: target, Rng: hex.Distance(s.Hex, target.Hex)}
	for v.Bank = range ship.Of(s).Banks {
		if &ship.Of(s).Banks[v.Bank] == b {
			break
		}
	}
	number := l.ToHit(b.Chart, v.Rng)
	if number == 0 {
		return 0
	}
	need, _, _ := aim(l, t, v, number)
	return l.Percent(need)
}

// aim computes a to-hit number (stcs 4.3), with its modifiers and their topics.
func aim(l *rulebook.Rules, t *engine.Turn, v *rulebook.Volley, number int) (need int, mods []ship.Modifier, rules []cites.Topic) {
	need, mods = number, []ship.Modifier{}
	for _, m := range l.Modifiers {
		if name, value, rule := m(l, t, v); value != 0 {
			need += value
			mods = append(mods, ship.Modifier{Name: name, Value: value})
			rules = append(rules, rule...)
		}
	}
	return need, mods, rules
}
