package journal

import (
	"fmt"
	"time"
)

// Made is a revision of a turn, as an entry names it: its directory stands below
// turns, and Manifest is the SHA-256 of the manifest in it.
type Made struct {
	Turn     int    `json:"turn"`
	Revision int    `json:"revision"`
	Manifest string `json:"manifest"`
}

// ReviseData belongs to a change of resolved turns: Made and those in Later are
// current from now on. That line is their commit.
type ReviseData struct {
	Made
	Later []Made `json:"later,omitempty"` // following turns that were resolved again, in order
	// Aside is the last of the turns after these that are no longer part of the
	// game; 0 for none.
	Aside   int               `json:"aside,omitempty"`
	Begun   int               `json:"begun,omitempty"`   // rounds of the turn in progress that are taken back
	Parked  map[string]string `json:"parked,omitempty"`  // see RollbackData
	Changes []string          `json:"changes,omitempty"` // what was changed, in words
	// Played tells that nothing was changed: the turn was due, and an earlier
	// resolution of it had been set aside.
	Played bool `json:"played,omitempty"`
}

// RollbackData belongs to turns that are taken back.
type RollbackData struct {
	Turn int  `json:"turn"`                  // the last that stays
	Last int  `json:"last"`                  // the last that goes
	Keep bool `json:"keep_orders,omitempty"` // the sets that turn Turn+1 was played with are in force again
	// Deadline is that of the turn that is due from now on; zero: as the reports
	// of Turn had it.
	Deadline time.Time `json:"deadline,omitzero"`
	// Parked is the SHA-256 of each file that lay in orders/, for a turn that is
	// not due any more; it lies in orders/later from now on.
	Parked map[string]string `json:"parked,omitempty"`
}

// AmendData belongs to an order set that was changed for its captain: the one for
// the turn that was due.
type AmendData struct {
	Name   string `json:"name"`             // as files of orders/ are named: "Hood", "@Kirk"
	Set    string `json:"set"`              // SHA-256 of the set from now on
	Before string `json:"before,omitempty"` // ... of the one until then; "" for none
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

// RulesData belongs to a game that goes on by another version of its rule set,
// from the turn that was due.
type RulesData struct {
	From    string `json:"from"`
	Version string `json:"version"`
	// Deadline is that of the turn that was due, from now on; zero: it stays.
	Deadline time.Time `json:"deadline,omitzero"`
	// Begun is how many rounds of that turn are taken back, which the version
	// before had played, and Parked as in RollbackData.
	Begun  int               `json:"begun,omitempty"`
	Parked map[string]string `json:"parked,omitempty"`
}

func (d *RulesData) problem() string {
	if d.From == "" || d.Version == "" || d.From == d.Version {
		return "a change of rules needs two different versions"
	}
	return ""
}

// CloseData belongs to the end of the time for orders in a game with public dice, of Turn and Round: nothing that
// the stage is played with changes any more, and the dice are those of a round of the beacon that is still to come.
type CloseData struct {
	Sets  string `json:"sets"`  // salted SHA-256 of all that the stage is played with, see package turn
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
