package sfb

import (
	"cmp"
	"fmt"

	"starpost/engine"
	"starpost/engine/rules/sfb/sheet"
	"starpost/engine/rules/sfb/state"
)

// carryOut has the ships do what a verb orders in this impulse. Try does it, or says why it
// cannot be done now; then it is tried again until the phase ends, and told.
func (l *rulebook) carryOut(t *engine.Turn, verb string, try func(s, target *engine.Ship, a *act) (why string)) {
	phase := l.phaseOf(t.Phase.No)
	_, last := l.span(phase)
	for _, s := range state.Fighting(t.Game) {
		p := memo(t).plans[s.ID]
		if p == nil {
			continue
		}
		acts := p.phases[phase-1].acts
		for i := range acts {
			a := &acts[i]
			if a.verb != verb || a.done || a.on > 0 && a.on != t.Phase.No || s.Status != engine.Active {
				continue
			}
			var target *engine.Ship
			if a.target != "" {
				target = l.aim(t.Game, s, a.target)
			}
			why := ""
			switch {
			case a.target != "" && target == nil:
				why = "there is no such ship on the map now"
			case !l.judge(t, s, target, a.when):
				why = "its condition did not come true"
			case target != nil && verb != verbProbe && !l.whole(t.Game, s, target):
				why = "her sensors do not show who that is: she must come nearer"
			default:
				why = try(s, target, a)
			}
			if a.done = why == ""; !a.done && (t.Phase.No == last || a.on == t.Phase.No) {
				t.Emit(&engine.Skip{Ship: s.ID, Line: a.line, Order: a.text, Reason: why}, engine.SeeOnly(s.ID), l.cite(onSkipped)...)
			}
		}
	}
}

// pay takes energy for what a ship does at this moment: from what was set aside for it, from
// the reserve, and from the batteries. False, and nothing taken, if there is too little.
func (l *rulebook) pay(t *engine.Turn, s *engine.Ship, what string, energy int, cause engine.Ref) bool {
	return l.payFrom(t, s, what, energy, usual(), cause)
}

// payFrom is pay, where after what was set aside some sources pay in their order (ruling R3a).
func (l *rulebook) payFrom(t *engine.Turn, s *engine.Ship, what string, energy int, sources []string, cause engine.Ref) bool {
	sys, h := state.Of(s), memo(t).helm(s)
	pool, charge := h.pool/sheet.MoveParts, sys.Capacitor
	e := &state.Drawn{Ship: s.ID, For: what, Energy: energy, Aside: sys.Purse[what], Reserve: sys.Reserve, Batteries: sys.Batteries}
	left := map[string]*int{fromPool: &pool, fromCapacitors: &charge, fromReserve: &e.Reserve, fromBatteries: &e.Batteries}
	take := func(from *int) {
		took := min(energy, *from)
		energy, *from = energy-took, *from-took
	}
	take(&e.Aside)
	for _, from := range sources {
		take(left[from])
	}
	if energy > 0 {
		return false
	}
	e.Pool, e.Capacitors = h.pool/sheet.MoveParts-pool, sys.Capacitor-charge
	h.pool -= e.Pool * sheet.MoveParts
	cite := onEnergy
	switch what {
	case forCannon:
		cite = onCannonEnergy
	case verbPhasers:
		cite = onReserve
	}
	t.Because(cause).Emit(e, engine.SeeOnly(s.ID), l.cite(cite)...)
	return true
}

// partPhase runs what parts do at a moment.
func (l *rulebook) partPhase(t *engine.Turn, moment func(*Part) func(*rulebook, *engine.Turn)) {
	for _, p := range l.parts {
		if run := moment(p); run != nil {
			run(l, t)
		}
	}
}

func drawnWords(_ *rulebook, v *engine.View, b *state.Drawn) string {
	text := fmt.Sprintf("%s takes %d energy for %s", v.Name(b.Ship), b.Energy, cmp.Or(drawnFor()[b.For], b.For))
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
