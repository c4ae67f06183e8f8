// Package robots plays battles in which robots command all ships, to find out how a scenario goes: for comparing
// sides, for soak tests and for tests.
//
// Like the engine it is pure: a scenario, a rule set and a secret always give the same battle.
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

// Longest is the maximum number of turns of a battle if its scenario sets no last turn.
const Longest = 40

var (
	// errOrders means that a robot's orders have mistakes.
	errOrders = errors.New("the robot's orders have mistakes")
	// ErrEndless means that a battle did not end when it should have.
	ErrEndless = errors.New("the battle does not end")
)

// Turn is one turn of a battle: the game before and after it, and its events.
type Turn struct {
	Before, After *engine.Game
	Events        []engine.Event
}

// Battle plays a scenario to its end and returns the final game. It stops at the first error of look, which
// examines every turn and may be nil. If a battle goes on after the scenario's last turn, or after Longest turns if
// it has none, Battle returns the game and ErrEndless.
func Battle(r *engine.Rules, sc *scenario.Scenario, id string, secret dice.Secret, look func(Turn) error) (*engine.Game, error) {
	g, diags := sc.Drawn(secret, id).NewGame(r, id, nil)
	if g == nil {
		return nil, fmt.Errorf("set up %s by %s: %v", sc.Name, r.Name, diags)
	}
	return Fight(r, g, secret, look)
}

// Tricked returns the rule set with a trick in place of a side's robots.
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

// Skilled returns the rule set with weaker robots for a side. In percent of 100 turns, chosen at random by battle,
// turn and ship, its ships do what robots do; in the others they send back what their reports offer, as a newcomer
// does.
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

// Fight is Battle for a game that is already set up.
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

// Set is a robot's orders from a seat.
type Set struct {
	Seat   engine.Seat
	Orders orders.Set
}

// Sets returns a robot's orders from all seats of a viewer: from those that owe orders, and from others for which
// it has some. A view that came by mail gives the same orders.
func Sets(r *engine.Rules, v *engine.View) []Set {
	var out []Set
	for _, s := range v.Ships {
		if !s.Own || s.Status != engine.Active && (s.Status != engine.Crippled || !r.CrippledMayAct) {
			continue
		}
		for _, seat := range v.Viewer.SeatsOn(s.ID) {
			if seat.Post != "" && s.Crew[seat.Post] != v.Viewer.Captain {
				continue // the post is vacant, so the captain gives its orders
			}
			if set := r.Robot(v.From(seat), s.ID); len(set) > 0 || s.Status == engine.Active {
				out = append(out, Set{seat, set})
			}
		}
	}
	return out
}

// Orders returns robots' orders from every seat. The error is errOrders if orders cannot be parsed or would be
// refused on arrival.
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

// read parses orders that must have no mistakes.
func read(r *engine.Rules, v *engine.View, set *Set) (orders.Block, error) {
	block, diags := set.Orders.Block(r.Language, cmp.Or(set.Seat.Post, "ship"))
	if diags = append(diags, r.Check(v, set.Seat.Ship, block).Diagnostics...); orders.HasErrors(diags) {
		return orders.Block{}, fmt.Errorf("%w: turn %d:\n%s\n%v", errOrders, v.Due, set.Orders, diags)
	}
	return block, nil
}
