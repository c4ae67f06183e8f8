package engine

import (
	"slices"

	"starpost/engine/hex"
)

// Viewer is who looks: a captain by his ships, or with All the referee.
// Focus is the ship in the middle of the map, and Post the post on it whose orders are
// given, "" for the captain's. Seats are all that he holds, if there are posts among
// them; else he is captain of all his ships.
type Viewer struct {
	Captain CaptainName `json:"captain,omitempty"`
	Ships   []ShipID    `json:"ships,omitempty"`
	Seats   []Seat      `json:"seats,omitempty"`
	Focus   ShipID      `json:"focus,omitempty"`
	Post    string      `json:"post,omitempty"`
	All     bool        `json:"all,omitempty"`
}

// Holds tells whether the viewer knows all of a ship's system: of his own, of what they launched, and of every ship when
// the game is over.
func (w Viewer) Holds(ship, parent ShipID, over bool) bool {
	return over || w.All || slices.Contains(w.Ships, ship) || slices.Contains(w.Ships, parent)
}

// ShipView is one ship as the viewer knows it. System is whole for an own
// ship, and what is known of another. One that is not seen now stands where it
// was last known.
type ShipView struct {
	ID      ShipID      `json:"id"`
	Name    string      `json:"name"`
	Title   string      `json:"title"`
	Short   string      `json:"short"`
	Side    string      `json:"side"`
	Captain CaptainName `json:"captain,omitempty"`
	// Crew are those who hold posts on an own ship beside her captain, by post.
	Crew     map[string]CaptainName `json:"crew,omitempty"`
	Relieved []string               `json:"relieved,omitempty"` // of an own ship: posts whose orders her captain gives in their place
	Class    string                 `json:"class"`
	Kind     Kind                   `json:"kind,omitempty"`   // absent: a ship
	Parent   ShipID                 `json:"parent,omitempty"` // the ship that a small craft came from, for who commands that
	Own      bool                   `json:"own"`
	Status   Status                 `json:"status"`
	Sight    Sight                  `json:"sight,omitempty"` // absent: seen
	Since    *Moment                `json:"since,omitempty"` // when a ship was last seen that is not now
	Arrives  int                    `json:"arrives,omitempty"`
	Hex      *hex.Hex               `json:"hex,omitempty"`
	Heading  *hex.Heading           `json:"heading,omitempty"`
	Files    []string               `json:"files,omitempty"`    // of an own ship: those aboard
	Gathered []LabView              `json:"gathered,omitempty"` // ... and what its laboratories have
	Reach    *Reach                 `json:"reach,omitempty"`    // of an own ship's sensors, in a game in the dark
	Relays   bool                   `json:"relays,omitempty"`   // ... she passes coded talk on
	Sensed   *SensorView            `json:"sensed,omitempty"`   // of a game in the dark, where it is another captain's
	Range    int                    `json:"range,omitempty"`    // hexes from the focus
	Bearing  string                 `json:"bearing,omitempty"`  // from the focus, clockwise from its bow
	Trail    []Step                 `json:"trail,omitempty"`    // this turn's way, its start first
	System   any                    `json:"system,omitempty"`
}

// Stands is where a ship is whose hex is known; the heading is A where it is not known.
func (s *ShipView) Stands() Place {
	at := Place{Hex: *s.Hex}
	if s.Heading != nil {
		at.Heading = *s.Heading
	}
	return at
}

// Ship is a ship of a game made of what a view has of one whose hex is known, with a system that she is said to have.
func (s *ShipView) Ship(system System) Ship {
	at := s.Stands()
	return Ship{
		ID: s.ID, Name: s.Name, Title: s.Title, Short: s.Short, Side: s.Side, Captain: s.Captain, Crew: s.Crew, Relieved: s.Relieved, Class: s.Class, Kind: s.Kind, Parent: s.Parent,
		Hex: at.Hex, Heading: at.Heading, Status: s.Status, Arrives: s.Arrives, System: system,
	}
}

// At is where a ship was after the moves of a phase.
func (s *ShipView) At(phase int) (Place, bool) {
	for _, v := range slices.Backward(s.Trail) {
		if v.Phase <= phase {
			return v.At, true
		}
	}
	if s.Hex == nil {
		return Place{}, false
	}
	return s.Stands(), true
}

// Sight is how well a viewer makes out a ship that is not his own.
type Sight string

// The levels of sight. What is unseen is absent from a view altogether. What is
// lost was seen and is not now: it stands where it was last known. A contact is
// something at a place, known by no more than what the rule set calls it.
const (
	Unseen  Sight = "unseen"
	Seen    Sight = ""
	Lost    Sight = "lost"
	Contact Sight = "contact"
)

// Observation is what a viewer makes out of a ship. Each field grants something; of
// a ship that is seen, who and where it is goes without saying.
type Observation struct {
	Sight Sight
	At    *Place // of a lost ship or a contact: where it was last known; nil for nowhere
	Since Moment // ... and when
	As    *Alias // what it goes by where not all of who it is is known; a contact must have one
	Known any    // what is known of its systems
}

// Alias is what stands for who a ship is.
type Alias struct {
	ID, Name, Title, Short, Side, Class ShipID
	Kind                                Kind
}

// Entry is an event as the viewer sees it, numbered for this viewer, so that
// gaps tell nothing.
type Entry struct {
	N     int
	Phase int
	Step  string
	Rule  []string
	Type  *EventType
	Body  Body
}
