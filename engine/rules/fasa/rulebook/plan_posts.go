package rulebook

import (
	"fmt"

	"starpost/engine/rules/fasa/ship"
	"starpost/engine/rules/fasa/tables"
	"starpost/engine/tactical"
)

// armWant is what helm wants for a mount.
type armWant struct{ Bank, Mount, Power, shots int }

// shieldWant is what science wants for a shield.
type shieldWant struct{ Number, Points int }

// Wants is what helm and science want, in the order written.
type Wants struct {
	Arms    []armWant
	Shields []shieldWant
}

// Fit arms weapons and raises shields in the order written until the totals are used, and
// says what is left over. A mount that gets less power is armed for as many shots as it has a
// unit for, since each takes one (stcs 14.2).
func (w Wants) Fit(sys *ship.State, p *ship.PowerSet, o Totals) (arms, shields []string) {
	left := o.Weapons
	p.Armed, p.Shots, p.Weapons = map[string][]int{}, nil, 0
	for _, a := range w.Arms {
		b := &sys.Banks[a.Bank]
		power := min(a.Power, left)
		if b.Kind != tables.Beam && power < a.Power {
			power = 0 // it is armed or it is not
		}
		shots := min(a.shots, power)
		if power < a.Power {
			left := fmt.Sprintf("%s gets %d of %d power", ship.MountName(b, a.Mount), power, a.Power)
			if power > 0 && shots < a.shots {
				left += fmt.Sprintf(", for %d of %d shots", shots, a.shots)
			}
			arms = append(arms, left)
		}
		if power == 0 {
			continue
		}
		if p.Armed[b.ID] == nil {
			p.Armed[b.ID] = make([]int, len(b.Mounts))
		}
		p.Armed[b.ID][a.Mount] += power
		if shots > 1 {
			p.ArmFor(b, a.Mount, shots)
		}
		p.Weapons += power
		left -= power
	}
	most := sys.Design.Shield.Points(o.Shields)
	p.ShieldPoints = make([]int, 6)
	for _, s := range w.Shields {
		points := min(s.Points, most)
		if points < s.Points {
			shields = append(shields, fmt.Sprintf("shield %d gets %d of %d points", s.Number, points, s.Points))
		}
		p.ShieldPoints[s.Number-1] += points
		most -= points
	}
	p.Shields = sys.Design.Shield.Cost(tactical.Sum(p.ShieldPoints))
	return arms, shields
}

// fits tells whether a set is one of several that make up a ship's orders: then what is too
// much is no mistake, but left over.
func (c *Compiler) fits() bool { return c.Post != "" }

// OneOfSeveral tells whether a set is looked at by itself that is one of several: what others
// order is not known then.
func (c *Compiler) OneOfSeveral() bool { return c.fits() && c.Tell }

// Totals are what the engineer gives to systems, in power units (stcs 22.2).
type Totals struct {
	Line                          int
	Text                          string
	Move, Weapons, Shields, Cloak int
	Given                         bool
}
