package blind

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
)

// State is the state of a game in the dark (house 9.7): its settings, the ships' sensors, and what each captain has
// found.
type State struct {
	Settings
	Suites map[ShipID]Suite `json:"suites,omitempty"` // by ship, if they are not plain sensors
	Fields []ShipID         `json:"fields,omitempty"` // ships with a warp field
	Moved  []ShipID         `json:"moved,omitempty"`  // ships that changed hex since fields were last updated
	Logs   []Log            `json:"logs"`             // in order of captain
	Found  map[ShipID]int   `json:"found,omitempty"`  // by ship: the last turn in which an enemy found her; 0 is before the first
	Relays []ShipID         `json:"relays,omitempty"` // ships that relay coded talk, by id
	Taken  map[string]int   `json:"taken,omitempty"`  // by side: its current code book, if that is not the first

	Passages []Passage `json:"passages,omitempty"` // talk that ships pass on when the next round begins
}

// Clone returns a deep copy of a state; nil stays nil.
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

// Log returns the contacts of a captain; nil if there are none.
func (d *State) Log(captain CaptainName) *Log {
	i, ok := slices.BinarySearchFunc(d.Logs, captain, func(l Log, name CaptainName) int { return cmp.Compare(l.Captain, name) })
	if !ok {
		return nil
	}
	return &d.Logs[i]
}

// Uncharted reports whether captains know only the terrain that their own ships and craft have found. The rules use
// the true terrain; what a captain sees depends on what was found (F23).
func (d *State) Uncharted() bool { return d != nil && d.Chart == Uncharted }

// Before reports whether one ship is before another on a captain's list. Choosing between two ships by it reveals
// nothing of their names. Ships without a number are last.
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

// Move notes that a ship has changed hex, which means that her warp drive was used (house 9.75).
func (d *State) Move(id ShipID) {
	if d != nil && !slices.Contains(d.Moved, id) {
		d.Moved = append(d.Moved, id)
	}
}

// Wake reports whether a ship has a warp field.
func (d *State) Wake(id ShipID) bool {
	return slices.Contains(d.Fields, id) || slices.Contains(d.Moved, id)
}

// Passage is coded talk that is relayed from ship to ship, if a side hears its own ships only within range.
type Passage struct {
	Ship     ShipID        `json:"ship"` // the original speaker
	Said     When          `json:"said"`
	Text     []string      `json:"text"`
	Contacts []Contact     `json:"contacts,omitempty"` // contacts that it reports
	Read     []CaptainName `json:"read"`               // captains who have read it
	By       []ShipID      `json:"by,omitempty"`       // ships that have relayed it
	Due      []ShipID      `json:"due"`                // ships that relay it when the next round begins
}

// Clone copies what relaying changes.
func (p Passage) Clone() Passage {
	p.Read, p.By, p.Due = slices.Clone(p.Read), slices.Clone(p.By), slices.Clone(p.Due)
	return p
}

// Code is the code book that a side uses in a game in the dark, and how many it has.
type Code struct {
	Book  int `json:"book"`
	Books int `json:"books"`
}

// Code returns the present code book of a side.
func (d *State) Code(side string) Code { return Code{max(1, d.Taken[side]), d.Books()} }

// ShipID is the id of a ship or small craft. It cannot be compared with other strings.
type ShipID string

// CaptainName is the name of a captain or an officer, which lists and mail belong to. The type keeps it from being
// confused with ships and sides of the same name.
type CaptainName string

// Is reports whether it is that name, ignoring case.
func (c CaptainName) Is(name CaptainName) bool { return strings.EqualFold(string(c), string(name)) }

// Word returns the name as one word, for the head of orders for all of the captain's ships.
func (c CaptainName) Word() string { return strings.ReplaceAll(string(c), " ", "-") }

// Fits reports whether words are the name, or its Word, ignoring case.
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

// Name returns what orders and reports call a contact in place of a ship: c07.
func (no ContactNo) Name() ShipID {
	if no < 10 {
		return ShipID("c0" + strconv.Itoa(int(no)))
	}
	return ShipID("c" + strconv.Itoa(int(no)))
}

// ParseNumber parses the name of a contact, ignoring case and leading zeros.
func ParseNumber(name string) (no ContactNo, ok bool) {
	digits, found := strings.CutPrefix(strings.ToLower(name), "c")
	if !found || digits == "" || len(digits) > 4 || strings.Trim(digits, "0123456789") != "" {
		return 0, false
	}
	n, err := strconv.Atoi(digits)
	return ContactNo(n), err == nil && n > 0
}
