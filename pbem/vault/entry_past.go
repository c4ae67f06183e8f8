package vault

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
		return "a revision has a turn, a number from 2 and the hash of its manifest"
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
			return fmt.Sprintf("turn %d follows where turn %d is wanted", m.Turn, last)
		}
	}
	if d.Aside != 0 && d.Aside <= last {
		return fmt.Sprintf("turn %d cannot be set aside and made again", d.Aside)
	}
	return ""
}

func (d *RollbackData) problem() string {
	if d.Turn < 0 || d.Last <= d.Turn {
		return "a rollback goes from a later turn to an earlier one"
	}
	return ""
}

func (d *AmendData) problem() string {
	if _, err := orderName(d.Name); err != nil || len(d.Set) != 64 {
		return "an amended set has the name of a ship or captain and a hash"
	}
	return ""
}
