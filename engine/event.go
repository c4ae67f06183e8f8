package engine

import (
	"fmt"
	"slices"
)

// Event is one change of a game, or one fact worth telling. Events are in the order in which they happened. In JSON
// the fields of Body are in the same object as the others.
type Event struct {
	Seq   int // 1.. within the turn
	Turn  int
	Phase int      // from 1; 0 for what belongs to the whole turn
	Step  string   // power, advantage, movement, fire, repair, end ...
	Rule  []string // citations, such as "stcs 4.7" or "D12"
	See   See
	Type  *EventType
	Body  Body
}

// Change changes a game by a body, if that has a method Apply.
func Change(g *Game, b Body) error {
	if b, ok := b.(interface{ Apply(g *Game) error }); ok {
		return b.Apply(g)
	}
	return nil
}

// See says who may see an event. Whole lists seats that see all of it: ships with their captains and crews, and
// posts with their officers and the captains of their ships; see [SeeSeats]. With Rest everyone else or, if Among
// is not empty, the captains of those ships see the fields that the type of the event opens to others, and those it
// opens under a word of Also. All others do not see the event.
type See struct {
	Whole []Seat
	Rest  bool
	Also  []string
	Among []ShipID
}

// SeeAll returns a See by which everyone sees an event, and captains of the given ships see the whole of it.
func SeeAll(whole ...ShipID) See { return See{Whole: CaptainSeats(whole...), Rest: true} }

// SeeOnly returns a See by which only captains of these ships see an event.
func SeeOnly(ships ...ShipID) See { return See{Whole: CaptainSeats(ships...)} }

// SeeAmong returns a See by which captains of these ships see the fields of an event that are open to others.
func SeeAmong(ships ...ShipID) See { return See{Rest: len(ships) > 0, Among: ships} }

// And opens to the rest the fields that the event's type has open under a word.
func (s See) And(word string) See {
	s.Also = append(slices.Clip(s.Also), word)
	return s
}

// Open reports whether everyone sees the fields of an event that are open to others.
func (s *See) Open() bool { return s.Rest && len(s.Among) == 0 }

// Apply changes a game by one event. Nothing else changes a game.
func Apply(g *Game, e Event) error {
	if e.Turn != g.Turn && e.Turn != g.Turn+1 {
		return fmt.Errorf("apply event %d: it is of turn %d, the game is at %d", e.Seq, e.Turn, g.Turn)
	}
	g.Turn = e.Turn
	if err := Change(g, e.Body); err != nil {
		return fmt.Errorf("apply event %d (%s): %w", e.Seq, e.Type.Name, err)
	}
	return nil
}

// Replay applies events to a copy of a game.
func Replay(g *Game, events []Event) (*Game, error) {
	c := g.Clone()
	for _, e := range events {
		if err := Apply(c, e); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// SeeSeats returns a See by which only the officers of these posts and the captains of their ships see an event.
// The post AllPosts stands for the captain alone.
func SeeSeats(seats ...Seat) See {
	return See{Whole: seats}
}

// Fully reports whether a captain of these ships sees all of an event.
func (s *See) Fully(ships []ShipID) bool {
	return slices.ContainsFunc(s.Whole, func(seat Seat) bool { return seat.Post == "" && slices.Contains(ships, seat.Ship) })
}

// FullyBy reports whether a viewer who has these [Rules.Eyes] sees all of an event.
func (s *See) FullyBy(eyes []Seat) bool {
	return slices.ContainsFunc(s.Whole, func(seat Seat) bool { return slices.Contains(eyes, seat) })
}

// IsAmong reports whether a captain of these ships is one of the rest.
func (s *See) IsAmong(ships []ShipID) bool {
	return s.Rest && (len(s.Among) == 0 || slices.ContainsFunc(ships, func(id ShipID) bool { return slices.Contains(s.Among, id) }))
}

// toAny reports whether any captain sees anything of an event.
func (s *See) toAny() bool { return len(s.Whole) > 0 || s.Rest }

// ToBy reports whether a viewer who has these [Rules.Eyes] sees anything of an event.
func (s *See) ToBy(eyes []Seat) bool {
	return s.FullyBy(eyes) || s.Rest && (len(s.Among) == 0 || slices.ContainsFunc(eyes, func(eye Seat) bool { return eye.Post == "" && slices.Contains(s.Among, eye.Ship) }))
}

// To reports whether a captain of these ships sees anything of an event.
func (s *See) To(ships []ShipID) bool { return s.Fully(ships) || s.IsAmong(ships) }

// Talk is a message from one captain to another, to a side or to all.
type Talk struct {
	Ship  ShipID   `json:"ship" see:"crew" also:"sender"`
	Post  string   `json:"post,omitempty" see:"all"` // the sender's post; "" for the ship's captain
	To    string   `json:"to" see:"all"`             // as written: a ship, a side, "all", or a post on the ship
	Text  []string `json:"text" see:"crew" also:"words"`
	Coded bool     `json:"coded,omitempty" see:"all"` // sent in code: a reader without Text cannot read it
	By    ShipID   `json:"by,omitempty" see:"all"`    // the ship that passed it on, or the craft that carried it
	Said  *Moment  `json:"said,omitempty" see:"all"`  // ... and when it was said first
}
