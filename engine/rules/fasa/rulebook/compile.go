package rulebook

import (
	"cmp"
	"slices"
	"strings"

	"starpost/engine"
	"starpost/engine/dark"
	"starpost/engine/rules/fasa/ship"
	"starpost/engine/tactical"
	"starpost/orders"
)

// Compile makes a plan of a ship's order set. It does not stop at the first mistake: what is
// wrong is left out and reported in the diagnostics. With tell the plan says what each line
// does.
func (l *Rules) Compile(ship engine.ShipID, side string, sys *ship.State, names Roster, sides []engine.Side, b *orders.Block, tell bool) Plan {
	return l.CompileFirst(l.Split.Phases(), ship, side, sys, names, sides, b, tell)
}

// CompileFirst is like Compile for a set of which only the first wanted phases are due by
// now; later phases may be missing.
func (l *Rules) CompileFirst(wanted int, id engine.ShipID, side string, sys *ship.State, names Roster, sides []engine.Side, b *orders.Block, tell bool) Plan {
	c := &Compiler{Rules: l, Ship: id, Side: side, Sys: sys, Names: names, Sides: sides, Left: sys.Power, Tell: tell, Start: b.Start, Round: 1, Post: l.PostOfSet(b)}
	c.Plan.Unsure = LostIn(b, l.Split.Phases())
	b = c.permitted(b)
	c.Block = b
	c.Plan.Standing, c.Plan.Spent, c.Plan.Phases = sys.Standing.Clone(), make([]tactical.Spending, 0, 8), make([]PhasePlan, 0, l.Split.Phases())
	c.Plan.Power = ship.PowerSet{
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
	c.Plan.Unsure.Arms = c.Plan.Unsure.Arms || orders.HasErrors(c.Plan.Diags)
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
	c.Plan.Power.Unused = c.Left // below 0 only with tell
	orders.Sort(c.Plan.Diags)
	slices.SortStableFunc(c.Plan.Effects, func(a, b engine.Effect) int { return cmp.Compare(a.Line, b.Line) })
	return c.Plan
}

// PostOfSet returns the post that a set is of, or [KindMerged] for a merged set; "" if a captain
// alone gives a ship's orders.
func (l *Rules) PostOfSet(b *orders.Block) string {
	if kind := b.Head.Kind; kind == KindMerged || slices.Contains(l.Posts, kind) {
		return kind
	}
	return ""
}

// Standing reads the standing orders of a set.
func (c *Compiler) Standing(g orders.Group) {
	st := &c.Plan.Standing
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

// TurnLevel reads a set's orders for the whole turn.
func (c *Compiler) TurnLevel(g orders.Group) {
	for _, s := range c.added("", 0, g).Statements {
		switch s.Verb {
		case "warp":
			c.Plan.Warp = true
			c.Warn(s.Pos, "W127", "leave it out to stay", "changing warp speed takes the ship out of the battle at once, before anything moves or fires; her other orders this turn have no effect")
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
	if len(c.Rules.Posts) > 0 {
		words = append(words, append([]string{engine.AllPosts}, c.Rules.Posts...)...)
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

// permitted returns an order set without the orders that a part of the course bars for this
// ship; each of them is a mistake.
func (c *Compiler) permitted(b *orders.Block) *orders.Block {
	out := *b
	for i, g := range b.Groups {
		barred := func(st orders.Statement) string {
			for _, bars := range c.Rules.Bars {
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

// surrender reads an order to surrender.
func (c *Compiler) surrender(st orders.Statement) {
	if !c.Condition(st.When, false, false) {
		return
	}
	c.Plan.Surrender = append(c.Plan.Surrender, LastOrder{Line: st.Pos.Line, Text: orders.FormatStatement(st), When: st.When})
	if st.When == nil {
		c.Effect(st.Pos.Line, "the ship surrenders after the fire of phase %d", c.Round)
	} else {
		c.Effect(st.Pos.Line, "the ship surrenders at the end of the first fire phase in which the condition holds")
	}
	c.Warn(st.Pos, "W129", "leave it out to fight on", "if this is carried out, the ship is lost to the enemy")
}

// SurrenderVerb returns the order to surrender.
func SurrenderVerb() orders.Verb {
	return orders.Verb{
		Name: "surrender", Forms: []orders.Form{"surrender"}, When: true, Ends: "she is the enemy's",
		Doc:      "Surrender the ship at the end of the first fire phase, or of the first in which the condition holds. Her fire of that phase still counts; then she is captured and leaves the map, and those aboard live.",
		Examples: []string{"surrender", "surrender when shield 2 < 1 and damaged"},
	}
}
