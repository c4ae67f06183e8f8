package tell

import (
	"fmt"
	"strings"

	"starpost/engine"
	"starpost/engine/rules/fasa/rulebook"
	"starpost/engine/rules/fasa/ship"
	"starpost/engine/tactical"
)

// Words returns sentences for the i-th event of a view by itself, where a report would combine
// several events.
func (l *Teller) Words(v *engine.View, i int) []engine.Line {
	v = plainly(v)
	e := v.Events[i]
	switch b := e.Body.(type) {
	case *engine.Roll, *engine.Move:
		return nil // the core has words for them
	case *ship.Fire:
		// The events after it tell what it did.
		lines := l.told(v, i)[:1]
		if b.Hit && b.Damage > 0 {
			lines = append(lines, engine.Line{Depth: 1, Text: "hits for " + damageWords([]*ship.Fire{b})})
		}
		return lines
	}
	if text, ok := l.Events.Alone(l.Rules, v, e.Body); ok {
		return []engine.Line{{Text: text, Cite: engine.Cite(e.Rule)}}
	}
	return l.told(v, i)
}

// HelmWords returns the state of a ship's helm after a movement phase, in words.
func HelmWords(_ *rulebook.Rules, v *engine.View, b *ship.HelmSet) string {
	var parts []string
	add := func(is bool, words string) {
		if is {
			parts = append(parts, words)
		}
	}
	add(b.Still, "held through the whole phase")
	add(b.Astern, "has her engines set astern")
	add(b.Shift, "had them set the other way before")
	add(b.Way != "", fmt.Sprintf("last moved %s, in turn %d", b.Way, b.WayTurn))
	add(b.Swung > 0, "has a fire penalty after an emergency turn")
	if len(parts) == 0 {
		return v.Name(b.Ship) + " has her helm as at the start"
	}
	return v.Name(b.Ship) + " " + strings.Join(parts, ", ")
}

// told returns what a report says of an event that no other follows.
func (l *Teller) told(v *engine.View, i int) []engine.Line {
	alone := *v
	alone.Events = v.Events[:i+1]
	n := &Narrator{l: l.Rules, events: l.Events, View: &alone}
	n.entry(i)
	n.flushMove()
	var out []engine.Line
	for _, c := range n.finish() {
		out = append(out, c.Lines...)
	}
	return out
}

// Why explains an event by the rules (see engine.Rules).
func (l *Teller) Why(s *engine.Story, i int) []string {
	if why, ok := l.Events.Why(l.Rules, s, i); ok {
		return why
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

// whyFire explains a shot: chart, column, modifiers, and damage.
func whyFire(l *rulebook.Rules, _ *engine.Story, _ int, b *ship.Fire) []string {
	chart := fmt.Sprintf("firing chart %s, range %d: %d", b.Chart, b.Range, b.Number)
	if row := l.Charts[b.Chart]; len(row) > 0 {
		chart += fmt.Sprintf(" (the chart starts at range 1: %s)", tactical.JoinInts(row))
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
		out = append(out, rulebook.TriedWords(b.Need, nil, b.Roll, rulebook.SlimRoll{Slim: b.Slim, Second: b.Second})+": "+strings.TrimPrefix(verdict, "more than that: "))
	}
	if !b.Hit {
		return out
	}
	worth := fmt.Sprintf("damage %d", b.Base)
	if b.Bonus != 0 {
		worth += fmt.Sprintf(" and %+d at range %d", b.Bonus, b.Range)
	}
	if b.Evaded {
		worth += fmt.Sprintf(", halved to %d by evasion", b.Damage)
	}
	if b.Graze {
		worth += ", grazing"
	}
	out = append(out, worth+fmt.Sprintf(", on shield %d, which faces the firer", b.Shield))
	return out
}

// whyDamage explains a hit: table, cell, and points.
func whyDamage(_ *rulebook.Rules, s *engine.Story, i int, b *ship.Damage) []string {
	cell := fmt.Sprintf("damage table %s, die %d: %s", b.Table, b.Roll, b.Location)
	for _, f := range s.From(i) {
		if x, ok := s.Events[f].Body.(*ship.ShieldHit); ok && b.Table != "basic" {
			cell = fmt.Sprintf("damage table %s, shield %d, die %d: %s", b.Table, x.Shield, b.Roll, b.Location)
		}
	}
	out := []string{cell, fmt.Sprintf("%d points got through", b.Points)}
	if b.Second > 0 {
		out = append(out, fmt.Sprintf("second die of the engineering hit: %d", b.Second))
	}
	if b.Note != "" {
		out = append(out, b.Note)
	}
	return out
}
