package play

import (
	"cmp"
	"fmt"

	"starpost/engine"
	"starpost/engine/rules/sfb/rulebook"
	"starpost/engine/rules/sfb/state"
)

// CarryOut makes the ships carry out a verb's orders in this impulse. Try executes one, or says why it is impossible
// now. Such an order is tried again until the phase ends, and then reported as skipped.
func CarryOut(l *rulebook.Rules, t *engine.Turn, verb string, try func(s, target *engine.Ship, a *rulebook.Act) (why string)) {
	phase := l.PhaseOf(t.Phase.No)
	_, last := l.Span(phase)
	for _, s := range state.Fighting(t.Game) {
		p := memo(t).plans[s.ID]
		if p == nil {
			continue
		}
		acts := p.Phases[phase-1].Acts
		for i := range acts {
			a := &acts[i]
			if a.Verb != verb || a.Done || a.On > 0 && a.On != t.Phase.No || s.Status != engine.Active {
				continue
			}
			var target *engine.Ship
			if a.Target != "" {
				target = aim(l, t.Game, s, a.Target)
			}
			why := ""
			switch {
			case a.Target != "" && target == nil:
				why = "there is no such ship on the map now"
			case !judge(l, t, s, target, a.When):
				why = "its condition did not come true"
			case target != nil && verb != rulebook.VerbProbe && !whole(l, t.Game, s, target):
				why = "her sensors do not show who that is: she must come nearer"
			default:
				why = try(s, target, a)
			}
			if a.Done = why == ""; !a.Done && (t.Phase.No == last || a.On == t.Phase.No) {
				t.Emit(&engine.Skip{Ship: s.ID, Line: a.Line, Order: a.Text, Reason: why}, engine.SeeOnly(s.ID), l.Cite(rulebook.OnSkipped)...)
			}
		}
	}
}

// DrawnWords describes the energy that a ship draws.
func DrawnWords(_ *rulebook.Rules, v *engine.View, b *state.Drawn) string {
	text := fmt.Sprintf("%s takes %d energy for %s", v.Name(b.Ship), b.Energy, cmp.Or(rulebook.DrawnFor()[b.For], b.For))
	if b.Freed > 0 {
		text += ", of what braking has given back"
	}
	if b.Pool > 0 {
		text += fmt.Sprintf(", %d of the movement pool", b.Pool)
	}
	if b.Capacitors > 0 {
		text += fmt.Sprintf(", %d of the capacitors", b.Capacitors)
	}
	return text + fmt.Sprintf(": %d set aside, %d in reserve and %d in the batteries are left", b.Aside, b.Reserve, b.Batteries)
}
