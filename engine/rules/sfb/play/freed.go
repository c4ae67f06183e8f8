package play

import (
	"fmt"

	"starpost/engine"
	"starpost/engine/rules/sfb/phrase"
	"starpost/engine/rules/sfb/rulebook"
	"starpost/engine/rules/sfb/sheet"
	"starpost/engine/rules/sfb/state"
	"starpost/orders"
)

// ReadFreed reads an order that uses energy returned by braking.
func ReadFreed(c *rulebook.Compiler, a *rulebook.Act, st orders.Statement) bool {
	if !c.Sys.Brakes {
		c.Fail(st.Pos, "E220", "write it under power", "this ship cannot slow down in an emergency: no energy is given back in the turn for %s", st.Verb)
		return false
	}
	if st.Verb == rulebook.VerbLabs {
		n, _ := st.Arg("ENERGY")
		a.N = n.Num
		if free := c.Sys.FreeLabs(); a.N < 1 || a.N > free {
			c.Fail(n.Pos, "E254", fmt.Sprintf("%s %d at most", rulebook.VerbLabs, free), "labs %d: she has %s to light", a.N, phrase.Counted(free, "laboratory", "laboratories"))
			return false
		}
		c.Effect(st.Pos.Line, "%d energy returned by braking", a.N)
		return c.InTheDark(st)
	}
	weapons, group := c.Weapons(st.All("WEAPON"), false)
	if len(weapons) == 0 {
		return false
	}
	b := c.Sys.Bank(weapons[0])
	chart := c.Book.Charts[b.Kind]
	switch {
	case group && len(weapons) > 1:
		c.Fail(st.Pos, "E101", "one line for each weapon", "%s is more than one weapon", st.All("WEAPON")[0].Text)
	case chart.Turns == 0:
		c.Fail(st.Pos, "E204", "leave it out", "%s is not armed: it fires from the capacitors, or needs no energy", b.Name)
	default:
		a.Box = b.Name
		c.Effect(st.Pos.Line, "%d energy returned by braking: the first of %s of arming", chart.ArmingEnergy(0), phrase.Counted(chart.Turns, "turn", "turns"))
		return true
	}
	return false
}

// payFreed takes energy from what braking returned. If that is too little, it takes nothing and returns false.
func payFreed(l *rulebook.Rules, t *engine.Turn, s *engine.Ship, what string, energy int, cause engine.Ref) bool {
	sys := state.Of(s)
	if energy > sys.Freed {
		return false
	}
	t.Because(cause).Emit(&state.Drawn{
		Ship: s.ID, For: what, Energy: energy, Aside: sys.Purse[what], Reserve: sys.Reserve - energy, Batteries: sys.Batteries, Freed: energy,
	}, engine.SeeOnly(s.ID), l.Cite(rulebook.OnBrake)...)
	return true
}

func tooLittleFreed(energy, freed int) string {
	return fmt.Sprintf("it takes %d energy of what braking has given back, of which there are %d", energy, freed)
}

// ArmNow gives a weapon its first turn of arming, or says why it cannot.
func ArmNow(l *rulebook.Rules, t *engine.Turn, s *engine.Ship, a *rulebook.Act) string {
	sys := state.Of(s)
	w := sys.Weapon(a.Box)
	chart := l.Charts[sys.Bank(w).Kind]
	cost := chart.ArmingEnergy(0)
	switch {
	case sys.Bank(w).Left == 0:
		return "it is destroyed"
	case sys.Weapons[w].Armed > 0:
		return "it has a charge already"
	case sys.Weapons[w].Fired.Turn == t.Number():
		return "it has fired in this turn"
	case !payFreed(l, t, s, rulebook.VerbArm, cost, t.Ordered(s.ID, a.Line, a.Text)):
		return tooLittleFreed(cost, sys.Freed)
	}
	t.Because(t.Last()).Emit(&state.Arming{Ship: s.ID, Weapon: a.Box}, engine.SeeOnly(s.ID), l.Cite(rulebook.OnBrake)...)
	return ""
}

// LightNow powers laboratories for the rest of the turn, or says why it cannot.
func LightNow(l *rulebook.Rules, t *engine.Turn, s *engine.Ship, a *rulebook.Act) string {
	sys := state.Of(s)
	switch {
	case a.N > sys.FreeLabs():
		return fmt.Sprintf("she has %s to light", phrase.Counted(sys.FreeLabs(), "laboratory", "laboratories"))
	case !payFreed(l, t, s, rulebook.VerbLabs, a.N, t.Ordered(s.ID, a.Line, a.Text)):
		return tooLittleFreed(a.N, sys.Freed)
	}
	before := sys.Purse[rulebook.VerbLabs]
	lit := t.Because(t.Last()).Emit(&state.Lit{Ship: s.ID, Boxes: a.N}, engine.SeeOnly(s.ID), l.Cite(rulebook.OnBrake)...)
	for n := range a.N {
		useOf(l, t, s, sheet.Lab, before+n+1, lit)
	}
	return ""
}
