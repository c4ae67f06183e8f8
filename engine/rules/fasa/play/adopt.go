package play

import (
	"slices"

	"starpost/engine"
	"starpost/engine/dark"
	"starpost/engine/rules/fasa/board"
	"starpost/engine/rules/fasa/cites"
	"starpost/engine/rules/fasa/rulebook"
	"starpost/engine/rules/fasa/ship"
	"starpost/engine/rules/fasa/verbs"
	"starpost/orders"
)

// followPace gives a ship that keeps station, and whose set gives no power to movement, the movement points of the ship
// she follows, as far as her power allows and her captain has that ship in contact.
func followPace(l *rulebook.Rules, t *engine.Turn, s *engine.Ship, b *orders.Block, p *rulebook.Plan) {
	g, _ := b.Group("power", 0)
	if !rulebook.KeepsStation(p.Standing) || len(g.All("move")) > 0 {
		return
	}
	lead := p.Standing.List(ship.Station)[0]
	if _, _, held, _ := dark.Means(l.Self, t.Game, s.Captain, lead); !held {
		return
	}
	sys, pw := ship.Of(s), &p.Power
	pw.Points = min(Memo(t).plans[engine.ShipID(lead)].Power.Points, l.MovementPoints(sys, pw.Unused))
	pw.Movement, pw.Split = sys.Design.Move.Cost(pw.Points), l.Split.Points(pw.Points)
	pw.Unused -= pw.Movement
}

// adopt makes an order set the plan of a ship for the turn, and puts its standing orders in force.
func adopt(l *rulebook.Rules, t *engine.Turn, s *engine.Ship, b *orders.Block) rulebook.Plan {
	n, sys := Memo(t), ship.Of(s)
	p := l.Compile(s.ID, s.Side, sys, l.Known(t, s), t.Game.Sides, b, false)
	n.plans[s.ID] = p
	if t.Replied(engine.Seat{Ship: s.ID}) {
		if asBefore, ok := sys.Clone().(*ship.State); ok {
			n.sets[s.ID] = &rulebook.InForce{Block: b, Sys: asBefore, Last: sys.Standing.Last}
		}
	}
	for _, d := range p.Diags {
		if d.Severity == orders.Error {
			order, post := mistaken(l, b, d, func(b *orders.Block) rulebook.Plan {
				return l.Compile(s.ID, s.Side, sys, l.Known(t, s), t.Game.Sides, b, false)
			})
			Skip(l, t, s, post, d.Pos.Line, order, d.Message)
		}
	}
	if t.Sheets[engine.Seat{Ship: s.ID}].Block != nil {
		p.Standing.Last = b.Body()
	}
	if !ship.SameStanding(p.Standing, sys.Standing) {
		t.Because(t.OrderedIn(s.ID, "standing", "")).Emit(&ship.StandingSet{Ship: s.ID, Standing: p.Standing}, engine.SeeOnly(s.ID), l.Cite(cites.StandingOrders)...)
	}
	return p
}

// mistaken returns the order of a set with a mistake, and the post that gave it, to be told; just
// "order" where posts do not share a ship's orders. In a merged set several lines may have one
// number: the order is then the one without which the mistake goes away.
func mistaken(l *rulebook.Rules, b *orders.Block, d orders.Diagnostic, compile func(*orders.Block) rulebook.Plan) (order, post string) {
	if len(l.Posts) == 0 {
		return "order", ship.PostCaptain
	}
	for i, g := range b.Groups {
		for k, st := range g.Statements {
			if st.Pos.Line != d.Pos.Line {
				continue
			}
			without := *b
			without.Groups = slices.Clone(b.Groups)
			without.Groups[i].Statements = slices.Delete(slices.Clone(g.Statements), k, k+1)
			p := compile(&without)
			if !slices.ContainsFunc(p.Diags, func(o orders.Diagnostic) bool { return o.Pos == d.Pos && o.Message == d.Message }) {
				if b.Head.Kind == rulebook.KindMerged {
					post, _ = l.PostOf(g.Name, st)
				}
				return orders.FormatStatement(st), post
			}
		}
	}
	return "order", ship.PostCaptain
}

// absent returns the order set of a ship whose captain sent none (ruling D12): last turn's
// orders if the captain asked for that, otherwise last turn's power scaled to what is left,
// keeping course or station.
func absent(l *rulebook.Rules, t *engine.Turn, s *engine.Ship) *orders.Block {
	sys := ship.Of(s)
	if sys.Standing.Missing == "repeat" && sys.Standing.Last != "" {
		return verbs.Read(l, sys.Standing.Last)
	}
	return verbs.Plain(l, asBefore(l, t.Game, s))
}

// asBefore returns last turn's settings, scaled to the power that is left, keeping course or station.
func asBefore(l *rulebook.Rules, g *engine.Game, s *engine.Ship) orders.Set {
	sys := ship.Of(s)
	power := l.Scaled(sys)
	if rulebook.KeepsStation(sys.Standing) {
		power.Points = 0
	}
	return slices.Concat(ship.PowerOrders(sys, power), KeptCourse(g, s, 1, l.Split.Points(power.Points)))
}

// KeptCourse returns phases of a set, from one on, that keep course or station with the points of
// split, and fire by standing orders; empty if there is nothing to do.
func KeptCourse(g *engine.Game, s *engine.Ship, from int, split []int) (set orders.Set) {
	sys := ship.Of(s)
	word := rulebook.Onward(sys)
	if sys.Standing.Missing == "hold" {
		word = "H"
	}
	at := engine.Place{Hex: s.Hex, Heading: s.Heading}
	for n, points := range split {
		var words []string
		for range points {
			if rulebook.KeepsStation(sys.Standing) {
				break
			}
			w := word
			if to := board.Step(at, w); g.Bounds != nil && !g.Bounds.Contains(to.Hex) {
				w = "H" // keeping course does not mean leaving the battle
			}
			at = board.Step(at, w)
			words = append(words, w)
		}
		if len(words) > 0 {
			set.Say("phase", from+n, "move", words)
		}
		for _, line := range sys.Standing.List(rulebook.StandingFire) {
			set.Say("phase", from+n, line)
		}
	}
	return set
}
