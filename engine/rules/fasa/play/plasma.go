package play

import (
	"fmt"
	"strings"

	"starpost/engine/rules/fasa/cites"
	"starpost/engine/rules/fasa/rulebook"
	"starpost/engine/rules/fasa/ship"
	"starpost/engine/rules/fasa/tables"
	"starpost/orders"
)

// Plasma returns the rules of plasma launchers. They are armed like missiles. A bolt's damage
// depends on the range; a hit with just the number needed only grazes. What gets through is
// spread in blocks (stcs 9.2, 9.4, ruling D33). If half is set, they may be armed with half of
// their power, for half of the damage (stcs 14.4).
func Plasma(half bool) rulebook.Gunnery {
	g := rulebook.Gunnery{
		Name: tables.Plasma, Dodged: true, Evaded: []cites.Topic{cites.PlasmaEvasion},
		Arm: Missiles().Arm,
		Deal: func(b *ship.Bank, v *rulebook.Volley, m int, s rulebook.ShotRoll) (int, int) {
			full, graze := ship.Bolt(b, v.Rng)
			if grazes(s) {
				full = graze
			}
			if b.Mounts[m].Armed < b.Arm {
				full /= 2
			}
			return full, 0
		},
		Cite:   []cites.Topic{cites.PlasmaBolts},
		Graze:  grazes,
		Spread: true,
	}
	if half {
		g.Cite, g.Half = append(g.Cite, cites.HalfPowerPlasma), true
		g.Arm = func(c *rulebook.Compiler, b *ship.Bank, m, want int, pos orders.Pos) (int, bool) {
			if want == HalfPower(b) {
				return want, true
			}
			if want >= 0 && want != b.Arm {
				c.Fail(pos, "E170", fmt.Sprintf("write arm %s alone, or with %d for half", ship.MountName(b, m), HalfPower(b)),
					"%s takes %d power to arm, or half of it, %d; not %d", ship.MountName(b, m), b.Arm, HalfPower(b), want)
				return 0, false
			}
			return b.Arm, true
		}
	}
	return g
}

// HalfPower returns half of a launcher's power, rounded up.
func HalfPower(b *ship.Bank) int { return (b.Arm + 1) / 2 }

// grazes reports whether a hit only grazes: the die shows just the highest number that hits
// (ruling D33).
func grazes(s rulebook.ShotRoll) bool { return s.Hit && s.Roll >= min(s.Need, 10) }

// BoltWords returns the damage of a bolt by range, in words.
func BoltWords(b *ship.Bank) string {
	var parts []string
	for _, p := range b.Plasma {
		parts = append(parts, fmt.Sprintf("%d/%d at %d-%d", p.Full, p.Graze, p.From, p.To))
	}
	return "a full hit/a graze does " + strings.Join(parts, ", ")
}
