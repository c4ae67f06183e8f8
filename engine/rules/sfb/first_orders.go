package sfb

import (
	"fmt"
	"slices"
	"strings"

	"starpost/engine"
	"starpost/engine/family"
	"starpost/engine/hex"
	"starpost/engine/rules/sfb/forecast"
	"starpost/engine/rules/sfb/play"
	"starpost/engine/rules/sfb/rulebook"
	"starpost/engine/rules/sfb/sheet"
	"starpost/engine/rules/sfb/state"
	"starpost/engine/rules/sfb/steering"
)

// firstOrders is what a teacher would have a captain send for a ship's first turn: make for the edge
// by which the goals have it leave, or come within reach of whom they name, or of the nearest enemy; arm what can be armed, strengthen the shield that faces him, and
// remarks on what else may be said. Without an enemy in sight it is the usual offer.
func firstOrders(l *rulebook.Rules, v *engine.View, id engine.ShipID) string {
	s, sys, ok := forecast.Own(v, id)
	if !ok || s.Status != engine.Active || v.Due > 1 || v.DueRound() > 1 {
		return ""
	}
	foe := v.Nearest(s)
	if i := slices.IndexFunc(v.Ships, func(o *engine.ShipView) bool { return o.Name == prey(v, s) }); i >= 0 {
		foe = v.Ships[i]
	}
	usual := template(l, v, id)
	text := usual
	if foe != nil && !sys.Cloaked && sys.Controlled() {
		text = firstAttack(l, v, s, foe, sys)
		if _, standing, ok := strings.Cut(usual, "standing\n"); ok {
			text += "standing\n" + standing
		}
		text = play.Read(l, text).Body() // long lines go on in the next
	}
	return family.Teach(l.Self, v, id, text, remarks(foe, sys))
}

// firstReach is within how many hexes the first orders fire, and firstLast on the turn's last
// impulse: what is not fired by then may be lost.
const (
	firstReach = 5
	firstLast  = 8
)

// firstAttack is the power and the phases of the first orders.
func firstAttack(l *rulebook.Rules, v *engine.View, s, foe *engine.ShipView, sys *state.System) string {
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
	power, pace := play.Allotment(l, sys, speed, side, true, false)
	var b strings.Builder
	b.WriteString(power)
	upto := l.Rounds
	if v.Rounds > 0 {
		upto = 1
	}
	racks := loaded(l, sys)
	edge, out := v.WayOut(s.ID)
	out = out && v.Bounds != nil
	for n := 1; n <= upto; n++ {
		fmt.Fprintf(&b, "phase %d\n", n)
		switch moves := l.MovesIn(pace, n); {
		case moves == 0:
		case out:
			o := &houseOrders{sys: sys}
			leaveBy(o, v.Bounds, edge, *s.Hex, *s.Heading, moves)
			fmt.Fprintf(&b, "  %s\n", strings.Join(o.lines, "\n  "))
		default:
			fmt.Fprintf(&b, "  pursue %s to %d\n", foe.Name, firstReach-2)
		}
		if noFireControl(power) {
			continue
		}
		if len(racks) > 0 {
			fmt.Fprintf(&b, "  launch %s at %s when range <= 12 and range >= 2\n", strings.Join(racks, " "), foe.Name)
		}
		fmt.Fprintf(&b, "  fire all at %s when range <= %d\n", foe.Name, firstReach)
		if n == l.Rounds {
			fmt.Fprintf(&b, "  fire all at %s on %d when range <= %d\n", foe.Name, l.Impulses, firstLast)
		}
	}
	return b.String()
}

// remarks are what may be said beside the first orders, the most useful first.
func remarks(foe *engine.ShipView, sys *state.System) []family.Remark {
	who := rulebook.NearestEnemy
	if foe != nil {
		who = foe.Name
	}
	var out []family.Remark
	say := func(under, why, order string, args ...any) {
		out = append(out, family.Remark{Under: under, Order: fmt.Sprintf(order, args...), Why: why})
	}
	say("phase 1", "one kind, once near", "fire phasers at %s when range <= 3", who)
	say("phase 2", "one kind, once near", "fire phasers at %s when range <= 3", who)
	say("phase 2", "turn another shield", "face %s with 2 when shield 1 < 5", who)
	say("phase 3", "where you want to go", "move F L")
	say("phase 3", "where you want to go", "move L")
	if phasers := sys.Names(func(b *sheet.Bank) bool { return b.Kind.Phaser() && b.Left > 0 }); len(phasers) > 0 {
		say("standing", "shoots at drones", "guard %s within 2", phasers[0])
	}
	say("phase 1", "after a hit: away", "flee %s when damaged", who)
	say("", "goes into my dice", "luck the owl flies at noon")
	say("", "I need no more time", "final")
	return out
}
