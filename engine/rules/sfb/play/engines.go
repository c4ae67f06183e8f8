package play

import (
	"starpost/engine"
	"starpost/engine/rules/sfb/rulebook"
	"starpost/engine/rules/sfb/state"
)

// BurnOut has each engine that was overloaded lose a box, which was not mended in battle.
func BurnOut(l *rulebook.Rules, t *engine.Turn) {
	for _, s := range state.Fighting(t.Game) {
		p := memo(t).plans[s.ID]
		if p == nil {
			continue
		}
		for _, name := range p.Energy.Boost {
			sys := state.Of(s)
			if b := &sys.Sheet.Banks[sys.Sheet.Bank(name)]; sys.Sound(b) > 0 {
				t.Because(t.OrderedIn(s.ID, "power", rulebook.VerbOverload)).Emit(&state.Burnout{Ship: s.ID, Bank: name, Before: b.Left, After: b.Left - 1}, seenBy(&l.Book, t.Game, s), l.Cite(rulebook.OnEngines)...)
			}
		}
	}
}
