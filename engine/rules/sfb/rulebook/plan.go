package rulebook

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

// Compiler turns a block into a plan.
type Compiler struct {
	Book  *Book
	ID    engine.ShipID
	Side  string
	Sys   *state.System
	Names []Known
	Sides []engine.Side
	Dark  bool     // some ships present have no known name
	Files []string // names of the files aboard
	Code  *blind.Code
	Plan  Plan
	Block *orders.Block
	Tell  bool
	Round int // of the set, from 1
	At    *hex.Hex

	free int      // laboratories not yet used by an order
	work []string // what laboratories work on

	Shuttles map[string]string // what shuttles do this turn, by id

	language *orders.Language
	lasting  bool  // a standing order is being compiled
	lines    []int // line numbers of the last standing orders, which are from this set

	Cloaked, noFire bool // in the turn of the set
}

// Compile makes a plan from a ship's order block. It does not stop at mistakes: faulty orders are left out and
// reported in the diagnostics. With Tell, effects say what each line does. In a round after the first, energy is
// already allotted: orders for the whole turn, and phases already played, are skipped with a remark.
func (l *Rules) Compile(c *Compiler) Plan {
	c.Book, c.language = &l.Book, l.Language
	c.Plan.Standing = c.Sys.Standing.Clone()
	c.Plan.Phases = make([]PhasePlan, l.Rounds)
	b := c.Block
	c.Cloaked, c.noFire = c.Sys.Cloaked, c.Sys.NoFire
	if c.Round < 2 {
		g, _ := b.Group("power", 0)
		c.power(g, b.Faulty || g.Faulty)
		c.Cloaked, c.noFire = c.Plan.Energy.Cloak > 0, c.Plan.Energy.NoFire
	}
	if c.free = c.Sys.FreeLabs(); c.Round < 2 {
		c.free = max(0, c.Sys.Sheet.Count(sheet.Lab).Left-c.Plan.Energy.Purse[VerbLabs])
	}
	if c.Book.Cloak.Hides { // unless she decloaks
		c.Cloaked = c.Cloaked && c.Sys.Cloaked && !slices.ContainsFunc(b.Groups, func(g orders.Group) bool { return g.Name == "phase" && len(g.All(VerbCloak)) > 0 })
	}
	for _, g := range b.Groups {
		switch {
		case len(g.Statements) == 0:
		case g.Name == "power" && c.Round > 1:
			c.Warn(g.Pos, "W130", "leave it out", "this turn's energy is already allotted: this line is skipped")
		case g.Name == "phase" && g.N < c.Round:
			c.Warn(g.Pos, "W130", "leave it out", "phase %d of this turn is over: this line is skipped", g.N)
		case g.Name == "phase" && g.N <= l.Rounds:
			c.phase(g)
		case g.Name == "standing":
			c.standing(g)
		case g.Name == "":
			c.turnLevel(g)
		}
	}
	c.lastingOrders()
	if c.Tell && c.Round < 2 {
		c.forgotten()
	}
	orders.Sort(c.Plan.Diags)
	slices.SortStableFunc(c.Plan.Effects, func(a, b engine.Effect) int { return cmp.Compare(a.Line, b.Line) })
	return c.Plan
}

// Fail records a mistake.
func (c *Compiler) Fail(pos orders.Pos, code, hint, format string, args ...any) {
	c.Plan.Diags = append(c.Plan.Diags, orders.Diagnostic{Pos: pos, Code: code, Hint: hint, Message: fmt.Sprintf(format, args...)})
}

// Warn records a warning.
func (c *Compiler) Warn(pos orders.Pos, code, hint, format string, args ...any) {
	c.Plan.Diags = append(c.Plan.Diags, orders.Diagnostic{
		Pos: pos, Code: code, Hint: hint, Message: fmt.Sprintf(format, args...), Severity: orders.Warning,
	})
}

// Effect records what a line does, if requested.
func (c *Compiler) Effect(line int, format string, args ...any) {
	if c.Tell {
		c.Plan.Effects = append(c.Plan.Effects, engine.Effect{Line: line, Text: fmt.Sprintf(format, args...)})
	}
}

// ship finds a ship by name, id or short name. If it is unknown, it reports that and returns false.
func (c *Compiler) ship(a orders.Arg, drones bool) (k Known, ok bool) {
	if strings.EqualFold(a.Text, NearestEnemy) {
		return Known{ID: NearestEnemy, Name: NearestEnemy}, true
	}
	names := make([]string, 0, len(c.Names)+1)
	for _, by := range []func(Known) string{func(k Known) string { return k.Name }, func(k Known) string { return k.Short }} {
		for _, k := range c.Names {
			if !strings.EqualFold(by(k), a.Text) {
				continue
			}
			switch {
			case k.ID == c.ID:
				c.Fail(a.Pos, "E114", "name another ship", "%s is the ship itself", k.Name)
				return k, false
			case k.small && !drones:
				c.Fail(a.Pos, "E212", "name a ship", "%s is not a ship: this order is for ships", k.Name)
				return k, false
			}
			return k, true
		}
	}
	for _, k := range c.Names {
		names = append(names, k.Name)
	}
	c.Fail(a.Pos, "E102", orders.DidYouMean("%s", a.Text, names, "ships: "+strings.Join(names, ", ")), "no ship %q is known", a.Text)
	return Known{}, false
}

// Weapons finds weapons by the words of an order, and reports wrong words. Standing orders may name destroyed
// weapons, because they were given earlier.
func (c *Compiler) Weapons(args []orders.Arg, standing bool) (out []int, group bool) {
	for _, a := range args {
		found, several := c.Sys.Called(a.Text)
		if len(found) == 0 {
			all := c.Sys.Names(nil)
			c.Fail(a.Pos, "E101", orders.DidYouMean("%s", a.Text, all, "weapons: "+strings.Join(all, ", ")), "this ship has no weapon %q", a.Text)
			continue
		}
		group = group || several
		for _, w := range found {
			switch b := c.Sys.Bank(w); {
			case b.Left == 0 && !several && !standing:
				c.Fail(a.Pos, "E108", "leave it out", "%s is destroyed", b.Name)
			case b.Left == 0 && !standing:
			case slices.Contains(out, w) && !several:
				c.Fail(a.Pos, "E126", "name it once", "%s is named twice", b.Name)
			case !slices.Contains(out, w):
				out = append(out, w)
			}
		}
	}
	return out, group
}

func (c *Compiler) shield(a orders.Arg) (side int, ok bool) {
	if a.Num < 1 || a.Num > 6 {
		c.Fail(a.Pos, "E112", "shields are 1 to 6", "there is no shield %s", a.Text)
		return 0, false
	}
	return a.Num - 1, true
}

func (c *Compiler) phase(g orders.Group) {
	p := &c.Plan.Phases[g.N-1]
	for _, st := range g.Statements {
		if !c.condition(st) {
			continue
		}
		switch st.Verb {
		case "fire", "launch":
			c.fire(p, g.N, st)
		case "speed":
			c.changeSpeed(p, g.N, st)
		case VerbHard:
			c.hard(p, g.N, st)
		case "brake":
			if !c.Sys.Brakes {
				c.Fail(st.Pos, "E220", "give a lower speed instead", "this ship cannot brake in an emergency: only ships of the navy %s can", c.Book.Brakes)
			} else if on, ok := c.impulse(st, g.N); ok {
				p.Brakes = append(p.Brakes, LeaveOrder{orderOf(st), on})
			}
		case "disengage":
			on, ok := c.impulse(st, g.N)
			if ok {
				p.Leaves = append(p.Leaves, LeaveOrder{orderOf(st), on})
				c.Warn(st.Pos, "W127", "leave it out to stay", "this takes the ship out of the battle")
			}
		default:
			if !c.readAct(p, g.N, st) {
				c.move(p, st)
			}
		}
	}
}

func (c *Compiler) move(p *PhasePlan, st orders.Statement) {
	m := MoveOrder{Order: orderOf(st), Verb: st.Verb, Rng: 1}
	m.Standing = c.lasting
	for _, a := range st.All("WORD") {
		m.Words, m.WordAt = append(m.Words, a.Text), append(m.WordAt, a.Pos)
	}
	if a, ok := st.Arg("SHIP"); ok {
		k, found := c.ship(a, false)
		if !found {
			return
		}
		m.Target = k.ID
	}
	if a, ok := st.Arg("RANGE"); ok {
		m.Rng = a.Num
	}
	if a, ok := st.Arg("SHIELD"); ok {
		if m.Side, ok = c.shield(a); !ok {
			return
		}
	}
	if a, ok := st.Arg("HEX"); ok {
		h, err := hex.ParseLabel(a.Text)
		if err != nil {
			c.Fail(a.Pos, "E122", "column and row in two digits each: 0714", "%s is not a hex", a.Text)
			return
		}
		m.At = h
	}
	p.Moves = append(p.Moves, m)
}

// impulse reads "on N", which must lie in the phase.
func (c *Compiler) impulse(st orders.Statement, phase int) (on int, ok bool) {
	a, given := st.Arg("IMPULSE")
	if !given {
		return 0, true
	}
	if first, last := c.Book.Span(phase); a.Num < first || a.Num > last {
		hint := fmt.Sprintf("phase %d is impulses %d to %d", phase, first, last)
		if a.Num >= 1 && a.Num <= c.Book.Impulses {
			hint += fmt.Sprintf("; impulse %d is in phase %d", a.Num, c.Book.PhaseOf(a.Num))
		}
		c.Fail(a.Pos, "E211", hint, "impulse %s is not in phase %d", a.Text, phase)
		return 0, false
	}
	return a.Num, true
}

func (c *Compiler) fire(p *PhasePlan, phase int, st orders.Statement) {
	launch := st.Verb == "launch"
	f := FireOrder{Order: orderOf(st), Launch: launch}
	f.Standing = c.lasting
	args := st.All("WEAPON")
	if launch {
		args = st.All("RACK")
	}
	if c.Cloaked && !c.lasting {
		c.Fail(st.Pos, "E217", "leave this line out, or the cloak", "she is cloaked in this turn, and can %s nothing", st.Verb)
	}
	if c.noFire && !c.lasting {
		c.Fail(st.Pos, "E219", "leave this line out, or: fire-control off", "her fire control is off in this turn, and she can %s nothing", st.Verb)
	}
	if a, said := st.Arg("ROW"); said {
		if f.Row = a.Num; f.Row < 2 || f.Row > 12 {
			c.Fail(a.Pos, "E225", "a row is the sum of two dice, 2 to 12", "the damage allocation chart has no row %s", a.Text)
			return
		}
	}
	if !c.Sys.Controlled() && !c.lasting {
		c.Fail(st.Pos, "E249", "leave this line out; under power: scotty bridge", "no control box is left, and she can %s nothing", st.Verb)
		return
	}
	weapons, group := c.Weapons(args, c.lasting)
	f.Weapons, f.Group = weapons, group || c.lasting
	f.Weapons = slices.DeleteFunc(f.Weapons, func(w int) bool {
		b := c.Sys.Bank(w)
		switch {
		case b.Kind.Launches() == launch:
			return false
		case launch:
			c.Fail(st.Pos, "E213", "fire "+b.Name+" at a ship", "%s does not launch, it fires", b.Name)
		default:
			c.Fail(st.Pos, "E213", "launch "+b.Name+" at a ship", "%s does not fire, it launches", b.Name)
		}
		return true
	})
	a, named := st.Arg("SHIP")
	k, found := Known{}, !named
	row, along := st.Arg("HEADING")
	switch {
	case named:
		k, found = c.ship(a, !launch)
		f.Weapons = slices.DeleteFunc(f.Weapons, func(w int) bool {
			b := c.Sys.Bank(w)
			if b.Kind.Cannon() {
				c.Fail(st.Pos, "E228", "fire "+b.Name+" along B, or another of the six directions", "%s does not fire at a ship: its shots fly along a row of hexes, and hit what is in their way", b.Name)
			}
			return b.Kind.Cannon()
		})
	case along:
		found = c.along(&f, row, st)
	default:
		f.Blind = true
	}
	on, ok := c.impulse(st, phase)
	if !found || !ok || (c.Cloaked || c.noFire) && !c.lasting || len(f.Weapons) == 0 {
		return
	}
	if named && k.Side == c.Side {
		c.Warn(a.Pos, "W214", "name an enemy", "%s is on your own side", k.Name)
	}
	f.Target, f.On = k.ID, on
	p.Fires = append(p.Fires, f)
}

// condition checks the subjects of a condition; false if it is invalid.
func (c *Compiler) condition(st orders.Statement) bool {
	ok := true
	leaves(st.When, func(t *orders.Cond) {
		if _, named := st.Arg("SHIP"); !named && (t.Subject == "range" || t.Subject == "facing" || t.Subject == "cloaked") {
			c.Fail(t.Pos, "E124", "use a condition that needs no ship, such as damaged", "%s needs a ship, and this order names none", t.Subject)
			ok = false
		}
		if a, has := t.Arg("SHIELD"); has {
			if _, good := c.shield(a); !good {
				ok = false
			}
		}
		if a, has := t.Arg("SHIP"); has && !c.named(a.Text) {
			k, good := c.ship(a, false)
			if ok = ok && good; good && c.Dark && k.ID != NearestEnemy && k.Sheet == nil {
				c.Warn(a.Pos, "W240", "come nearer, or leave it out", "her sensors do not show the shields of %s now: unless she is near enough by then, the condition counts as not met", k.Name)
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

// named reports whether a name is the ship's own.
func (c *Compiler) named(name string) bool {
	return slices.ContainsFunc(c.Names, func(k Known) bool { return k.ID == c.ID && strings.EqualFold(k.Name, name) })
}

func (c *Compiler) standing(g orders.Group) {
	st := &c.Plan.Standing
	var lose []sheet.Wish
	var said []sheet.Category
	var lasting []orders.Statement
	for i, s := range g.Statements {
		switch s.Verb {
		case "lose":
			// Words as ParseLose expects them: "hull", then its banks.
			words := append([]string{}, s.Words[1:]...)
			wishes := sheet.ParseLose(&c.Sys.Sheet, words, func(word int, hint, format string, args ...any) {
				pos := s.Pos
				if boxes := s.All("BOX"); word > 0 && word <= len(boxes) { // the first word is the category
					pos = boxes[word-1].Pos
				}
				c.Fail(pos, "E214", hint, format, args...)
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
			weapons, _ := c.Weapons(s.All("WEAPON"), true)
			within, _ := s.Arg("RANGE")
			guard := state.Guard{Within: within.Num}
			for _, w := range weapons {
				if k := c.Sys.Bank(w).Kind; !k.Launches() && !k.Cannon() {
					guard.Weapons = append(guard.Weapons, c.Sys.Bank(w).Name)
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

func (c *Compiler) turnLevel(g orders.Group) {
	for _, st := range g.Statements {
		switch {
		case st.Verb == VerbSurrender && c.condition(st):
			c.Plan.Surrenders = append(c.Plan.Surrenders, orderOf(st))
			c.Effect(st.Pos.Line, "the ship surrenders at the end of the first impulse, or of the first in which the condition holds")
			c.Warn(st.Pos, "W129", "leave it out to fight on", "if this is carried out, the ship is lost to the enemy")
		case slices.Contains(dark.LabOrders(), st.Verb):
			c.labs(st)
		case st.Verb == "message":
			a, _ := st.Arg("TO")
			if c.Dark && c.Book.Research.Range > 0 && strings.EqualFold(a.Text, dark.WordCourier) {
				c.Effect(st.Pos.Line, "the probe that you order to carry it takes it along")
				continue
			}
			c.addressee(a)
		case st.Verb == "luck" && c.Round > 1:
			c.Warn(st.Pos, "W130", "give it with the first orders of a turn", "luck is for the whole turn, which has begun: this line is skipped")
		}
	}
}

func (c *Compiler) addressee(a orders.Arg) {
	if strings.EqualFold(a.Text, "all") || strings.EqualFold(a.Text, "side") {
		return
	}
	for _, sd := range c.Sides {
		if strings.EqualFold(sd.ID, a.Text) || strings.EqualFold(sd.Name, a.Text) {
			return
		}
	}
	if c.named(a.Text) {
		return
	}
	c.ship(a, false)
}
