package engine

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// FindSeat returns the ship and the post that the order set with this name is for.
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

// Officer returns who mans a post: for post "" and for a vacant post the ship's captain.
func (s *Ship) Officer(post string) CaptainName {
	if c := s.Crew[post]; c != "" {
		return c
	}
	return s.Captain
}

// Holder returns who gives the orders of a post: its officer, or the ship's captain if the officer is relieved.
func (s *Ship) Holder(post string) CaptainName {
	if slices.Contains(s.Relieved, post) {
		return s.Captain
	}
	return s.Officer(post)
}

// MannedBy returns the posts on the ship that a captain mans, "" first if they command her.
func (s *Ship) MannedBy(captain CaptainName) (posts []string) {
	if s.Captain == captain {
		posts = append(posts, "")
	}
	for _, post := range slices.Sorted(maps.Keys(s.Crew)) {
		if s.Crew[post] == captain {
			posts = append(posts, post)
		}
	}
	return posts
}

// Posts returns the posts that ships have under these rules; nil if each ship has only a captain.
func (r *Rules) Posts() []string {
	if r.Language == nil {
		return nil
	}
	return r.Language.Posts
}

// PostOf returns the post that a word stands for, "" for "captain".
func (r *Rules) PostOf(word string) (post string, ok bool) {
	word = strings.ToLower(word)
	if len(r.Posts()) > 0 && word == AllPosts {
		return "", true
	}
	return word, slices.Contains(r.Posts(), word)
}

// Seats returns the seats on a ship that orders may come from: the captain's, then the posts in alphabetical order.
func (r *Rules) Seats(s *Ship) []Seat {
	seats := []Seat{{Ship: s.ID}}
	for _, post := range slices.Sorted(slices.Values(r.Posts())) {
		seats = append(seats, Seat{s.ID, post})
	}
	return seats
}

// Owed returns the seats that owe orders for what comes next, sorted by ship id: those that the rule set names or,
// by default, the captains of all ships in the fight. There are none when the game is over.
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

// SeatViewer returns the officer of a seat as a viewer, with the seat's ship in the focus. The viewer has all ships
// the officer is aboard, all posts they man, and those whose orders they give because the post is vacant or its
// officer is relieved.
func (r *Rules) SeatViewer(g *Game, seat Seat) (Viewer, error) {
	s, ok := g.Ship(seat.Ship)
	if !ok {
		return Viewer{}, fmt.Errorf("view of %s: no ship %q", g.ID, seat.Ship)
	}
	who := Viewer{Captain: s.Officer(seat.Post), Focus: s.ID, Post: seat.Post}
	for _, c := range g.Captains() {
		if c.Name == who.Captain {
			who.Ships = c.Ships
		}
	}
	if len(r.Posts()) == 0 {
		return who, nil
	}
	for _, id := range who.Ships {
		o, _ := g.Ship(id)
		for _, mine := range r.Seats(o) {
			if o.Officer(mine.Post) == who.Captain || o.Holder(mine.Post) == who.Captain {
				who.Seats = append(who.Seats, mine)
			}
		}
	}
	return who, nil
}

// Eyes returns the seats by which a [See] can name a viewer: a captain's seat on each of their ships, the posts
// they hold there and, on ships they command, all posts and AllPosts.
func (r *Rules) Eyes(who Viewer) []Seat {
	eyes := CaptainSeats(who.Ships...)
	if len(r.Posts()) == 0 {
		return eyes
	}
	for _, id := range who.Ships {
		for _, seat := range who.SeatsOn(id) {
			if seat.Post != "" {
				eyes = append(eyes, seat)
				continue
			}
			for _, post := range append([]string{AllPosts}, r.Posts()...) {
				eyes = append(eyes, Seat{id, post})
			}
		}
	}
	return eyes
}

// free returns the seats of a viewer on ships in the fight that owe no orders for what comes next, or that have
// orders from someone else.
func (r *Rules) free(g *Game, who Viewer) []string {
	if g.Result != nil || r.Due == nil && len(who.Seats) == 0 {
		return nil
	}
	owed := r.Owed(g)
	var out []string
	for _, id := range who.Ships {
		s, ok := g.Ship(id)
		if !ok || s.Status != Active {
			continue
		}
		for _, seat := range who.SeatsOn(id) {
			if !slices.Contains(owed, seat) || who.Captain != "" && s.Holder(seat.Post) != who.Captain {
				out = append(out, seat.String())
			}
		}
	}
	return out
}

// Owes reports whether the viewer owes orders for one of their ships.
func (v *View) Owes(s *ShipView) bool { return len(v.Owed(s)) > 0 }

// Owed returns the viewer's seats on one of their ships that owe orders.
func (v *View) Owed(s *ShipView) []Seat {
	if v.Due == 0 || !s.Own || s.Status != Active {
		return nil
	}
	return slices.DeleteFunc(v.Viewer.SeatsOn(s.ID), v.IsFree)
}

// IsFree reports whether the viewer owes no orders from one of their seats.
func (v *View) IsFree(seat Seat) bool { return slices.Contains(v.Free, seat.String()) }

// SeatsOn returns the seats of the viewer on one of their ships.
func (who Viewer) SeatsOn(ship ShipID) []Seat {
	if len(who.Seats) == 0 {
		return []Seat{{Ship: ship}}
	}
	return slices.DeleteFunc(slices.Clone(who.Seats), func(s Seat) bool { return s.Ship != ship })
}

// PostsOn returns the posts that the viewer holds on one of their ships. Captain reports whether the viewer
// commands her, and so may see every panel.
func (who Viewer) PostsOn(ship ShipID) (posts []string, captain bool) {
	for _, seat := range who.SeatsOn(ship) {
		if seat.Post == "" {
			return nil, true
		}
		posts = append(posts, seat.Post)
	}
	return posts, false
}

// Viewer returns the captain of a ship as a viewer, with that ship in the focus.
func (g *Game) Viewer(s *Ship) Viewer {
	who := Viewer{Captain: s.Captain, Focus: s.ID}
	for _, o := range g.Ships {
		if o.Captain == s.Captain {
			who.Ships = append(who.Ships, o.ID)
		}
	}
	return who
}
