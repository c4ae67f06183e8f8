package rulebook

import (
	"fmt"
	"slices"
	"strings"

	"starpost/engine"
	"starpost/orders"
)

// mostStanding is the most standing lines of movement, fire and launches kept in all.
const mostStanding = 12

// wordNone withdraws the standing orders of a verb.
const wordNone = "none"

// standingVerbs returns the lasting orders of movement and fire.
func (b *Book) standingVerbs() []orders.Verb {
	hold := " It lasts until `%s none` withdraws it."
	return []orders.Verb{
		{
			Name: "pursue", Forms: []orders.Form{"pursue none", "pursue SHIP [to RANGE]"}, When: true, Examples: []string{"pursue nearest to 4"},
			Doc: "Steer for a ship with the hexes of each phase that no order of the phase uses, to a range from it (default 1). Of several such lines, the first whose condition holds is followed." + fmt.Sprintf(hold, "pursue"),
		},
		{
			Name: "flee", Forms: []orders.Form{"flee SHIP"}, When: true, Examples: []string{"flee nearest when damaged"},
			Doc: "Steer away from a ship with such hexes.",
		},
		{
			Name: "face", Forms: []orders.Form{"face SHIP [with SHIELD]"}, When: true, Examples: []string{"face nearest with 2 when range <= 4"},
			Doc: "Steer with such hexes to face a shield (default 1) towards a ship.",
		},
		{
			Name: "course", Forms: []orders.Form{"course HEX"}, When: true, Examples: []string{"course 0714"},
			Doc: "Steer for a hex with such hexes.",
		},
		{
			Name: "fire", Forms: []orders.Form{"fire WEAPON... at SHIP [aimed ROW] [on IMPULSE]", "fire none"}, When: true,
			Examples: []string{"fire all at nearest when range <= 8", "fire ph-1 at nearest on 8"},
			Doc:      "Fire weapons in each turn, on the impulse named, or on the first in which they can fire and the condition holds. A weapon named in a fire order for this or a later phase of the turn is left to that order." + fmt.Sprintf(hold, "fire"),
		},
		{
			Name: "launch", Forms: []orders.Form{"launch RACK... at SHIP [on IMPULSE]", "launch none"}, When: true, Examples: []string{"launch drone-1 at nearest when range <= 12"},
			Doc: "Launch drones and plasma torpedoes in the same way." + fmt.Sprintf(hold, "launch"),
		},
	}
}

// matter returns the subject of a standing order: new lines on a subject replace all previous ones.
func matter(verb string) string {
	if verb == "fire" || verb == "launch" {
		return verb
	}
	return "movement"
}

// standingOrders compiles a set's standing lines of movement and fire. The first line on a subject replaces the
// previous orders on it. Faulty lines are reported and left out.
func (c *Compiler) standingOrders(lines []orders.Statement) {
	st := &c.Plan.Standing
	said := map[string]bool{}
	for _, s := range lines {
		about := matter(s.Verb)
		if !said[about] {
			st.Orders = slices.DeleteFunc(slices.Clone(st.Orders), func(line string) bool {
				held, _ := c.language.Statement("standing", line)
				return matter(held.Verb) == about
			})
		}
		said[about] = true
		if len(s.Words) == 2 && s.Words[1] == wordNone {
			if s.When != nil {
				c.Fail(s.Pos, "E124", "leave the condition out", "none takes no condition")
			}
			continue
		}
		if len(st.Orders) == mostStanding {
			c.Fail(s.Pos, "E255", "leave some out", "there can be at most %d standing orders to move, fire and launch", mostStanding)
			continue
		}
		before := len(c.Plan.Diags)
		if c.standingLine(s, 0); !orders.HasErrors(c.Plan.Diags[before:]) {
			st.Orders = append(st.Orders, orders.FormatStatement(s))
			c.lines = append(c.lines, s.Pos.Line)
		}
	}
	if len(st.Orders) == 0 {
		st.Orders = nil // as when read from a file
	}
}

// standingLine compiles such a line for a phase; with phase 0 it only checks the line.
func (c *Compiler) standingLine(s orders.Statement, phase int) {
	if !c.condition(s) {
		return
	}
	var p PhasePlan
	defer func(was bool) { c.lasting = was }(c.lasting)
	c.lasting = true
	switch matter(s.Verb) {
	case "movement":
		c.move(&p, s)
	default:
		a, timed := s.Arg("IMPULSE")
		switch {
		case timed && (a.Num < 1 || a.Num > c.Book.Impulses):
			c.Fail(a.Pos, "E211", fmt.Sprintf("a turn has impulses 1 to %d", c.Book.Impulses), "there is no impulse %s", a.Text)
			return
		case timed && phase > 0 && c.Book.PhaseOf(a.Num) != phase:
			return
		case timed:
			c.fire(&p, c.Book.PhaseOf(a.Num), s)
		default:
			c.fire(&p, max(1, phase), s)
		}
	}
	if phase == 0 {
		return
	}
	into := &c.Plan.Phases[phase-1]
	into.Moves = append(into.Moves, p.Moves...)
	for _, f := range p.Fires {
		f.Weapons = slices.DeleteFunc(f.Weapons, func(w int) bool { return c.ordered(phase, w) })
		if len(f.Weapons) > 0 {
			into.Fires = append(into.Fires, f)
		}
	}
}

// ordered reports whether a fire order of this or a later phase uses a weapon.
func (c *Compiler) ordered(phase, w int) bool {
	return slices.ContainsFunc(c.Plan.Phases[phase-1:], func(p PhasePlan) bool {
		return slices.ContainsFunc(p.Fires, func(f FireOrder) bool { return !f.Standing && slices.Contains(f.Weapons, w) })
	})
}

// lastingOrders adds the standing orders to each phase, after its own orders. Orders that have become impossible are
// left out silently.
func (c *Compiler) lastingOrders() {
	held := c.Plan.Standing.Orders
	told, effects := c.Plan.Diags, c.Plan.Effects
	for i, line := range held {
		s, _ := c.language.Statement("standing", line)
		s.Pos.Line = 0
		if k := i - (len(held) - len(c.lines)); k >= 0 && c.Tell {
			s.Pos.Line = c.lines[k]
		}
		for phase := max(1, c.Round); phase <= c.Book.Rounds; phase++ {
			c.standingLine(s, phase)
		}
	}
	c.Plan.Diags, c.Plan.Effects = told, effects
}

// Cause returns the cause of events that carry the order out.
func (o *Order) Cause(t *engine.Turn, ship engine.ShipID) engine.Ref {
	if o.Standing {
		verb, _, _ := strings.Cut(o.Text, " ")
		return t.OrderedIn(ship, "standing", verb)
	}
	return t.Ordered(ship, o.Line, o.Text)
}
