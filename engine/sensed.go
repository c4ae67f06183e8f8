package engine

import (
	"slices"

	"starpost/engine/blind"
	"starpost/engine/hex"
)

// What a view has of ships that sensors show, and of what laboratories gather.

// SensorView is what a captain's sensors have of a ship of a view that is not his.
type SensorView struct {
	No    blind.ContactNo `json:"no"`
	Level string          `json:"level"` // none for what is lost
	Size  string          `json:"size,omitempty"`
	// Speed in steps and the heading were so at Learnt.
	Speed   *int         `json:"speed,omitempty"`
	Heading *hex.Heading `json:"heading,omitempty"`
	Learnt  *Moment      `json:"learnt,omitempty"`
	Told    ShipID       `json:"told,omitempty"` // a ship of the own side whose captain told of it, who calls it As
	As      string       `json:"as,omitempty"`
	By      []ToldBy     `json:"by,omitempty"` // all who told of it, that one first
}

// ToldBy is a ship of the own side whose captain told of a contact, and what he calls it.
type ToldBy struct {
	Ship ShipID `json:"ship"`
	As   string `json:"as"`
}

// Reach is how far an own ship's sensors show something at each level, in hexes.
type Reach struct {
	Field    int `json:"field"`
	Presence int `json:"presence"`
	Rough    int `json:"rough"`
	Full     int `json:"full"`
}

// LabView is what an own ship of a view has gathered of something, by its captain's name for it.
type LabView struct {
	Job    string `json:"job"`
	What   string `json:"what"`
	Points int    `json:"points"`
	Units  int    `json:"units,omitempty"` // of the whole of a file
}

// FileView is a file that the viewer knows of.
type FileView struct {
	Name  string `json:"name"`
	Units int    `json:"units"`
	From  ShipID `json:"from"` // the ship that had it first
}

// rank is the level in numbers, more for what shows more; 0 where nothing is sensed.
func (s *SensorView) rank() int {
	if s == nil {
		return 0
	}
	return slices.Index([]string{"", blind.WordField, blind.WordPresence, blind.WordRough, blind.WordFull}, s.Level)
}
