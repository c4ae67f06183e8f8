package rulebook

import (
	"fmt"
	"slices"

	"starpost/engine"
	"starpost/engine/family"
	"starpost/engine/rules/sfb/phrase"
	"starpost/engine/rules/sfb/sheet"
	"starpost/engine/rules/sfb/state"
	"starpost/orders"
)

// Part is a feature that only some books have: its orders, what it does in an impulse and at the end of a turn, and
// its lines on a ship's sheet.
type Part struct {
	Has func(b *Book) bool
	// Keeps are the shares with which each ship begins.
	Keeps []family.Share
	// Verbs are the orders for the sections power and phase. An order in a phase becomes an act; Read adds the part's
	// own data to it, or reports a mistake and returns false to drop it.
	Verbs func(b *Book) (power, phase []orders.Verb)
	Read  func(c *Compiler, a *Act, st orders.Statement) bool
	Own   bool // orders may name the ship herself
	// Purses are the power verbs that set energy aside.
	Purses []string
	Params map[string]orders.Param
	// Begin runs when energy is allotted, Steer before the movement of each impulse, Act after movement and launches,
	// Fired after all shots, End at the end of the turn.
	Begin, Steer, Act, Fired, End func(l *Rules, t *engine.Turn)
	Dice                          []engine.NamedDie
	// Sheet returns lines for the sheet of an own ship; Mark returns what the map shows about any ship.
	Sheet func(l *Rules, v *engine.View, sys *state.System) []string
	Mark  func(v *engine.View, known state.Open) string
}

// fitted are a book's parts, and which part carries out an order in a phase, by verb.
type fitted struct {
	Parts []*Part
	acts  map[string]*Part
}

// readAct compiles an order of a phase that belongs to a part; false if it belongs to none.
func (c *Compiler) readAct(p *PhasePlan, phase int, st orders.Statement) bool {
	part := c.Book.acts[st.Verb]
	if part == nil {
		return false
	}
	a := Act{Order: orderOf(st), Verb: st.Verb}
	on, ok := c.impulse(st, phase)
	a.On = on
	if arg, named := st.Arg("SHIP"); named {
		if a.Target = c.ID; !part.Own || !c.named(arg.Text) {
			k, known := c.ship(arg, false)
			a.Target, ok = k.ID, ok && known
		}
	}
	if ok && part.Read(c, &a, st) {
		p.Acts = append(p.Acts, a)
	}
	return true
}

// Fit adds to a book the parts that it has.
func (b *Book) Fit(parts []*Part) {
	b.acts = map[string]*Part{}
	for _, p := range parts {
		if !p.Has(b) {
			continue
		}
		b.Parts = append(b.Parts, p)
		if p.Verbs == nil {
			continue
		}
		_, verbs := p.Verbs(b)
		for i := range verbs {
			if b.acts[verbs[i].Name] == nil {
				b.acts[verbs[i].Name] = p
			}
		}
	}
}

// purse compiles a line that sets energy aside; it returns false for other lines.
func (c *Compiler) purse(st orders.Statement, spend func(pos orders.Pos, sum, warp int)) bool {
	for _, part := range c.Book.Parts {
		if slices.Contains(part.Purses, st.Verb) {
			if st.Verb == VerbLabs && !c.InTheDark(st) {
				return true
			}
			a, _ := st.Arg("ENERGY")
			if labs := c.Sys.Sheet.Count(sheet.Lab).Left; st.Verb == VerbLabs && a.Num > labs {
				c.Fail(a.Pos, "E254", fmt.Sprintf("%s at most %d", VerbLabs, labs), "labs %d: she has only %s to light", a.Num, phrase.Counted(labs, "laboratory", "laboratories"))
				a.Num = labs
			}
			c.Plan.Energy.Set(st.Verb, a.Num)
			spend(st.Pos, a.Num, 0)
			return true
		}
	}
	return false
}

// Sources of energy at the moment of need.
const (
	FromPool       = "pool"
	FromCapacitors = "capacitors"
	FromReserve    = "reserve"
	FromBatteries  = "batteries"
)

// sourcesOf returns the sources that an order names, without duplicates, or the default ones.
func sourcesOf(st orders.Statement) []string {
	var out []string
	for _, a := range st.All("SOURCE") {
		if !slices.Contains(out, a.Text) {
			out = append(out, a.Text)
		}
	}
	if out == nil {
		return Usual()
	}
	return out
}

// DrawnFor names the purposes of energy for which the verb is not a suitable word.
func DrawnFor() map[string]string {
	return map[string]string{VerbArm: "arming", VerbHard: "a high energy turn", VerbLabs: "laboratories", VerbTractor: "a tractor beam", VerbTransporter: "transporters"}
}

// BoolInt returns 1 for true and 0 for false.
func BoolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// Usual returns the sources that pay if a captain names none.
func Usual() []string { return []string{FromReserve, FromBatteries} }
