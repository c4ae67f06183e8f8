package sfb

import (
	"cmp"
	"fmt"
	"slices"

	"starpost/engine"
	"starpost/engine/rules/sfb/phrase"
	"starpost/engine/rules/sfb/sheet"
	"starpost/engine/rules/sfb/state"
	"starpost/orders"
)

// part is a matter with a file of its own, which only some books have: its orders, what it
// does in an impulse and at the end of a turn, its events and what is said of them.
type part struct {
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
	events                        []event
	// sheet are lines on the sheet of an own ship, seen of any, mark what the map says of her.
	sheet func(l *rulebook, v *engine.View, sys *state.System) []string
	mark  func(v *engine.View, known state.Open) string
}

// fitted are the parts that a book has, and by the verbs of their orders in a phase those that
// carry these out.
type fitted struct {
	parts []*part
	acts  map[string]*part
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
func (b *Book) fit(parts []*part) {
	b.acts = map[string]*part{}
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

// carryOut has the ships do what a verb orders in this impulse. Try does it, or says why it
// cannot be done now; then it is tried again until the phase ends, and told.
func (l *rulebook) carryOut(t *engine.Turn, verb string, try func(s, target *engine.Ship, a *act) (why string)) {
	phase := l.phaseOf(t.Phase.No)
	_, last := l.span(phase)
	for _, s := range state.Fighting(t.Game) {
		p := memo(t).plans[s.ID]
		if p == nil {
			continue
		}
		acts := p.phases[phase-1].acts
		for i := range acts {
			a := &acts[i]
			if a.verb != verb || a.done || a.on > 0 && a.on != t.Phase.No || s.Status != engine.Active {
				continue
			}
			var target *engine.Ship
			if a.target != "" {
				target = l.aim(t.Game, s, a.target)
			}
			why := ""
			switch {
			case a.target != "" && target == nil:
				why = "there is no such ship on the map now"
			case !l.judge(t, s, target, a.when):
				why = "its condition did not come true"
			case target != nil && verb != verbProbe && !l.whole(t.Game, s, target):
				why = "her sensors do not show who that is: she must come nearer"
			default:
				why = try(s, target, a)
			}
			if a.done = why == ""; !a.done && (t.Phase.No == last || a.on == t.Phase.No) {
				t.Emit(&engine.Skip{Ship: s.ID, Line: a.line, Order: a.text, Reason: why}, engine.SeeOnly(s.ID), l.cite(onSkipped)...)
			}
		}
	}
}

// What energy at the moment of need comes from.
const (
	fromPool       = "pool"
	fromCapacitors = "capacitors"
	fromReserve    = "reserve"
	fromBatteries  = "batteries"
)

// usual is what pays where a captain names nothing.
func usual() []string { return []string{fromReserve, fromBatteries} }

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

// pay takes energy for what a ship does at this moment: from what was set aside for it, from
// the reserve, and from the batteries. False, and nothing taken, if there is too little.
func (l *rulebook) pay(t *engine.Turn, s *engine.Ship, what string, energy int, cause engine.Ref) bool {
	return l.payFrom(t, s, what, energy, usual(), cause)
}

// payFrom is pay, where after what was set aside some sources pay in their order (ruling R3a).
func (l *rulebook) payFrom(t *engine.Turn, s *engine.Ship, what string, energy int, sources []string, cause engine.Ref) bool {
	sys, h := state.Of(s), memo(t).helm(s)
	pool, charge := h.pool/sheet.MoveParts, sys.Capacitor
	e := &state.Drawn{Ship: s.ID, For: what, Energy: energy, Aside: sys.Purse[what], Reserve: sys.Reserve, Batteries: sys.Batteries}
	left := map[string]*int{fromPool: &pool, fromCapacitors: &charge, fromReserve: &e.Reserve, fromBatteries: &e.Batteries}
	take := func(from *int) {
		took := min(energy, *from)
		energy, *from = energy-took, *from-took
	}
	take(&e.Aside)
	for _, from := range sources {
		take(left[from])
	}
	if energy > 0 {
		return false
	}
	e.Pool, e.Capacitors = h.pool/sheet.MoveParts-pool, sys.Capacitor-charge
	h.pool -= e.Pool * sheet.MoveParts
	cite := onEnergy
	switch what {
	case forCannon:
		cite = onCannonEnergy
	case verbPhasers:
		cite = onReserve
	}
	t.Because(cause).Emit(e, engine.SeeOnly(s.ID), l.cite(cite)...)
	return true
}

// drawnFor is what energy is taken for, where its verb is no word for it.
func drawnFor() map[string]string {
	return map[string]string{verbArm: "arming", verbHard: "a high energy turn", verbLabs: "laboratories", verbTractor: "a tractor beam", verbTransporter: "transporters"}
}

// partPhase runs what parts do at a moment.
func (l *rulebook) partPhase(t *engine.Turn, moment func(*part) func(*rulebook, *engine.Turn)) {
	for _, p := range l.parts {
		if run := moment(p); run != nil {
			run(l, t)
		}
	}
}

func drawnWords(_ *rulebook, v *engine.View, b *state.Drawn) string {
	text := fmt.Sprintf("%s takes %d energy for %s", v.Name(b.Ship), b.Energy, cmp.Or(drawnFor()[b.For], b.For))
	if b.Freed > 0 {
		text += ", of what braking has given back"
	}
	if b.Pool > 0 {
		text += fmt.Sprintf(", %d of the movement pool", b.Pool)
	}
	if b.Capacitors > 0 {
		text += fmt.Sprintf(", %d of the capacitors", b.Capacitors)
	}
	return text + fmt.Sprintf(": %d set aside, %d in reserve and %d in the batteries are left", b.Aside, b.Reserve, b.Batteries)
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}
