package sfb

import (
	"fmt"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/engine/rules/sfb/state"
	"starpost/orders"
)

// atOver is the line for a range of a weapon that has so much energy more.
func (c *fireChart) atOver(over, rng int) (r row, ok bool) {
	if over == 0 {
		return c.at(rng)
	}
	if rng > c.Over.Reach {
		return row{}, false
	}
	if n := len(c.Over.Rows); n > 0 && rng <= c.Over.Rows[n-1].Upto {
		early := fireChart{Touches: true, Rows: c.Over.Rows}
		r, ok = early.at(rng)
	} else {
		r, ok = c.at(rng)
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

// overloads tells whether there are weapons that can be overloaded.
func (b *Book) overloads() bool {
	for _, c := range b.Charts {
		if c.Over.Most > 0 {
			return true
		}
	}
	return false
}

// mayOverload tells whether a weapon can be overloaded in this turn.
func (c *compiler) mayOverload(w int) bool {
	b := c.sys.Bank(w)
	chart := c.book.Charts[b.Kind]
	return chart.Over.Most > 0 && c.sys.Rigged[b.Name] == 0 && c.sys.Weapons[w].Armed+1 >= chart.Turns
}

// overload reads how much more energy a weapon is to get in a turn of arming that takes so
// much; 0 and false for what cannot be.
func (c *compiler) overload(st orders.Statement, w, energy int) (over int, ok bool) {
	b := c.sys.Bank(w)
	chart := c.book.Charts[b.Kind]
	o := chart.Over
	a, said := st.Arg("ENERGY")
	switch {
	case o.Most == 0:
		c.fail(st.Pos, "E221", "arm "+b.Name, "%s cannot be overloaded", b.Name)
	case c.sys.Rigged[b.Name] > 0:
		c.fail(st.Pos, "E222", "arm it as it is", "%s was mended in battle: what was so mended may not be overloaded", b.Name)
	case c.sys.Weapons[w].Armed+1 < chart.Turns:
		c.fail(st.Pos, "E223", "arm "+b.Name+", and overload it next turn", "%s can be overloaded in the turn in which it becomes armed, and has %d of %d turns of arming to go", b.Name, chart.Turns-c.sys.Weapons[w].Armed, chart.Turns)
	case said && (a.Num < energy+o.Least || a.Num > energy+o.Most):
		c.fail(a.Pos, "E224", fmt.Sprintf("%d to %d", energy+o.Least, energy+o.Most), "%s cannot be overloaded with %d energy", b.Name, a.Num)
	case said:
		return a.Num - energy, true
	default:
		return o.Most, true
	}
	return 0, false
}

// ownDie throws for an overloaded weapon that fires: whether the shot is its last. Over is the
// energy that it has more; 0, and no die: it is not overloaded.
func (l *rulebook) ownDie(t *engine.Turn, s *engine.Ship, w int) (over, own int) {
	if over = state.Of(s).Weapons[w].Over; over > 0 {
		own = t.Roll(engine.NameRoll("overload", s.ID).And(state.Of(s).Bank(w).Name), dice.D6, engine.SeeAll(), l.cite(onOverload)...)
	}
	return over, own
}

// blows has an overloaded weapon that has fired be lost if its own die says so.
func (l *rulebook) blows(t *engine.Turn, s *engine.Ship, w, over, own int, fired engine.Ref) {
	if b := state.Of(s).Bank(w); over > 0 && own >= l.Charts[b.Kind].Over.Blows {
		t.Because(fired).Emit(&state.Blowout{Ship: s.ID, Bank: b.Name, Roll: own, Before: b.Left, After: b.Left - 1}, engine.SeeAll(), l.cite(onOverload)...)
	}
}
