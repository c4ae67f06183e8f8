package sfb

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"starpost/engine"
	"starpost/engine/dark"
	"starpost/engine/hex"
	"starpost/engine/rules/sfb/sheet"
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
	bodies                        []func() engine.Body
	// tell puts an event into words, which follow the impulse; false for an event of others.
	tell func(v *engine.View, b engine.Body) (text string, ok bool)
	// sheet are lines on the sheet of an own ship, seen of any, mark what the map says of her.
	sheet func(l *rulebook, v *engine.View, sys *System) []string
	mark  func(v *engine.View, known Open) string
	why   func(l *rulebook, s *engine.Story, i int) []string
}

// parts are those that a book has.
func (b *Book) parts() (out []*part) {
	for _, p := range []*part{
		&tractorPart,
		&hidingPart,
		&boardingPart,
		&riggingPart,
		&enginePart,
		&controlPart,
		&cannonPart,
		&researchPart,
		&freedPart,
	} {
		if p.has(b) {
			out = append(out, p)
		}
	}
	return out
}

// act is what a ship does in a phase beside moving and firing.
type act struct {
	order
	verb   string
	target engine.ShipID // id of a ship, or nearestEnemy; blank for none
	n      int           // of what the verb counts
	box    string        // a bank, or some, by a word
	steal  bool          // what is known, not the box
	carry  bool          // words, by a probe
	craft  engine.ShipID // a shuttle, by id
	what   string        // it does
	at     hex.Hex
	on     int // the impulse; 0: the first that will do
	done   bool
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

// actVerbs are the parts that carry out the orders of a phase, by the orders' verbs.
func (b *Book) actVerbs() map[string]*part {
	acts := map[string]*part{}
	for _, p := range b.parts() {
		if p.verbs == nil {
			continue
		}
		_, verbs := p.verbs(b)
		for i := range verbs {
			if acts[verbs[i].Name] == nil {
				acts[verbs[i].Name] = p
			}
		}
	}
	return acts
}

// set sets energy aside for something.
func (b *Energy) set(what string, energy int) {
	if b.Purse == nil {
		b.Purse = map[string]int{}
	}
	b.Purse[what] = energy
}

// purse compiles a line that sets energy aside for something; false if it is none.
func (c *compiler) purse(st orders.Statement, spend func(pos orders.Pos, sum, warp int)) bool {
	for _, part := range c.book.parts() {
		if slices.Contains(part.purses, st.Verb) {
			if st.Verb == verbLabs && !c.inTheDark(st) {
				return true
			}
			a, _ := st.Arg("ENERGY")
			if labs := c.sys.Sheet.Count(sheet.Lab).Left; st.Verb == verbLabs && a.Num > labs {
				c.fail(a.Pos, "E254", fmt.Sprintf("%s %d at most", verbLabs, labs), "labs %d: she has only %s to light", a.Num, counted(labs, "laboratory", "laboratories"))
				a.Num = labs
			}
			c.p.energy.set(st.Verb, a.Num)
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
	for _, s := range fighting(t.Game) {
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
	sys, h := of(s), memo(t).helm(s)
	pool, charge := h.pool/sheet.MoveParts, sys.Capacitor
	e := &Drawn{Ship: s.ID, For: what, Energy: energy, Aside: sys.Purse[what], Reserve: sys.Reserve, Batteries: sys.Batteries}
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

// Drawn is energy that is taken at the moment of need: a secret of the captain's.
type Drawn struct {
	Ship   engine.ShipID `json:"ship"`
	For    string        `json:"for"` // the verb that sets energy aside for it
	Energy int           `json:"energy"`
	// What is left of the energy set aside, of the reserve, and in the batteries.
	Aside     int `json:"aside"`
	Reserve   int `json:"reserve"`
	Batteries int `json:"batteries"`
	// What the movement pool and the capacitors paid of it.
	Pool       int `json:"pool,omitempty"`
	Capacitors int `json:"capacitors,omitempty"`
	Freed      int `json:"freed,omitempty"` // of the energy, what braking had given back to the reserve, and it alone may pay
}

// Type implements engine.Body.
func (*Drawn) Type() string { return "drawn" }

// Apply implements engine.Body.
func (b *Drawn) Apply(g *engine.Game) error {
	sys, err := systemOf(g, b.Ship)
	if err != nil {
		return err
	}
	if b.Energy != sys.Purse[b.For]-b.Aside+sys.Reserve-b.Reserve+sys.Batteries-b.Batteries+b.Pool+b.Capacitors || min(b.Aside, b.Reserve, b.Batteries, sys.Pool-b.Pool*sheet.MoveParts, sys.Capacitor-b.Capacitors) < 0 {
		return fmt.Errorf("%s takes %d with %d, %d and %d", b.Ship, b.Energy, sys.Purse[b.For], sys.Reserve, sys.Batteries)
	}
	sys.Reserve, sys.Batteries = b.Reserve, b.Batteries
	sys.Freed = min(sys.Freed-b.Freed, sys.Reserve)
	sys.Pool, sys.Capacitor = sys.Pool-b.Pool*sheet.MoveParts, sys.Capacitor-b.Capacitors
	if b.For == verbPhasers { // by way of the capacitors
		sys.Capacitor += b.Energy
	}
	if sys.Purse != nil {
		sys.Purse[b.For] = b.Aside
	}
	return nil
}

// Dealings are the state of a ship in matters of parts: what she does to others, and they to
// her, beside fire.
type Dealings struct {
	Purse map[string]int `json:"purse,omitempty"` // energy that was set aside, by the verb that did
	Holds []Grip         `json:"holds,omitempty"` // ships in her tractor beams
	Held  engine.ShipID  `json:"held,omitempty"`  // the ship whose tractor beam holds her
	Beams int            `json:"beams,omitempty"` // tractor beams that she has used in this turn
	// Rigged are the boxes that were mended in battle, by their banks.
	Rigged map[string]int `json:"rigged,omitempty"`
	Beyond map[string]int `json:"beyond,omitempty"` // boxes lost for good, by their banks
	Limit  int            `json:"limit,omitempty"`  // one more than the hexes of this turn after which she is stopped; 0: she is not
	Under  Shot           `json:"under,omitzero"`   // when she went under the cloak that she is under, or came out of it
	Probes int            `json:"probes,omitempty"` // that she has launched
	Away   int            `json:"away,omitempty"`   // shuttles that she has launched
	Data   []Datum        `json:"data,omitempty"`   // what she, or a shuttle, knows of others
	Course hex.Hex        `json:"course,omitzero"`  // of a probe or shuttle: where it goes
	dark.Mission
	Steered bool `json:"steered,omitempty"` // she needs a control box to turn and fire
	// Boarding parties: her own aboard, and those of others; whether hers add 1 to their die.
	Parties  int     `json:"parties,omitempty"`
	Boarders []Force `json:"boarders,omitempty"`
	Fierce   bool    `json:"fierce,omitempty"`
	Beamed   int     `json:"beamed,omitempty"`  // parties that her transporters have sent in this turn
	Charged  int     `json:"charged,omitempty"` // parties more that the energy for them is enough for
	Lowered  [6]bool `json:"lowered,omitzero"`  // shields that she has dropped for them until the turn ends
}

func (d Dealings) clone() Dealings {
	d.Purse, d.Holds, d.Rigged, d.Boarders = maps.Clone(d.Purse), slices.Clone(d.Holds), maps.Clone(d.Rigged), slices.Clone(d.Boarders)
	d.Beyond, d.Data = maps.Clone(d.Beyond), slices.Clone(d.Data)
	return d
}

// beginTurn sets what is for one turn to its beginning, with the energy that is set aside.
func (d *Dealings) beginTurn(purse map[string]int) {
	d.Purse, d.Beams, d.Limit, d.Beamed, d.Charged, d.Lowered = maps.Clone(purse), 0, 0, 0, 0, [6]bool{}
}

// partPhase runs what parts do at a moment.
func (l *rulebook) partPhase(t *engine.Turn, moment func(*part) func(*rulebook, *engine.Turn)) {
	for _, p := range l.parts() {
		if run := moment(p); run != nil {
			run(l, t)
		}
	}
}

// partWords are the words of a part for an event.
func (l *rulebook) partWords(v *engine.View, b engine.Body) (string, bool) {
	if d, ok := b.(*Drawn); ok {
		text := fmt.Sprintf("%s takes %d energy for %s", v.Name(d.Ship), d.Energy, cmp.Or(drawnFor()[d.For], d.For))
		if d.Freed > 0 {
			text += ", of what braking has given back"
		}
		if d.Pool > 0 {
			text += fmt.Sprintf(", %d of the movement pool", d.Pool)
		}
		if d.Capacitors > 0 {
			text += fmt.Sprintf(", %d of the capacitors", d.Capacitors)
		}
		return text + fmt.Sprintf(": %d set aside, %d in reserve and %d in the batteries are left", d.Aside, d.Reserve, d.Batteries), true
	}
	for _, p := range l.parts() {
		if p.tell == nil {
			continue
		}
		if text, ok := p.tell(v, b); ok {
			return text, true
		}
	}
	return "", false
}

// whyPart says what a part made of an event.
func (l *rulebook) whyPart(s *engine.Story, i int) []string {
	for _, p := range l.parts() {
		if p.why == nil {
			continue
		}
		if out := p.why(l, s, i); out != nil {
			return out
		}
	}
	return nil
}
