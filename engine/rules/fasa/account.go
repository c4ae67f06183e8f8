package fasa

import (
	"fmt"
	"strings"

	"starpost/engine"
	"starpost/engine/rules/fasa/ship"
	"starpost/engine/tactical"
)

// words puts the i-th event of a view into sentences by itself, where a report
// would tell several in one.
func (l *rulebook) words(v *engine.View, i int) []engine.Line {
	v = plainly(v)
	e := v.Events[i]
	cite := engine.Cite(e.Rule)
	switch b := e.Body.(type) {
	case *engine.Roll, *engine.Move:
		return nil // the core has words for them
	case *ship.ShieldHit:
		return []engine.Line{{Text: v.Name(b.Ship) + ", " + shieldWords(b), Cite: cite}}
	case *ship.Declare:
		return []engine.Line{{Text: fmt.Sprintf("%s declares fire of %s (mounts %s) at %s", v.Name(b.Ship), b.Weapon, tactical.JoinInts(b.Mounts), v.Name(b.Target)), Cite: cite}}
	case *ship.Fire:
		// What it did is told by the events after it.
		lines := l.told(v, i)[:1]
		if b.Hit && b.Damage > 0 {
			lines = append(lines, engine.Line{Depth: 1, Text: "strikes with " + damageWords([]*ship.Fire{b})})
		}
		return lines
	case *ship.Withdraw:
		return []engine.Line{{Text: fmt.Sprintf("%s does not fire %s (mounts %s) at %s after all", v.Name(b.Ship), b.Weapon, tactical.JoinInts(b.Mounts), v.Name(b.Target)), Cite: cite}}
	case *ship.HelmSet:
		return []engine.Line{{Text: v.Name(b.Ship) + helmWords(b), Cite: cite}}
	case *ship.StandingSet:
		return []engine.Line{{Text: fmt.Sprintf("%s has these standing orders from now on: shield %s, power is cut in the order %s, without orders %s",
			v.Name(b.Ship), b.Choose, strings.Join(shedWords(b.Standing), ", "), b.Missing), Cite: cite}}
	}
	return l.told(v, i)
}

// helmWords is what a movement phase leaves a ship with.
func helmWords(b *ship.HelmSet) string {
	var parts []string
	add := func(is bool, words string) {
		if is {
			parts = append(parts, words)
		}
	}
	add(b.Still, "has held through the whole phase")
	add(b.Astern, "has its engines set to go astern")
	add(b.Shift, "had them set the other way before")
	add(b.Way != "", fmt.Sprintf("moved %s last, in turn %d", b.Way, b.WayTurn))
	add(b.Swung > 0, "fires worse after an emergency turn")
	if len(parts) == 0 {
		return " has its helm as at the start"
	}
	return " " + strings.Join(parts, ", ")
}

// told is what a report says of an event if no other comes after it.
func (l *rulebook) told(v *engine.View, i int) []engine.Line {
	alone := *v
	alone.Events = v.Events[:i+1]
	n := &narrator{l: l, v: &alone}
	n.entry(i)
	n.flushMove()
	var out []engine.Line
	for _, c := range n.finish() {
		out = append(out, c.Lines...)
	}
	return out
}

// why says what the rules made of an event (see engine.Rules).
func (l *rulebook) why(s *engine.Story, i int) []string {
	switch b := s.Events[i].Body.(type) {
	case *ship.PowerSet:
		return []string{fmt.Sprintf("the engines give %d; %d to movement, %d to shields, %d to weapons, %s%d unused", b.Available, b.Movement, b.Shields, b.Weapons, cloakShare(b.Cloak)+labsShare(b.Labs), b.Unused)}
	case *ship.Announced:
		if b.Name != "" {
			return []string{"the scenario wants it announced"}
		}
		return nil
	case *ship.Rated:
		return []string{fmt.Sprintf("three dice and %d for a captain, three dice and %d for a crew; what the scenario gives is not rolled", SkillBase, efficiencyBase)}
	case *ship.Advantage:
		return []string{"best last: " + strings.Join(names(s, b.Order), ", ") + "; by " + b.How}
	case *ship.Fire:
		return l.whyFire(b)
	case *ship.ShieldHit:
		return []string{fmt.Sprintf("shield %d stands at %d: it takes %d of %d points, %d go through", b.Shield, b.Before, b.Absorbed, b.Absorbed+b.Through, b.Through)}
	case *ship.Damage:
		return whyDamage(s, i, b)
	case *ship.Explode:
		switch {
		case b.Ordered:
			return nil
		case b.Need >= surely:
			return []string{fmt.Sprintf("the superstructure is %d below 0: from %d on it explodes without a die", b.Need, surely)}
		}
		return []string{fmt.Sprintf("the superstructure is %d below 0: it explodes with a die of %d or less", b.Need, b.Need)}
	case *ship.Blasted:
		return []string{fmt.Sprintf("an explosion at range %d does %d: twice the power in its hex, the power beside it, half of it for each hex more, one point from 7 to %d", b.Range, b.Damage, ship.BlastTo)}
	case *engine.Out:
		if b.How != "" {
			return []string{b.How}
		}
		return nil
	case *ship.Shed:
		return []string{fmt.Sprintf("%d power was allotted, the engines give less: cut to %d", b.Power.Before, b.Power.After)}
	case *ship.Repower:
		return []string{"shields that power was allotted to come up again between the phases"}
	case *ship.Debris:
		return []string{fmt.Sprintf("struck by a die of %d or less", b.Need)}
	}
	if need, ok := engine.NumberField(s.Events[i].Body, "need"); ok && need > 0 {
		roll, _ := engine.NumberField(s.Events[i].Body, "roll")
		return []string{fmt.Sprintf("needs %d or less, rolled %d", need, roll)}
	}
	return nil
}

func names(s *engine.Story, ids []engine.ShipID) []string {
	out := make([]string, len(ids))
	for i, id := range ids {
		out[i] = s.Name(id)
	}
	return out
}

// whyFire explains a shot: chart, column, modifiers, and what it is worth.
func (l *rulebook) whyFire(b *ship.Fire) []string {
	chart := fmt.Sprintf("firing chart %s, range %d: %d", b.Chart, b.Range, b.Number)
	if row := l.Charts[b.Chart]; len(row) > 0 {
		chart += fmt.Sprintf(" (from range 1 on the chart has %s)", tactical.JoinInts(row))
	}
	out := []string{chart}
	for _, m := range b.Modifiers {
		out = append(out, fmt.Sprintf("%s: %+d", m.Name, m.Value))
	}
	verdict := "more than that: a miss"
	if b.Hit {
		verdict = "a hit"
	}
	if b.Need > 0 {
		out = append(out, fmt.Sprintf("needs %d or less, rolled %d: %s", b.Need, b.Roll, verdict))
	} else {
		out = append(out, triedWords(b.Need, nil, b.Roll, slimRoll{b.Slim, b.Second})+": "+strings.TrimPrefix(verdict, "more than that: "))
	}
	if !b.Hit {
		return out
	}
	worth := fmt.Sprintf("damage %d", b.Base)
	if b.Bonus != 0 {
		worth += fmt.Sprintf(" and %+d at range %d", b.Bonus, b.Range)
	}
	if b.Evaded {
		worth += fmt.Sprintf(", halved to %d by the evasion", b.Damage)
	}
	if b.Graze {
		worth += ", grazing"
	}
	out = append(out, worth+fmt.Sprintf(", on shield %d, which the target turns to the firer", b.Shield))
	return out
}

// whyDamage explains a hit: table, cell, and what it counted for.
func whyDamage(s *engine.Story, i int, b *ship.Damage) []string {
	cell := fmt.Sprintf("damage table %s, die %d: %s", b.Table, b.Roll, b.Location)
	for _, f := range s.From(i) {
		if x, ok := s.Events[f].Body.(*ship.ShieldHit); ok && b.Table != "basic" {
			cell = fmt.Sprintf("damage table %s, shield %d, die %d: %s", b.Table, x.Shield, b.Roll, b.Location)
		}
	}
	out := []string{cell, fmt.Sprintf("%d points got through", b.Points)}
	if b.Second > 0 {
		out = append(out, fmt.Sprintf("second die of an engineering hit: %d", b.Second))
	}
	if b.Note != "" {
		out = append(out, b.Note)
	}
	return out
}
