package sfb

import (
	"slices"

	"starpost/engine"
	"starpost/engine/family"
	"starpost/engine/hex"
	"starpost/engine/rules/sfb/forecast"
	"starpost/engine/rules/sfb/play"
	"starpost/engine/rules/sfb/rulebook"
	"starpost/engine/rules/sfb/sheet"
	"starpost/engine/rules/sfb/state"
	"starpost/engine/rules/sfb/steering"
	"starpost/orders"
)

// firstOrders returns the orders that a teacher would suggest for a ship's first turn: go to the edge where the goals
// want the ship to leave, or come within reach of the ship they name or the nearest enemy; arm what can be armed; and
// strengthen the shield facing the enemy. Remarks suggest further orders. Without an enemy in sight it returns the
// usual template.
func firstOrders(l *rulebook.Rules, v *engine.View, id engine.ShipID) orders.Set {
	s, sys, ok := forecast.Own(v, id)
	if !ok || s.Status != engine.Active || v.Due > 1 || v.DueRound() > 1 {
		return nil
	}
	foe := v.Nearest(s)
	if i := slices.IndexFunc(v.Ships, func(o *engine.ShipView) bool { return o.Name == prey(v, s) }); i >= 0 {
		foe = v.Ships[i]
	}
	usual := template(l, v, id)
	set := usual
	if foe != nil && !sys.Cloaked && sys.Controlled() {
		set = firstAttack(l, v, s, foe, sys)
		if standing, ok := usual.Under("standing", 0); ok {
			set.Add("standing", 0, standing...)
		}
	}
	return family.Teach(l.Self, v, id, set, remarks(foe, sys))
}

// Ranges in hexes within which the first orders fire, and fire on the turn's last impulse: shots not used by then may
// be lost.
const (
	firstReach = 5
	firstLast  = 8
)

// firstAttack returns the power and phase orders of the first orders.
func firstAttack(l *rulebook.Rules, v *engine.View, s, foe *engine.ShipView, sys *state.System) orders.Set {
	at := engine.Place{Hex: *s.Hex, Heading: *s.Heading}
	side, _ := steering.Facing(at, *foe.Hex)
	speed := sys.Speed
	switch {
	case sys.Allotted:
	case hex.Distance(at.Hex, *foe.Hex) > l.MaxSpeed:
		speed = l.MaxSpeed * 3 / 4
	default:
		speed = l.MaxSpeed / 2
	}
	set, pace := play.Allotment(l, sys, speed, side, true, false)
	silent := noFireControl(set)
	upto := l.Rounds
	if v.Rounds > 0 {
		upto = 1
	}
	racks := loaded(l, sys)
	edge, out := v.WayOut(s.ID)
	out = out && v.Bounds != nil
	for n := 1; n <= upto; n++ {
		set.Add("phase", n)
		say := func(words ...any) { set.Say("phase", n, words...) }
		switch moves := l.MovesIn(pace, n); {
		case moves == 0:
		case out:
			set.Add("phase", n, leaveBy(v.Bounds, edge, *s.Hex, *s.Heading, moves))
		default:
			say("pursue", foe.Name, "to", firstReach-2)
		}
		if silent {
			continue
		}
		if len(racks) > 0 {
			say("launch", racks, "at", foe.Name, "when range <= 12 and range >= 2")
		}
		say("fire all at", foe.Name, "when range <=", firstReach)
		if n == l.Rounds {
			say("fire all at", foe.Name, "on", l.Impulses, "when range <=", firstLast)
		}
	}
	return set
}

// remarks returns suggestions for further orders, the most useful first.
func remarks(foe *engine.ShipView, sys *state.System) []family.Remark {
	who := rulebook.NearestEnemy
	if foe != nil {
		who = foe.Name
	}
	var out []family.Remark
	say := func(under string, n int, why string, order ...any) {
		out = append(out, family.Remark{Under: under, N: n, Order: orders.Say(order...), Why: why})
	}
	say("phase", 1, "one kind, once near", "fire phasers at", who, "when range <= 3")
	say("phase", 2, "one kind, once near", "fire phasers at", who, "when range <= 3")
	say("phase", 2, "turn another shield", "face", who, "with 2 when shield 1 < 5")
	say("phase", 3, "where you want to go", "move F L")
	say("phase", 3, "where you want to go", "move L")
	if phasers := sys.Names(func(b *sheet.Bank) bool { return b.Kind.Phaser() && b.Left > 0 }); len(phasers) > 0 {
		say("standing", 0, "shoots at drones", "guard", phasers[0], "within 2")
	}
	say("phase", 1, "after a hit: away", "flee", who, "when damaged")
	say("", 0, "goes into my dice", "luck the owl flies at noon")
	say("", 0, "I need no more time", "final")
	return out
}
