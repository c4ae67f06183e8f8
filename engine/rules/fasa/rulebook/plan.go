package rulebook

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

// Plan is an order set made ready to carry out: all names resolved, all power
// within bounds, unless it is made to tell. What had an error is not in it.
type Plan struct {
	Power     ship.PowerSet
	Phases    []PhasePlan
	Standing  ship.Standing
	Warp      bool
	Surrender []LastOrder
	Parts     []any // the orders of parts for the whole turn, each by its type
	Diags     []orders.Diagnostic
	Effects   []engine.Effect
	Spent     []tactical.Spending
	Unsure    lost
}

// PhasePlan is the part of a plan that is for one phase.
type PhasePlan struct {
	Moves []MoveOrder
	Fires []FireOrder
	Parts []any // the orders of parts, each by its type
}

// In is what is ordered for a phase, by its index.
func (p *Plan) In(n int) PhasePlan {
	if n >= len(p.Phases) {
		return PhasePlan{}
	}
	return p.Phases[n]
}

// at is what is ordered for a phase, to be added to.
func (p *Plan) at(n int) *PhasePlan {
	for len(p.Phases) <= n {
		p.Phases = append(p.Phases, PhasePlan{})
	}
	return &p.Phases[n]
}

// Put gives a phase other orders.
func (p *Plan) Put(n int, other PhasePlan) {
	p.Phases = slices.Clone(p.Phases)
	*p.at(n) = other
}

// InPhase is a part's orders for a phase, to be added to.
func InPhase[T any](p *Plan, n int) *[]T { return ship.Edit[[]T](&p.at(n).Parts) }

// MoveOrder is one movement order of a phase.
type MoveOrder struct {
	board.Maneuver
	Line   int
	Text   string
	Words  []string
	Target engine.ShipID
	When   *orders.Cond
}

// FireOrder is one fire order of a phase.
type FireOrder struct {
	Line   int
	Text   string
	Shots  []Shot
	All    bool // by a group word: what cannot fire is left out without a word
	Target engine.ShipID
	When   *orders.Cond
}

// Shot is one mount.
type Shot struct{ Bank, Mount int }

type Name struct {
	Id                engine.ShipID
	Name, short, Side string
}

// Compiler turns a block into a plan.
type Compiler struct {
	L     *Rules
	Ship  engine.ShipID
	Side  string
	Sys   *ship.State
	Names Roster
	Sides []engine.Side
	P     Plan
	Left  int  // power not yet used
	Tell  bool // effects are wanted, and the orders as they were written
	Start orders.Pos

	Round  int    // of which the set is, 1 for the first
	Post   string // of which the set is, where posts share a ship's orders; "" where it is the whole
	Wants  Wants  // weapons and shields in the order written
	Block  *orders.Block
	counts []pointCount // of the phases' movement words
	idle   []orders.Arg // weapons to be fired that are not armed

	figures []figureWanted
}

// lost tells of which orders of a set some may be missing, so that no mistake should
// be made of that.
type lost struct {
	Move, Arms bool
	phases     []bool
}

// LostIn is what lines that were not understood may have said.
func LostIn(b *orders.Block, phases int) lost {
	out := lost{phases: make([]bool, phases)}
	g, _ := b.Group("power", 0)
	out.Arms = b.Faulty || g.Faulty
	out.Move = out.Arms && len(g.All("move")) == 0
	for n := range out.phases {
		g, _ := b.Group("phase", n+1)
		out.phases[n] = b.Faulty || g.Faulty
	}
	return out
}

// Spend takes power for an order.
func (c *Compiler) Spend(pos orders.Pos, power int) {
	c.Left -= power
	c.P.Spent = append(c.P.Spent, tactical.Spending{Pos: pos, Power: power})
}

// overspent refuses a set that wants more power than there is, at the order with
// which it goes over.
func (c *Compiler) overspent() {
	if c.Left >= 0 {
		return
	}
	slices.SortStableFunc(c.P.Spent, func(a, b tactical.Spending) int { return a.Pos.Compare(b.Pos) })
	wanted, upto := c.Sys.Power-c.Left, 0
	for i, s := range c.P.Spent {
		if upto += s.Power; upto <= c.Sys.Power && upto < wanted {
			continue
		}
		for _, more := range c.P.Spent[i+1:] {
			if more.Pos.Line == s.Pos.Line {
				upto += more.Power
			}
		}
		to := ""
		if upto < wanted {
			to = fmt.Sprintf(", %d of it up to this line", upto)
		}
		c.Fail(s.Pos, "E103", fmt.Sprintf("lower it by %d", -c.Left), "%d power wanted%s, the engines give %d", wanted, to, c.Sys.Power)
		return
	}
}

// Compile makes a plan of a block for a ship. It never stops at the first
// mistake; what is wrong is left out and told in the diagnostics. With tell the
// plan says what each line does.
func (l *Rules) Compile(ship engine.ShipID, side string, sys *ship.State, names Roster, sides []engine.Side, b *orders.Block, tell bool) Plan {
	return l.CompileFirst(l.Split.Phases(), ship, side, sys, names, sides, b, tell)
}

// CompileFirst is compile for a set of which only the first so many phases are
// wanted by now; those after them may be left out.
func (l *Rules) CompileFirst(wanted int, id engine.ShipID, side string, sys *ship.State, names Roster, sides []engine.Side, b *orders.Block, tell bool) Plan {
	c := &Compiler{L: l, Ship: id, Side: side, Sys: sys, Names: names, Sides: sides, Left: sys.Power, Tell: tell, Start: b.Start, Round: 1, Post: l.PostOfSet(b)}
	c.P.Unsure = LostIn(b, l.Split.Phases())
	b = c.permitted(b)
	c.Block = b
	c.P.Standing, c.P.Spent, c.P.Phases = sys.Standing.Clone(), make([]tactical.Spending, 0, 8), make([]PhasePlan, 0, l.Split.Phases())
	c.P.Power = ship.PowerSet{
		Ship: id, Available: sys.Power, Split: make([]int, l.Split.Phases()), ShieldPoints: make([]int, 6), Armed: map[string][]int{},
	}
	g, _ := b.Group("power", 0)
	own := c.added("power", 0, g)
	c.movement(own.All("move"))
	c.shields(own.All("shields"))
	c.weapons(own.All("arm"))
	for _, p := range l.Parts {
		p.Settle(c)
	}
	c.P.Unsure.Arms = c.P.Unsure.Arms || orders.HasErrors(c.P.Diags)
	c.overspent()
	for n := range l.Split.Phases() {
		if g, given := b.Group("phase", n+1); given || n < wanted {
			c.Phase(n, g)
		}
	}
	c.CountMoves()
	c.IdleWeapons()
	g, _ = b.Group("standing", 0)
	c.Standing(g)
	g, _ = b.Group("", 0)
	c.TurnLevel(g)
	c.unasked()
	if !tell {
		c.cutBack()
	}
	c.P.Power.Unused = c.Left // less than nothing only where a captain is told
	orders.Sort(c.P.Diags)
	slices.SortStableFunc(c.P.Effects, func(a, b engine.Effect) int { return cmp.Compare(a.Line, b.Line) })
	return c.P
}

// PostOfSet is the post that a set is of, or that it is one of several; "" where a captain
// alone gives a ship's orders.
func (l *Rules) PostOfSet(b *orders.Block) string {
	if kind := b.Head.Kind; kind == KindMerged || slices.Contains(l.Posts, kind) {
		return kind
	}
	return ""
}

func (c *Compiler) Fail(pos orders.Pos, code, hint, format string, args ...any) {
	c.P.Diags = append(c.P.Diags, orders.Diagnostic{Pos: pos, Code: code, Hint: hint, Message: fmt.Sprintf(format, args...)})
}

func (c *Compiler) Warn(pos orders.Pos, code, hint, format string, args ...any) {
	c.P.Diags = append(c.P.Diags, orders.Diagnostic{
		Pos: pos, Code: code, Hint: hint, Message: fmt.Sprintf(format, args...), Severity: orders.Warning,
	})
}

func (c *Compiler) Effect(line int, format string, args ...any) {
	if !c.Tell {
		return
	}
	c.P.Effects = append(c.P.Effects, engine.Effect{Line: line, Text: fmt.Sprintf(format, args...)})
}

// added compiles the statements of a section whose verbs a part has added or replaced,
// and gives those that are left, which the compiler itself reads.
func (c *Compiler) added(section string, n int, g orders.Group) orders.Group {
	if len(c.L.Compiles) == 0 {
		return g
	}
	rest := g
	rest.Statements = make([]orders.Statement, 0, len(g.Statements))
	for _, st := range g.Statements {
		if compile := c.L.Compiles[[2]string{section, st.Verb}]; compile != nil {
			compile(c, n, st)
		} else {
			rest.Statements = append(rest.Statements, st)
		}
	}
	return rest
}

func (c *Compiler) Standing(g orders.Group) {
	st := &c.P.Standing
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
			st.Shed = c.ShedOrder(s.All("SYSTEM"))
		case "lose":
			c.Lose(s)
		}
	}
}

// Lose is the order in which weapons of a kind are lost.
func (c *Compiler) Lose(s orders.Statement) {
	st := &c.P.Standing
	kind, list := tables.Beam, &st.Beams
	if s.Form == 1 {
		kind, list = tables.Missile, &st.Missile
	}
	*list = c.loseOrder(kind, s.All("BANK"))
}

// ShedOrder completes an order of systems with the ones not named, in their usual order.
func (c *Compiler) ShedOrder(named []orders.Arg) []string {
	var out []string
	for _, a := range named {
		if slices.Contains(out, a.Text) {
			c.Fail(a.Pos, "E126", "", "%s is named twice", a.Text)
			continue
		}
		if a.Text == ship.NameCloak && !c.Sys.Has(ship.NameCloak) {
			c.Fail(a.Pos, "E150", "leave it out", "this ship has no cloaking device")
			continue
		}
		out = append(out, a.Text)
	}
	for _, s := range c.Sys.Shedable() {
		if !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

func (c *Compiler) loseOrder(kind string, named []orders.Arg) []string {
	var known []string
	for i := range c.Sys.Banks {
		if c.L.counts(c.Sys.Banks[i].Kind, kind) {
			known = append(known, c.Sys.Banks[i].ID)
		}
	}
	return c.Named(named, known, kind+" bank")
}

// Named is a list of names of known things, each of them once.
func (c *Compiler) Named(named []orders.Arg, known []string, what string) []string {
	var out []string
	for _, a := range named {
		i := slices.IndexFunc(known, func(id string) bool { return strings.EqualFold(id, a.Text) })
		switch {
		case i < 0:
			hint := strings.Replace(what, "bank", "weapon", 1) + "s: " + strings.Join(known, ", ")
			if near := orders.Suggest(a.Text, known); near != "" {
				hint = fmt.Sprintf("did you mean %q?", near)
			}
			c.Fail(a.Pos, "E101", hint, "this ship has no %s %q", what, a.Text)
		case slices.Contains(out, known[i]):
			c.Fail(a.Pos, "E126", "", "%s is named twice", a.Text)
		default:
			out = append(out, known[i])
		}
	}
	return out
}

func (c *Compiler) TurnLevel(g orders.Group) {
	for _, s := range c.added("", 0, g).Statements {
		switch s.Verb {
		case "warp":
			c.P.Warp = true
			c.Warn(s.Pos, "W127", "leave it out to stay", "a change of warp speed takes the ship out of the battle at once, before anything moves or fires: her other orders of this turn come to nothing")
		case SurrenderVerb().Name:
			c.surrender(s)
		case "message":
			if a, ok := s.Arg("TO"); ok {
				c.addressee(a)
			}
		}
	}
}

func (c *Compiler) addressee(a orders.Arg) {
	words := []string{"all", "side"}
	if c.Sys.Has(ship.NameLabs) { // in the dark
		words = append(words, dark.WordCourier)
	}
	if len(c.L.Posts) > 0 {
		words = append(words, append([]string{engine.AllPosts}, c.L.Posts...)...)
	}
	if slices.Contains(words, strings.ToLower(a.Text)) {
		return
	}
	for _, sd := range c.Sides {
		if strings.EqualFold(sd.ID, a.Text) || strings.EqualFold(sd.Name, a.Text) {
			return
		}
	}
	if _, hint, ok := c.Names.Find(a.Text); !ok {
		c.Fail(a.Pos, "E102", hint, "no ship or side %q is known", a.Text)
	}
}

// permitted is an order set without what a part of the course bars for this ship;
// each of that is told.
func (c *Compiler) permitted(b *orders.Block) *orders.Block {
	out := *b
	for i, g := range b.Groups {
		barred := func(st orders.Statement) string {
			for _, bars := range c.L.Bars {
				if why := bars(c.Sys, g.Name, st); why != "" {
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
				c.Fail(st.Pos, "E175", "leave it out", "%s", why)
			}
			return why != ""
		})
	}
	return &out
}

// LastOrder is a captain's order to end his ship's fight, by blowing her up or by
// striking, after the fire of a phase.
type LastOrder struct {
	Line  int
	Text  string
	Phase int // from 1; 0 for any
	When  *orders.Cond
}

// surrender reads an order to strike.
func (c *Compiler) surrender(st orders.Statement) {
	if !c.Condition(st.When, false, false) {
		return
	}
	c.P.Surrender = append(c.P.Surrender, LastOrder{Line: st.Pos.Line, Text: orders.FormatStatement(st), When: st.When})
	if st.When == nil {
		c.Effect(st.Pos.Line, "the ship strikes at the end of the fire of phase %d", c.Round)
	} else {
		c.Effect(st.Pos.Line, "the ship strikes at the end of the first fire phase in which the condition holds")
	}
	c.Warn(st.Pos, "W129", "leave it out to fight on", "the ship is lost to the enemy if this is carried out")
}

func SurrenderVerb() orders.Verb {
	return orders.Verb{
		Name: "surrender", Forms: []orders.Form{"surrender"}, When: true,
		Doc:      "Strike: at the end of the first fire phase, or with a condition of the first in which it holds, the ship is the enemy's. Her fire of that phase still counts; then she fights no more, counts as captured and leaves the map, and those aboard live.",
		Examples: []string{"surrender", "surrender when shield 2 < 1 and damaged"},
	}
}
