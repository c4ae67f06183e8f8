package engine

import (
	"slices"

	"starpost/engine/blind"
	"starpost/engine/hex"
)

// The parts of a view about ships that sensors show, and about what laboratories gather.

// SensorView is what a captain's sensors show of a ship in a view that is not the captain's.
type SensorView struct {
	No    blind.ContactNo `json:"no"`
	Level string          `json:"level"` // none if the contact is lost
	Size  string          `json:"size,omitempty"`
	// Speed, in steps, and Heading are as of Learnt.
	Speed   *int         `json:"speed,omitempty"`
	Heading *hex.Heading `json:"heading,omitempty"`
	Learnt  *Moment      `json:"learnt,omitempty"`
	Told    ShipID       `json:"told,omitempty"` // the ship of the own side that reported it, whose captain calls it As
	As      string       `json:"as,omitempty"`
	By      []ToldBy     `json:"by,omitempty"` // all who reported it, that one first
}

// ToldBy is a ship of the own side whose captain reported a contact, and that captain's name for it.
type ToldBy struct {
	Ship ShipID `json:"ship"`
	As   string `json:"as"`
}

// Reach is how far an own ship's sensors reach at each level, in hexes.
type Reach struct {
	Field    int `json:"field"`
	Presence int `json:"presence"`
	Rough    int `json:"rough"`
	Full     int `json:"full"`
}

// LabView is what an own ship of a view has gathered about something, under its captain's name for it.
type LabView struct {
	Job    string `json:"job"`
	What   string `json:"what"`
	Points int    `json:"points"`
	Units  int    `json:"units,omitempty"` // in the whole file
}

// FileView is a file that the viewer knows of.
type FileView struct {
	Name  string `json:"name"`
	Units int    `json:"units"`
	From  ShipID `json:"from"` // the ship that had it first
}

// rank returns the level as a number, higher the more it shows; 0 if nothing is sensed.
func (s *SensorView) rank() int {
	if s == nil {
		return 0
	}
	return slices.Index([]string{"", blind.WordField, blind.WordPresence, blind.WordRough, blind.WordFull}, s.Level)
}
