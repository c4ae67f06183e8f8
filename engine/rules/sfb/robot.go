package sfb

import (
	"fmt"
	"strings"

	"starpost/engine"
	"starpost/engine/hex"
)

// What the robot of the handbook does: speed 12, the chase, and all fire when it is first
// within 4 hexes, else on the last impulse. It closes to 3, where its scenarios are even.
const (
	robotSpeed = 12
	robotRange = 4
)

// robot writes an order set for a ship.
func (l *rulebook) robot(v *engine.View, id string) string {
	s, sys, ok := own(v, id)
	if !ok || s.Status != engine.Active {
		return ""
	}
	foe := nearest(v, s)
	round := max(1, v.DueRound())
	var b strings.Builder
	if round == 1 {
		side := 0
		if foe != nil {
			side, _ = facing(engine.Place{Hex: *s.Hex, Heading: *s.Heading}, *foe.Hex)
		}
		b.WriteString(l.allotment(sys, robotSpeed, side, true))
	}
	upto := l.Rounds
	if v.Rounds > 0 {
		upto = round
	}
	for n := round; n <= upto && foe != nil; n++ {
		fmt.Fprintf(&b, "phase %d\n", n)
		fmt.Fprintf(&b, "  pursue %s to 3\n", nearestEnemy)
		if racks := l.loaded(sys); len(racks) > 0 {
			fmt.Fprintf(&b, "  launch %s at %s when range <= 12 and range >= 2\n", strings.Join(racks, " "), nearestEnemy)
		}
		fmt.Fprintf(&b, "  fire all at %s when range <= %d\n", nearestEnemy, robotRange)
		if n == l.Rounds {
			fmt.Fprintf(&b, "  fire all at %s on %d\n", nearestEnemy, l.Impulses)
		}
	}
	standing := sys.Standing
	if len(standing.Guard) == 0 && threatened(v, s) {
		if phasers := sys.names(func(b *Bank) bool { return b.Kind.Phaser() && b.Left > 0 }); len(phasers) > 0 {
			standing.Guard = []Guard{{Weapons: phasers, Within: 1}}
		}
	}
	b.WriteString(standing.text())
	return b.String() + "final\n"
}

// loaded are the racks with drones in them, and the plasma launchers armed by now.
func (l *rulebook) loaded(sys *System) (out []string) {
	for w := range sys.Weapons {
		b := sys.bank(w)
		ready := sys.Weapons[w].Drones > 0
		if b.Kind != DroneRack {
			ready = sys.Weapons[w].Armed >= l.Charts[b.Kind].Turns-1
		}
		if b.Kind.launches() && b.Left > 0 && ready {
			out = append(out, b.Name)
		}
	}
	return out
}

// threatened tells whether an enemy has drones, in flight or in racks.
func threatened(v *engine.View, s *engine.ShipView) bool {
	for _, o := range v.Ships {
		if o.Side == s.Side || o.Hex == nil || hex.Distance(*s.Hex, *o.Hex) > 60 {
			continue
		}
		if known, ok := openOf(o); ok && (known.Flight != nil || known.Sheet.Count(DroneRack).Left > 0) {
			return true
		}
	}
	return false
}
