package sfb

import (
	"fmt"
	"slices"
	"strings"

	"starpost/engine"
	"starpost/orders"
)

// mostStanding is how many standing lines of movement, fire and launches together are kept.
const mostStanding = 12

// wordNone takes back the standing orders of a verb's matter.
const wordNone = "none"

// standingVerbs are those of movement and fire that last, where a book has them.
func (b *Book) standingVerbs() []orders.Verb {
	hold := " It lasts, and `%s none` takes it back."
	return []orders.Verb{
		{
			Name: "pursue", Forms: []orders.Form{"pursue none", "pursue SHIP [to RANGE]"}, When: true, Examples: []string{"pursue nearest to 4"},
			Doc: "Steer for a ship with the hexes of each phase that no order of the phase uses, to a range from it (1 if none is named). Of several such lines the first whose condition holds then is followed." + fmt.Sprintf(hold, "pursue"),
		},
		{
			Name: "flee", Forms: []orders.Form{"flee SHIP"}, When: true, Examples: []string{"flee nearest when damaged"},
			Doc: "Steer away from a ship with such hexes.",
		},
		{
			Name: "face", Forms: []orders.Form{"face SHIP [with SHIELD]"}, When: true, Examples: []string{"face nearest with 2 when range <= 4"},
			Doc: "Steer with such hexes so that a shield (1 if none is named) is towards a ship.",
		},
		{
			Name: "course", Forms: []orders.Form{"course HEX"}, When: true, Examples: []string{"course 0714"},
			Doc: "Steer for a hex with such hexes.",
		},
		{
			Name: "fire", Forms: []orders.Form{"fire WEAPON... at SHIP [aimed ROW] [on IMPULSE]", "fire none"}, When: true,
			Examples: []string{"fire all at nearest when range <= 8", "fire ph-1 at nearest on 8"},
			Doc:      "Fire weapons in each turn, on the impulse named, or on the first in which they can and the condition holds. A weapon that an order to fire of this phase or of a later one of the turn names is left to that order." + fmt.Sprintf(hold, "fire"),
		},
		{
			Name: "launch", Forms: []orders.Form{"launch RACK... at SHIP [on IMPULSE]", "launch none"}, When: true, Examples: []string{"launch drone-1 at nearest when range <= 12"},
			Doc: "Launch drones and plasma torpedoes in the same way." + fmt.Sprintf(hold, "launch"),
		},
	}
}

// matter tells what a standing order is about: lines of one matter take the place of all before.
func matter(verb string) string {
	if verb == "fire" || verb == "launch" {
		return verb
	}
	return "movement"
}

// standingOrders takes in the lines of movement and fire of a set, whose first of a matter
// takes the place of what stood of it. Those with a mistake are told and left out.
func (c *compiler) standingOrders(lines []orders.Statement) {
	st := &c.p.standing
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
				c.fail(s.Pos, "E124", "leave the condition out", "none is none")
			}
			continue
		}
		if len(st.Orders) == mostStanding {
			c.fail(s.Pos, "E255", "leave some out", "at most %d standing orders to move, fire and launch are kept", mostStanding)
			continue
		}
		before := len(c.p.diags)
		if c.standingLine(s, 0); !orders.HasErrors(c.p.diags[before:]) {
			st.Orders = append(st.Orders, orders.FormatStatement(s))
			c.lines = append(c.lines, s.Pos.Line)
		}
	}
	if len(st.Orders) == 0 {
		st.Orders = nil // as it is read from a file
	}
}

// standingLine compiles such a line for a phase; 0 only looks whether it is right.
func (c *compiler) standingLine(s orders.Statement, phase int) {
	if !c.condition(s) {
		return
	}
	var p phasePlan
	defer func(was bool) { c.lasting = was }(c.lasting)
	c.lasting = true
	switch matter(s.Verb) {
	case "movement":
		c.move(&p, s)
	default:
		a, timed := s.Arg("IMPULSE")
		switch {
		case timed && (a.Num < 1 || a.Num > c.book.Impulses):
			c.fail(a.Pos, "E211", fmt.Sprintf("a turn has impulses 1 to %d", c.book.Impulses), "there is no impulse %s", a.Text)
			return
		case timed && phase > 0 && c.book.phaseOf(a.Num) != phase:
			return
		case timed:
			c.fire(&p, c.book.phaseOf(a.Num), s)
		default:
			c.fire(&p, max(1, phase), s)
		}
	}
	if phase == 0 {
		return
	}
	into := &c.p.phases[phase-1]
	into.moves = append(into.moves, p.moves...)
	for _, f := range p.fires {
		f.weapons = slices.DeleteFunc(f.weapons, func(w int) bool { return c.ordered(phase, w) })
		if len(f.weapons) > 0 {
			into.fires = append(into.fires, f)
		}
	}
}

// ordered tells whether an order to fire of a phase, or of a later one, has a weapon.
func (c *compiler) ordered(phase, w int) bool {
	return slices.ContainsFunc(c.p.phases[phase-1:], func(p phasePlan) bool {
		return slices.ContainsFunc(p.fires, func(f fireOrder) bool { return !f.standing && slices.Contains(f.weapons, w) })
	})
}

// lastingOrders has each phase do what stands, after its own orders. What was right when it was
// given and cannot be done now is left out without a word.
func (c *compiler) lastingOrders() {
	held := c.p.standing.Orders
	told, effects := c.p.diags, c.p.effects
	for i, line := range held {
		s, _ := c.language.Statement("standing", line)
		s.Pos.Line = 0
		if k := i - (len(held) - len(c.lines)); k >= 0 && c.tell {
			s.Pos.Line = c.lines[k]
		}
		for phase := max(1, c.round); phase <= c.book.Rounds; phase++ {
			c.standingLine(s, phase)
		}
	}
	c.p.diags, c.p.effects = told, effects
}

// cause is what an event follows from that carries an order out.
func (o *order) cause(t *engine.Turn, ship engine.ShipID) engine.Ref {
	if o.standing {
		verb, _, _ := strings.Cut(o.text, " ")
		return t.OrderedIn(ship, "standing", verb)
	}
	return t.Ordered(ship, o.line, o.text)
}
