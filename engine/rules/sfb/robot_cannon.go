package sfb

import (
	"starpost/engine"
	"starpost/engine/hex"
	"starpost/engine/rules/sfb/forecast"
	"starpost/engine/rules/sfb/play"
	"starpost/engine/rules/sfb/rulebook"
	"starpost/engine/rules/sfb/sheet"
	"starpost/engine/rules/sfb/state"
	"starpost/orders"
)

// far reports whether a ship that must be kept near is out of range of laboratories.
func far(s, follow *engine.ShipView) bool {
	return follow != nil && hex.Distance(*s.Hex, *follow.Hex) > houseTorpedo
}

// cannonReach is how many impulses ahead a robot predicts positions for cannon shots.
const cannonReach = 2

// lightUp powers spare laboratories of a robot that has no enemy in sight in the dark, with the energy a set leaves
// beyond spare. Laboratories at work are not counted.
func lightUp(l *rulebook.Rules, v *engine.View, foe *engine.ShipView, sys *state.System, work int, power orders.Set, spare int) []orders.Order {
	if !v.Dark || foe != nil || l.Research.Range == 0 {
		return nil
	}
	n := min(sys.Sheet.Count(sheet.Lab).Left-work, play.Spare(l, sys, power)-spare)
	if n < 1 {
		return nil
	}
	return []orders.Order{orders.Say(rulebook.VerbLabs, n)}
}

// withCannon adds orders to fire cannon at an enemy who, going straight on, will be on a row of hexes from the ship,
// with no ship of her own side in the way. It fires on the first suitable impulse of the given rounds.
func withCannon(l *rulebook.Rules, v *engine.View, s *engine.ShipView, sys *state.System, round, upto int, set orders.Set) orders.Set {
	loaded := sys.Names(func(b *sheet.Bank) bool { return b.Kind.Cannon() && b.Left > 0 })
	if len(loaded) == 0 {
		return set
	}
	path := forecast.Check(l, v, s.ID, *play.Plain(l, set)).Path
	pace := l.Charts[sys.Bank(sys.Weapon(loaded[0])).Kind].Shot.Pace // a ship has cannon of one kind
	begun, _ := l.Span(round)
	_, last := l.Span(upto)
	for i := begun; i <= last; i++ {
		at := s.Stands()
		for _, step := range path {
			if step.Phase <= i {
				at = step.At
			}
		}
		for flown := 1; flown <= cannonReach && i+flown <= l.Impulses; flown++ {
			var nearest [6]int // along each row, the distance to the nearest ship
			var enemy [6]bool
			for _, o := range v.Ships {
				if o.ID == s.ID || o.Kind != engine.KindShip || o.Hex == nil || o.Status != engine.Active || o.Sight != engine.Seen {
					continue
				}
				to := play.StraightOn(l, o, begun, i+flown)
				p, apart := hex.Bearing(at.Hex, to)
				if d := hex.Distance(at.Hex, to); apart && p%4 == 0 && (nearest[p/4] == 0 || d < nearest[p/4]) {
					nearest[p/4], enemy[p/4] = d, o.Side != s.Side
				}
			}
			for row, d := range nearest {
				if enemy[row] && d > (flown-1)*pace && d <= flown*pace {
					if with, ok := set.First("phase", l.PhaseOf(i), orders.Say("fire", loaded, "along", hex.Heading(row), "on", i)); ok {
						return with
					}
					return set
				}
			}
		}
	}
	return set
}
