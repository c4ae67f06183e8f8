package fasa

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"starpost/engine"
	"starpost/engine/dark"
	"starpost/engine/rules/fasa/board"
	"starpost/engine/rules/fasa/ship"
	"starpost/engine/rules/fasa/tables"
	"starpost/engine/tactical"
	"starpost/orders"
)

// plan is an order set made ready to carry out: all names resolved, all power
// within bounds, unless it is made to tell. What had an error is not in it.
type plan struct {
	power     ship.PowerSet
	phases    []phasePlan
	standing  ship.Standing
	warp      bool
	surrender []lastOrder
	parts     []any // the orders of parts for the whole turn, each by its type
	diags     []orders.Diagnostic
	effects   []engine.Effect
	spent     []tactical.Spending
	unsure    lost
}

// phasePlan is the part of a plan that is for one phase.
type phasePlan struct {
	moves []moveOrder
	fires []fireOrder
	parts []any // the orders of parts, each by its type
}

// in is what is ordered for a phase, by its index.
func (p *plan) in(n int) phasePlan {
	if n >= len(p.phases) {
		return phasePlan{}
	}
	return p.phases[n]
}

// at is what is ordered for a phase, to be added to.
func (p *plan) at(n int) *phasePlan {
	for len(p.phases) <= n {
		p.phases = append(p.phases, phasePlan{})
	}
	return &p.phases[n]
}

// put gives a phase other orders.
func (p *plan) put(n int, other phasePlan) {
	p.phases = slices.Clone(p.phases)
	*p.at(n) = other
}

// inPhase is a part's orders for a phase, to be added to.
func inPhase[T any](p *plan, n int) *[]T { return ship.Edit[[]T](&p.at(n).parts) }

// moveOrder is one movement order of a phase.
type moveOrder struct {
	board.Maneuver
	line   int
	text   string
	words  []string
	target engine.ShipID
	when   *orders.Cond
}

// fireOrder is one fire order of a phase.
type fireOrder struct {
	line   int
	text   string
	shots  []shot
	all    bool // by a group word: what cannot fire is left out without a word
	target engine.ShipID
	when   *orders.Cond
}

// shot is one mount.
type shot struct{ bank, mount int }

type name struct {
	id                engine.ShipID
	name, short, side string
}

// compiler turns a block into a plan.
type compiler struct {
	l     *rulebook
	ship  engine.ShipID
	side  string
	sys   *ship.State
	names roster
	sides []engine.Side
	p     plan
	left  int  // power not yet used
	tell  bool // effects are wanted, and the orders as they were written
	start orders.Pos

	round  int    // of which the set is, 1 for the first
	post   string // of which the set is, where posts share a ship's orders; "" where it is the whole
	wants  wants  // weapons and shields in the order written
	block  *orders.Block
	counts []pointCount // of the phases' movement words
	idle   []orders.Arg // weapons to be fired that are not armed

	figures []figureWanted
}

// lost tells of which orders of a set some may be missing, so that no mistake should
// be made of that.
type lost struct {
	move, arms bool
	phases     []bool
}

// lostIn is what lines that were not understood may have said.
func lostIn(b *orders.Block, phases int) lost {
	out := lost{phases: make([]bool, phases)}
	g, _ := b.Group("power", 0)
	out.arms = b.Faulty || g.Faulty
	out.move = out.arms && len(g.All("move")) == 0
	for n := range out.phases {
		g, _ := b.Group("phase", n+1)
		out.phases[n] = b.Faulty || g.Faulty
	}
	return out
}

// spend takes power for an order.
func (c *compiler) spend(pos orders.Pos, power int) {
	c.left -= power
	c.p.spent = append(c.p.spent, tactical.Spending{Pos: pos, Power: power})
}

// overspent refuses a set that wants more power than there is, at the order with
// which it goes over.
func (c *compiler) overspent() {
	if c.left >= 0 {
		return
	}
	slices.SortStableFunc(c.p.spent, func(a, b tactical.Spending) int { return a.Pos.Compare(b.Pos) })
	wanted, upto := c.sys.Power-c.left, 0
	for i, s := range c.p.spent {
		if upto += s.Power; upto <= c.sys.Power && upto < wanted {
			continue
		}
		for _, more := range c.p.spent[i+1:] {
			if more.Pos.Line == s.Pos.Line {
				upto += more.Power
			}
		}
		to := ""
		if upto < wanted {
			to = fmt.Sprintf(", %d of it up to this line", upto)
		}
		c.fail(s.Pos, "E103", fmt.Sprintf("lower it by %d", -c.left), "%d power wanted%s, the engines give %d", wanted, to, c.sys.Power)
		return
	}
}

// compile makes a plan of a block for a ship. It never stops at the first
// mistake; what is wrong is left out and told in the diagnostics. With tell the
// plan says what each line does.
func (l *rulebook) compile(ship engine.ShipID, side string, sys *ship.State, names roster, sides []engine.Side, b *orders.Block, tell bool) plan {
	return l.compileFirst(l.Split.Phases(), ship, side, sys, names, sides, b, tell)
}

// compileFirst is compile for a set of which only the first so many phases are
// wanted by now; those after them may be left out.
func (l *rulebook) compileFirst(wanted int, id engine.ShipID, side string, sys *ship.State, names roster, sides []engine.Side, b *orders.Block, tell bool) plan {
	c := &compiler{l: l, ship: id, side: side, sys: sys, names: names, sides: sides, left: sys.Power, tell: tell, start: b.Start, round: 1, post: l.postOfSet(b)}
	c.p.unsure = lostIn(b, l.Split.Phases())
	b = c.permitted(b)
	c.block = b
	c.p.standing, c.p.spent, c.p.phases = sys.Standing.Clone(), make([]tactical.Spending, 0, 8), make([]phasePlan, 0, l.Split.Phases())
	c.p.power = ship.PowerSet{
		Ship: id, Available: sys.Power, Split: make([]int, l.Split.Phases()), ShieldPoints: make([]int, 6), Armed: map[string][]int{},
	}
	g, _ := b.Group("power", 0)
	own := c.added("power", 0, g)
	c.movement(own.All("move"))
	c.shields(own.All("shields"))
	c.weapons(own.All("arm"))
	for _, p := range l.Parts {
		p.settle(c)
	}
	c.p.unsure.arms = c.p.unsure.arms || orders.HasErrors(c.p.diags)
	c.overspent()
	for n := range l.Split.Phases() {
		if g, given := b.Group("phase", n+1); given || n < wanted {
			c.phase(n, g)
		}
	}
	c.countMoves()
	c.idleWeapons()
	g, _ = b.Group("standing", 0)
	c.standing(g)
	g, _ = b.Group("", 0)
	c.turnLevel(g)
	c.unasked()
	if !tell {
		c.cutBack()
	}
	c.p.power.Unused = c.left // less than nothing only where a captain is told
	orders.Sort(c.p.diags)
	slices.SortStableFunc(c.p.effects, func(a, b engine.Effect) int { return cmp.Compare(a.Line, b.Line) })
	return c.p
}

// postOfSet is the post that a set is of, or that it is one of several; "" where a captain
// alone gives a ship's orders.
func (l *rulebook) postOfSet(b *orders.Block) string {
	if kind := b.Head.Kind; kind == kindMerged || slices.Contains(l.posts, kind) {
		return kind
	}
	return ""
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
	if !c.tell {
		return
	}
	c.p.effects = append(c.p.effects, engine.Effect{Line: line, Text: fmt.Sprintf(format, args...)})
}

// added compiles the statements of a section whose verbs a part has added or replaced,
// and gives those that are left, which the compiler itself reads.
func (c *compiler) added(section string, n int, g orders.Group) orders.Group {
	if len(c.l.compiles) == 0 {
		return g
	}
	rest := g
	rest.Statements = make([]orders.Statement, 0, len(g.Statements))
	for _, st := range g.Statements {
		if compile := c.l.compiles[[2]string{section, st.Verb}]; compile != nil {
			compile(c, n, st)
		} else {
			rest.Statements = append(rest.Statements, st)
		}
	}
	return rest
}

func (c *compiler) standing(g orders.Group) {
	st := &c.p.standing
	for _, s := range c.added("standing", 0, g).Statements {
		switch s.Verb {
		case "choose":
			if a, ok := s.Arg("WHICH"); ok {
				st.Choose = a.Text
			}
		case "missing":
			if a, ok := s.Arg("ABSENT"); ok {
				st.Missing = a.Text
			}
		case "shed":
			st.Shed = c.shedOrder(s.All("SYSTEM"))
		case "lose":
			c.lose(s)
		}
	}
}

// lose is the order in which weapons of a kind are lost.
func (c *compiler) lose(s orders.Statement) {
	st := &c.p.standing
	kind, list := tables.Beam, &st.Beams
	if s.Form == 1 {
		kind, list = tables.Missile, &st.Missile
	}
	*list = c.loseOrder(kind, s.All("BANK"))
}

// shedOrder completes an order of systems with the ones not named, in their usual order.
func (c *compiler) shedOrder(named []orders.Arg) []string {
	var out []string
	for _, a := range named {
		if slices.Contains(out, a.Text) {
			c.fail(a.Pos, "E126", "", "%s is named twice", a.Text)
			continue
		}
		if a.Text == ship.NameCloak && !c.sys.Has(ship.NameCloak) {
			c.fail(a.Pos, "E150", "leave it out", "this ship has no cloaking device")
			continue
		}
		out = append(out, a.Text)
	}
	for _, s := range c.sys.Shedable() {
		if !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

func (c *compiler) loseOrder(kind string, named []orders.Arg) []string {
	var known []string
	for i := range c.sys.Banks {
		if c.l.counts(c.sys.Banks[i].Kind, kind) {
			known = append(known, c.sys.Banks[i].ID)
		}
	}
	return c.named(named, known, kind+" bank")
}

// named is a list of names of known things, each of them once.
func (c *compiler) named(named []orders.Arg, known []string, what string) []string {
	var out []string
	for _, a := range named {
		i := slices.IndexFunc(known, func(id string) bool { return strings.EqualFold(id, a.Text) })
		switch {
		case i < 0:
			hint := strings.Replace(what, "bank", "weapon", 1) + "s: " + strings.Join(known, ", ")
			if near := orders.Suggest(a.Text, known); near != "" {
				hint = fmt.Sprintf("did you mean %q?", near)
			}
			c.fail(a.Pos, "E101", hint, "this ship has no %s %q", what, a.Text)
		case slices.Contains(out, known[i]):
			c.fail(a.Pos, "E126", "", "%s is named twice", a.Text)
		default:
			out = append(out, known[i])
		}
	}
	return out
}

func (c *compiler) turnLevel(g orders.Group) {
	for _, s := range c.added("", 0, g).Statements {
		switch s.Verb {
		case "warp":
			c.p.warp = true
			c.warn(s.Pos, "W127", "leave it out to stay", "a change of warp speed takes the ship out of the battle at once, before anything moves or fires: her other orders of this turn come to nothing")
		case surrenderVerb().Name:
			c.surrender(s)
		case "message":
			if a, ok := s.Arg("TO"); ok {
				c.addressee(a)
			}
		}
	}
}

func (c *compiler) addressee(a orders.Arg) {
	words := []string{"all", "side"}
	if c.sys.Has(ship.NameLabs) { // in the dark
		words = append(words, dark.WordCourier)
	}
	if len(c.l.posts) > 0 {
		words = append(words, append([]string{engine.AllPosts}, c.l.posts...)...)
	}
	if slices.Contains(words, strings.ToLower(a.Text)) {
		return
	}
	for _, sd := range c.sides {
		if strings.EqualFold(sd.ID, a.Text) || strings.EqualFold(sd.Name, a.Text) {
			return
		}
	}
	if _, hint, ok := c.names.find(a.Text); !ok {
		c.fail(a.Pos, "E102", hint, "no ship or side %q is known", a.Text)
	}
}

// permitted is an order set without what a part of the course bars for this ship;
// each of that is told.
func (c *compiler) permitted(b *orders.Block) *orders.Block {
	out := *b
	for i, g := range b.Groups {
		barred := func(st orders.Statement) string {
			for _, bars := range c.l.bars {
				if why := bars(c.sys, g.Name, st); why != "" {
					return why
				}
			}
			return ""
		}
		if !slices.ContainsFunc(g.Statements, func(st orders.Statement) bool { return barred(st) != "" }) {
			continue
		}
		if &out.Groups[0] == &b.Groups[0] {
			out.Groups = slices.Clone(b.Groups)
		}
		out.Groups[i].Statements = slices.DeleteFunc(slices.Clone(g.Statements), func(st orders.Statement) bool {
			why := barred(st)
			if why != "" {
				c.fail(st.Pos, "E175", "leave it out", "%s", why)
			}
			return why != ""
		})
	}
	return &out
}

// lastOrder is a captain's order to end his ship's fight, by blowing her up or by
// striking, after the fire of a phase.
type lastOrder struct {
	line  int
	text  string
	phase int // from 1; 0 for any
	when  *orders.Cond
}

// surrender reads an order to strike.
func (c *compiler) surrender(st orders.Statement) {
	if !c.condition(st.When, false, false) {
		return
	}
	c.p.surrender = append(c.p.surrender, lastOrder{line: st.Pos.Line, text: orders.FormatStatement(st), when: st.When})
	if st.When == nil {
		c.effect(st.Pos.Line, "the ship strikes at the end of the fire of phase %d", c.round)
	} else {
		c.effect(st.Pos.Line, "the ship strikes at the end of the first fire phase in which the condition holds")
	}
	c.warn(st.Pos, "W129", "leave it out to fight on", "the ship is lost to the enemy if this is carried out")
}

func surrenderVerb() orders.Verb {
	return orders.Verb{
		Name: "surrender", Forms: []orders.Form{"surrender"}, When: true,
		Doc:      "Strike: at the end of the first fire phase, or with a condition of the first in which it holds, the ship is the enemy's. Her fire of that phase still counts; then she fights no more, counts as captured and leaves the map, and those aboard live.",
		Examples: []string{"surrender", "surrender when shield 2 < 1 and damaged"},
	}
}
