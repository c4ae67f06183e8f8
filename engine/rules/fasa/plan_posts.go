package fasa

import (
	"fmt"

	"starpost/engine/rules/fasa/ship"
	"starpost/engine/rules/fasa/tables"
	"starpost/engine/tactical"
)

// armWant is what helm wants for a mount.
type armWant struct{ bank, mount, power, shots int }

// shieldWant is what science wants for a shield.
type shieldWant struct{ number, points int }

// wants is what helm and science want, in the order written.
type wants struct {
	arms    []armWant
	shields []shieldWant
}

// fit arms weapons and raises shields in the order written until the totals are used, and
// says what is left over. A mount that gets less power is armed for as many shots as it has a
// unit for, since each takes one (stcs 14.2).
func (w wants) fit(sys *ship.State, p *ship.PowerSet, o totals) (arms, shields []string) {
	left := o.weapons
	p.Armed, p.Shots, p.Weapons = map[string][]int{}, nil, 0
	for _, a := range w.arms {
		b := &sys.Banks[a.bank]
		power := min(a.power, left)
		if b.Kind != tables.Beam && power < a.power {
			power = 0 // it is armed or it is not
		}
		shots := min(a.shots, power)
		if power < a.power {
			left := fmt.Sprintf("%s gets %d of %d power", ship.MountName(b, a.mount), power, a.power)
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
		p.Armed[b.ID][a.mount] += power
		if shots > 1 {
			p.ArmFor(b, a.mount, shots)
		}
		p.Weapons += power
		left -= power
	}
	most := sys.Design.Shield.Points(o.shields)
	p.ShieldPoints = make([]int, 6)
	for _, s := range w.shields {
		points := min(s.points, most)
		if points < s.points {
			shields = append(shields, fmt.Sprintf("shield %d gets %d of %d points", s.number, points, s.points))
		}
		p.ShieldPoints[s.number-1] += points
		most -= points
	}
	p.Shields = sys.Design.Shield.Cost(tactical.Sum(p.ShieldPoints))
	return arms, shields
}

// fits tells whether a set is one of several that make up a ship's orders: then what is too
// much is no mistake, but left over.
func (c *compiler) fits() bool { return c.post != "" }

// oneOfSeveral tells whether a set is looked at by itself that is one of several: what others
// order is not known then.
func (c *compiler) oneOfSeveral() bool { return c.fits() && c.tell }

// totals are what the engineer gives to systems, in power units (stcs 22.2).
type totals struct {
	line                          int
	text                          string
	move, weapons, shields, cloak int
	given                         bool
}
