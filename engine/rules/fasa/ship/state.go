package ship

import (
	"cmp"
	"fmt"
	"slices"

	"starpost/engine"
	"starpost/engine/tactical"
)

// State is what the courses track of one ship. It holds the figures of its
// design and weapons, so that a game does not change with the tables. What a part of
// a course adds stands among the shares; a method of the part's own finds it.
type State struct {
	Design         Frame    `json:"design"`
	Power          int      `json:"power"`          // power units that the engines still give
	Superstructure int      `json:"superstructure"` // 0 or less: out of the fight
	Shields        []Shield `json:"shields"`        // six, by number 1..6
	Banks          []Bank   `json:"banks"`
	Alloc          Alloc    `json:"alloc"`             // this turn's power
	NoFire         int      `json:"no_fire,omitempty"` // fire phase, counted from the start of the game, in which sensors are down (D22)
	Standing       Standing `json:"standing"`
	Hurt           bool     `json:"hurt,omitempty"` // took damage inside this turn

	// Unseen are the fields, by their paths, that a view for some of the posts aboard leaves out
	// because their panels do not show them. In the State they are as in a ship that has met nothing yet.
	Unseen []string `json:"unseen,omitempty"`

	parts []Share // of the course, in the order of files
}

// Frame is the part of a design that a fight needs.
type Frame struct {
	Name           string         `json:"name"`
	Title          string         `json:"title"`
	Power          int            `json:"power"`
	Superstructure int            `json:"superstructure"`
	Move           tactical.Ratio `json:"move"`
	Shield         tactical.Ratio `json:"shield"`
	MaxShield      int            `json:"max_shield"`

	Assumed []string `json:"assumed,omitempty"` // figures that no print gives, as Design.Assumed has them, and arcs
}

// Doubt marks a figure of a ship's panel that no print gives.
func (f *Frame) Doubt(figure string) string {
	if slices.Contains(f.Assumed, figure) {
		return " (assumed: not in any print)"
	}
	return ""
}

// Shield is one of the six. Set is what it was powered to, Now what is left.
type Shield struct {
	Set  int  `json:"set"`
	Now  int  `json:"now"`
	Down bool `json:"down,omitempty"` // generator damaged: of no use for the rest of the game
}

// Alloc is how a turn's power was used.
type Alloc struct {
	Available int   `json:"available"`
	Movement  int   `json:"movement"`
	Shields   int   `json:"shields"`
	Weapons   int   `json:"weapons"`
	Cloak     int   `json:"cloak,omitempty"`
	Labs      int   `json:"labs,omitempty"` // laboratories that are lit, a unit each (house 12.3)
	Points    int   `json:"points"`
	Split     []int `json:"split"`
	Extra     int   `json:"extra,omitempty"` // this turn beyond what the engines give (stcs 12.3)
}

// InPhase is the movement points of a phase, from 1.
func (a *Alloc) InPhase(phase int) int {
	if phase < 1 || phase > len(a.Split) {
		return 0
	}
	return a.Split[phase-1]
}

// Used is all power that is allotted.
func (a *Alloc) Used() int { return a.Movement + a.Shields + a.Weapons + a.Cloak + a.Labs }

// Clone implements engine.System.
func (s *State) Clone() engine.System {
	c := *s
	c.Shields = slices.Clone(s.Shields)
	c.Banks = cloneBanks(s.Banks)
	c.Alloc.Split = slices.Clone(s.Alloc.Split)
	c.Standing = s.Standing.Clone()
	c.parts = make([]Share, len(s.parts))
	for i, p := range s.parts {
		c.parts[i] = p.Clone()
	}
	return &c
}

// Of is the system of a ship of this rule set.
func Of(s *engine.Ship) *State {
	sys, ok := s.System.(*State)
	if !ok {
		return &State{Shields: make([]Shield, 6)}
	}
	return sys
}

// Bank finds a bank by its id, such as bank-a, to be written to; not one of its mounts.
func (s *State) Bank(id string) (*Bank, bool) {
	for i := range s.Banks {
		if s.Banks[i].ID == id {
			return &s.Banks[i], true
		}
	}
	return nil, false
}

// Fighting are the ships in the fight, by id; small craft are none.
func Fighting(g *engine.Game) []*engine.Ship {
	return slices.DeleteFunc(slices.Clone(g.Ships), func(s *engine.Ship) bool { return s.Status != engine.Active || s.Small() })
}

// Public is what all captains know of a ship's systems: how far it may move.
type Public struct {
	Points  int    `json:"points"`
	Split   []int  `json:"split"`
	Cloaked bool   `json:"cloaked,omitempty"` // it was found under its cloak
	Outpost bool   `json:"outpost,omitempty"` // it never moves (stcs 17.3)
	Free    string `json:"free,omitempty"`    // before the first turn: where its captain may choose to begin, anywhere or edge
}

// Still tells whether a ship gives no power to anything, and has not been hit since that
// was so.
func (s *State) Still() bool {
	if s.Hurt || s.Alloc.Available > 0 {
		return false
	}
	return !slices.ContainsFunc(s.Shields, func(sh Shield) bool { return sh.Set > 0 || sh.Now > 0 })
}

// Own is an own ship of a view with its systems.
func Own(v *engine.View, id engine.ShipID) (*engine.ShipView, *State, bool) {
	s, ok := v.Ship(id)
	if !ok {
		return nil, nil, false
	}
	sys, ok := s.System.(*State)
	if !ok {
		return nil, nil, false
	}
	return s, sys, true
}

// Share is what a part of a course keeps of one ship. A part finds its own by its
// type, and files have it under its key, so that no struct lists the parts.
type Share interface {
	Key() string
	Clone() Share
}

// Find finds a part's own by its type among what all parts have left.
func Find[T, S any](all []S) (own T, ok bool) {
	for _, v := range all {
		if own, ok = any(v).(T); ok {
			return own, true
		}
	}
	return own, false
}

// Edit finds what is a part's own, to be written to, and makes it where there is none yet.
func Edit[T any](all *[]any) *T {
	v, ok := Find[*T](*all)
	if !ok {
		v = new(T)
		*all = append(*all, v)
	}
	return v
}

// Read gives what is a part's own; nothing if there is none.
func Read[T any](all []any) (v T) {
	if own, ok := Find[*T](all); ok {
		v = *own
	}
	return v
}

// ShareOf is a part's share of a ship; of one that has none an empty one, which tells of
// nothing and keeps nothing.
func ShareOf[T any](s *State) *T {
	if own, ok := Find[*T](s.parts); ok {
		return own
	}
	return new(T)
}

// Has tells whether a ship has a part's share, by its key: with none ShareOf gives an empty one.
func (s *State) Has(key string) bool {
	return slices.ContainsFunc(s.parts, func(p Share) bool { return p.Key() == key })
}

// Put gives a ship shares of parts, each in place of one of its key.
func (s *State) Put(shares ...Share) {
	for _, p := range shares {
		s.Drop(p.Key())
		s.parts = append(s.parts, p)
	}
	slices.SortStableFunc(s.parts, func(a, b Share) int { return cmp.Compare(rank(oldShares, a.Key()), rank(oldShares, b.Key())) })
}

// Drop takes a part's share from a ship.
func (s *State) Drop(key string) {
	s.parts = slices.DeleteFunc(slices.Clone(s.parts), func(p Share) bool { return p.Key() == key })
}

// oldShares is the order in which files have the shares that there were first; any
// other comes after them.
var oldShares = []string{"engines", "people", "sensors", "repair", "hull", "crew", "helm", "blast", "cloak", "free"}

// Change is a figure before and after.
type Change struct {
	Before int `json:"before"`
	After  int `json:"after"`
}

// Lookup is the state of a ship of a game.
func Lookup(g *engine.Game, id engine.ShipID) (*State, error) {
	ship, ok := g.Ship(id)
	if !ok {
		return nil, fmt.Errorf("no ship %q", id)
	}
	s, ok := ship.System.(*State)
	if !ok {
		return nil, fmt.Errorf("%s is not a ship of this rule set", id)
	}
	return s, nil
}
