// Package robots plays battles in which robots command all ships. It serves anyone who
// wants to know how a scenario goes: the comparison of sides, soaks, tests.
//
// It is pure as the engine is: a scenario, a rule set and a secret always make the
// same battle.
package robots

import (
	"cmp"
	"errors"
	"fmt"
	"hash/crc32"
	"slices"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/engine/scenario"
	"starpost/orders"
)

// Longest is how many turns a battle may take whose scenario sets no last turn.
const Longest = 40

var (
	// errOrders is orders of a robot that have mistakes.
	errOrders = errors.New("the robot's orders have mistakes")
	// ErrEndless is a battle that is not over when it should be.
	ErrEndless = errors.New("the battle does not end")
)

// Turn is one turn of a battle: the game before and after it, and its events.
type Turn struct {
	Before, After *engine.Game
	Events        []engine.Event
}

// Battle plays a scenario to its end and returns the game as it is then. It stops at
// the first error of look, which examines every turn and may be nil. A battle that goes
// on after the scenario's last turn, or after Longest turns if it has none, is an
// ErrEndless; then too the game is returned.
func Battle(r *engine.Rules, sc *scenario.Scenario, id string, secret dice.Secret, look func(Turn) error) (*engine.Game, error) {
	g, diags := sc.Drawn(secret, id).NewGame(r, id, nil)
	if g == nil {
		return nil, fmt.Errorf("set up %s by %s: %v", sc.Name, r.Name, diags)
	}
	return Fight(r, g, secret, look)
}

// Tricked is the rule set with a trick in place of the robots of a side.
func Tricked(r *engine.Rules, side string, trick engine.Trick) *engine.Rules {
	c := *r
	c.Robot = func(v *engine.View, ship engine.ShipID) orders.Set {
		if s, ok := v.Ship(ship); ok && s.Side == side {
			return trick.Orders(v, ship)
		}
		return r.Robot(v, ship)
	}
	return &c
}

// Skilled is the rule set with weaker robots for a side: in so many of 100 turns, which ones the battle decides, each of its
// ships does what robots do, and in the others what her report offers ready to be sent back, as a newcomer does.
func Skilled(r *engine.Rules, side string, percent uint32) *engine.Rules {
	c := *r
	c.Robot = func(v *engine.View, ship engine.ShipID) orders.Set {
		chance := crc32.ChecksumIEEE(fmt.Appendf(nil, "%s %d %s", v.Game, v.Due, ship)) % 100
		s, ok := v.Ship(ship)
		if !ok || s.Side != side || s.Status != engine.Active || chance < percent {
			return r.Robot(v, ship)
		}
		if v.Turn == 0 && r.First != nil {
			if set := r.First(v, ship); len(set) > 0 {
				return set
			}
		}
		return r.Template(v, ship)
	}
	return &c
}

// Fight is Battle for a game that is set up already.
func Fight(r *engine.Rules, g *engine.Game, secret dice.Secret, look func(Turn) error) (*engine.Game, error) {
	var events []engine.Event
	for g.Result == nil {
		if g.Turn >= cmp.Or(g.Victory.LastTurn, Longest) {
			return g, fmt.Errorf("turn %d: %w", g.Turn, ErrEndless)
		}
		sheets, err := Orders(r, g, events)
		if err != nil {
			return g, fmt.Errorf("turn %d: %w", g.Turn+1, err)
		}
		after, es, err := engine.Resolve(r, g, sheets, secret)
		if err == nil && look != nil {
			err = look(Turn{Before: g, After: after, Events: es})
		}
		if err != nil {
			return g, fmt.Errorf("turn %d: %w", g.Turn+1, err)
		}
		g, events = after, es
	}
	return g, nil
}

// Set is what a robot orders from a seat.
type Set struct {
	Seat   engine.Seat
	Orders orders.Set
}

// Sets are what a robot orders from all seats of a viewer: from those that owe orders, and from others for which it has
// some. It makes no difference whether the view came by mail.
func Sets(r *engine.Rules, v *engine.View) []Set {
	var out []Set
	for _, s := range v.Ships {
		if !s.Own || s.Status != engine.Active && (s.Status != engine.Crippled || !r.CrippledMayAct) {
			continue
		}
		for _, seat := range v.Viewer.SeatsOn(s.ID) {
			if seat.Post != "" && s.Crew[seat.Post] != v.Viewer.Captain {
				continue // it is vacant, and her captain's
			}
			if set := r.Robot(v.From(seat), s.ID); len(set) > 0 || s.Status == engine.Active {
				out = append(out, Set{seat, set})
			}
		}
	}
	return out
}

// Orders gives what robots order from every seat. Orders that cannot be read, or that are refused on arrival, are
// errOrders.
func Orders(r *engine.Rules, g *engine.Game, events []engine.Event) ([]engine.Sheet, error) {
	var sheets []engine.Sheet
	builder := engine.NewViewBuilder(r, g, events)
	for _, c := range g.Captains() {
		who, err := r.SeatViewer(g, c.Seats[0])
		if err != nil {
			return nil, err
		}
		v, err := builder.View(who)
		if err != nil {
			return nil, fmt.Errorf("view of %s: %w", c.Name, err)
		}
		for _, set := range Sets(r, v) {
			block, err := read(r, v.From(set.Seat), &set)
			if err != nil {
				return nil, err
			}
			sheets = append(sheets, engine.Sheet{Ship: set.Seat.Ship, Post: set.Seat.Post, Block: &block})
		}
	}
	slices.SortFunc(sheets, func(a, b engine.Sheet) int { return cmp.Or(cmp.Compare(a.Ship, b.Ship), cmp.Compare(a.Post, b.Post)) })
	return sheets, nil
}

// read reads orders that must be in order.
func read(r *engine.Rules, v *engine.View, set *Set) (orders.Block, error) {
	block, diags := set.Orders.Block(r.Language, cmp.Or(set.Seat.Post, "ship"))
	if diags = append(diags, r.Check(v, set.Seat.Ship, block).Diagnostics...); orders.HasErrors(diags) {
		return orders.Block{}, fmt.Errorf("%w: turn %d:\n%s\n%v", errOrders, v.Due, set.Orders, diags)
	}
	return block, nil
}
