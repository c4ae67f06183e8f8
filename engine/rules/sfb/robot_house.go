package sfb

import (
	"fmt"
	"slices"
	"strings"

	"starpost/engine"
	"starpost/engine/hex"
)

// What the robot of the house rules does: it comes on fast from afar, keeps a range at which its
// scenarios are even, and fires all it has once there, but for phasers that wait for drones. What
// no line took stays in reserve for the shield that is struck.
const (
	houseRange   = 5
	houseFar     = 14 // hexes from which on it goes at warp 2.5
	houseLate    = 12 // within which it fires what cannot be kept, on the last impulse
	houseTorpedo = 8  // ... and torpedoes
	houseKept    = 2  // phasers at most that wait for drones
	houseReserve = 6  // points up to which it fills a shield that is struck
)

// houseRobot writes an order set by the house rules.
func (l *rulebook) houseRobot(v *engine.View, s *engine.ShipView, sys *System) string {
	foe := nearest(v, s)
	round := max(1, v.DueRound())
	var b strings.Builder
	silent := sys.NoFire
	if round == 1 {
		speed := 8
		if foe == nil || hex.Distance(*s.Hex, *foe.Hex) > houseFar {
			speed = 16
		}
		power := l.allotment(sys, speed, -1, true, false)
		silent = noFireControl(power)
		b.WriteString(power)
	}
	upto := l.Rounds
	if v.Rounds > 0 {
		upto = round
	}
	for n := round; n <= upto && foe != nil; n++ {
		fmt.Fprintf(&b, "phase %d\n", n)
		say := func(order string, args ...any) { fmt.Fprintf(&b, "  "+order+"\n", args...) }
		say("face %s when range <= %d", nearestEnemy, houseRange)
		say("pursue %s to %d", nearestEnemy, houseRange)
		if silent {
			continue
		}
		if racks := l.loaded(sys); len(racks) > 0 {
			say("launch %s at %s when range <= 12 and range >= 2", strings.Join(racks, " "), nearestEnemy)
		}
		say("fire heavy at %s when range <= %d", nearestEnemy, houseRange+1)
		if keep := kept(v, s, sys); len(keep) == 0 {
			say("fire phasers at %s when range <= %d", nearestEnemy, houseRange+1)
		} else {
			if rest := sys.names(func(b *Bank) bool { return b.Kind.Phaser() && b.Left > 0 && !slices.Contains(keep, b.Name) }); len(rest) > 0 {
				say("fire %s at %s when range <= %d", strings.Join(rest, " "), nearestEnemy, houseRange+1)
			}
			say("fire %s at %s when range <= %d and drones = 0", strings.Join(keep, " "), nearestEnemy, houseRange+1)
		}
		if n == l.Rounds {
			say("fire all at %s on %d when range <= %d", nearestEnemy, l.Impulses, houseTorpedo)
			say("fire phasers at %s on %d when range <= %d", nearestEnemy, l.Impulses, houseLate)
			if len(sys.names(func(b *Bank) bool { return b.Left > 0 && b.Kind == Disruptor })) > 0 {
				say("fire %s at %s on %d when range <= %d", Disruptor, nearestEnemy, l.Impulses, houseLate)
			}
		}
	}
	standing := sys.Standing
	if len(standing.Guard) == 0 && threatened(v, s) {
		if phasers := sys.names(func(b *Bank) bool { return b.Kind.Phaser() && b.Left > 0 }); len(phasers) > 0 {
			standing.Guard = []Guard{{Weapons: phasers, Within: 1}}
		}
	}
	if len(standing.Reinforce) == 0 {
		standing.Reinforce = []Reinforcing{{UpTo: houseReserve}}
	}
	if standing.Choose == "" {
		standing.Choose = strongest
	}
	b.WriteString(standing.text())
	return b.String() + "final\n"
}

// kept are the phasers that wait for drones: one for each that seeks a ship or that the enemy
// can launch next.
func kept(v *engine.View, s *engine.ShipView, sys *System) []string {
	drones := 0
	for _, o := range v.Ships {
		if known, ok := openOf(o); ok && o.Side != s.Side && o.Hex != nil {
			if f := known.Flight; f != nil && f.Target == s.ID {
				drones++
			} else if f == nil {
				drones += known.Sheet.Count(DroneRack).Left
			}
		}
	}
	phasers := sys.names(func(b *Bank) bool { return b.Kind.Phaser() && b.Left > 0 })
	return phasers[len(phasers)-min(drones, houseKept, len(phasers)):]
}

// noFireControl tells whether a set's power does without fire control.
func noFireControl(power string) bool { return strings.Contains(power, "\n  fire-control off\n") }
