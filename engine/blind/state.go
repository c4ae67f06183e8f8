package blind

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
)

// State is what a game keeps that is played in the dark (house 9.7): how, what the ships look
// out with, and what each captain has found.
type State struct {
	Settings
	Suites map[ShipID]Suite `json:"suites,omitempty"` // by ship, where they are not plain
	Fields []ShipID         `json:"fields,omitempty"` // ships with a warp field about them
	Moved  []ShipID         `json:"moved,omitempty"`  // that changed hex since fields were looked at
	Logs   []Log            `json:"logs"`             // in order of captain
	Found  map[ShipID]int   `json:"found,omitempty"`  // the last turn in which an enemy found her, by ship; 0 is before the first
	Relays []ShipID         `json:"relays,omitempty"` // ships that pass coded talk on, by id
	Taken  map[string]int   `json:"taken,omitempty"`  // code books, by side: the one that it speaks by, where that is not the first

	Passages []Passage `json:"passages,omitempty"` // talk that ships pass on as the next round begins
}

// Clone copies a state deeply; nil stays nil.
func (d *State) Clone() *State {
	if d == nil {
		return nil
	}
	c := *d
	c.Fields, c.Moved, c.Logs = slices.Clone(d.Fields), slices.Clone(d.Moved), slices.Clone(d.Logs)
	c.Taken, c.Found, c.Relays, c.Passages = maps.Clone(d.Taken), maps.Clone(d.Found), slices.Clone(d.Relays), slices.Clone(d.Passages)
	for i := range c.Logs {
		c.Logs[i] = c.Logs[i].Clone()
	}
	return &c
}

// Log is the contacts of a captain; nil for none.
func (d *State) Log(captain CaptainName) *Log {
	i, ok := slices.BinarySearchFunc(d.Logs, captain, func(l Log, name CaptainName) int { return cmp.Compare(l.Captain, name) })
	if !ok {
		return nil
	}
	return &d.Logs[i]
}

// Uncharted tells whether captains know of the terrain only what their own ships and craft have
// found: the rules go by what is there, and what a captain gets by what he has found (F23).
func (d *State) Uncharted() bool { return d != nil && d.Chart == Uncharted }

// Before tells whether one ship comes before another on a captain's list, so that which of two is taken tells
// nothing of their names. What has no number yet comes last.
func (d *State) Before(captain CaptainName, one, other ShipID) bool {
	if d == nil || d.Log(captain) == nil {
		return false
	}
	no := func(id ShipID) ContactNo {
		if c := d.Log(captain).Held(id); c != nil {
			return c.No
		}
		return math.MaxInt
	}
	return no(one) < no(other)
}

// Move notes that a ship has changed hex: its warp drive was used (house 9.75).
func (d *State) Move(id ShipID) {
	if d != nil && !slices.Contains(d.Moved, id) {
		d.Moved = append(d.Moved, id)
	}
}

// Wake tells whether a warp field is about a ship.
func (d *State) Wake(id ShipID) bool {
	return slices.Contains(d.Fields, id) || slices.Contains(d.Moved, id)
}

// Passage is talk in code on its way from ship to ship, where a side hears its own within range alone.
type Passage struct {
	Ship     ShipID        `json:"ship"` // who said it
	Said     When          `json:"said"`
	Text     []string      `json:"text"`
	Contacts []Contact     `json:"contacts,omitempty"` // that it reports
	Read     []CaptainName `json:"read"`               // captains who have read it
	By       []ShipID      `json:"by,omitempty"`       // ships that have passed it on
	Due      []ShipID      `json:"due"`                // ships that pass it on as the next round begins
}

// Clone copies what a passing on changes.
func (p Passage) Clone() Passage {
	p.Read, p.By, p.Due = slices.Clone(p.Read), slices.Clone(p.By), slices.Clone(p.Due)
	return p
}

// Code is by which of its books a side of a game in the dark speaks, and how many it has.
type Code struct {
	Book  int `json:"book"`
	Books int `json:"books"`
}

// Code is that of a side now.
func (d *State) Code(side string) Code { return Code{max(1, d.Taken[side]), d.Books()} }

// ShipID is the id of a ship or small craft, which no other word is compared with.
type ShipID string

// CaptainName is the name of a captain or an officer, by which lists and mails are his; no ship and no side is taken for
// one, whatever it is called.
type CaptainName string

// Is tells whether it is that name, in capitals or small letters.
func (c CaptainName) Is(name CaptainName) bool { return strings.EqualFold(string(c), string(name)) }

// Word is the name as one word, as the head of orders for all his ships has it.
func (c CaptainName) Word() string { return strings.ReplaceAll(string(c), " ", "-") }

// Fits tells whether words are the name, or that one word, in capitals or small letters.
func (c CaptainName) Fits(words string) bool {
	return strings.EqualFold(string(c), words) || strings.EqualFold(c.Word(), words)
}

// JoinNames is strings.Join for names of captains.
func JoinNames(names []CaptainName, between string) string {
	words := make([]string, len(names))
	for i, name := range names {
		words[i] = string(name)
	}
	return strings.Join(words, between)
}

// ContactNo is the number of an entry of a captain's list, from 1; 0 for none.
type ContactNo int

// Name is what a contact is called in orders and reports, where it stands for a ship: c07.
func (no ContactNo) Name() ShipID {
	if no < 10 {
		return ShipID("c0" + strconv.Itoa(int(no)))
	}
	return ShipID("c" + strconv.Itoa(int(no)))
}

// ParseNumber reads the name of a contact in any case, with or without its zeros.
func ParseNumber(name string) (no ContactNo, ok bool) {
	digits, found := strings.CutPrefix(strings.ToLower(name), "c")
	if !found || digits == "" || len(digits) > 4 || strings.Trim(digits, "0123456789") != "" {
		return 0, false
	}
	n, err := strconv.Atoi(digits)
	return ContactNo(n), err == nil && n > 0
}
