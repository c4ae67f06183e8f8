package engine

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Jobs of laboratory boxes; each box does one job a turn.
const (
	JobStudy   = "study"   // data about a ship
	JobReceive = "receive" // a file that a ship of its own side sends
	JobSteal   = "steal"   // ... that another ship sends
	// VerbSend is the verb of the order to send a file.
	VerbSend = "send"
)

// Labs is what a game records of files and of data that laboratories have gathered.
type Labs struct {
	Files  []File       `json:"files,omitempty"`  // sorted by name
	Known  []Gathered   `json:"known,omitempty"`  // sorted by ship, job and subject
	Sheets []KnownSheet `json:"sheets,omitempty"` // the last of each, in order of drawing
}

// File is data that ships send each other. Has are the ships that have all of it.
type File struct {
	Name  string   `json:"name"`
	Units int      `json:"units"`
	From  ShipID   `json:"from"` // the ship that had it first
	Has   []ShipID `json:"has"`
	Book  string   `json:"book,omitempty"` // the code book it is about, if it is the file of a broken code
}

// Gathered is how many points a ship has for a subject: a ship by its id, a file by its name, or a code by its
// book.
type Gathered struct {
	Ship   ShipID `json:"ship"`
	Job    string `json:"job"`
	Of     string `json:"of"`
	Points int    `json:"points"`
	As     string `json:"as,omitempty"` // for a code: what her captain calls the user of the code
}

// KnownSheet is the sheet of a ship as the laboratories of another drew it at the end of a turn.
type KnownSheet struct {
	Ship  ShipID `json:"ship"` // the ship that has it
	Of    ShipID `json:"of"`
	Turn  int    `json:"turn"`
	Panel Panel  `json:"panel"`
}

func (l *Labs) clone() *Labs {
	if l == nil {
		return nil
	}
	c := Labs{slices.Clone(l.Files), slices.Clone(l.Known), slices.Clone(l.Sheets)}
	for i := range c.Files {
		c.Files[i].Has = slices.Clone(c.Files[i].Has)
	}
	return &c
}

// File finds a file by its name, ignoring case.
func (l *Labs) File(name string) *File {
	if l == nil {
		return nil
	}
	for i := range l.Files {
		if strings.EqualFold(l.Files[i].Name, name) {
			return &l.Files[i]
		}
	}
	return nil
}

// Aboard returns the names of the files that a ship has whole.
func (l *Labs) Aboard(ship ShipID) (names []string) {
	if l == nil {
		return nil
	}
	for _, f := range l.Files {
		if slices.Contains(f.Has, ship) {
			names = append(names, f.Name)
		}
	}
	return names
}

// Share gives a ship all that another has: its files, and its gathered points where they are more.
func (l *Labs) Share(from, to ShipID) {
	if l == nil {
		return
	}
	for i := range l.Files {
		if f := &l.Files[i]; slices.Contains(f.Has, from) && !slices.Contains(f.Has, to) {
			f.Has = append(f.Has, to)
			slices.Sort(f.Has)
		}
	}
	for _, k := range slices.Clone(l.Known) {
		if k.Ship == from && (k.Job != JobStudy || ShipID(k.Of) != to) {
			l.Gather(to, k.Job, k.Of, max(k.Points, l.Points(to, k.Job, k.Of)))
		}
	}
}

// Points returns the points that a ship has for a subject.
func (l *Labs) Points(ship ShipID, job, of string) int {
	if l == nil {
		return 0
	}
	for _, k := range l.Known {
		if k.Ship == ship && k.Job == job && k.Of == of {
			return k.Points
		}
	}
	return 0
}

// Gather sets the points that a ship has for a subject.
func (l *Labs) Gather(ship ShipID, job, of string, sum int) *Gathered {
	at, found := slices.BinarySearchFunc(l.Known, Gathered{Ship: ship, Job: job, Of: of}, func(a, b Gathered) int {
		return cmp.Or(cmp.Compare(a.Ship, b.Ship), strings.Compare(a.Job, b.Job), strings.Compare(a.Of, b.Of))
	})
	if !found {
		l.Known = slices.Insert(l.Known, at, Gathered{Ship: ship, Job: job, Of: of})
	}
	l.Known[at].Points = sum
	return &l.Known[at]
}

// Broken returns the file of a code that a ship has broken; nil if she has not.
func (l *Labs) Broken(ship ShipID, book string) *File {
	if l == nil {
		return nil
	}
	for i := range l.Files {
		if f := &l.Files[i]; f.Book == book && slices.Contains(f.Has, ship) {
			return f
		}
	}
	return nil
}

// BrokenFile returns a free name for the file of a code that a ship breaks, made of the code's side and the ship.
func (l *Labs) BrokenFile(side string, ship ShipID) string {
	name := side + "-code-" + string(ship)
	for n := 2; l.File(name) != nil; n++ {
		name = fmt.Sprintf("%s-code-%s-%d", side, ship, n)
	}
	return name
}
