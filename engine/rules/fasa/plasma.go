package fasa

import (
	"fmt"
	"strings"

	"starpost/engine/rules/fasa/cites"
	"starpost/engine/rules/fasa/ship"
	"starpost/orders"
)

// plasma launchers are armed as missiles are. What a bolt does depends on the range,
// and a hit by no more than the die that it takes only grazes. What gets through is
// spread in blocks (stcs 9.2, 9.4, ruling D33). Where a course lets them be armed with
// half of their power the bolt does half of its damage (stcs 14.4).
func plasma(half bool) gunnery {
	g := gunnery{
		arm: missiles().arm,
		deal: func(b *ship.Bank, v *volley, m int, s shotRoll) (int, int) {
			full, graze := ship.Bolt(b, v.rng)
			if grazes(s) {
				full = graze
			}
			if b.Mounts[m].Armed < b.Arm {
				full /= 2
			}
			return full, 0
		},
		cite:   []cites.Topic{cites.PlasmaBolts},
		graze:  grazes,
		spread: true,
	}
	if half {
		g.cite, g.half = append(g.cite, cites.HalfPowerPlasma), true
		g.arm = func(c *compiler, b *ship.Bank, m, want int, pos orders.Pos) (int, bool) {
			if want == halfPower(b) {
				return want, true
			}
			if want >= 0 && want != b.Arm {
				c.fail(pos, "E170", fmt.Sprintf("write arm %s alone, or with %d for half", ship.MountName(b, m), halfPower(b)),
					"%s takes %d power to arm, or half of it, %d; not %d", ship.MountName(b, m), b.Arm, halfPower(b), want)
				return 0, false
			}
			return b.Arm, true
		}
	}
	return g
}

// halfPower is what half of the power of a launcher is, rounded up.
func halfPower(b *ship.Bank) int { return (b.Arm + 1) / 2 }

// grazes tells whether a hit only grazes: the die shows just the highest number that
// hits (ruling D33).
func grazes(s shotRoll) bool { return s.hit && s.roll >= min(s.need, 10) }

// boltWords is the damage of a bolt by range.
func boltWords(b *ship.Bank) string {
	var parts []string
	for _, p := range b.Plasma {
		parts = append(parts, fmt.Sprintf("%d/%d at %d-%d", p.Full, p.Graze, p.From, p.To))
	}
	return "a full hit/a graze does " + strings.Join(parts, ", ")
}
