package engine

import (
	"cmp"
	"strings"
)

// Seat is a place from which orders come: a post on a ship. Post "" is the captain of
// the whole ship.
type Seat struct {
	Ship ShipID
	Post string
}

// String is "hood", or "hood/engineer" for a post: no id of a ship has a slash.
func (s Seat) String() string {
	if s.Post == "" {
		return string(s.Ship)
	}
	return string(s.Ship) + "/" + s.Post
}

// CaptainSeats are the seats of the captains of some ships.
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

// CompareSeats orders seats by what they are written as.
func CompareSeats(a, b Seat) int {
	if a.Post == "" && b.Post == "" {
		return cmp.Compare(a.Ship, b.Ship)
	}
	return strings.Compare(a.String(), b.String())
}

// MarshalText writes String.
func (s Seat) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads what MarshalText wrote.
func (s *Seat) UnmarshalText(text []byte) error {
	ship, post, _ := strings.Cut(string(text), "/")
	s.Ship, s.Post = ShipID(ship), post
	return nil
}

// OrderSetName is how the order set for a post of a ship is called: "Hood", or
// "Hood.engineer".
func OrderSetName(ship, post string) string {
	if post == "" {
		return ship
	}
	return ship + "." + post
}

// AllPosts in place of a post is for what only the captain of a ship sees among those
// aboard: Seat{"hood", AllPosts}.
const AllPosts = "captain"

// Silence is for how many turns in a row no orders came from a post.
type Silence struct {
	Last  int `json:"last"` // the latest of them
	Turns int `json:"turns"`
}
