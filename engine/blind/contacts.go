package blind

import (
	"cmp"
	"slices"
	"sort"
	"strings"

	"starpost/engine/hex"
)

// When is a phase of a turn; phase 0 is its beginning.
type When struct {
	Turn  int `json:"turn"`
	Phase int `json:"phase"`
}

// Fix is a ship or craft as one look shows it.
type Fix struct {
	Ship    ShipID // its true id
	Level   Level
	Hex     hex.Hex
	Heading hex.Heading
	Size    string
	Speed   int
	Known   bool // by name: it is seen whole, or identifies itself as one of the captain's own side
	Echo    int  // of an echo, without a ship behind it: the last turn in which it shows
}

// Contact is one entry of a captain's list. A lost one stays where it was last detected.
type Contact struct {
	No    ContactNo `json:"no"`
	Ship  ShipID    `json:"ship"` // its true id, which the captain is not told before level 3
	Level Level     `json:"level"`
	Hex   hex.Hex   `json:"hex"`
	Since When      `json:"since"` // when a look last showed it
	Named bool      `json:"named,omitempty"`
	Lost  bool      `json:"lost,omitempty"`
	// What was learnt at level 2 is kept, with the time.
	Size    string      `json:"size,omitempty"`
	Speed   int         `json:"speed,omitempty"`
	Heading hex.Heading `json:"heading,omitempty"`
	Learnt  When        `json:"learnt,omitzero"`
	// Echo is the last turn in which an echo shows, an entry without a ship behind it; 0 for other entries.
	Echo int `json:"echo,omitempty"`
	// Told is the ship whose captain reported an entry that only the sender's own sensors detected, and As is the
	// sender's name for it. Such an entry is lost from the start and has no ship behind it: it does not say which
	// ship it is. By are all who reported it, that one first; see [Contact.Tellers].
	Told ShipID   `json:"told,omitempty"`
	As   string   `json:"as,omitempty"`
	By   []Teller `json:"by,omitempty"`
}

// Name returns the contact's name in orders and reports.
func (c Contact) Name() ShipID { return c.No.Name() }

// Take updates the entry from a fix at a moment.
func (c *Contact) Take(f Fix, now When) {
	c.Ship, c.Level, c.Hex, c.Since, c.Echo = f.Ship, f.Level, f.Hex, now, f.Echo
	if f.Level >= Rough {
		c.Size, c.Speed, c.Heading, c.Learnt = f.Size, f.Speed, f.Heading, now
	}
	c.Named = c.Named || f.Known
}

// Log is the contacts of one captain, in order of number.
type Log struct {
	Captain  CaptainName `json:"captain"`
	Next     ContactNo   `json:"next"` // the last number given
	Contacts []Contact   `json:"contacts,omitempty"`
	Met      []string    `json:"met,omitempty"`   // sides with a ship that was identified
	Chart    []Terrain   `json:"chart,omitempty"` // terrain found so far, if the chart is unknown
}

// Terrain is what a captain has found of a feature of the map: its true id, and its hexes in the order of
// discovery.
type Terrain struct {
	Feature string    `json:"feature"`
	Hexes   []hex.Hex `json:"hexes"`
}

// Clone returns a deep copy of a log.
func (l Log) Clone() Log {
	l.Contacts, l.Met, l.Chart = slices.Clone(l.Contacts), slices.Clone(l.Met), slices.Clone(l.Chart)
	for i := range l.Chart {
		l.Chart[i].Hexes = slices.Clone(l.Chart[i].Hexes)
	}
	return l
}

// Find adds newly found terrain to the chart.
func (l *Log) Find(found []Terrain) {
	for _, f := range found {
		i := slices.IndexFunc(l.Chart, func(had Terrain) bool { return had.Feature == f.Feature })
		if i < 0 {
			i = len(l.Chart)
			l.Chart = append(l.Chart, Terrain{Feature: f.Feature})
		}
		l.Chart[i].Hexes = append(l.Chart[i].Hexes, f.Hexes...)
	}
}

// Lose takes terrain that is no longer there off the chart.
func (l *Log) Lose(gone []Terrain) {
	for _, f := range gone {
		for i := range l.Chart {
			if l.Chart[i].Feature == f.Feature {
				l.Chart[i].Hexes = slices.DeleteFunc(l.Chart[i].Hexes, func(h hex.Hex) bool { return slices.Contains(f.Hexes, h) })
			}
		}
	}
	l.Chart = slices.DeleteFunc(l.Chart, func(f Terrain) bool { return len(f.Hexes) == 0 })
}

// Held returns the entry of a ship that is detected now; nil if there is none.
func (l *Log) Held(ship ShipID) *Contact {
	for i := range l.Contacts {
		if c := &l.Contacts[i]; c.Ship == ship && !c.Lost {
			return c
		}
	}
	return nil
}

// Called returns the entry with a number; nil if there is none.
func (l *Log) Called(no ContactNo) *Contact {
	i, ok := l.place(no)
	if !ok {
		return nil
	}
	return &l.Contacts[i]
}

// place returns the index of the entry with a number, or where it would be inserted.
func (l *Log) place(no ContactNo) (at int, there bool) {
	return sort.Find(len(l.Contacts), func(i int) int { return cmp.Compare(no, l.Contacts[i].No) })
}

// Last returns the last entry of a ship; nil if there is none.
func (l *Log) Last(ship ShipID) *Contact {
	for i := range slices.Backward(l.Contacts) {
		if c := &l.Contacts[i]; c.Ship == ship {
			return c
		}
	}
	return nil
}

// At returns the entry under which a ship was detected at a moment; nil if there is none.
func (l *Log) At(ship ShipID, when When) *Contact {
	for i := range l.Contacts {
		if c := &l.Contacts[i]; c.Ship == ship && (!c.Lost || c.Since.Turn > when.Turn || c.Since.Turn == when.Turn && c.Since.Phase >= when.Phase) {
			return c
		}
	}
	return nil
}

// Remembered returns the last entry of a ship that is known by name; nil if there is none.
func (l *Log) Remembered(ship ShipID) *Contact {
	for i := range slices.Backward(l.Contacts) {
		if c := &l.Contacts[i]; c.Ship == ship && c.Named {
			return c
		}
	}
	return nil
}

// Set inserts an entry, replacing the one with its number.
func (l *Log) Set(c Contact) {
	l.Next = max(l.Next, c.No)
	if c.Named { // earlier entries of the ship get the name too
		for i := range l.Contacts {
			l.Contacts[i].Named = l.Contacts[i].Named || l.Contacts[i].Ship == c.Ship
		}
	}
	if at, there := l.place(c.No); there {
		l.Contacts[at] = c
	} else {
		l.Contacts = slices.Insert(l.Contacts, at, c)
	}
}

// Forget removes an entry and, if its ship is known by name, all entries of that ship. Their numbers are not used
// again.
func (l *Log) Forget(no ContactNo) {
	if gone := l.Called(no); gone != nil {
		c := *gone
		l.Contacts = slices.DeleteFunc(l.Contacts, func(o Contact) bool { return o.No == no || c.Named && o.Ship == c.Ship })
	}
}

// Kept reports whether an entry is still on the list in a turn. A lost one is kept for memory turns.
func (c Contact) Kept(turn, memory int) bool { return !c.Lost || turn-c.Since.Turn <= memory }

// InOrder sorts finds that are numbered together: the nearest place first, then by hex, then by a key that does not
// depend on any property of a ship. Away returns how far a place is from the captain's ships.
func InOrder(found []Fix, away func(at hex.Hex) int, key func(ship ShipID) string) {
	slices.SortFunc(found, func(a, b Fix) int {
		if by := cmp.Or(cmp.Compare(away(a.Hex), away(b.Hex)), hex.Compare(a.Hex, b.Hex)); by != 0 {
			return by
		}
		return cmp.Or(strings.Compare(key(a.Ship), key(b.Ship)), cmp.Compare(a.Ship, b.Ship))
	})
}

// Watch is what the looks of one phase have shown one captain so far.
type Watch struct {
	had   []Fix
	given int // how many of the new ones, from the first, have their numbers
}

// Look adds what one more look shows. What it no longer shows stays where the look before showed it.
func (w *Watch) Look(found []Fix) {
	for i := range found {
		f := &found[i]
		before := w.of(f.Ship)
		if before == nil {
			w.had = append(w.had, *f)
			continue
		}
		known := f.Known || before.Known // a ship recognised in passing stays known
		*before = *f
		before.Known = known
	}
}

// Clear starts another phase of looks.
func (w *Watch) Clear() { w.had, w.given = w.had[:0], 0 }

// Give assigns numbers to all finds that are new to a log and have none yet, together, in the order of sort; see
// [InOrder].
func (w *Watch) Give(l *Log, sort func([]Fix)) {
	var known, fresh []Fix
	for _, f := range w.had {
		if l.Held(f.Ship) != nil {
			known = append(known, f)
		} else {
			fresh = append(fresh, f)
		}
	}
	sort(fresh[w.given:])
	w.had, w.given = append(known, fresh...), len(fresh)
}

// Measure sets the size and speed of finds that are near enough; both are the same in all looks of a phase.
func (w *Watch) Measure(of func(ship ShipID) (size string, speed int)) {
	for i := range w.had {
		if f := &w.had[i]; f.Level >= Rough {
			f.Size, f.Speed = of(f.Ship)
		}
	}
}

// Number returns the name of a ship that this phase's looks have found and that has no number in a log yet; blank
// if there is no such find, or if it has not been given a number.
func (w *Watch) Number(l *Log, ship ShipID) ShipID {
	no := l.Next
	for i := range w.had {
		switch f := &w.had[i]; {
		case l.Held(f.Ship) != nil:
		case int(no-l.Next) == w.given:
			return ""
		case f.Ship == ship:
			return (no + 1).Name()
		default:
			no++
		}
	}
	return ""
}

func (w *Watch) of(ship ShipID) *Fix {
	for i := range w.had {
		if w.had[i].Ship == ship {
			return &w.had[i]
		}
	}
	return nil
}

// Change is what a phase of looks changes in one entry of a log.
type Change struct {
	Contact Contact
	New     bool // it got its number
	More    bool // it shows more than before, or its name
	Less    bool // it shows less
	Faded   bool // a whole phase passed without it
	Quiet   bool // the captain sees it whole and need not be told
}

// Changes returns the changes to a log from a phase's looks in order of number, known entries first. Unless closing
// is set nothing is lost: the looks were not those of a whole phase.
func (w *Watch) Changes(l *Log, now When, closing bool) []Change {
	out := make([]Change, 0, len(w.had))
	for i := range l.Contacts {
		old := &l.Contacts[i]
		if old.Lost {
			continue
		}
		c := *old
		switch f := w.of(old.Ship); {
		case f != nil:
			c.Take(*f, now)
			out = append(out, Change{
				Contact: c, More: c.Level > old.Level || c.Named && !old.Named, Less: c.Level < old.Level,
				Quiet: c.Named && c.Level >= Full && old.Named && old.Level >= Full,
			})
		case closing:
			c.Lost, c.Level = true, Nothing
			out = append(out, Change{Contact: c, Faded: true})
		}
	}
	no := l.Next
	for _, f := range w.had {
		if l.Held(f.Ship) != nil {
			continue
		}
		no++
		c := Contact{No: no}
		c.Take(f, now)
		out = append(out, Change{Contact: c, New: true, More: true})
	}
	return out
}
