package sfb

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"starpost/engine"
	"starpost/engine/blind"
	"starpost/engine/dark"
	"starpost/engine/hex"
	"starpost/engine/rules/sfb/sheet"
	"starpost/engine/rules/sfb/state"
	"starpost/orders"
)

// compiler turns a block into a plan.
type compiler struct {
	book  *Book
	id    engine.ShipID
	side  string
	sys   *state.System
	names []known
	sides []engine.Side
	dark  bool     // not all that is there has a name
	files []string // aboard
	code  *blind.Code
	p     plan
	block *orders.Block
	tell  bool
	round int // of which the set is, 1 for the first
	at    *hex.Hex

	free int      // boxes of laboratories that no order has taken
	work []string // what laboratories work on

	shuttles map[string]string // what shuttles do in the turn, by id

	language *orders.Language
	lasting  bool  // what is compiled is a standing order
	lines    []int // of the last of the standing orders, which are of this set

	cloaked, noFire bool // in the turn that the set is for
}

// compile makes a plan of a block for a ship. It never stops at the first mistake; what
// is wrong is left out and told in the diagnostics. With tell it says what each line
// does. In a round after the first, energy is as it was allotted: what is for the whole
// turn, and phases that were played, are passed over with a remark.
func (l *rulebook) compile(c *compiler) plan {
	c.book, c.language = &l.Book, l.language
	c.p.standing = c.sys.Standing.Clone()
	c.p.phases = make([]phasePlan, l.Rounds)
	b := c.block
	c.cloaked, c.noFire = c.sys.Cloaked, c.sys.NoFire
	if c.round < 2 {
		g, _ := b.Group("power", 0)
		c.power(g, b.Faulty || g.Faulty)
		c.cloaked, c.noFire = c.p.energy.Cloak > 0, c.p.energy.NoFire
	}
	if c.free = c.sys.FreeLabs(); c.round < 2 {
		c.free = max(0, c.sys.Sheet.Count(sheet.Lab).Left-c.p.energy.Purse[verbLabs])
	}
	if c.book.Cloak.Hides { // unless she comes out of it
		c.cloaked = c.cloaked && c.sys.Cloaked && !slices.ContainsFunc(b.Groups, func(g orders.Group) bool { return g.Name == "phase" && len(g.All(verbCloak)) > 0 })
	}
	for _, g := range b.Groups {
		switch {
		case len(g.Statements) == 0:
		case g.Name == "power" && c.round > 1:
			c.warn(g.Pos, "W130", "leave it out", "the energy of this turn is allotted: this is passed over")
		case g.Name == "phase" && g.N < c.round:
			c.warn(g.Pos, "W130", "leave it out", "phase %d of this turn was played: this is passed over", g.N)
		case g.Name == "phase" && g.N <= l.Rounds:
			c.phase(g)
		case g.Name == "standing":
			c.standing(g)
		case g.Name == "":
			c.turnLevel(g)
		}
	}
	c.lastingOrders()
	if c.tell && c.round < 2 {
		c.forgotten()
	}
	orders.Sort(c.p.diags)
	slices.SortStableFunc(c.p.effects, func(a, b engine.Effect) int { return cmp.Compare(a.Line, b.Line) })
	return c.p
}

func (c *compiler) fail(pos orders.Pos, code, hint, format string, args ...any) {
	c.p.diags = append(c.p.diags, orders.Diagnostic{Pos: pos, Code: code, Hint: hint, Message: fmt.Sprintf(format, args...)})
}

func (c *compiler) warn(pos orders.Pos, code, hint, format string, args ...any) {
	c.p.diags = append(c.p.diags, orders.Diagnostic{
		Pos: pos, Code: code, Hint: hint, Message: fmt.Sprintf(format, args...), Severity: orders.Warning,
	})
}

func (c *compiler) effect(line int, format string, args ...any) {
	if c.tell {
		c.p.effects = append(c.p.effects, engine.Effect{Line: line, Text: fmt.Sprintf(format, args...)})
	}
}

// ship finds a ship by name, id or short name; ok is false for an unknown one, of which
// a remark is made.
func (c *compiler) ship(a orders.Arg, drones bool) (k known, ok bool) {
	if strings.EqualFold(a.Text, nearestEnemy) {
		return known{id: nearestEnemy, name: nearestEnemy}, true
	}
	names := make([]string, 0, len(c.names)+1)
	for _, by := range []func(known) string{func(k known) string { return k.name }, func(k known) string { return k.short }} {
		for _, k := range c.names {
			if !strings.EqualFold(by(k), a.Text) {
				continue
			}
			switch {
			case k.id == c.id:
				c.fail(a.Pos, "E114", "name another ship", "%s is the ship itself", k.name)
				return k, false
			case k.small && !drones:
				c.fail(a.Pos, "E212", "name a ship", "%s is no ship: this order is for ships", k.name)
				return k, false
			}
			return k, true
		}
	}
	for _, k := range c.names {
		names = append(names, k.name)
	}
	c.fail(a.Pos, "E102", orders.DidYouMean("%s", a.Text, names, "ships: "+strings.Join(names, ", ")), "no ship %q is known", a.Text)
	return known{}, false
}

// weapons finds weapons by the words of an order; each that is wrong is told. Standing
// orders may name one that is destroyed: they were given before.
func (c *compiler) weapons(args []orders.Arg, standing bool) (out []int, group bool) {
	for _, a := range args {
		found, several := c.sys.Called(a.Text)
		if len(found) == 0 {
			all := c.sys.Names(nil)
			c.fail(a.Pos, "E101", orders.DidYouMean("%s", a.Text, all, "weapons: "+strings.Join(all, ", ")), "this ship has no weapon %q", a.Text)
			continue
		}
		group = group || several
		for _, w := range found {
			switch b := c.sys.Bank(w); {
			case b.Left == 0 && !several && !standing:
				c.fail(a.Pos, "E108", "leave it out", "%s is destroyed", b.Name)
			case b.Left == 0 && !standing:
			case slices.Contains(out, w) && !several:
				c.fail(a.Pos, "E126", "name it once", "%s is named twice", b.Name)
			case !slices.Contains(out, w):
				out = append(out, w)
			}
		}
	}
	return out, group
}

func (c *compiler) shield(a orders.Arg) (side int, ok bool) {
	if a.Num < 1 || a.Num > 6 {
		c.fail(a.Pos, "E112", "shields are 1 to 6", "there is no shield %s", a.Text)
		return 0, false
	}
	return a.Num - 1, true
}

func (c *compiler) phase(g orders.Group) {
	p := &c.p.phases[g.N-1]
	for _, st := range g.Statements {
		if !c.condition(st) {
			continue
		}
		switch st.Verb {
		case "fire", "launch":
			c.fire(p, g.N, st)
		case "speed":
			c.changeSpeed(p, g.N, st)
		case verbHard:
			c.hard(p, g.N, st)
		case "brake":
			if !c.sys.Brakes {
				c.fail(st.Pos, "E220", "give a lower speed instead", "this ship cannot slow down in an emergency: ships of the navy %s can", c.book.Brakes)
			} else if on, ok := c.impulse(st, g.N); ok {
				p.brakes = append(p.brakes, leaveOrder{orderOf(st), on})
			}
		case "disengage":
			on, ok := c.impulse(st, g.N)
			if ok {
				p.leaves = append(p.leaves, leaveOrder{orderOf(st), on})
				c.warn(st.Pos, "W127", "leave it out to stay", "this takes the ship out of the battle")
			}
		default:
			if !c.readAct(p, g.N, st) {
				c.move(p, st)
			}
		}
	}
}

func (c *compiler) move(p *phasePlan, st orders.Statement) {
	m := moveOrder{order: orderOf(st), verb: st.Verb, rng: 1}
	m.standing = c.lasting
	for _, a := range st.All("WORD") {
		m.words, m.wordAt = append(m.words, a.Text), append(m.wordAt, a.Pos)
	}
	if a, ok := st.Arg("SHIP"); ok {
		k, found := c.ship(a, false)
		if !found {
			return
		}
		m.target = k.id
	}
	if a, ok := st.Arg("RANGE"); ok {
		m.rng = a.Num
	}
	if a, ok := st.Arg("SHIELD"); ok {
		if m.side, ok = c.shield(a); !ok {
			return
		}
	}
	if a, ok := st.Arg("HEX"); ok {
		h, err := hex.ParseLabel(a.Text)
		if err != nil {
			c.fail(a.Pos, "E122", "column and row in two digits each: 0714", "%s is not a hex", a.Text)
			return
		}
		m.at = h
	}
	p.moves = append(p.moves, m)
}

// impulse reads "on N", which must lie in the phase.
func (c *compiler) impulse(st orders.Statement, phase int) (on int, ok bool) {
	a, given := st.Arg("IMPULSE")
	if !given {
		return 0, true
	}
	if first, last := c.book.span(phase); a.Num < first || a.Num > last {
		hint := fmt.Sprintf("phase %d is impulses %d to %d", phase, first, last)
		if a.Num >= 1 && a.Num <= c.book.Impulses {
			hint += fmt.Sprintf("; impulse %d is in phase %d", a.Num, c.book.phaseOf(a.Num))
		}
		c.fail(a.Pos, "E211", hint, "impulse %s is not in phase %d", a.Text, phase)
		return 0, false
	}
	return a.Num, true
}

func (c *compiler) fire(p *phasePlan, phase int, st orders.Statement) {
	launch := st.Verb == "launch"
	f := fireOrder{order: orderOf(st), launch: launch}
	f.standing = c.lasting
	args := st.All("WEAPON")
	if launch {
		args = st.All("RACK")
	}
	if c.cloaked && !c.lasting {
		c.fail(st.Pos, "E217", "leave this line out, or the cloak", "she is cloaked in this turn, and can %s nothing", st.Verb)
	}
	if c.noFire && !c.lasting {
		c.fail(st.Pos, "E219", "leave this line out, or: fire-control off", "her fire control is off in this turn, and she can %s nothing", st.Verb)
	}
	if a, said := st.Arg("ROW"); said {
		if f.row = a.Num; f.row < 2 || f.row > 12 {
			c.fail(a.Pos, "E225", "a row is a sum of two dice, 2 to 12", "the damage allocation chart has no row %s", a.Text)
			return
		}
	}
	if !c.sys.Controlled() && !c.lasting {
		c.fail(st.Pos, "E249", "leave this line out; under power: scotty bridge", "no control box is left, and she can %s nothing", st.Verb)
		return
	}
	weapons, group := c.weapons(args, c.lasting)
	f.weapons, f.group = weapons, group || c.lasting
	f.weapons = slices.DeleteFunc(f.weapons, func(w int) bool {
		b := c.sys.Bank(w)
		switch {
		case b.Kind.Launches() == launch:
			return false
		case launch:
			c.fail(st.Pos, "E213", "fire "+b.Name+" at a ship", "%s launches nothing, it fires", b.Name)
		default:
			c.fail(st.Pos, "E213", "launch "+b.Name+" at a ship", "%s does not fire, it launches", b.Name)
		}
		return true
	})
	a, named := st.Arg("SHIP")
	k, found := known{}, !named
	row, along := st.Arg("HEADING")
	switch {
	case named:
		k, found = c.ship(a, !launch)
		f.weapons = slices.DeleteFunc(f.weapons, func(w int) bool {
			b := c.sys.Bank(w)
			if b.Kind.Cannon() {
				c.fail(st.Pos, "E228", "fire "+b.Name+" along B, or another of the six directions", "%s fires at no ship: its shots fly along a row of hexes, and hit what is in their way", b.Name)
			}
			return b.Kind.Cannon()
		})
	case along:
		found = c.along(&f, row, st)
	default:
		f.blind = true
	}
	on, ok := c.impulse(st, phase)
	if !found || !ok || (c.cloaked || c.noFire) && !c.lasting || len(f.weapons) == 0 {
		return
	}
	if named && k.side == c.side {
		c.warn(a.Pos, "W214", "name an enemy", "%s is on your own side", k.name)
	}
	f.target, f.on = k.id, on
	p.fires = append(p.fires, f)
}

// condition looks at what a condition asks for; false if it cannot be asked.
func (c *compiler) condition(st orders.Statement) bool {
	ok := true
	leaves(st.When, func(t *orders.Cond) {
		if _, named := st.Arg("SHIP"); !named && (t.Subject == "range" || t.Subject == "facing" || t.Subject == "cloaked") {
			c.fail(t.Pos, "E124", "use a condition that needs no ship, such as damaged", "%s needs a ship, and this order names none", t.Subject)
			ok = false
		}
		if a, has := t.Arg("SHIELD"); has {
			if _, good := c.shield(a); !good {
				ok = false
			}
		}
		if a, has := t.Arg("SHIP"); has && !c.named(a.Text) {
			k, good := c.ship(a, false)
			if ok = ok && good; good && c.dark && k.id != nearestEnemy && k.sheet == nil {
				c.warn(a.Pos, "W240", "come nearer, or leave it out", "her sensors do not show the shields of %s as it stands: unless she is near enough by then the condition counts as not met", k.name)
			}
		}
	})
	return ok
}

// leaves visits the tests of a condition.
func leaves(cond *orders.Cond, visit func(*orders.Cond)) {
	switch {
	case cond == nil:
	case cond.Op == orders.Test:
		visit(cond)
	default:
		for _, k := range cond.Kids {
			leaves(k, visit)
		}
	}
}

// named tells whether a name is the ship's own.
func (c *compiler) named(name string) bool {
	return slices.ContainsFunc(c.names, func(k known) bool { return k.id == c.id && strings.EqualFold(k.name, name) })
}

func (c *compiler) standing(g orders.Group) {
	st := &c.p.standing
	var lose []sheet.Wish
	var said []sheet.Category
	var lasting []orders.Statement
	for i, s := range g.Statements {
		switch s.Verb {
		case "lose":
			// A word as ParseLose has it: "hull", then its banks.
			words := append([]string{}, s.Words[1:]...)
			wishes := sheet.ParseLose(&c.sys.Sheet, words, func(word int, hint, format string, args ...any) {
				pos := s.Pos
				if boxes := s.All("BOX"); word > 0 && word <= len(boxes) { // the word before them is the kind
					pos = boxes[word-1].Pos
				}
				c.fail(pos, "E214", hint, format, args...)
			})
			if len(words) > 0 {
				said = append(said, sheet.CategoryWords[words[0]])
			}
			for _, w := range wishes {
				said = append(said, w.Category)
			}
			lose = append(lose, wishes...)
		case "guard":
			if i == slices.IndexFunc(g.Statements, func(o orders.Statement) bool { return o.Verb == "guard" }) {
				st.Guard = nil
			}
			if s.Form == 1 {
				continue
			}
			weapons, _ := c.weapons(s.All("WEAPON"), true)
			within, _ := s.Arg("RANGE")
			guard := state.Guard{Within: within.Num}
			for _, w := range weapons {
				if k := c.sys.Bank(w).Kind; !k.Launches() && !k.Cannon() {
					guard.Weapons = append(guard.Weapons, c.sys.Bank(w).Name)
				}
			}
			if len(guard.Weapons) > 0 {
				st.Guard = append(st.Guard, guard)
			}
		case "reinforce":
			c.reinforcing(s, i == slices.IndexFunc(g.Statements, func(o orders.Statement) bool { return o.Verb == "reinforce" }))
		case "choose":
			a, _ := s.Arg("WHICH")
			st.Choose = a.Text
		case "hold":
			a, _ := s.Arg("LEVEL")
			st.Hold = dark.LevelOf(a)
		case "missing":
			a, _ := s.Arg("ABSENT")
			st.Missing = a.Text
		default:
			lasting = append(lasting, s)
		}
	}
	c.standingOrders(lasting)
	if len(said) > 0 {
		st.Lose = append(slices.DeleteFunc(slices.Clone(st.Lose), func(w sheet.Wish) bool { return slices.Contains(said, w.Category) }), lose...)
	}
}

func (c *compiler) turnLevel(g orders.Group) {
	for _, st := range g.Statements {
		switch {
		case st.Verb == verbSurrender && c.condition(st):
			c.p.surrenders = append(c.p.surrenders, orderOf(st))
			c.effect(st.Pos.Line, "the ship strikes at the end of the first impulse, or of the first in which the condition holds")
			c.warn(st.Pos, "W129", "leave it out to fight on", "the ship is lost to the enemy if this is carried out")
		case slices.Contains(dark.LabOrders(), st.Verb):
			c.labs(st)
		case st.Verb == "message":
			a, _ := st.Arg("TO")
			if c.dark && c.book.Research.Range > 0 && strings.EqualFold(a.Text, dark.WordCourier) {
				c.effect(st.Pos.Line, "the probe that you order to carry it takes it along")
				continue
			}
			c.addressee(a)
		case st.Verb == "luck" && c.round > 1:
			c.warn(st.Pos, "W130", "give it with the first orders of a turn", "luck is for the whole turn, which has begun: this is passed over")
		}
	}
}

func (c *compiler) addressee(a orders.Arg) {
	if strings.EqualFold(a.Text, "all") || strings.EqualFold(a.Text, "side") {
		return
	}
	for _, sd := range c.sides {
		if strings.EqualFold(sd.ID, a.Text) || strings.EqualFold(sd.Name, a.Text) {
			return
		}
	}
	if c.named(a.Text) {
		return
	}
	c.ship(a, false)
}
