package engine

import (
	"fmt"
	"slices"
	"strings"
)

// Seat is a place from which orders come: a post on a ship. Post "" is the captain of
// the whole ship.
type Seat struct{ Ship, Post string }

// String is "hood", or "hood/engineer" for a post: no id of a ship has a slash.
func (s Seat) String() string {
	if s.Post == "" {
		return s.Ship
	}
	return s.Ship + "/" + s.Post
}

// MarshalText writes String.
func (s Seat) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// OrderSetName is how the order set for a post of a ship is called: "Hood", or
// "Hood.engineer".
func OrderSetName(ship, post string) string {
	if post == "" {
		return ship
	}
	return ship + "." + post
}

// FindSeat is the ship and the post that an order set of that name is for.
func FindSeat(ships []*Ship, name string) (s *Ship, post string, ok bool) {
	if s, _, ok = FindShip(ships, name); ok {
		return s, "", true
	}
	if i := strings.LastIndexByte(name, '.'); i >= 0 {
		s, _, ok = FindShip(ships, name[:i])
		post = strings.ToLower(name[i+1:])
	}
	return s, post, ok
}

// Holder is the captain who gives the orders of a post: the ship's for post "" and for
// one that is vacant.
func (s *Ship) Holder(post string) string {
	if c := s.Crew[post]; c != "" {
		return c
	}
	return s.Captain
}

// Seats are the places on a ship from which orders may come, the captain's first.
func (r *Rules) Seats(s *Ship) []Seat {
	seats := []Seat{{Ship: s.ID}}
	if r.Language == nil {
		return seats
	}
	for _, post := range r.Language.Posts {
		seats = append(seats, Seat{s.ID, post})
	}
	return seats
}

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

// SeatsOn are the seats of the viewer on one of his ships.
func (who Viewer) SeatsOn(ship string) []Seat {
	if len(who.Seats) == 0 {
		return []Seat{{Ship: ship}}
	}
	return slices.DeleteFunc(slices.Clone(who.Seats), func(s Seat) bool { return s.Ship != ship })
}

// postsOn are the posts that the viewer holds on one of his ships; captain tells that
// he commands her, and so may look at every panel.
func (who Viewer) postsOn(ship string) (posts []string, captain bool) {
	for _, seat := range who.SeatsOn(ship) {
		if seat.Post == "" {
			return nil, true
		}
		posts = append(posts, seat.Post)
	}
	return posts, false
}

// SeatViewer is the holder of a seat as one who looks, its ship in the focus.
func (g *Game) SeatViewer(seat Seat) (Viewer, error) {
	s, ok := g.Ship(seat.Ship)
	if !ok {
		return Viewer{}, fmt.Errorf("view of %s: no ship %q", g.ID, seat.Ship)
	}
	who := Viewer{Captain: s.Holder(seat.Post), Focus: s.ID, Post: seat.Post}
	for _, c := range g.Captains() {
		if c.Name != who.Captain {
			continue
		}
		who.Ships = c.Ships
		if slices.ContainsFunc(c.Seats, func(o Seat) bool { return o.Post != "" }) {
			who.Seats = c.Seats
		}
	}
	return who, nil
}
