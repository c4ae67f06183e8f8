package verbs

import (
	"cmp"
	"slices"
	"strings"

	"starpost/engine"
	"starpost/engine/rules/fasa/rulebook"
	"starpost/engine/rules/fasa/ship"
	"starpost/engine/tactical"
	"starpost/orders"
)

// A turn may be played in rounds of one phase each (ruling D9). Sets of the first round hold the
// power and all other orders for the whole turn; those of later rounds hold their phase, or
// phases, and standing orders. A phase of an earlier set holds until another replaces it.

// SameOrders reports whether two groups have the same orders.
func SameOrders(a, b orders.Group) bool {
	return slices.EqualFunc(a.Statements, b.Statements, func(x, y orders.Statement) bool {
		return orders.FormatStatement(x) == orders.FormatStatement(y)
	})
}

// Destructs returns the phase after which an order self-destructs the ship; 0 for any other
// order.
func Destructs(st orders.Statement) int {
	if st.Verb != DestructVerb().Name {
		return 0
	}
	a, _ := st.Arg("PHASE")
	return a.Num
}

// Ends reports whether an order ends the ship's fight, by self-destruction or surrender, in a round or later.
func Ends(st orders.Statement, round int) bool {
	return st.Verb == rulebook.SurrenderVerb().Name || Destructs(st) >= round
}

// Ending returns the orders of a set that end the ship's fight, in a round or later. Each set
// repeats them or withdraws them.
func Ending(b *orders.Block, round int) orders.Group {
	g, _ := b.Group("", 0)
	g.Statements = slices.DeleteFunc(slices.Clone(g.Statements), func(st orders.Statement) bool { return !Ends(st, round) })
	return g
}

// TakenBack warns of orders to end the ship's fight that an earlier set of the turn has and this
// one lacks.
func TakenBack(l *rulebook.Rules, v *engine.View, sys *ship.State, b *orders.Block) []orders.Diagnostic {
	round := v.DueRound()
	if round < 2 {
		return nil
	}
	before := Read(l, sys.Standing.Last)
	var out []orders.Diagnostic
	is := Ending(b, round)
	for _, st := range Ending(before, round).Statements {
		if len(is.All(st.Verb)) > 0 || slices.ContainsFunc(out, func(d orders.Diagnostic) bool { return strings.HasPrefix(d.Message, st.Verb+" ") }) {
			continue
		}
		out = append(out, orders.Diagnostic{
			Pos: b.Start, Severity: orders.Warning, Code: "W132", Hint: "repeat it to keep it",
			Message: st.Verb + " was in your earlier set and is not in this one: it is withdrawn",
		})
	}
	return out
}

// CompileRound makes a plan of a set for a round after the first. Its power is what was already
// allotted; orders for the whole turn, and phases that are over, are skipped with a warning.
func CompileRound(l *rulebook.Rules, round int, power ship.PowerSet, ship engine.ShipID, side string, sys *ship.State, standing ship.Standing, names rulebook.Roster, sides []engine.Side, b *orders.Block, tell bool) rulebook.Plan {
	c := &rulebook.Compiler{Rules: l, Ship: ship, Side: side, Sys: sys, Names: names, Sides: sides, Tell: tell, Start: b.Start, Round: round, Block: b, Post: l.PostOfSet(b)}
	c.Plan.Standing, c.Plan.Power, c.Plan.Unsure = standing.Clone(), power, rulebook.LostIn(b, l.Split.Phases())
	for _, g := range b.Groups {
		switch {
		case len(g.Statements) == 0:
		case g.Name == "power":
			c.Warn(g.Pos, "W130", "leave it out", "this turn's power is already allotted: this line is skipped")
		case g.Name == "phase" && g.N < round:
			c.Warn(g.Pos, "W130", "leave it out", "phase %d of this turn is over: this line is skipped", g.N)
		case g.Name == "phase" && g.N <= l.Split.Phases():
			c.Phase(g.N-1, g)
		case g.Name == "standing":
			c.Standing(g)
		case g.Name == "":
			turnLevelLater(c, round, g)
		}
	}
	c.CountMoves()
	c.IdleWeapons()
	orders.Sort(c.Plan.Diags)
	slices.SortStableFunc(c.Plan.Effects, func(a, b engine.Effect) int { return cmp.Compare(a.Line, b.Line) })
	return c.Plan
}

// turnLevelLater reads the orders for the whole turn in a later round's set.
func turnLevelLater(c *rulebook.Compiler, round int, g orders.Group) {
	late := orders.Group{Pos: g.Pos, Name: g.Name}
	for _, st := range g.Statements {
		switch {
		case Destructs(st) > 0 && Destructs(st) < round:
			c.Warn(st.Pos, "W130", "leave it out", "phase %d of this turn is over: this line is skipped", Destructs(st))
		case Ends(st, round), slices.Contains([]string{"message", "relay", "report", "say"}, st.Verb):
			late.Statements = append(late.Statements, st)
		case st.Verb == "break", st.Verb == "final", st.Verb == "wait":
		default:
			c.Warn(st.Pos, "W130", "give it with the first orders of a turn", "%s is for the whole turn, which has begun: this line is skipped", st.Verb)
		}
	}
	c.TurnLevel(late)
}

// InMidTurn returns a ship's power as it is in the middle of a turn.
func InMidTurn(id engine.ShipID, sys *ship.State) ship.PowerSet {
	p := ship.PowerSet{
		Ship: id, Available: sys.Alloc.Available, Movement: sys.Alloc.Movement, Shields: sys.Alloc.Shields, Weapons: sys.Alloc.Weapons, Cloak: sys.Alloc.Cloak, Labs: sys.Alloc.Labs,
		Points: sys.Alloc.Points, Split: slices.Clone(sys.Alloc.Split), ShieldPoints: make([]int, 6), Armed: map[string][]int{},
	}
	for i, sh := range sys.Shields {
		p.ShieldPoints[i] = sh.Now
	}
	for i := range sys.Banks {
		b := &sys.Banks[i]
		armed := make([]int, len(b.Mounts))
		for m, mt := range b.Mounts {
			if mt.Left() > 0 && !mt.Destroyed {
				armed[m] = mt.Armed
			}
		}
		if tactical.Sum(armed) > 0 {
			p.Armed[b.ID] = armed
		}
	}
	return p
}

// Offers offers order sets by a book.
type Offers struct{ *rulebook.Rules }

// OfferStanding returns standing orders without those that cannot be given again now, since they
// name a ship that is no longer known. These stay in force anyway.
func (l Offers) OfferStanding(v *engine.View, s *engine.ShipView, sys *ship.State, st ship.Standing) (out orders.Set) {
	all := l.StandingOrders(st)
	p := CompileRound(l.Rules, 1, InMidTurn(s.ID, sys), s.ID, s.Side, sys, sys.Standing, rulebook.RosterOfView(v.Ships), v.Sides, Plain(l.Rules, all), false)
	out.Add("standing", 0)
	const first = 3 // the line of the first order, below the head and the heading
	for i, o := range all[0].Orders {
		if !slices.ContainsFunc(p.Diags, func(d orders.Diagnostic) bool { return d.Severity == orders.Error && d.Pos.Line == first+i }) {
			out.Add("standing", 0, o)
		}
	}
	return out
}
