package state

import (
	"encoding/json"
	"fmt"

	"starpost/engine"
	"starpost/engine/family"
	"starpost/engine/rules/sfb/sheet"
)

// Shares returns what parts keep of the ship, for parts of several families.
func (s *System) Shares() *family.Shares { return &s.Kept }

// Decoder returns a function that reads a ship's state from JSON, given the empty shares that a book's parts keep. A
// field that the book does not have is an *engine.FieldError.
func Decoder(keeps []family.Share) func(json.RawMessage) (engine.System, error) {
	return func(data json.RawMessage) (engine.System, error) {
		type fields System // without the methods of System
		read := struct {
			*fields
			Kept map[string]json.RawMessage `json:"parts"`
		}{fields: new(fields)}
		if err := engine.ReadJSON(data, &read); err != nil {
			return nil, fmt.Errorf("read the sheet: %w", err)
		}
		s := (*System)(read.fields)
		var err error
		if s.Kept, err = family.ReadShares(read.Kept, keeps); err != nil {
			return nil, fmt.Errorf("read the sheet: %w", err)
		}
		return s, nil
	}
}

// Open is what all captains know of another's ship: the sheet (cadet D4.1), speed and what can be counted from
// outside.
type Open struct {
	Sheet    sheet.Sheet   `json:"sheet,omitzero"`
	Speed    int           `json:"speed"`
	Straight int           `json:"straight"`
	Cloaked  bool          `json:"cloaked,omitempty"`
	Down     bool          `json:"down,omitempty"` // shields are down
	Holds    []Grip        `json:"holds,omitempty"`
	Held     engine.ShipID `json:"held,omitempty"`
	Steered  bool          `json:"steered,omitempty"`
	Parties  int           `json:"parties,omitempty"`
	Boarders []Force       `json:"boarders,omitempty"`
	Lowered  [6]bool       `json:"lowered,omitzero"`
	Flight   *Flight       `json:"flight,omitempty"`
}

// Public returns what others know of a ship: her sheet is open (cadet D4.1).
func Public(s *engine.Ship) any {
	open := Of(s).Open()
	return &open
}

// Open returns what all captains know of a ship in this state.
func (s *System) Open() Open {
	return Open{Sheet: s.Sheet, Speed: s.Speed, Straight: s.Straight, Cloaked: s.Cloaked, Down: s.Down, Holds: s.Holds, Held: s.Held, Steered: s.Steered, Parties: s.Parties, Boarders: s.Boarders, Lowered: s.Lowered, Flight: s.Flight}
}

// OpenOf returns what a viewer may know of any ship in the view, own ships included.
func OpenOf(s *engine.ShipView) (Open, bool) {
	switch sys := s.System.(type) {
	case *System:
		return sys.Open(), true
	case *Open:
		return *sys, true
	}
	return Open{}, false
}
