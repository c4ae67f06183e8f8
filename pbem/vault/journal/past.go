package journal

import (
	"fmt"
	"time"
)

// Made is a revision of a turn as named in an entry: its directory is below turns, and Manifest is the SHA-256 of
// its manifest.
type Made struct {
	Turn     int    `json:"turn"`
	Revision int    `json:"revision"`
	Manifest string `json:"manifest"`
}

// ReviseData belongs to a change of resolved turns: Made and those in Later are current from now on. The entry is
// their commit.
type ReviseData struct {
	Made
	Later []Made `json:"later,omitempty"` // following turns that were resolved again, in order
	// Aside is the last of the turns after these that no longer belong to the game; 0 for none.
	Aside   int               `json:"aside,omitempty"`
	Begun   int               `json:"begun,omitempty"`   // rounds of the turn in progress that are undone
	Parked  map[string]string `json:"parked,omitempty"`  // see RollbackData
	Changes []string          `json:"changes,omitempty"` // what was changed, in words
	// Played means that nothing was changed: the turn was due, and an earlier resolution of it had been set aside.
	Played bool `json:"played,omitempty"`
}

// RollbackData belongs to turns that were rolled back.
type RollbackData struct {
	Turn int  `json:"turn"`                  // the last that remains
	Last int  `json:"last"`                  // the last that is undone
	Keep bool `json:"keep_orders,omitempty"` // the sets used for turn Turn+1 are in force again
	// Deadline is the deadline of the turn now due; zero: as in the reports of Turn.
	Deadline time.Time `json:"deadline,omitzero"`
	// Parked is the SHA-256 of each file in orders/ for a turn that is no longer due; the file is in orders/later
	// from now on.
	Parked map[string]string `json:"parked,omitempty"`
}

// AmendData belongs to an order set for the due turn that was changed on a captain's behalf.
type AmendData struct {
	Name   string `json:"name"`             // as in the file names of orders/: "Hood", "@Kirk"
	Set    string `json:"set"`              // SHA-256 of the new set
	Before string `json:"before,omitempty"` // ... of the previous one; "" for none
}

func (m Made) problem() string {
	if m.Turn < 0 || m.Revision < 2 || len(m.Manifest) != 64 {
		return "a revision needs a turn, a number from 2 and the hash of its manifest"
	}
	return ""
}

func (d *ReviseData) problem() string {
	if p := d.Made.problem(); p != "" {
		return p
	}
	last := d.Turn
	for _, m := range d.Later {
		if p := m.problem(); p != "" {
			return p
		}
		if last++; m.Turn != last {
			return fmt.Sprintf("got turn %d, want turn %d", m.Turn, last)
		}
	}
	if d.Aside != 0 && d.Aside <= last {
		return fmt.Sprintf("turn %d cannot be both set aside and remade", d.Aside)
	}
	return ""
}

func (d *RollbackData) problem() string {
	if d.Turn < 0 || d.Last <= d.Turn {
		return "a rollback must go from a later turn to an earlier one"
	}
	return ""
}

func (d *AmendData) problem() string {
	if _, err := SetFile(d.Name); err != nil || len(d.Set) != 64 {
		return "an amended set needs the name of a ship or captain and a hash"
	}
	return ""
}

// RulesData belongs to a change to another version of the rule set, from the due turn on.
type RulesData struct {
	From    string `json:"from"`
	Version string `json:"version"`
	// Deadline is the new deadline of the due turn; zero: unchanged.
	Deadline time.Time `json:"deadline,omitzero"`
	// Begun is the number of rounds of that turn, played by the previous version, that are undone; Parked is as in
	// RollbackData.
	Begun  int               `json:"begun,omitempty"`
	Parked map[string]string `json:"parked,omitempty"`
}

func (d *RulesData) problem() string {
	if d.From == "" || d.Version == "" || d.From == d.Version {
		return "a change of rules needs two different versions"
	}
	return ""
}

// CloseData belongs to the closing of orders in a game with public dice, for Turn and Round: the input of
// the stage is final, and its dice come from a future round of the beacon.
type CloseData struct {
	Sets  string `json:"sets"`  // salted SHA-256 of the input of the stage, see package turn
	Chain string `json:"chain"` // hash of the beacon's chain
	Round uint64 `json:"round"` // of the beacon
}

func (d *CloseData) problem() string {
	switch {
	case len(d.Sets) != 64 || len(d.Chain) != 64:
		return "a hash is not 64 hexadecimal digits"
	case d.Round == 0:
		return "rounds of a beacon count from 1"
	}
	return ""
}
