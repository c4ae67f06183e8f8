package fasa

import (
	"fmt"
	"slices"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/engine/rules/fasa/cites"
	"starpost/engine/rules/fasa/ship"
	"starpost/orders"
)

// strike rolls against a to-hit number: a die that is not above it hits (stcs 4.3),
// and perhaps a slim chance (stcs 14.1). Name is that of the roll within the phase.
func (l *rulebook) strike(t *engine.Turn, v *volley, name engine.RollName, need int) shotRoll {
	see := l.show(t.Game, []*engine.Ship{v.ship, v.target}, v.ship.ID, v.target.ID)
	if l.hideShotDetails {
		see = engine.SeeOnly(v.ship.ID)
	}
	s := shotRoll{need: need, named: t.RollName(name).String()}
	throw := func(name engine.RollName, topic cites.Topic) int {
		value := t.Roll(name, dice.D10, see, l.cite(topic)...)
		if t.Traced() {
			s.thrown = append(s.thrown, t.Last())
		}
		return value
	}
	s.roll = throw(name, cites.ToHit)
	s.hit, s.slim = l.attempt(need, s.roll, func() int { return throw(name.And("slim"), cites.SlimChance) })
	return s
}

// seen is who sees a shot. How the weapon was armed is the firer's and the target's
// own knowledge; in a book that hides the details of shots the firer's alone, and so are the
// numbers of the shot, which would tell of casualties and repairs.
func (l *rulebook) seen(t *engine.Turn, v *volley) engine.See {
	ends := []*engine.Ship{v.ship, v.target}
	if l.hideShotDetails {
		return l.show(t.Game, ends, v.ship.ID)
	}
	return l.show(t.Game, ends, v.ship.ID, v.target.ID).And(ship.FireDice)
}

// beams take power up to their maximum, which is their damage (stcs 3.4, 4.3).
func beams() gunnery {
	return gunnery{
		arm: func(c *compiler, b *ship.Bank, m, want int, pos orders.Pos) (int, bool) {
			switch {
			case want < 0:
				c.fail(pos, "E107", fmt.Sprintf("1 to %d for each mount, such as: arm %s %d", b.Most(m), b.ID, b.Most(m)), "how much power for %s?", b.ID)
				return 0, false
			case want > b.Most(m)*c.p.power.ShotsOf(b.ID, m):
				c.fail(pos, "E107", fmt.Sprintf("at most %d", b.Most(m)*c.p.power.ShotsOf(b.ID, m)), "%s cannot take %d power", ship.MountName(b, m), want)
				return 0, false
			}
			return want, true
		},
		deal: func(b *ship.Bank, v *volley, m int, _ shotRoll) (int, int) { return v.charge(m), b.BonusAt(v.rng) },
	}
}

// charge is the power of a mount's shot.
func (v *volley) charge(mount int) int { return v.power[slices.Index(v.mounts, mount)] }

// missiles take just their own power, and do the same damage at every range.
func missiles() gunnery {
	return gunnery{
		arm: func(c *compiler, b *ship.Bank, m, want int, pos orders.Pos) (int, bool) {
			if want >= 0 && want != b.Arm {
				c.fail(pos, "E109", fmt.Sprintf("write arm %s alone", ship.MountName(b, m)), "%s takes %d power to arm, not %d", ship.MountName(b, m), b.Arm, want)
				return 0, false
			}
			return b.Arm, true
		},
		deal: func(b *ship.Bank, _ *volley, _ int, _ shotRoll) (int, int) { return b.Damage, 0 },
	}
}

// olderWeapons are the topics of the weapons of older ships.
func olderWeapons(b *ship.Bank) []cites.Topic {
	switch {
	case b.Shots > 1:
		return []cites.Topic{cites.Lasers}
	case b.Family == shells:
		return []cites.Topic{cites.AcceleratorCannons}
	}
	return nil
}

// shells is the family of accelerator cannons, which are missiles in all they do
// (stcs 14.3).
const shells = "accelerator cannon"
