package fasa

import (
	"cmp"
	"slices"
	"strings"

	"starpost/engine"
	"starpost/engine/family"
	"starpost/engine/rules/fasa/ship"
	"starpost/engine/tactical"
	"starpost/orders"
)

// A turn may be played in rounds of one phase each (ruling D9). The first round's
// sets hold the power and all else that is for the whole turn; a later one's its
// phase, or phases, and standing orders. A phase of an earlier set holds on until
// another takes its place.

// sameOrders tells whether two groups say the same.
func sameOrders(a, b orders.Group) bool {
	return slices.EqualFunc(a.Statements, b.Statements, func(x, y orders.Statement) bool {
		return orders.FormatStatement(x) == orders.FormatStatement(y)
	})
}

// destructs is the phase after which an order blows up the ship; 0 for any other
// order.
func destructs(st orders.Statement) int {
	if st.Verb != destructVerb().Name {
		return 0
	}
	a, _ := st.Arg("PHASE")
	return a.Num
}

// ends tells whether an order blows up the ship or strikes, in a round or after it.
func ends(st orders.Statement, round int) bool {
	return st.Verb == surrenderVerb().Name || destructs(st) >= round
}

// ending are the orders of a set that end the ship's fight, in a round or after it. Each
// set says them again, or takes them back.
func ending(b *orders.Block, round int) orders.Group {
	g, _ := b.Group("", 0)
	g.Statements = slices.DeleteFunc(slices.Clone(g.Statements), func(st orders.Statement) bool { return !ends(st, round) })
	return g
}

// takenBack warns of orders to end the ship's fight that an earlier set of the turn has
// and this one has not.
func (l *rulebook) takenBack(v *engine.View, sys *ship.State, b *orders.Block) []orders.Diagnostic {
	round := v.DueRound()
	if round < 2 {
		return nil
	}
	before := l.read(sys.Standing.Last)
	var out []orders.Diagnostic
	is := ending(b, round)
	for _, st := range ending(before, round).Statements {
		if len(is.All(st.Verb)) > 0 || slices.ContainsFunc(out, func(d orders.Diagnostic) bool { return strings.HasPrefix(d.Message, st.Verb+" ") }) {
			continue
		}
		out = append(out, orders.Diagnostic{
			Pos: b.Start, Severity: orders.Warning, Code: "W132", Hint: "repeat it to keep it",
			Message: st.Verb + " stood in your set before and is not in this one: it is taken back",
		})
	}
	return out
}

// compileRound makes a plan of a set for a round after the first. Of power it has
// what was allotted; what is for the whole turn, and phases that were fought, are
// passed over with a remark.
func (l *rulebook) compileRound(round int, power ship.PowerSet, ship engine.ShipID, side string, sys *ship.State, standing ship.Standing, names roster, sides []engine.Side, b *orders.Block, tell bool) plan {
	c := &compiler{l: l, ship: ship, side: side, sys: sys, names: names, sides: sides, tell: tell, start: b.Start, round: round, block: b, post: l.postOfSet(b)}
	c.p.standing, c.p.power, c.p.unsure = standing.Clone(), power, lostIn(b, l.Split.Phases())
	for _, g := range b.Groups {
		switch {
		case len(g.Statements) == 0:
		case g.Name == "power":
			c.warn(g.Pos, "W130", "leave it out", "the power of this turn is allotted: this is passed over")
		case g.Name == "phase" && g.N < round:
			c.warn(g.Pos, "W130", "leave it out", "phase %d of this turn was fought: this is passed over", g.N)
		case g.Name == "phase" && g.N <= l.Split.Phases():
			c.phase(g.N-1, g)
		case g.Name == "standing":
			c.standing(g)
		case g.Name == "":
			c.turnLevelLater(round, g)
		}
	}
	c.countMoves()
	c.idleWeapons()
	orders.Sort(c.p.diags)
	slices.SortStableFunc(c.p.effects, func(a, b engine.Effect) int { return cmp.Compare(a.Line, b.Line) })
	return c.p
}

// turnLevelLater looks at the orders for the whole turn in a later round's set.
func (c *compiler) turnLevelLater(round int, g orders.Group) {
	late := orders.Group{Pos: g.Pos, Name: g.Name}
	for _, st := range g.Statements {
		switch {
		case destructs(st) > 0 && destructs(st) < round:
			c.warn(st.Pos, "W130", "leave it out", "phase %d of this turn was fought: this is passed over", destructs(st))
		case ends(st, round), slices.Contains([]string{"message", "relay", "report", "say"}, st.Verb):
			late.Statements = append(late.Statements, st)
		case st.Verb == "break", st.Verb == "final", st.Verb == "wait":
		default:
			c.warn(st.Pos, "W130", "give it with the first orders of a turn", "%s is for the whole turn, which has begun: this is passed over", st.Verb)
		}
	}
	c.turnLevel(late)
}

// inMidTurn is a ship's power as it stands in the middle of a turn.
func inMidTurn(id engine.ShipID, sys *ship.State) ship.PowerSet {
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

// templateRound is the order set offered for a round after the first: its phase and
// the standing orders.
func (l *rulebook) templateRound(v *engine.View, s *engine.ShipView, sys *ship.State, round int) string {
	var b strings.Builder
	phase := family.Phases(sys.Standing.Last, round, round)
	if phase != "" {
		again, diags := l.language.Block("ship", phase)
		if len(diags) > 0 {
			phase = ""
		} else if p := l.compileRound(round, inMidTurn(s.ID, sys), s.ID, s.Side, sys, sys.Standing, rosterOfView(v.Ships), v.Sides, &again, false); len(p.diags) > 0 || len(l.sealedFaults(sys, &p, v.Options)) > 0 {
			phase = ""
		}
	}
	if phase == "" {
		phase, _ = l.defaultPhase(v, s, sys, engine.Place{Hex: *s.Hex, Heading: *s.Heading}, round-1, sys.Alloc.InPhase(round), len(inMidTurn(s.ID, sys).Armed) > 0)
	}
	b.WriteString(phase)
	offers{l}.OfferStanding(&b, v, s, sys, sys.Standing)
	return b.String()
}
