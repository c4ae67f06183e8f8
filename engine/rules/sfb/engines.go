package sfb

import (
	"fmt"
	"slices"
	"strings"

	"starpost/engine"
	"starpost/engine/family"
	"starpost/engine/rules/sfb/sheet"
	"starpost/engine/rules/sfb/state"
	"starpost/orders"
)

// enginePart is warp engines that are overloaded, and the boxes that they lose by it (house 30.91).
var enginePart = part{
	has: func(b *Book) bool { return b.Engines != "" },
	verbs: func(b *Book) (power, phase []orders.Verb) {
		return []orders.Verb{{
			Name: verbOverload, Forms: []orders.Form{"overload BOX..."}, Once: true, Examples: []string{"overload warp-left", "overload warp"},
			Doc: fmt.Sprintf("Overload warp engines of a ship of the navy %s: each box gives 2 energy in this turn, and each engine loses a box as the turn ends. That can be mended by scotty; boxes so mended give 1 and may not be overloaded again.", b.Engines),
		}}, nil
	},
	end: func(l *rulebook, t *engine.Turn) { l.burnOut(t) },
	events: []event{family.Own("burnout", told[state.Burnout]{
		Tell: says(func(_ *rulebook, v *engine.View, b *state.Burnout) string {
			return fmt.Sprintf("a box of %s of %s burns out: the engine was overloaded", b.Bank, v.Name(b.Ship))
		}),
		Why: func(*rulebook, *engine.Story, int, *state.Burnout) []string {
			return []string{"an engine that is overloaded gives twice its energy, and loses a box as the turn ends"}
		},
	})},
}

// overloadEngines compiles which warp engines are overloaded, and adds what they give.
func (c *compiler) overloadEngines(g orders.Group) {
	e := &c.p.energy
	for _, st := range g.All(verbOverload) {
		if !c.sys.Boosts {
			c.fail(st.Pos, "E230", "leave it out", "the engines of this ship cannot be overloaded: those of the navy %s can", c.book.Engines)
			continue
		}
		for _, a := range st.All("BOX") {
			engine, fresh := false, false
			for i := range c.sys.Sheet.Banks {
				b := &c.sys.Sheet.Banks[i]
				if b.Kind != sheet.Warp || !b.Called(strings.ToLower(a.Text)) {
					continue
				}
				engine = true
				if n := c.sys.Sound(b); n > 0 && !slices.Contains(e.Boost, b.Name) {
					fresh = true
					e.Boost = append(e.Boost, b.Name)
					c.effect(st.Pos.Line, "%s gives %d energy more in this turn, and loses a box as it ends", b.Name, n)
				}
			}
			switch {
			case !engine:
				c.fail(a.Pos, "E230", "name warp engines as the sheet does, or: overload warp", "no warp engine is called %q", a.Text)
			case !fresh:
				c.fail(a.Pos, "E231", "leave it out", "no box of %s is left to overload: boxes that were mended in battle may not be overloaded again, and each engine is overloaded once", a.Text)
			}
		}
	}
	e.Available += c.sys.Boost(e.Boost)
}

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
