package engine

import (
	"cmp"
	"strings"
)

// Seat is a place that orders come from: a post on a ship. Post "" is the captain of the whole ship.
type Seat struct {
	Ship ShipID
	Post string
}

// String returns "hood", or "hood/engineer" for a post: no ship id has a slash.
func (s Seat) String() string {
	if s.Post == "" {
		return string(s.Ship)
	}
	return string(s.Ship) + "/" + s.Post
}

// CaptainSeats returns the captains' seats of some ships.
func CaptainSeats(ships ...ShipID) []Seat {
	if ships == nil {
		return nil
	}
	seats := make([]Seat, len(ships))
	for i, id := range ships {
		seats[i].Ship = id
	}
	return seats
}

// CompareSeats orders seats by their String.
func CompareSeats(a, b Seat) int {
	if a.Post == "" && b.Post == "" {
		return cmp.Compare(a.Ship, b.Ship)
	}
	return strings.Compare(a.String(), b.String())
}

// MarshalText returns String as bytes.
func (s Seat) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText parses what MarshalText returned.
func (s *Seat) UnmarshalText(text []byte) error {
	ship, post, _ := strings.Cut(string(text), "/")
	s.Ship, s.Post = ShipID(ship), post
	return nil
}

// OrderSetName returns the name of the order set for a post of a ship: "Hood", or "Hood.engineer".
func OrderSetName(ship, post string) string {
	if post == "" {
		return ship
	}
	return ship + "." + post
}

// AllPosts in place of a post is for what only the captain sees among the people aboard: Seat{"hood", AllPosts}.
const AllPosts = "captain"

// Silence counts turns in a row without orders from a post.
type Silence struct {
	Last  int `json:"last"` // the latest of them
	Turns int `json:"turns"`
}
