package engine

import (
	"cmp"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"

	"starpost/engine/blind"
	"starpost/engine/hex"
	"starpost/orders"
)

// Format is the version of the state and event files of new games. Games begun with an earlier format keep it: in
// format 1 words for luck count for one turn only (see [dice.ForTurn]), and the bounds have other names.
const Format = 2

// perTurn is the format of states in which words for luck count for one turn only.
const perTurn = 1

// Status says whether a ship is in the fight, and if not, why.
type Status string

// The states of a ship. A crippled ship is out of the fight but still there, and a
// destroyed one leaves a wreck on the map (ruling D24); one that left or surrendered is
// no longer there.
const (
	Active      Status = "active"
	Waiting     Status = "waiting"
	Crippled    Status = "crippled"
	Destroyed   Status = "destroyed"
	Left        Status = "left"
	Surrendered Status = "surrendered"
)

// OnMap reports whether a ship of this status has a counter on the map.
func (s Status) OnMap() bool { return s == Active || s == Crippled || s == Destroyed }

// Game is the full state after a turn; turn 0 is the set-up.
type Game struct {
	Format  int               `json:"format"`
	ID      string            `json:"game"`
	Title   string            `json:"title"`
	Rules   string            `json:"rules"`
	Version string            `json:"version"`
	Turn    int               `json:"turn"`
	Round   int               `json:"round,omitempty"` // rounds of Turn that have been played; 0: all of it
	Options map[string]string `json:"options,omitempty"`
	Bounds  *hex.Bounds       `json:"bounds,omitempty"`
	Sides   []Side            `json:"sides"`
	Heard   []heardPoints     `json:"heard,omitempty"`   // in the order in which they were first heard
	Terrain []Feature         `json:"terrain,omitempty"` // sorted by id
	Ships   []*Ship           `json:"ships"`             // sorted by id
	Victory Victory           `json:"victory"`
	Blind   *blind.State      `json:"blind,omitempty"` // nil: a game in the open
	Labs    *Labs             `json:"labs,omitempty"`  // nil if there are no files and nothing was gathered
	Luck    string            `json:"luck,omitempty"`  // hash of the captains' words for luck so far, see [dice.Words]
	Result  *Result           `json:"result,omitempty"`
}

// Side is one of the parties of a battle. Quiet are points for what not everyone saw. They count like the others
// but are shown only when the game is over.
type Side struct {
	ID     string `json:"id"`
	Name   string `json:"name"`
	Points int    `json:"points"`
	Quiet  int    `json:"quiet,omitempty"`
}

// Total returns all points of a side.
func (s Side) Total() int { return s.Points + s.Quiet }

// Ship is the part of a ship that every rule set shares; System is the rule set's own part.
type Ship struct {
	ID      ShipID      `json:"id"`
	Name    string      `json:"name"` // as orders call it: one word
	Title   string      `json:"title"`
	Short   string      `json:"short"` // one or two characters, for the map
	Side    string      `json:"side"`
	Captain CaptainName `json:"captain"`
	// Crew are the captains who hold posts on the ship, by post, if the ship's captain does not hold them.
	Crew map[string]CaptainName `json:"crew,omitempty"`
	// Relieved are the posts with orders from the captain although others man them.
	Relieved []string `json:"relieved,omitempty"`
	// Silent are the posts from which no orders came in some turn.
	Silent  map[string]Silence `json:"silent,omitempty"`
	Class   string             `json:"class"`
	Kind    Kind               `json:"kind,omitempty"`   // absent: an ordinary ship
	Parent  ShipID             `json:"parent,omitempty"` // of a small craft: the ship that launched it
	Hex     hex.Hex            `json:"hex"`
	Heading hex.Heading        `json:"heading"`
	Status  Status             `json:"status"`
	Arrives int                `json:"arrives,omitempty"` // first turn on the map, for reinforcements
	OutTurn int                `json:"out_turn,omitempty"`
	Exit    []string           `json:"exit,omitempty"` // map edges crossed when leaving: north south east west
	Value   int                `json:"value"`          // points for defeating it
	System  System             `json:"system"`
}

// Stands returns where a ship is.
func (s *Ship) Stands() Place { return Place{Hex: s.Hex, Heading: s.Heading} }

// System is a rule set's own state of one ship. It marshals to JSON.
type System interface {
	Clone() System
}

// Ship finds a ship by id.
func (g *Game) Ship(id ShipID) (*Ship, bool) {
	i := g.place(id)
	if i < 0 {
		return nil, false
	}
	return g.Ships[i], true
}

// place returns the index of a ship, -1 for an unknown id.
func (g *Game) place(id ShipID) int {
	i, ok := slices.BinarySearchFunc(g.Ships, id, func(s *Ship, id ShipID) int { return cmp.Compare(s.ID, id) })
	if !ok {
		return -1
	}
	return i
}

// Side finds a side by id.
func (g *Game) Side(id string) (*Side, bool) {
	for i := range g.Sides {
		if g.Sides[i].ID == id {
			return &g.Sides[i], true
		}
	}
	return nil, false
}

// SideName returns the name of a side, or the id if there is no such side.
func (g *Game) SideName(id string) string {
	if s, ok := g.Side(id); ok {
		return s.Name
	}
	return id
}

// InFight lists the ids of the ships in the fight, sorted. There are none when the game is over.
func (g *Game) InFight() []ShipID {
	if g.Result != nil {
		return nil
	}
	var ids []ShipID
	for _, s := range g.Ships {
		if s.Status == Active && !s.Small() {
			ids = append(ids, s.ID)
		}
	}
	return ids
}

// Captains lists the captains with their ships and seats, in order of name.
func (g *Game) Captains() []Captain {
	var out []Captain
	add := func(name CaptainName, seat Seat) {
		at, known := slices.BinarySearchFunc(out, name, func(c Captain, name CaptainName) int { return cmp.Compare(c.Name, name) })
		if !known {
			out = slices.Insert(out, at, Captain{Name: name})
		}
		c := &out[at]
		if !slices.Contains(c.Ships, seat.Ship) {
			c.Ships = append(c.Ships, seat.Ship)
		}
		c.Seats = append(c.Seats, seat)
	}
	for _, s := range g.Ships {
		if s.Small() {
			continue
		}
		add(s.Captain, Seat{Ship: s.ID})
		for _, post := range slices.Sorted(maps.Keys(s.Crew)) {
			add(s.Crew[post], Seat{s.ID, post})
		}
	}
	return out
}

// Captain is a player, with the ids of the ships they are aboard and the seats they hold there.
type Captain struct {
	Name  CaptainName
	Ships []ShipID
	Seats []Seat
}

// FindShip resolves a name as an order writes it: the ship's name, id or short id, ignoring case. If it finds none
// it returns the most similar name.
func FindShip(ships []*Ship, name string) (*Ship, string, bool) {
	for _, s := range ships {
		if strings.EqualFold(s.Name, name) || strings.EqualFold(string(s.ID), name) {
			return s, "", true
		}
	}
	for _, s := range ships {
		if strings.EqualFold(s.Short, name) {
			return s, "", true
		}
	}
	names := make([]string, len(ships))
	for i, s := range ships {
		names[i] = s.Name
	}
	return nil, orders.Suggest(name, names), false
}

// Clone returns a deep copy of a game.
func (g *Game) Clone() *Game {
	c := *g
	c.Options = maps.Clone(g.Options)
	if g.Bounds != nil {
		b := *g.Bounds
		c.Bounds = &b
	}
	if g.Result != nil {
		r := *g.Result
		c.Result = &r
	}
	c.Sides, c.Heard = slices.Clone(g.Sides), slices.Clone(g.Heard)
	c.Terrain = slices.Clone(g.Terrain)
	for i := range c.Terrain {
		c.Terrain[i] = c.Terrain[i].Clone()
	}
	c.Victory = g.Victory.clone()
	c.Blind, c.Labs = g.Blind.Clone(), g.Labs.clone()
	c.Ships = make([]*Ship, len(g.Ships))
	for i, s := range g.Ships {
		n := *s
		n.Exit, n.Crew, n.Relieved, n.Silent = slices.Clone(s.Exit), maps.Clone(s.Crew), slices.Clone(s.Relieved), maps.Clone(s.Silent)
		n.System = s.System.Clone()
		c.Ships[i] = &n
	}
	return &c
}

// UnknownShip returns the error of an event about a ship that is not in the game.
func UnknownShip(id ShipID) error { return fmt.Errorf("no ship %q", id) }

// Moment is a phase of a turn; phase 0 is its beginning.
type Moment struct {
	Turn  int `json:"turn"`
	Phase int `json:"phase"`
}

// heardPoints is how many of a side's quiet points the captain of a ship knows of.
type heardPoints struct {
	Side   string `json:"side"`
	Ship   ShipID `json:"ship"`
	Points int    `json:"points"`
}

// Kind is what sort of thing a [Ship] is. All but ships and decoys are small craft: they move and are seen like
// ships, but have no captain. So they owe no orders and get no report, and defeating them gains nothing.
type Kind string

// Kinds of things on the map. A decoy is like a ship except in what it counts for (ruling F20).
const (
	KindShip    Kind = ""
	KindDrone   Kind = "drone"
	KindPlasma  Kind = "plasma"
	KindProbe   Kind = "probe"
	KindShuttle Kind = "shuttle"
	KindDecoy   Kind = "decoy"
	KindShot    Kind = "shot"
)

// Kinds lists the kinds of small craft.
func Kinds() []Kind {
	return []Kind{KindDrone, KindPlasma, KindProbe, KindShuttle, KindShot}
}

// Small reports whether things of this kind are small craft.
func (k Kind) Small() bool { return k != KindShip && k != KindDecoy }

// Small reports whether this is a small craft.
func (s *Ship) Small() bool { return s.Kind.Small() }

// Decoy reports whether this only looks like a ship (ruling F20). A decoy is no loss or gain to any side: goals and
// the end of a battle ignore it.
func (s *Ship) Decoy() bool { return s.Kind == KindDecoy }

// ClassDecoy stands for the class of a decoy, which has no class.
const ClassDecoy = "decoy"

// Scouts reports whether this is a probe or a shuttle: the ship that launched it sees through it (F20).
func (s *Ship) Scouts() bool { return s.Kind == KindProbe || s.Kind == KindShuttle }

// Captained returns the ships among these that have a captain, in their order.
func Captained(ships []*Ship) []*Ship { return slices.DeleteFunc(slices.Clone(ships), (*Ship).Small) }

// OnMap reports whether a ship has a counter on the map. A small craft that is gone
// leaves no wreck.
func (s *Ship) OnMap() bool { return s.Status.OnMap() && (s.Status == Active || !s.Small()) }

// Gone reports whether this is a small craft that was gone before the turn: no view shows it any more.
func (s *Ship) Gone(g *Game) bool { return s.Small() && s.Status != Active && s.OutTurn < g.Turn }

// Launch puts a small craft into the game. It is for the Apply method of a rule set's event, because only events
// change a game. The craft stays even if its parent is gone later.
func (g *Game) Launch(s *Ship) error {
	at, taken := slices.BinarySearchFunc(g.Ships, s.ID, func(o *Ship, id ShipID) int { return cmp.Compare(o.ID, id) })
	parent, ok := g.Ship(s.Parent)
	_, side := g.Side(s.Side)
	switch {
	case s.ID == "" || s.ID != ShipID(strings.ToLower(s.Name)):
		return fmt.Errorf("launch %q: its id must be its name %q in lower case", s.ID, s.Name)
	case taken:
		return fmt.Errorf("launch %s: there is already a ship with that id", s.ID)
	case !slices.Contains(Kinds(), s.Kind):
		return fmt.Errorf("launch %s: %q is not a small craft", s.ID, s.Kind)
	case s.Captain != "" || s.Value != 0:
		return fmt.Errorf("launch %s: a small craft has no captain and no value", s.ID)
	case !ok || parent.Small():
		return fmt.Errorf("launch %s: there is no ship %q to launch it", s.ID, s.Parent)
	case !side:
		return fmt.Errorf("launch %s: there is no side %q", s.ID, s.Side)
	}
	g.Ships = slices.Insert(g.Ships, at, s)
	return nil
}

// WantsExit reports whether a goal of a ship's side wants her to leave by one of these edges.
func (v Victory) WantsExit(s *Ship, edges []string) bool {
	return slices.ContainsFunc(v.Goals, func(g Goal) bool {
		return (g.When == GoalExit || g.When == GoalFile) && g.Side == s.Side && slices.Contains(edges, g.Edge) &&
			(len(g.Ships) == 0 || slices.Contains(g.Ships, s.ID))
	})
}

// heard returns a side as the captain of some ships knows it: with the quiet points that the captain knows of, and
// no others.
func (g *Game) heard(s Side, ships []ShipID) Side {
	for _, id := range ships {
		i := slices.IndexFunc(g.Heard, func(h heardPoints) bool { return h.Side == s.ID && h.Ship == id })
		if i >= 0 {
			s.Points += g.Heard[i].Points // all ships of a captain know the same
			break
		}
	}
	s.Quiet = 0
	return s
}

// Feature finds a feature by id.
func (g *Game) Feature(id string) (*Feature, bool) {
	i, ok := slices.BinarySearchFunc(g.Terrain, id, func(f Feature, id string) int { return strings.Compare(f.ID, id) })
	if !ok {
		return nil, false
	}
	return &g.Terrain[i], true
}

// Features yields all features of the game, including those that are gone.
func (g *Game) Features() iter.Seq[*Feature] {
	return func(yield func(*Feature) bool) {
		for i := range g.Terrain {
			if !yield(&g.Terrain[i]) {
				return
			}
		}
	}
}

// TerrainAt lists the features at a hex, except those that are gone.
func (g *Game) TerrainAt(h hex.Hex) []*Feature {
	var out []*Feature
	for i := range g.Terrain {
		if f := &g.Terrain[i]; !f.Gone && slices.Contains(f.Hexes, h) {
			out = append(out, f)
		}
	}
	return out
}

// Place is a hex and a heading.
type Place struct {
	Hex     hex.Hex     `json:"hex"`
	Heading hex.Heading `json:"heading"`
}

// Step is one step of a ship's track: the phase and where it ended.
type Step struct {
	Phase int   `json:"phase"`
	At    Place `json:"at"`
}
