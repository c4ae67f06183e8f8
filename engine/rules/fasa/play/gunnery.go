package play

import (
	"fmt"
	"slices"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/engine/rules/fasa/cites"
	"starpost/engine/rules/fasa/rulebook"
	"starpost/engine/rules/fasa/ship"
	"starpost/engine/rules/fasa/tables"
	"starpost/orders"
)

// strike rolls against a to-hit number: a die at or below it hits (stcs 4.3), and perhaps a
// slim chance (stcs 14.1). name is that of the roll within the phase.
func strike(l *rulebook.Rules, t *engine.Turn, v *rulebook.Volley, name engine.RollName, need int) rulebook.ShotRoll {
	see := l.Show(t.Game, []*engine.Ship{v.Ship, v.Target}, v.Ship.ID, v.Target.ID)
	if l.HideShotDetails {
		see = engine.SeeOnly(v.Ship.ID)
	}
	s := rulebook.ShotRoll{Need: need, Named: t.RollName(name).String()}
	throw := func(name engine.RollName, topic cites.Topic) int {
		value := t.Roll(name, dice.D10, see, l.Cite(topic)...)
		if t.Traced() {
			s.Thrown = append(s.Thrown, t.Last())
		}
		return value
	}
	s.Roll = throw(name, cites.ToHit)
	s.Hit, s.Slim = l.Attempt(need, s.Roll, func() int { return throw(name.And("slim"), cites.SlimChance) })
	return s
}

// seen returns who sees a shot. Only firer and target know how the weapon was armed; in a book
// that hides the details of shots only the firer does, who then also alone sees the numbers of
// the shot, which would reveal casualties and repairs.
func seen(l *rulebook.Rules, t *engine.Turn, v *rulebook.Volley) engine.See {
	ends := []*engine.Ship{v.Ship, v.Target}
	if l.HideShotDetails {
		return l.Show(t.Game, ends, v.Ship.ID)
	}
	return l.Show(t.Game, ends, v.Ship.ID, v.Target.ID).And(ship.FireDice)
}

// Beams returns the rules of beams: they take power up to a maximum, which is their damage (stcs 3.4, 4.3).
func Beams() rulebook.Gunnery {
	return rulebook.Gunnery{
		Name: tables.Beam,
		Arm: func(c *rulebook.Compiler, b *ship.Bank, m, want int, pos orders.Pos) (int, bool) {
			switch {
			case want < 0:
				c.Fail(pos, "E107", fmt.Sprintf("1 to %d for each mount, for example: arm %s %d", b.Most(m), b.ID, b.Most(m)), "how much power for %s?", b.ID)
				return 0, false
			case want > b.Most(m)*c.Plan.Power.ShotsOf(b.ID, m):
				c.Fail(pos, "E107", fmt.Sprintf("at most %d", b.Most(m)*c.Plan.Power.ShotsOf(b.ID, m)), "%s cannot take %d power", ship.MountName(b, m), want)
				return 0, false
			}
			return want, true
		},
		Deal: func(b *ship.Bank, v *rulebook.Volley, m int, _ rulebook.ShotRoll) (int, int) {
			return charge(v, m), b.BonusAt(v.Rng)
		},
	}
}

// charge returns the power of a mount's shot.
func charge(v *rulebook.Volley, mount int) int { return v.Power[slices.Index(v.Mounts, mount)] }

// Missiles returns the rules of missiles: they take a fixed power and do the same damage at every range.
func Missiles() rulebook.Gunnery {
	return rulebook.Gunnery{
		Name: tables.Missile, Dodged: true,
		Arm: func(c *rulebook.Compiler, b *ship.Bank, m, want int, pos orders.Pos) (int, bool) {
			if want >= 0 && want != b.Arm {
				c.Fail(pos, "E109", fmt.Sprintf("write arm %s alone", ship.MountName(b, m)), "%s takes %d power to arm, not %d", ship.MountName(b, m), b.Arm, want)
				return 0, false
			}
			return b.Arm, true
		},
		Deal: func(b *ship.Bank, _ *rulebook.Volley, _ int, _ rulebook.ShotRoll) (int, int) { return b.Damage, 0 },
	}
}

// OlderWeapons returns further topics for the weapons of older ships.
func OlderWeapons(b *ship.Bank) []cites.Topic {
	switch {
	case b.Shots > 1:
		return []cites.Topic{cites.Lasers}
	case b.Family == shells:
		return []cites.Topic{cites.AcceleratorCannons}
	}
	return nil
}

// shells is the family of accelerator cannons, which work like missiles
// (stcs 14.3).
const shells = "accelerator cannon"

// absorb lets a shield take a hit (stcs 4.6), and returns what gets through and the event.
func absorb(l *rulebook.Rules, t *engine.Turn, h rulebook.Hit, shield, damage int) (through int, event engine.Ref) {
	before := ship.Of(h.Target).Shields[shield-1].Now
	took := min(before, damage)
	event = t.Because(h.Cause).Emit(&ship.ShieldHit{
		Ship: h.Target.ID, From: h.From, Weapon: h.Weapon, Mount: h.Mount, Shield: shield,
		Before: before, Absorbed: took, After: before - took, Through: damage - took,
	}, l.Felt(t.Game, h), l.Cite(cites.ShieldDamage)...) // the shield's remaining points take a question to learn
	return damage - took, event
}
