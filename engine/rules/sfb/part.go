package sfb

import (
	"fmt"
	"slices"

	"starpost/engine"
	"starpost/engine/rules/sfb/phrase"
	"starpost/engine/rules/sfb/sheet"
	"starpost/engine/rules/sfb/state"
	"starpost/orders"
)

// Part is a matter with a file of its own, which only some books have: its orders, what it
// does in an impulse and at the end of a turn, what her sheet says of it.
type Part struct {
	has func(b *Book) bool
	// verbs are those of the sections power and phase. An order of a phase becomes an act, to
	// which read adds what is the part's own; false: it is left out, and that has been told.
	verbs func(b *Book) (power, phase []orders.Verb)
	read  func(c *compiler, a *act, st orders.Statement) bool
	own   bool // orders may name the ship herself
	// purses are the verbs of power that set energy aside.
	purses []string
	params map[string]orders.Param
	// begin runs when energy is allotted, steer before the movement of each impulse, act after
	// it and the launches, fired when all shots are, end at the end of the turn.
	begin, steer, act, fired, end func(l *rulebook, t *engine.Turn)
	dice                          []engine.NamedDie
	// sheet are lines on the sheet of an own ship, seen of any, mark what the map says of her.
	sheet func(l *rulebook, v *engine.View, sys *state.System) []string
	mark  func(v *engine.View, known state.Open) string
}

// fitted are the parts that a book has, and by the verbs of their orders in a phase those that
// carry these out.
type fitted struct {
	parts []*Part
	acts  map[string]*Part
}

// readAct compiles an order of a phase that is a part's; false if it is none.
func (c *compiler) readAct(p *phasePlan, phase int, st orders.Statement) bool {
	part := c.book.acts[st.Verb]
	if part == nil {
		return false
	}
	a := act{order: orderOf(st), verb: st.Verb}
	on, ok := c.impulse(st, phase)
	a.on = on
	if arg, named := st.Arg("SHIP"); named {
		if a.target = c.id; !part.own || !c.named(arg.Text) {
			k, known := c.ship(arg, false)
			a.target, ok = k.id, ok && known
		}
	}
	if ok && part.read(c, &a, st) {
		p.acts = append(p.acts, a)
	}
	return true
}

// fit gives a book those of some parts that it has.
func (b *Book) fit(parts []*Part) {
	b.acts = map[string]*Part{}
	for _, p := range parts {
		if !p.has(b) {
			continue
		}
		b.parts = append(b.parts, p)
		if p.verbs == nil {
			continue
		}
		_, verbs := p.verbs(b)
		for i := range verbs {
			if b.acts[verbs[i].Name] == nil {
				b.acts[verbs[i].Name] = p
			}
		}
	}
}

// purse compiles a line that sets energy aside for something; false if it is none.
func (c *compiler) purse(st orders.Statement, spend func(pos orders.Pos, sum, warp int)) bool {
	for _, part := range c.book.parts {
		if slices.Contains(part.purses, st.Verb) {
			if st.Verb == verbLabs && !c.inTheDark(st) {
				return true
			}
			a, _ := st.Arg("ENERGY")
			if labs := c.sys.Sheet.Count(sheet.Lab).Left; st.Verb == verbLabs && a.Num > labs {
				c.fail(a.Pos, "E254", fmt.Sprintf("%s %d at most", verbLabs, labs), "labs %d: she has only %s to light", a.Num, phrase.Counted(labs, "laboratory", "laboratories"))
				a.Num = labs
			}
			c.p.energy.Set(st.Verb, a.Num)
			spend(st.Pos, a.Num, 0)
			return true
		}
	}
	return false
}

// What energy at the moment of need comes from.
const (
	fromPool       = "pool"
	fromCapacitors = "capacitors"
	fromReserve    = "reserve"
	fromBatteries  = "batteries"
)

// sourcesOf are those that an order names, each once, or the usual ones.
func sourcesOf(st orders.Statement) []string {
	var out []string
	for _, a := range st.All("SOURCE") {
		if !slices.Contains(out, a.Text) {
			out = append(out, a.Text)
		}
	}
	if out == nil {
		return usual()
	}
	return out
}

// drawnFor is what energy is taken for, where its verb is no word for it.
func drawnFor() map[string]string {
	return map[string]string{verbArm: "arming", verbHard: "a high energy turn", verbLabs: "laboratories", verbTractor: "a tractor beam", verbTransporter: "transporters"}
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// usual is what pays where a captain names nothing.
func usual() []string { return []string{fromReserve, fromBatteries} }
