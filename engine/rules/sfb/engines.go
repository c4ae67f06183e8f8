package sfb

import (
	"starpost/engine"
	"starpost/engine/rules/sfb/state"
)

// burnOut has each engine that was overloaded lose a box, which was not mended in battle.
func (l *rulebook) burnOut(t *engine.Turn) {
	for _, s := range state.Fighting(t.Game) {
		p := memo(t).plans[s.ID]
		if p == nil {
			continue
		}
		for _, name := range p.energy.Boost {
			sys := state.Of(s)
			if b := &sys.Sheet.Banks[sys.Sheet.Bank(name)]; sys.Sound(b) > 0 {
				t.Because(t.OrderedIn(s.ID, "power", verbOverload)).Emit(&state.Burnout{Ship: s.ID, Bank: name, Before: b.Left, After: b.Left - 1}, l.see(t.Game, s), l.cite(onEngines)...)
			}
		}
	}
}
