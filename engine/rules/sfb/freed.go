package sfb

import (
	"fmt"

	"starpost/engine"
	"starpost/engine/rules/sfb/phrase"
	"starpost/engine/rules/sfb/sheet"
	"starpost/engine/rules/sfb/state"
	"starpost/orders"
)

func readFreed(c *compiler, a *act, st orders.Statement) bool {
	if !c.sys.Brakes {
		c.fail(st.Pos, "E220", "write it under power", "this ship cannot slow down in an emergency: no energy is given back in the turn for %s", st.Verb)
		return false
	}
	if st.Verb == verbLabs {
		n, _ := st.Arg("ENERGY")
		a.n = n.Num
		if free := c.sys.FreeLabs(); a.n < 1 || a.n > free {
			c.fail(n.Pos, "E254", fmt.Sprintf("%s %d at most", verbLabs, free), "labs %d: she has %s to light", a.n, phrase.Counted(free, "laboratory", "laboratories"))
			return false
		}
		c.effect(st.Pos.Line, "%d energy of what braking gives back", a.n)
		return c.inTheDark(st)
	}
	weapons, group := c.weapons(st.All("WEAPON"), false)
	if len(weapons) == 0 {
		return false
	}
	b := c.sys.Bank(weapons[0])
	chart := c.book.Charts[b.Kind]
	switch {
	case group && len(weapons) > 1:
		c.fail(st.Pos, "E101", "one line for each weapon", "%s is more than one weapon", st.All("WEAPON")[0].Text)
	case chart.Turns == 0:
		c.fail(st.Pos, "E204", "leave it out", "%s is not armed: it fires from the capacitors, or needs no energy", b.Name)
	default:
		a.box = b.Name
		c.effect(st.Pos.Line, "%d energy of what braking gives back: the first of %s of arming", chart.energy(0), phrase.Counted(chart.Turns, "turn", "turns"))
		return true
	}
	return false
}

// payFreed takes energy of what braking has given back; false, and nothing taken, if that is too little.
func (l *rulebook) payFreed(t *engine.Turn, s *engine.Ship, what string, energy int, cause engine.Ref) bool {
	sys := state.Of(s)
	if energy > sys.Freed {
		return false
	}
	t.Because(cause).Emit(&state.Drawn{
		Ship: s.ID, For: what, Energy: energy, Aside: sys.Purse[what], Reserve: sys.Reserve - energy, Batteries: sys.Batteries, Freed: energy,
	}, engine.SeeOnly(s.ID), l.cite(onBrake)...)
	return true
}

func tooLittleFreed(energy, freed int) string {
	return fmt.Sprintf("it takes %d energy of what braking has given back, of which there are %d", energy, freed)
}

// armNow gives a weapon its first turn of arming, or says why it cannot.
func (l *rulebook) armNow(t *engine.Turn, s *engine.Ship, a *act) string {
	sys := state.Of(s)
	w := sys.Weapon(a.box)
	chart := l.Charts[sys.Bank(w).Kind]
	cost := chart.energy(0)
	switch {
	case sys.Bank(w).Left == 0:
		return "it is destroyed"
	case sys.Weapons[w].Armed > 0:
		return "it has a charge already"
	case sys.Weapons[w].Fired.Turn == t.Number():
		return "it has fired in this turn"
	case !l.payFreed(t, s, verbArm, cost, t.Ordered(s.ID, a.line, a.text)):
		return tooLittleFreed(cost, sys.Freed)
	}
	t.Because(t.Last()).Emit(&state.Arming{Ship: s.ID, Weapon: a.box}, engine.SeeOnly(s.ID), l.cite(onBrake)...)
	return ""
}

// lightNow lights laboratories for the rest of the turn, or says why it cannot.
func (l *rulebook) lightNow(t *engine.Turn, s *engine.Ship, a *act) string {
	sys := state.Of(s)
	switch {
	case a.n > sys.FreeLabs():
		return fmt.Sprintf("she has %s to light", phrase.Counted(sys.FreeLabs(), "laboratory", "laboratories"))
	case !l.payFreed(t, s, verbLabs, a.n, t.Ordered(s.ID, a.line, a.text)):
		return tooLittleFreed(a.n, sys.Freed)
	}
	before := sys.Purse[verbLabs]
	lit := t.Because(t.Last()).Emit(&state.Lit{Ship: s.ID, Boxes: a.n}, engine.SeeOnly(s.ID), l.cite(onBrake)...)
	for n := range a.n {
		l.useOf(t, s, sheet.Lab, before+n+1, lit)
	}
	return ""
}
