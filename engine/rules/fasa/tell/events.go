package tell

import (
	"fmt"
	"strings"

	"starpost/engine"
	"starpost/engine/dark"
	"starpost/engine/family"
	"starpost/engine/rules/fasa/rulebook"
	"starpost/engine/rules/fasa/ship"
	"starpost/engine/tactical"
)

// Told says how events of a type are told, in one row.
type Told[T any] = family.Told[*Narrator, *rulebook.Rules, *T]

// Event is such a row with its type. Events of a part are listed with the part, all others in [CommonEvents].
type Event = family.Event[*Narrator, *rulebook.Rules]

// CommonEvents returns the events of all books, and what books add to events that are listed elsewhere.
func CommonEvents(standing []string) []Event {
	all, science := rulebook.Posts(), []string{ship.PostScience}
	orders := family.Own("standing", Told[ship.StandingSet]{Alone: standingSetWords})
	orders.Type.ReadInto(ship.StandingSets(standing))
	return []Event{
		orders,
		family.Own("power", Told[ship.PowerSet]{Tell: (*Narrator).power, Why: whyPower, Posts: all}),
		family.Own("advantage", Told[ship.Advantage]{Tell: (*Narrator).advantage, Why: whyAdvantage, Posts: all}),
		family.Own("declare", Told[ship.Declare]{Alone: declareWords, Posts: all}),
		family.Own("fire", Told[ship.Fire]{Tell: (*Narrator).volley, Why: whyFire, Unknown: rulebook.FireInTheDark, Sees: func(b *ship.Fire, on engine.ShipID, post string) bool {
			return post == ship.PostWeapons && b.Ship == on
		}}),
		family.Own("fire-seen", Told[rulebook.FireSeen]{Tell: (*Narrator).fireSeen, Sees: func(b *rulebook.FireSeen, on engine.ShipID, post string) bool {
			return post == ship.PostWeapons || b.Ship != on // all on the bridge see what others fire
		}}, engine.InPlace),
		family.Own("shield", Told[ship.ShieldHit]{Alone: shieldHitWords, Why: whyShield, Unknown: rulebook.ShieldInTheDark, Posts: science}),
		family.Own("shield-seen", Told[rulebook.ShieldSeen]{Tell: (*Narrator).shieldSeen, Posts: science}, engine.InPlace),
		family.Own("damage", Told[ship.Damage]{Tell: (*Narrator).damage, Why: whyDamage, Unknown: rulebook.DamageInTheDark, Sees: seesDamage}),
		family.Own("damage-seen", Told[rulebook.DamageSeen]{Sees: func(b *rulebook.DamageSeen, on engine.ShipID, post string) bool {
			return seesDamage((*ship.Damage)(b), on, post)
		}}, engine.InPlace),
		family.Own("shed", Told[ship.Shed]{Tell: (*Narrator).shed, Why: whyShed}),
		family.Own("repower", Told[ship.Repower]{Tell: (*Narrator).repower, Posts: science, Why: func(*rulebook.Rules, *engine.Story, int, *ship.Repower) []string {
			return []string{"powered shields come up again between phases"}
		}}),
		family.Also(Told[engine.Roll]{Unknown: rulebook.RollInTheDark, Sees: seesRoll}),
		family.Also(Told[engine.Skip]{Sees: func(b *engine.Skip, on engine.ShipID, post string) bool { return b.Ship == on && b.Post == post }}),
		family.Also(Told[engine.Absent]{Sees: func(b *engine.Absent, _ engine.ShipID, post string) bool { return b.Post == post }}),
		family.Also(Told[engine.Out]{Why: whyOut, Posts: all}),
		family.Also(Told[engine.Move]{Posts: all}), family.Also(Told[engine.Arrive]{Posts: all}), family.Also(Told[engine.Score]{Posts: all}),
		family.Also(Told[engine.Won]{Posts: all}), family.Also(Told[engine.Luck]{Posts: all}), family.Also(Told[engine.Talk]{Posts: all}),
		family.Also(Told[engine.Relieved]{Posts: all}),
		family.Also(Told[dark.SensorContact]{Posts: all}), family.Also(Told[dark.ChartEntry]{Posts: all}), family.Also(Told[dark.Overheard]{Posts: all}),
		family.Also(Told[dark.OutSeen]{Posts: all}),
		family.Also(Told[dark.LabWork]{Posts: science}), family.Also(Told[dark.SheetDrawn]{Posts: science}),
		family.Also(Told[dark.Nature]{Posts: science}), family.Also(Told[dark.Spotted]{Posts: science}),
	}
}

func standingSetWords(_ *rulebook.Rules, v *engine.View, b *ship.StandingSet) string {
	return fmt.Sprintf("%s changes her standing orders: shield %s, power cut in the order %s, without orders %s",
		v.Name(b.Ship), b.Choose, strings.Join(rulebook.ShedWords(b.Standing), ", "), b.Missing)
}

func whyPower(_ *rulebook.Rules, _ *engine.Story, _ int, b *ship.PowerSet) []string {
	return []string{fmt.Sprintf("engine power %d; %d to movement, %d to shields, %d to weapons, %s%d unused", b.Available, b.Movement, b.Shields, b.Weapons, cloakShare(b.Cloak)+labsShare(b.Labs), b.Unused)}
}

func whyAdvantage(_ *rulebook.Rules, s *engine.Story, _ int, b *ship.Advantage) []string {
	return []string{"best last: " + strings.Join(names(s, b.Order), ", ") + "; by " + b.How}
}

func declareWords(_ *rulebook.Rules, v *engine.View, b *ship.Declare) string {
	return fmt.Sprintf("%s declares fire of %s (mounts %s) at %s", v.Name(b.Ship), b.Weapon, tactical.JoinInts(b.Mounts), v.Name(b.Target))
}

func shieldHitWords(_ *rulebook.Rules, v *engine.View, b *ship.ShieldHit) string {
	return v.Name(b.Ship) + ", " + shieldWords(b)
}

func whyShield(_ *rulebook.Rules, _ *engine.Story, _ int, b *ship.ShieldHit) []string {
	return []string{fmt.Sprintf("shield %d stands at %d: it takes %d of %d points, %d go through", b.Shield, b.Before, b.Absorbed, b.Absorbed+b.Through, b.Through)}
}

// seesDamage reports whether an officer sees what a hit did inside: science all, others what it did to their own post.
func seesDamage(b *ship.Damage, on engine.ShipID, post string) bool {
	switch {
	case post == ship.PostScience:
		return true
	case b.Ship != on:
		return false
	case post == ship.PostEngineer:
		return b.Power != nil || len(b.Engines) > 0
	}
	return post == ship.PostWeapons && b.Lost != nil
}

func (n *Narrator) shed(b *ship.Shed, cite string) {
	n.Line(0, cite, fmt.Sprintf("%s produces less power than was allotted: %d of %d kept", n.View.Name(b.Ship), b.Power.After, b.Power.Before))
	for _, d := range b.Detail {
		n.Line(1, "", d)
	}
}

func whyShed(_ *rulebook.Rules, _ *engine.Story, _ int, b *ship.Shed) []string {
	return []string{fmt.Sprintf("%d power was allotted, but the engines produce less: cut to %d", b.Power.Before, b.Power.After)}
}

func whyOut(_ *rulebook.Rules, _ *engine.Story, _ int, b *engine.Out) []string {
	if b.How != "" {
		return []string{b.How}
	}
	return nil
}
