package rehearsal

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"starpost/engine"
	"starpost/engine/robots"
	"starpost/orders"
)

// Descriptions of how ships act.
const (
	byYou     = "your orders"
	bySilence = "no orders sent"
	byBefore  = "no new orders"
	byAboard  = "robots at other posts"
	byRobot   = "a robot"
	byKeep    = "course kept, nothing fired"
	byWritten = "orders that you wrote"
)

// command returns the order sheets of the turn, and how each ship acts, by its id.
func (g *supposed) command(task *Task) (sheets []engine.Sheet, by map[engine.ShipID]string, err error) {
	by = map[engine.ShipID]string{}
	others, err := g.others(task)
	if err != nil {
		return nil, nil, err
	}
	robot := g.robots(others)
	owed := g.rules.Owed(g.game)
	for _, s := range g.game.Ships {
		if !g.rules.Commands(s) {
			continue
		}
		for _, seat := range g.rules.Seats(s) {
			sheet := engine.Sheet{Ship: seat.Ship, Post: seat.Post}
			how := ""
			switch i := slices.IndexFunc(task.Sets, func(o Set) bool { return o.Seat == seat }); {
			case i >= 0:
				sheet.Block, how = &task.Sets[i].Block, byYou
			case g.holds(seat) && g.view.DueRound() > 1:
				how = byBefore
			case g.holds(seat):
				how = bySilence
			case others[s.ID].By == ByOrders:
				if seat.Post == "" {
					block, err := g.written(s, others[s.ID])
					if err != nil {
						return nil, nil, err
					}
					sheet.Block = &block
				}
				how = byWritten
			case others[s.ID].By == ByKeep:
				how = byKeep
			default:
				if how = byRobot; slices.Contains(g.view.Viewer.Ships, s.ID) {
					how = byAboard
				}
				if block, ok := robot[seat]; ok {
					sheet.Block = &block
				}
			}
			if sheet.Block == nil {
				if !slices.Contains(owed, seat) {
					continue
				}
				sheet.Policy = engine.PolicyStanding
			}
			if !strings.Contains(by[s.ID], how) {
				by[s.ID] = strings.TrimPrefix(by[s.ID]+", "+how, ", ")
			}
			sheets = append(sheets, inRound(sheet, g.view.DueRound()))
		}
	}
	return sheets, by, nil
}

// inRound turns a sheet into one with its orders as the reply for a later round of the turn.
func inRound(s engine.Sheet, round int) engine.Sheet {
	if round < 2 {
		return s
	}
	later := make([]engine.Reply, round-1)
	later[round-2] = engine.Reply{Block: s.Block, Policy: s.Policy}
	return engine.Sheet{Ship: s.Ship, Post: s.Post, Later: later}
}

// holds reports whether the viewer gives the orders of a seat.
func (g *supposed) holds(seat engine.Seat) bool {
	s, ok := g.view.Ship(seat.Ship)
	if !ok || !s.Own {
		return false
	}
	return slices.Contains(g.view.Viewer.SeatsOn(s.ID), seat)
}

// others returns the ships that the task has an Other for, by id.
func (g *supposed) others(task *Task) (map[engine.ShipID]Other, error) {
	out := map[engine.ShipID]Other{}
	for _, o := range task.Others {
		s, near, ok := engine.FindShip(engine.Captained(g.game.Ships), string(o.Ship))
		switch {
		case !ok:
			return nil, refuse(g.known(near), "no ship %q that could act is in sight", o.Ship)
		case slices.Contains(g.view.Viewer.Ships, s.ID):
			return nil, refuse("put her orders with your own", "%s is your own ship", s.Name)
		case !slices.Contains([]string{ByRobot, ByKeep, ByOrders}, o.By):
			return nil, refuse(strings.Join([]string{ByRobot, ByKeep, ByOrders}, ", "), "%s cannot act as %q", s.Name, o.By)
		}
		out[s.ID] = o
	}
	return out, nil
}

// known returns a hint with the ships that can act, or with the one of a similar name.
func (g *supposed) known(near string) string {
	if near != "" {
		return fmt.Sprintf("did you mean %q?", near)
	}
	var names []string
	for _, s := range engine.Captained(g.game.Ships) {
		if !slices.Contains(g.view.Viewer.Ships, s.ID) {
			names = append(names, s.Name)
		}
	}
	return cmp.Or(strings.Join(names, ", "), "no other ship is in sight")
}

// seen returns what a captain knows in the supposed game.
func (g *supposed) seen(seat engine.Seat) (*engine.View, error) {
	who, err := g.rules.SeatViewer(g.game, seat)
	if err != nil {
		return nil, err
	}
	return engine.NewViewBuilder(g.rules, g.game, nil).InRounds(g.view.Rounds).View(who)
}

// written parses orders that the viewer wrote for another's ship: an order set, or only its contents.
func (g *supposed) written(s *engine.Ship, o Other) (orders.Block, error) {
	var block orders.Block
	var diags []orders.Diagnostic
	bare := 0 // lines added before the first of the text
	switch raws, scanned := orders.ScanText(o.Text); {
	case len(raws) > 1:
		return block, refuse("send one", "there are %d order sets for %s", len(raws), s.Name)
	case len(raws) == 1:
		block, diags = raws[0].Parse(g.rules.Language)
		diags = append(diags, scanned...)
	default:
		block, diags = g.rules.Language.Block("ship", o.Text)
		bare = 1
	}
	v, err := g.seen(engine.Seat{Ship: s.ID})
	if err != nil {
		return block, err
	}
	block, _, faults := g.rules.Navigate(v, s.ID, block)
	diags = slices.Concat(diags, faults, g.rules.Check(v, s.ID, block).Diagnostics)
	for i := range diags {
		if diags[i].Pos.Line -= bare; diags[i].Pos.Line < 1 { // about the set as a whole
			diags[i].Pos = orders.Pos{Line: 1, Col: 1}
		}
	}
	orders.Sort(diags)
	if orders.HasErrors(diags) {
		return block, &Refusal{Problem: "the orders for " + s.Name + " have mistakes", Way: "correct them, or let a robot give the orders", Ship: o.Ship, Diagnostics: diags}
	}
	return block, nil
}

// robots returns what robots order for seats that are not the viewer's, on ships without an Other.
func (g *supposed) robots(others map[engine.ShipID]Other) map[engine.Seat]orders.Block {
	out := map[engine.Seat]orders.Block{}
	for _, c := range g.game.Captains() {
		if !slices.ContainsFunc(c.Seats, func(seat engine.Seat) bool {
			o, said := others[seat.Ship]
			return !g.holds(seat) && (!said || o.By == ByRobot)
		}) {
			continue
		}
		v, err := g.seen(c.Seats[0])
		if err != nil {
			continue // no such seat
		}
		for _, set := range robots.Sets(g.rules, v) {
			from := v.From(set.Seat)
			block, diags := set.Orders.Block(g.rules.Language, cmp.Or(set.Seat.Post, "ship"))
			if diags = append(diags, g.rules.Check(from, set.Seat.Ship, block).Diagnostics...); orders.HasErrors(diags) {
				g.assume(v.Name(set.Seat.Ship), "the robot finds no orders to give: course kept")
				continue
			}
			out[set.Seat] = block
		}
	}
	return out
}
