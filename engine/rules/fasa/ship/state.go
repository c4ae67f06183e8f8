package ship

import (
	"cmp"
	"fmt"
	"slices"

	"starpost/engine"
	"starpost/engine/family"
	"starpost/engine/tactical"
)

// State is the state of one ship in the courses. It holds the figures of her design and
// weapons, so that a game does not change with the tables. What a part of a course adds is
// among the shares; each part has a method that finds its own.
type State struct {
	Design         Frame    `json:"design"`
	Power          int      `json:"power"`          // power units that the engines still give
	Superstructure int      `json:"superstructure"` // 0 or less: out of the fight
	Shields        []Shield `json:"shields"`        // six, by number 1..6
	Banks          []Bank   `json:"banks"`
	Alloc          Alloc    `json:"alloc"`             // this turn's power
	NoFire         int      `json:"no_fire,omitempty"` // fire phase, counted from the start of the game, in which sensors are down (D22)
	Standing       Standing `json:"standing"`
	Hurt           bool     `json:"hurt,omitempty"` // took internal damage this turn

	// Unseen lists the fields, by their paths, that a view for some of the posts aboard leaves out
	// because their panels do not show them. The State then has their values in an undamaged ship.
	Unseen []string `json:"unseen,omitempty"`

	parts family.Shares // of the course, in the order of files
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

	Assumed []string `json:"assumed,omitempty"` // figures without a printed source, named as in Design.Assumed, and "arcs"
}

// Doubt returns a remark for a figure of a ship's panel that no print gives; "" for others.
func (f *Frame) Doubt(figure string) string {
	if slices.Contains(f.Assumed, figure) {
		return " (assumed: not in any print)"
	}
	return ""
}

// Shield is one of the six shields. Set is the points it was powered to, Now those left.
type Shield struct {
	Set  int  `json:"set"`
	Now  int  `json:"now"`
	Down bool `json:"down,omitempty"` // generator damaged, in books without repair for good
}

// Alloc is how the power of a turn was used.
type Alloc struct {
	Available int   `json:"available"`
	Movement  int   `json:"movement"`
	Shields   int   `json:"shields"`
	Weapons   int   `json:"weapons"`
	Cloak     int   `json:"cloak,omitempty"`
	Labs      int   `json:"labs,omitempty"` // lit laboratories, one unit each (house 12.3)
	Points    int   `json:"points"`
	Split     []int `json:"split"`
	Extra     int   `json:"extra,omitempty"` // this turn's power beyond what the engines give (stcs 12.3)
}

// InPhase returns the movement points of a phase, from 1.
func (a *Alloc) InPhase(phase int) int {
	if phase < 1 || phase > len(a.Split) {
		return 0
	}
	return a.Split[phase-1]
}

// Used returns all power that is allotted.
func (a *Alloc) Used() int { return a.Movement + a.Shields + a.Weapons + a.Cloak + a.Labs }

// Clone implements engine.System.
func (s *State) Clone() engine.System {
	c := *s
	c.Shields = slices.Clone(s.Shields)
	c.Banks = cloneBanks(s.Banks)
	c.Alloc.Split = slices.Clone(s.Alloc.Split)
	c.Standing = s.Standing.Clone()
	c.parts = s.parts.Clone()
	return &c
}

// Of returns the system of a ship of this rule set; an empty one for other ships.
func Of(s *engine.Ship) *State {
	sys, ok := s.System.(*State)
	if !ok {
		return &State{Shields: make([]Shield, 6)}
	}
	return sys
}

// Bank finds a bank (not a mount) by its id, such as bank-a. The caller may change it.
func (s *State) Bank(id string) (*Bank, bool) {
	for i := range s.Banks {
		if s.Banks[i].ID == id {
			return &s.Banks[i], true
		}
	}
	return nil, false
}

// Fighting returns the ships in the fight, by id, without small craft.
func Fighting(g *engine.Game) []*engine.Ship {
	return slices.DeleteFunc(slices.Clone(g.Ships), func(s *engine.Ship) bool { return s.Status != engine.Active || s.Small() })
}

// Public is what all captains know of a ship's systems: how far it may move.
type Public struct {
	Points  int    `json:"points"`
	Split   []int  `json:"split"`
	Cloaked bool   `json:"cloaked,omitempty"` // found while cloaked
	Outpost bool   `json:"outpost,omitempty"` // it never moves (stcs 17.3)
	Free    string `json:"free,omitempty"`    // before the first turn: where its captain may choose to begin, anywhere or edge
}

// Still reports whether a ship powers nothing, and has not been hit since the turn began.
func (s *State) Still() bool {
	if s.Hurt || s.Alloc.Available > 0 {
		return false
	}
	return !slices.ContainsFunc(s.Shields, func(sh Shield) bool { return sh.Set > 0 || sh.Now > 0 })
}

// Own returns an own ship of a view with her systems; false if she is not one.
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

// Share is what a part of a course keeps of one ship.
type Share = family.Share

// Edit returns a part's own value, to be changed, and creates it if there is none yet.
func Edit[T any](all *[]any) *T {
	v, ok := family.Find[*T](*all)
	if !ok {
		v = new(T)
		*all = append(*all, v)
	}
	return v
}

// Read returns a part's own value; the zero value if there is none.
func Read[T any](all []any) (v T) {
	if own, ok := family.Find[*T](all); ok {
		v = *own
	}
	return v
}

// Shares returns what parts keep of the ship, for parts of several families.
func (s *State) Shares() *family.Shares { return &s.parts }

// ShareOf returns a part's share of a ship: see [family.ShareOf].
func ShareOf[T any](s *State) *T { return family.ShareOf[T](s.parts) }

// Has reports whether a ship has the share with a key; without it ShareOf returns an empty one.
func (s *State) Has(key string) bool { return s.parts.Has(key) }

// Put gives a ship shares of parts, replacing those with the same keys.
func (s *State) Put(shares ...Share) {
	s.parts.Put(shares...)
	slices.SortStableFunc(s.parts, func(a, b Share) int { return cmp.Compare(rank(oldShares, a.Key()), rank(oldShares, b.Key())) })
}

// oldShares is the order of the oldest shares in files; all others come after them.
var oldShares = []string{"engines", "people", "sensors", "repair", "hull", "crew", "helm", "blast", "cloak", "free"}

// Change is a figure before and after.
type Change struct {
	Before int `json:"before"`
	After  int `json:"after"`
}

// Lookup returns the state of a ship of a game.
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
