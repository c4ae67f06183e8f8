package ship

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"starpost/engine"
	"starpost/engine/hex"
	"starpost/engine/rules/fasa/tables"
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

// Bank is a group of mounts of one weapon that share a fire control.
type Bank struct {
	ID     string              `json:"id"`
	Type   string              `json:"type"`
	Kind   string              `json:"kind"`
	Family string              `json:"family"`
	Chart  string              `json:"chart"`
	Max    int                 `json:"max,omitempty"`    // beams: most power in a shot
	Arm    int                 `json:"arm,omitempty"`    // missiles: power to arm
	Damage int                 `json:"damage,omitempty"` // missiles: damage of a hit
	Shots  int                 `json:"shots,omitempty"`  // most shots a turn, of what fires more than once (stcs 14.2)
	Bands  []tables.Band       `json:"bands,omitempty"`
	Plasma []tables.PlasmaBand `json:"plasma,omitempty"` // plasma launchers: damage by range
	Arcs   []string            `json:"arcs"`
	Mounts []Mount             `json:"mounts"`
}

// Mount is one weapon of a bank. Armed is the power in it, 0 for unarmed.
type Mount struct {
	Armed     int  `json:"armed,omitempty"`
	Fired     bool `json:"fired,omitempty"`
	Destroyed bool `json:"destroyed,omitempty"` // out of order, for good unless it can be repaired
	Repaired  bool `json:"repaired,omitempty"`  // was out of order before; the next hit is final (stcs 16.1)
	Shots     int  `json:"shots,omitempty"`     // shots that it is armed for, if several (stcs 14.2); Fired after the last
	Shot      int  `json:"shot,omitempty"`      // of them fired
	Spent     int  `json:"spent,omitempty"`     // power gone with them
}

// Alloc is how a turn's power was used.
type Alloc struct {
	Available int   `json:"available"`
	Movement  int   `json:"movement"`
	Shields   int   `json:"shields"`
	Weapons   int   `json:"weapons"`
	Cloak     int   `json:"cloak,omitempty"`
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
func (a *Alloc) Used() int { return a.Movement + a.Shields + a.Weapons + a.Cloak }

// Standing is what lasts until changed (ruling D11).
type Standing struct {
	Choose  string   `json:"choose"`          // shield on a line: strongest, weakest or a number
	Beams   []string `json:"beams,omitempty"` // banks in the order in which they are lost
	Missile []string `json:"missiles,omitempty"`
	Shed    []string `json:"shed"`    // systems in the order in which power is cut
	Missing string   `json:"missing"` // what to do without orders: course, hold, repeat

	Last string `json:"last,omitempty"` // the order set before

	more []standingOrder // of the course's parts, sorted by key
}

// DefaultStanding is the standing orders of a captain who has given none.
func DefaultStanding() Standing {
	return Standing{Choose: "strongest", Shed: []string{"weapons", "movement", "shields"}, Missing: "course"}
}

// Clone implements engine.System.
func (s *State) Clone() engine.System {
	c := *s
	c.Shields = slices.Clone(s.Shields)
	c.Banks = slices.Clone(s.Banks)
	for i := range c.Banks {
		c.Banks[i].Mounts = slices.Clone(s.Banks[i].Mounts)
	}
	c.Alloc.Split = slices.Clone(s.Alloc.Split)
	c.Standing = s.Standing.Clone()
	c.parts = make([]Share, len(s.parts))
	for i, p := range s.parts {
		c.parts[i] = p.Clone()
	}
	return &c
}

// Clone is a copy; of parts' orders it shares the lists, which are never changed.
func (s Standing) Clone() Standing {
	s.Beams, s.Missile, s.Shed, s.more = slices.Clone(s.Beams), slices.Clone(s.Missile), slices.Clone(s.Shed), slices.Clone(s.more)
	return s
}

// Decode reads the state of a ship: what all books have, and the shares of a book's
// parts, of which it is handed empty ones. Movement comes in so many phases.
func Decode(data json.RawMessage, phases int, keeps []Share) (engine.System, error) {
	var s State
	shares := map[string]Share{}
	for _, share := range keeps {
		shares[share.Key()] = share.Clone()
	}
	err := readEntries(data, entries(&s), func(key string) (any, error) {
		share, known := shares[key]
		if !known {
			return nil, &engine.FieldError{Field: key}
		}
		s.Put(share)
		return share, nil
	})
	if err != nil {
		return nil, fmt.Errorf("read ship systems: %w", err)
	}
	if len(s.Shields) != 6 || len(s.Alloc.Split) != phases {
		return nil, fmt.Errorf("read ship systems: %d shields and %d phases, expected 6 and %d", len(s.Shields), len(s.Alloc.Split), phases)
	}
	// What is read grows by doubling, and a game is kept as it was read for as long
	// as orders for it come in: the copy takes no more room than it needs.
	return s.Clone(), nil
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

// MountName is how orders and reports name one mount.
func MountName(b *Bank, i int) string {
	if len(b.Mounts) == 1 {
		return b.ID
	}
	return b.ID + "-" + strconv.Itoa(i+1)
}

// BonusAt is the damage modifier of a bank's weapon at a range.
func (b *Bank) BonusAt(rng int) int {
	for _, band := range b.Bands {
		if rng >= band.From && rng <= band.To {
			return band.Bonus
		}
	}
	return 0
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

// Fighting are the ships in the fight, by id.
func Fighting(g *engine.Game) []*engine.Ship {
	return slices.DeleteFunc(slices.Clone(g.Ships), func(s *engine.Ship) bool { return s.Status != engine.Active })
}

// SameStanding compares orders that may hold empty lists or none.
func SameStanding(a, b Standing) bool {
	return a.Choose == b.Choose && a.Missing == b.Missing && a.Last == b.Last &&
		slices.Equal(a.Beams, b.Beams) && slices.Equal(a.Missile, b.Missile) && slices.Equal(a.Shed, b.Shed) &&
		slices.EqualFunc(a.more, b.more, func(x, y standingOrder) bool {
			return x.key == y.key && x.word == y.word && slices.Equal(x.list, y.list)
		})
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

// Punch is what a hit of a bank's weapon does at a range, at its best.
func (b *Bank) Punch(rng int) int {
	if b.Kind == tables.Plasma {
		full, _ := Bolt(b, rng)
		return full
	}
	return max(b.Max, b.Damage) + b.BonusAt(rng)
}

// Bolt is the damage of a plasma bolt at a range, full and grazing; none beyond the
// bank's reach.
func Bolt(b *Bank, rng int) (full, graze int) { return tables.WeaponType{Plasma: b.Plasma}.Bolt(rng) }

// Bears reports whether a bank can fire from a place into a hex (rulings D5,
// D7), and which of its arcs holds it. A ship cannot fire into its own hex.
func (b *Bank) Bears(lib *tables.Library, from engine.Place, at hex.Hex) (string, bool) {
	p, ok := hex.Bearing(from.Hex, at)
	if !ok {
		return "", false
	}
	rel := p.Relative(from.Heading)
	for _, name := range b.Arcs {
		for _, a := range lib.Arcs[name] {
			if a.Contains(rel) {
				return name, true
			}
		}
	}
	return "", false
}

// Own is an own ship of a view with its systems.
func Own(v *engine.View, id string) (*engine.ShipView, *State, bool) {
	s, ok := v.Ship(id)
	if !ok {
		return nil, nil, false
	}
	sys, ok := s.System.(*State)
	return s, sys, ok
}
