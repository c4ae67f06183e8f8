package play

import (
	"fmt"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/engine/rules/sfb/rulebook"
	"starpost/engine/rules/sfb/sheet"
	"starpost/engine/rules/sfb/state"
)

// AtOver returns the line for a range, for a weapon with extra energy over.
func AtOver(c *rulebook.FireChart, over, rng int) (r rulebook.Row, ok bool) {
	if over == 0 {
		return c.At(rng)
	}
	if rng > c.Over.Reach {
		return rulebook.Row{}, false
	}
	if n := len(c.Over.Rows); n > 0 && rng <= c.Over.Rows[n-1].Upto {
		early := rulebook.FireChart{Touches: true, Rows: c.Over.Rows}
		r, ok = early.At(rng)
	} else {
		r, ok = c.At(rng)
	}
	if c.Over.Each > 0 {
		r.Points += c.Over.Each * over
		return r, ok
	}
	r.Points *= 2
	for i := range r.ByDie {
		r.ByDie[i] *= 2
	}
	return r, ok
}

// ownDie rolls for an overloaded weapon that fires: whether this shot is its last. Over is its extra energy; 0,
// without a die, if it is not overloaded.
func ownDie(l *rulebook.Rules, t *engine.Turn, s *engine.Ship, w int) (over, own int) {
	if over = state.Of(s).Weapons[w].Over; over > 0 {
		own = t.Roll(engine.NameRoll("overload", s.ID).And(state.Of(s).Bank(w).Name), dice.D6, engine.SeeAll(), l.Cite(rulebook.OnOverload)...)
	}
	return over, own
}

// blows destroys an overloaded weapon that has fired if its own die says so.
func blows(l *rulebook.Rules, t *engine.Turn, s *engine.Ship, w, over, own int, fired engine.Ref) {
	if b := state.Of(s).Bank(w); over > 0 && own >= l.Charts[b.Kind].Over.Blows {
		t.Because(fired).Emit(&state.Blowout{Ship: s.ID, Bank: b.Name, Roll: own, Before: b.Left, After: b.Left - 1}, engine.SeeAll(), l.Cite(rulebook.OnOverload)...)
	}
}

// BurnOut makes each overloaded engine lose a box, but not one repaired in battle.
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

// Chart returns the chart of a ship's weapon. Lasers and particle beams have the scenario's figures (ruling R15).
func Chart(b *rulebook.Book, sys *state.System, k sheet.Kind) rulebook.FireChart {
	c := b.Charts[k]
	if c.Beam.Shield == 0 {
		return c
	}
	c.Rows = nil
	for _, r := range sys.Figures[k] {
		c.Rows = append(c.Rows, rulebook.Row{Upto: r.Upto, Need: r.Need, Points: c.Beam.Shield})
	}
	return c
}

// BeamWords describes the effect of a hit.
func BeamWords(h rulebook.BeamHits) string {
	return fmt.Sprintf("%d on a shield, or %d inside", h.Shield, h.Inside)
}
