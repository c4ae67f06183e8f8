package ship

import (
	"encoding/json"
	"fmt"
	"reflect"
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

// Decoder makes the function that reads the state of a ship: what all books have, and the
// shares and standing orders of a book's parts, of which it is handed empty shares and the
// orders' keys. Movement comes in so many phases. A field that is not the book's is an
// *engine.FieldError.
func Decoder(phases int, keeps []Share, orders []string) func(json.RawMessage) (engine.System, error) {
	type fields State // which has no method of its own
	others := []entry{{"standing", reflect.Zero(standingForm(orders)).Interface()}}
	for _, share := range keeps {
		others = append(others, entry{share.Key(), share})
	}
	form := formOf(reflect.TypeFor[fields](), others)
	return func(data json.RawMessage) (engine.System, error) {
		read := reflect.New(form).Elem()
		if err := engine.ReadJSON(data, read.Addr().Interface()); err != nil {
			return nil, fmt.Errorf("read ship systems: %w", err)
		}
		s := State(read.Field(0).Interface().(fields))
		s.Standing = standingOf(read.Field(1), orders)
		for i := range keeps {
			if share := read.Field(2 + i); !share.IsNil() {
				s.Put(share.Interface().(Share))
			}
		}
		s.fillUnseen()
		if len(s.Shields) != 6 || len(s.Alloc.Split) != phases {
			return nil, fmt.Errorf("read ship systems: %d shields and %d phases, expected 6 and %d", len(s.Shields), len(s.Alloc.Split), phases)
		}
		// What is read grows by doubling, and a game is kept as it was read for as long
		// as orders for it come in: the copy takes no more room than it needs.
		return s.Clone(), nil
	}
}

// Of is the system of a ship of this rule set.
func Of(s *engine.Ship) *State {
	sys, ok := s.System.(*State)
	if !ok {
		return &State{Shields: make([]Shield, 6)}
	}
	return sys
}

// Bank finds a bank by id.
func (s *State) Bank(id string) (*Bank, bool) {
	for i := range s.Banks {
		if s.Banks[i].ID == id {
			return &s.Banks[i], true
		}
	}
	return nil, false
}

// Shedable lists the systems that power can be cut from.
func Shedable() []string { return []string{"weapons", "movement", "shields"} }

// Shedable lists those of a ship.
func (s *State) Shedable() []string {
	if s.Has(NameCloak) {
		return append(Shedable(), NameCloak)
	}
	return Shedable()
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
