package fasa

import (
	"fmt"
	"slices"

	"starpost/engine"
	"starpost/engine/rules/fasa/crew"
	"starpost/engine/rules/fasa/robot"
	"starpost/engine/rules/fasa/rulebook"
	"starpost/engine/rules/fasa/ship"
	"starpost/engine/rules/fasa/verbs"
	"starpost/engine/rules/fasa/words"
	"starpost/engine/tactical"
	"starpost/orders"
)

// The casualties, in tenths of a per cent, at which a robot returns crew to duty, and those at
// which it does so before any repair: a crew so small can neither hit nor mend anything.
const (
	manyHurt = 300
	fewLeft  = 700
)

// useSkills has a robot's officers try what helps most: the engineer repairs engines or finds
// power for the weapons, science repairs a weak superstructure or reduces damage, and the helm
// aims in as many phases as it may.
func useSkills(c *robot.Commander) {
	skill := func(what string) { c.Head = append(c.Head, orders.Say("skill", what)) }
	for i, e := range c.State.Engines() {
		switch {
		case e.Now < e.Max:
			skill("engine " + e.Name)
		case i+1 == len(c.State.Engines()):
			skill("power to weapons")
		default:
			continue
		}
		break
	}
	switch {
	case 2*c.State.Superstructure < c.State.Design.Superstructure && c.State.Crew().Lost < fewLeft:
		skill("superstructure")
	case c.State.Crew().Lost >= manyHurt:
		skill("casualties")
	default:
		skill("reduce 6")
	}
	if c.Foe != nil && c.Foe.Sight == engine.Seen {
		for n := 1; n <= verbs.MostAims; n++ {
			c.AddToPhase(n, "aim")
		}
	}
}

// postRobot returns a robot's orders from the viewer's post on a ship; "final" if it has
// nothing to order.
func postRobot(l *rulebook.Rules, v *engine.View, id engine.ShipID) orders.Set {
	return sayFinal(v, id, postOrders(l, v, id, robotRules(l).Orders(v, id)))
}

// cutTo returns what a post may order of a set, without the power that the engineer gives as totals.
func cutTo(l *rulebook.Rules, officers map[string]engine.CaptainName, post string, b *orders.Block) orders.Block {
	out := orders.Block{}
	for _, g := range b.Groups {
		for _, st := range g.Statements {
			who, mine := l.MayOrder(officers, post, g.Name, st)
			_, all := l.PostOf(g.Name, st)
			if mine && (all || who == post || post == ship.PostCaptain || officers[post] == "") && (g.Name != "power" || st.Verb != "move") {
				crew.AddTo(l, &out, g, st)
			}
		}
	}
	return out
}

// sayFinal returns a post's set, or "final" where the post owes a set and has nothing to order:
// an empty set would be refused.
func sayFinal(v *engine.View, id engine.ShipID, set orders.Set) orders.Set {
	if s, _, ok := ship.Own(v, id); ok && len(set) == 0 && v.Viewer.Post != ship.PostCaptain && v.Owes(s) {
		return orders.Set{{Orders: []orders.Order{orders.Say("final")}}}
	}
	return set
}

// postOrders reduces an order set to what the viewer's post on a ship may order. The
// engineer's power becomes totals.
func postOrders(l *rulebook.Rules, v *engine.View, id engine.ShipID, set orders.Set) orders.Set {
	s, sys, ok := ship.Own(v, id)
	if !ok || len(set) == 0 || len(s.Crew) == 0 && v.Viewer.Post == ship.PostCaptain {
		return set
	}
	b := verbs.Plain(l, set)
	officers, post := rulebook.Manned(s.Crew, s.Relieved), v.Viewer.Post
	out := cutTo(l, officers, post, b)
	if s.Status == engine.Active && v.DueRound() <= 1 && (post == ship.PostEngineer || post == ship.PostCaptain && officers[ship.PostEngineer] == "") {
		p := l.Compile(id, s.Side, sys, rulebook.RosterOfView(v.Ships), v.Sides, b, false)
		if st, diags := verbs.TotalsOf(&p.Power).Statement(l.Language, ""); len(diags) == 0 {
			crew.AddTo(l, &out, orders.Group{}, st)
		}
	}
	return out.Set()
}

// postTemplate returns the order set that a post is offered; "final" if it has nothing to
// order.
func postTemplate(l *rulebook.Rules, v *engine.View, id engine.ShipID) orders.Set {
	return sayFinal(v, id, lastOrOffered(l, v, id))
}

// lastOrOffered returns what a post ordered last, if that can still be ordered, or else the
// post's part of what a captain would be offered.
func lastOrOffered(l *rulebook.Rules, v *engine.View, id engine.ShipID) orders.Set {
	set := offered(l, v, id)
	s, sys, ok := ship.Own(v, id)
	if !ok || v.Viewer.Post == ship.PostCaptain || v.DueRound() > 1 || sys.Standing.Last == "" {
		return postOrders(l, v, id, set)
	}
	last, diags := l.Language.Block("ship", sys.Standing.Last)
	if len(diags) > 0 {
		return postOrders(l, v, id, set)
	}
	last.Groups = cutTo(l, rulebook.Manned(s.Crew, s.Relieved), v.Viewer.Post, &last).Groups // not orders of another post held by the same captain
	last.Head.Kind = v.Viewer.Post
	if p := l.Compile(id, s.Side, sys, rulebook.RosterOfView(v.Ships), v.Sides, &last, false); orders.HasErrors(p.Diags) {
		return postOrders(l, v, id, set)
	}
	standing := func(g orders.Group) bool { return g.Name == "standing" }
	last.Groups = slices.DeleteFunc(last.Groups, standing)
	now := verbs.Plain(l, postOrders(l, v, id, set))
	last.Groups = append(last.Groups, slices.DeleteFunc(now.Groups, func(g orders.Group) bool { return !standing(g) })...)
	return last.Set()
}

// tellTotals returns what helm, weapons and science are told at once of the engineer's totals,
// each their own part (stcs 22.2).
func tellTotals(l *rulebook.Rules, v *engine.View, seat engine.Seat, b orders.Block) []engine.Word {
	s, sys, ok := ship.Own(v, seat.Ship)
	if !ok || len(s.Crew) == 0 || seat.Post != ship.PostEngineer && rulebook.Station(rulebook.Manned(s.Crew, s.Relieved), ship.PostEngineer) != seat.Post || v.DueRound() > 1 {
		return nil
	}
	b.Head.Kind = ship.PostEngineer
	p := l.Compile(s.ID, s.Side, sys, rulebook.RosterOfView(v.Ships), v.Sides, &b, false)
	o := ship.Read[rulebook.Totals](p.Parts)
	if !o.Given {
		return nil
	}
	const title = "totals of the engineer"
	split := l.Split.Points(l.MovementPoints(sys, o.Move))
	move := fmt.Sprintf("movement: %s, in the phases %s", words.MovementPoints(tactical.Sum(split)), tactical.JoinInts(split))
	weapons := fmt.Sprintf("weapons: %d power", o.Weapons)
	words := []engine.Word{
		{Posts: []string{ship.PostHelm}, Title: title, Lines: []string{move, weapons}},
		{Posts: []string{ship.PostScience}, Title: title, Lines: []string{fmt.Sprintf("shields: %d power, %d points", o.Shields, sys.Design.Shield.Points(o.Shields))}},
	}
	if s.Crew[ship.PostWeapons] != "" {
		words[0].Lines = words[0].Lines[:1]
		words = append(words, engine.Word{Posts: []string{ship.PostWeapons}, Title: title, Lines: []string{weapons}})
	}
	return words
}
