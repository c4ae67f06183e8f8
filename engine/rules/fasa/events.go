package fasa

import (
	"fmt"
	"strings"

	"starpost/engine"
	"starpost/engine/dark"
	"starpost/engine/family"
	"starpost/engine/rules/fasa/ship"
	"starpost/engine/tactical"
)

// What is said of an event stands in one row: of those of a part with the part, of all others in commonEvents.
type (
	told[T any] = family.Told[*narrator, *rulebook, T]
	event       = family.Event[*narrator, *rulebook]
)

// commonEvents are those of all books, and what books say of events that have their row elsewhere.
func commonEvents(standing []string) []event {
	all, science := posts(), []string{ship.PostScience}
	orders := family.Own("standing", told[ship.StandingSet]{Alone: standingSetWords})
	orders.Type.ReadInto(ship.StandingSets(standing))
	return []event{
		orders,
		family.Own("power", told[ship.PowerSet]{Tell: (*narrator).power, Why: whyPower, Posts: all}),
		family.Own("advantage", told[ship.Advantage]{Tell: (*narrator).advantage, Why: whyAdvantage, Posts: all}),
		family.Own("declare", told[ship.Declare]{Alone: declareWords, Posts: all}),
		family.Own("fire", told[ship.Fire]{Tell: (*narrator).volley, Why: whyFire, Unknown: fireInTheDark, Sees: func(b *ship.Fire, on engine.ShipID, post string) bool {
			return post == ship.PostWeapons && b.Ship == on
		}}),
		family.Own("fire-seen", told[fireSeen]{Tell: (*narrator).fireSeen, Sees: func(b *fireSeen, on engine.ShipID, post string) bool {
			return post == ship.PostWeapons || b.Ship != on // what others fire is seen from the bridge
		}}, engine.InPlace),
		family.Own("shield", told[ship.ShieldHit]{Alone: shieldHitWords, Why: whyShield, Unknown: shieldInTheDark, Posts: science}),
		family.Own("shield-seen", told[shieldSeen]{Tell: (*narrator).shieldSeen, Posts: science}, engine.InPlace),
		family.Own("damage", told[ship.Damage]{Tell: (*narrator).damage, Why: whyDamage, Unknown: damageInTheDark, Sees: seesDamage}),
		family.Own("damage-seen", told[damageSeen]{Sees: func(b *damageSeen, on engine.ShipID, post string) bool {
			return seesDamage((*ship.Damage)(b), on, post)
		}}, engine.InPlace),
		family.Own("shed", told[ship.Shed]{Tell: (*narrator).shed, Why: whyShed}),
		family.Own("repower", told[ship.Repower]{Tell: (*narrator).repower, Posts: science, Why: func(*rulebook, *engine.Story, int, *ship.Repower) []string {
			return []string{"shields that power was allotted to come up again between the phases"}
		}}),
		family.Also(told[engine.Roll]{Unknown: rollInTheDark, Sees: seesRoll}),
		family.Also(told[engine.Skip]{Sees: func(b *engine.Skip, on engine.ShipID, post string) bool { return b.Ship == on && b.Post == post }}),
		family.Also(told[engine.Absent]{Sees: func(b *engine.Absent, _ engine.ShipID, post string) bool { return b.Post == post }}),
		family.Also(told[engine.Out]{Why: whyOut, Posts: all}),
		family.Also(told[engine.Move]{Posts: all}), family.Also(told[engine.Arrive]{Posts: all}), family.Also(told[engine.Score]{Posts: all}),
		family.Also(told[engine.Won]{Posts: all}), family.Also(told[engine.Luck]{Posts: all}), family.Also(told[engine.Talk]{Posts: all}),
		family.Also(told[engine.Relieved]{Posts: all}),
		family.Also(told[dark.SensorContact]{Posts: all}), family.Also(told[dark.ChartEntry]{Posts: all}), family.Also(told[dark.Overheard]{Posts: all}),
		family.Also(told[dark.OutSeen]{Posts: all}),
		family.Also(told[dark.LabWork]{Posts: science}), family.Also(told[dark.SheetDrawn]{Posts: science}),
		family.Also(told[dark.Nature]{Posts: science}), family.Also(told[dark.Spotted]{Posts: science}),
	}
}

func standingSetWords(_ *rulebook, v *engine.View, b *ship.StandingSet) string {
	return fmt.Sprintf("%s has these standing orders from now on: shield %s, power is cut in the order %s, without orders %s",
		v.Name(b.Ship), b.Choose, strings.Join(shedWords(b.Standing), ", "), b.Missing)
}

func whyPower(_ *rulebook, _ *engine.Story, _ int, b *ship.PowerSet) []string {
	return []string{fmt.Sprintf("the engines give %d; %d to movement, %d to shields, %d to weapons, %s%d unused", b.Available, b.Movement, b.Shields, b.Weapons, cloakShare(b.Cloak)+labsShare(b.Labs), b.Unused)}
}

func whyAdvantage(_ *rulebook, s *engine.Story, _ int, b *ship.Advantage) []string {
	return []string{"best last: " + strings.Join(names(s, b.Order), ", ") + "; by " + b.How}
}

func declareWords(_ *rulebook, v *engine.View, b *ship.Declare) string {
	return fmt.Sprintf("%s declares fire of %s (mounts %s) at %s", v.Name(b.Ship), b.Weapon, tactical.JoinInts(b.Mounts), v.Name(b.Target))
}

func shieldHitWords(_ *rulebook, v *engine.View, b *ship.ShieldHit) string {
	return v.Name(b.Ship) + ", " + shieldWords(b)
}

func whyShield(_ *rulebook, _ *engine.Story, _ int, b *ship.ShieldHit) []string {
	return []string{fmt.Sprintf("shield %d stands at %d: it takes %d of %d points, %d go through", b.Shield, b.Before, b.Absorbed, b.Absorbed+b.Through, b.Through)}
}

// seesDamage tells whether an officer sees what a hit did inside: on his ship what is his, and by a lock what a hit of hers did.
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

func (n *narrator) shed(b *ship.Shed, cite string) {
	n.line(0, cite, fmt.Sprintf("%s gives less power than was allotted: %d of %d kept", n.v.Name(b.Ship), b.Power.After, b.Power.Before))
	for _, d := range b.Detail {
		n.line(1, "", d)
	}
}

func whyShed(_ *rulebook, _ *engine.Story, _ int, b *ship.Shed) []string {
	return []string{fmt.Sprintf("%d power was allotted, the engines give less: cut to %d", b.Power.Before, b.Power.After)}
}

func whyOut(_ *rulebook, _ *engine.Story, _ int, b *engine.Out) []string {
	if b.How != "" {
		return []string{b.How}
	}
	return nil
}
