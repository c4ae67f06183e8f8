package engine

import (
	"slices"

	"starpost/engine/hex"
)

// Viewer is who looks at a game: a captain with their ships or, with All, the referee. Focus is the ship in the
// middle of the map, and Post the post on it that gives orders, "" for the captain. Seats are all seats the viewer
// holds, if any of them is a post; if Seats is empty the viewer is captain of all Ships.
type Viewer struct {
	Captain CaptainName `json:"captain,omitempty"`
	Ships   []ShipID    `json:"ships,omitempty"`
	Seats   []Seat      `json:"seats,omitempty"`
	Focus   ShipID      `json:"focus,omitempty"`
	Post    string      `json:"post,omitempty"`
	All     bool        `json:"all,omitempty"`
}

// Holds reports whether the viewer knows all of a ship's system: of their own ships, of what those launched, and of
// every ship when the game is over.
func (w Viewer) Holds(ship, parent ShipID, over bool) bool {
	return over || w.All || slices.Contains(w.Ships, ship) || slices.Contains(w.Ships, parent)
}

// ShipView is one ship as the viewer knows it. System is complete for an own ship; for others it is what is known
// of it. A ship that is not seen now is where it was last known.
type ShipView struct {
	ID      ShipID      `json:"id"`
	Name    string      `json:"name"`
	Title   string      `json:"title"`
	Short   string      `json:"short"`
	Side    string      `json:"side"`
	Captain CaptainName `json:"captain,omitempty"`
	// Crew are the people who hold posts on an own ship, except her captain, by post.
	Crew     map[string]CaptainName `json:"crew,omitempty"`
	Relieved []string               `json:"relieved,omitempty"` // of an own ship: posts with orders from her captain instead
	Class    string                 `json:"class"`
	Kind     Kind                   `json:"kind,omitempty"`   // absent: a ship
	Parent   ShipID                 `json:"parent,omitempty"` // the ship that launched a small craft, if the viewer commands it
	Own      bool                   `json:"own"`
	Status   Status                 `json:"status"`
	Sight    Sight                  `json:"sight,omitempty"` // absent: seen
	Since    *Moment                `json:"since,omitempty"` // when a ship that is not seen now was last seen
	Arrives  int                    `json:"arrives,omitempty"`
	Hex      *hex.Hex               `json:"hex,omitempty"`
	Heading  *hex.Heading           `json:"heading,omitempty"`
	Files    []string               `json:"files,omitempty"`    // of an own ship: files aboard
	Gathered []LabView              `json:"gathered,omitempty"` // ... and what its laboratories have gathered
	Reach    *Reach                 `json:"reach,omitempty"`    // of an own ship's sensors, in a game in the dark
	Relays   bool                   `json:"relays,omitempty"`   // ... whether she passes coded talk on
	Sensed   *SensorView            `json:"sensed,omitempty"`   // of another captain's ship, in a game in the dark
	Range    int                    `json:"range,omitempty"`    // hexes from the focus
	Bearing  string                 `json:"bearing,omitempty"`  // from the focus, clockwise from its bow
	Trail    []Step                 `json:"trail,omitempty"`    // positions this turn, the first at its start
	System   any                    `json:"system,omitempty"`
}

// Stands returns where a ship with a known hex is; the heading is A if it is not known.
func (s *ShipView) Stands() Place {
	at := Place{Hex: *s.Hex}
	if s.Heading != nil {
		at.Heading = *s.Heading
	}
	return at
}

// Ship returns a game's ship made from a view's ship with a known hex, with a given system.
func (s *ShipView) Ship(system System) Ship {
	at := s.Stands()
	return Ship{
		ID: s.ID, Name: s.Name, Title: s.Title, Short: s.Short, Side: s.Side, Captain: s.Captain, Crew: s.Crew, Relieved: s.Relieved, Class: s.Class, Kind: s.Kind, Parent: s.Parent,
		Hex: at.Hex, Heading: at.Heading, Status: s.Status, Arrives: s.Arrives, System: system,
	}
}

// At returns where a ship was after the moves of a phase.
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

// Sight is how well a viewer makes out another captain's ship.
type Sight string

// The levels of sight. What is unseen is not in a view at all. What is lost was seen but is not now: it is where it
// was last known. A contact is something at a place, known only as far as the rule set's alias says.
const (
	Unseen  Sight = "unseen"
	Seen    Sight = ""
	Lost    Sight = "lost"
	Contact Sight = "contact"
)

// Observation is what a viewer makes out of a ship. Each field grants something; a ship that is seen shows its
// identity and its place in any case.
type Observation struct {
	Sight Sight
	At    *Place // of a lost ship or a contact: where it was last known; nil for nowhere
	Since Moment // ... and when
	As    *Alias // what it is called if its full identity is unknown; a contact must have one
	Known any    // what is known of its systems
}

// Alias stands for the identity of a ship.
type Alias struct {
	ID, Name, Title, Short, Side, Class ShipID
	Kind                                Kind
}

// Entry is an event as the viewer sees it. Entries are numbered per viewer, so that no gaps give anything away.
type Entry struct {
	N     int
	Phase int
	Step  string
	Rule  []string
	Type  *EventType
	Body  Body
}
