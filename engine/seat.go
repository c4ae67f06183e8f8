package engine

import "slices"

// Seat is a place from which orders come: a post on a ship. Post "" is the captain of
// the whole ship.
type Seat struct{ Ship, Post string }

// Owed are the seats that owe orders for what comes next, by id of ship: those that
// the rule set names, or else the captains of all ships in the fight. When the game is
// over there are none.
func (r *Rules) Owed(g *Game) []Seat {
	if r.Due != nil && g.Result == nil {
		return r.Due(g)
	}
	var seats []Seat
	for _, id := range g.InFight() {
		seats = append(seats, Seat{Ship: id})
	}
	return seats
}

// owes tells whether orders are owed for a ship.
func owes(due []Seat, ship string) bool {
	return slices.ContainsFunc(due, func(seat Seat) bool { return seat.Ship == ship })
}

// free are the ships among these that are in the fight and yet owe no orders for what
// comes next.
func (r *Rules) free(g *Game, ships []string) []string {
	if r.Due == nil || g.Result != nil {
		return nil
	}
	owed := r.Due(g)
	var out []string
	for _, id := range ships {
		if s, ok := g.Ship(id); ok && s.Status == Active && !owes(owed, id) {
			out = append(out, id)
		}
	}
	return out
}

// Owes tells whether the viewer owes orders for one of his ships.
func (v *View) Owes(s *ShipView) bool {
	return v.Due > 0 && s.Own && s.Status == Active && !slices.Contains(v.Free, s.ID)
}
