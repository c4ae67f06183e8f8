package sfb

import (
	"fmt"
	"slices"
	"strings"

	"starpost/engine"
	"starpost/engine/rules/sfb/sheet"
	"starpost/orders"
)

const verbOverload = "overload"

// enginePart is warp engines that are overloaded, and the boxes that they lose by it (house 30.91).
var enginePart = part{
	has: func(b *Book) bool { return b.Engines != "" },
	verbs: func(b *Book) (power, phase []orders.Verb) {
		return []orders.Verb{{
			Name: verbOverload, Forms: []orders.Form{"overload BOX..."}, Once: true, Examples: []string{"overload warp-left", "overload warp"},
			Doc: fmt.Sprintf("Overload warp engines of a ship of the navy %s: each box gives 2 energy in this turn, and each engine loses a box as the turn ends. That can be mended by scotty; boxes so mended give 1 and may not be overloaded again.", b.Engines),
		}}, nil
	},
	end:    func(l *rulebook, t *engine.Turn) { l.burnOut(t) },
	bodies: []func() engine.Body{func() engine.Body { return new(burnout) }},
	tell: func(v *engine.View, b engine.Body) (string, bool) {
		out, is := b.(*burnout)
		if !is {
			return "", false
		}
		return fmt.Sprintf("a box of %s of %s burns out: the engine was overloaded", out.Bank, v.Name(out.Ship)), true
	},
	why: func(_ *rulebook, s *engine.Story, i int) []string {
		if _, is := s.Events[i].Body.(*burnout); is {
			return []string{"an engine that is overloaded gives twice its energy, and loses a box as the turn ends"}
		}
		return nil
	},
}

// sound is how many boxes of a bank are left that were not mended in battle.
func (s *System) sound(b *sheet.Bank) int { return max(0, b.Left-s.Rigged[b.Name]) }

// boost is the energy that overloaded engines give beside their own.
func (s *System) boost(engines []string) (more int) {
	for _, name := range engines {
		more += s.sound(&s.Sheet.Banks[s.Sheet.Bank(name)])
	}
	return more
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
				if n := c.sys.sound(b); n > 0 && !slices.Contains(e.Boost, b.Name) {
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
	e.Available += c.sys.boost(e.Boost)
}

// burnOut has each engine that was overloaded lose a box, which was not mended in battle.
func (l *rulebook) burnOut(t *engine.Turn) {
	for _, s := range fighting(t.Game) {
		p := memo(t).plans[s.ID]
		if p == nil {
			continue
		}
		for _, name := range p.energy.Boost {
			sys := of(s)
			if b := &sys.Sheet.Banks[sys.Sheet.Bank(name)]; sys.sound(b) > 0 {
				t.Because(t.OrderedIn(s.ID, "power", verbOverload)).Emit(&burnout{s.ID, name, b.Left, b.Left - 1}, l.see(t.Game, s), l.cite(onEngines)...)
			}
		}
	}
}

// burnout is a box of a warp engine that is lost because the engine was overloaded.
type burnout struct {
	Ship   engine.ShipID `json:"ship" see:"all"`
	Bank   string        `json:"bank" see:"all"`
	Before int           `json:"before" see:"all"`
	After  int           `json:"after" see:"all"`
}

// Type implements engine.Body.
func (*burnout) Type() string { return "burnout" }

// Apply implements engine.Body.
func (b *burnout) Apply(g *engine.Game) error {
	return loseBoxes(g, b.Ship, b.Bank, b.Before, b.After)
}
