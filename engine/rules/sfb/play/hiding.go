package play

import (
	"starpost/engine"
	"starpost/engine/dice"
	"starpost/engine/rules/sfb/rulebook"
	"starpost/engine/rules/sfb/state"
	"starpost/orders"
)

// ReadCloak reads an order to switch the cloak.
func ReadCloak(c *rulebook.Compiler, a *rulebook.Act, st orders.Statement) bool {
	state, _ := st.Arg("STATE")
	a.N = rulebook.BoolInt(state.Text == "on")
	switch paid := c.Round > 1 || c.Plan.Energy.Cloak > 0; {
	case c.Sys.Sheet.Cloak == 0:
		c.Fail(st.Pos, "E216", "leave it out", "this ship has no cloak")
	case a.N == 1 && !paid:
		c.Fail(st.Pos, "E243", "write under power: cloak", "the cloak is not paid for in this turn")
	default:
		return true
	}
	return false
}

// SwitchCloak switches a ship's cloak on or off, or says why it cannot.
func SwitchCloak(l *rulebook.Rules, t *engine.Turn, s *engine.Ship, a *rulebook.Act) string {
	sys, on := state.Of(s), a.N == 1
	switch p := memo(t).plans[s.ID]; {
	case on == sys.Cloaked:
		return map[bool]string{true: "she is cloaked already", false: "she is not cloaked"}[on]
	case on && p.Energy.Cloak == 0:
		return "the cloak is not paid for in this turn"
	case on && sys.Held != "":
		return "a tractor beam holds her"
	}
	t.Because(t.Ordered(s.ID, a.Line, a.Text)).Emit(&state.Cloak{Ship: s.ID, On: on, At: engine.Place{Hex: s.Hex, Heading: s.Heading}, Impulse: t.Phase.No}, engine.SeeAll(), l.Cite(rulebook.OnCloak)...)
	return ""
}

// BlindFire carries out the orders to fire at no visible target. They hit the nearest hidden ship in the arc, if
// there is one (ruling R14). The die is rolled in any case; only a hit is reported.
func BlindFire(l *rulebook.Rules, t *engine.Turn) {
	for _, s := range state.Fighting(t.Game) {
		fires := orderedFire(l, t, s)
		for i := range fires {
			o := &fires[i]
			if !o.Blind || o.On > 0 && o.On != t.Phase.No || !judge(l, t, s, nil, o.When) {
				continue
			}
			for _, w := range o.Weapons {
				if why := unready(l, t, s, w, forPhasers(state.Of(s))); why != "" {
					withheld(l, t, s, o, w, why)
					continue
				}
				o.Done = append(o.Done, w)
				shootBlind(l, t, s, w, o)
			}
		}
	}
}

func shootBlind(l *rulebook.Rules, t *engine.Turn, s *engine.Ship, w int, o *rulebook.FireOrder) {
	drawForPhasers(l, t, s, state.Of(s).Bank(w).Kind.Shot(), t.Ordered(s.ID, o.Line, o.Text))
	var best *shot
	for _, foe := range state.Fighting(t.Game) {
		if foe.Side == s.Side || !Hidden(&l.Book, t.Game, foe) {
			continue
		}
		if sh, why := shotOf(l, t, s, w, foe, state.Of(s).Charge()); why == "" && (best == nil || sh.rng < best.rng) {
			best = &sh
		}
	}
	b, cite := state.Of(s).Bank(w), l.Cite(rulebook.OnFire, rulebook.OnCloak)
	roll := t.Roll(engine.NameRoll("fire", s.ID).And(b.Name), dice.D6, engine.SeeAll(), cite...)
	over, own := ownDie(l, t, s, w)
	f := &state.Fire{Ship: s.ID, Weapon: b.Name, Kind: b.Kind, Impulse: t.Phase.No, Roll: roll, Over: over, Own: own, Blind: true}
	see := engine.SeeAll()
	if best != nil {
		f.Target, f.Range, f.Counts, f.Scanner, f.Need, f.Points, f.Shield = best.target.ID, best.rng, best.counts, best.scanner, best.row.Need, best.row.PointsOf(roll, 0), best.side+1
		f.Hit = f.Points > 0
		see.Whole = engine.CaptainSeats(mates(t.Game, best.target)...)
	}
	fired := t.Because(t.Ordered(s.ID, o.Line, o.Text)).Emit(f, see, cite...)
	blows(l, t, s, w, over, own, fired)
	if f.Hit {
		inflict(l, t, best.target, best.side, f.Points, weaponSource(l, s, w, aimed{}), fired)
	}
}
