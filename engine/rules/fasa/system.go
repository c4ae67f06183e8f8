package fasa

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"starpost/engine"
	"starpost/engine/hex"
	"starpost/engine/rules/fasa/tables"
	"starpost/engine/tactical"
)

// System is what the courses track of one ship. It holds the figures of its
// design and weapons, so that a game does not change with the tables. What a part of
// a course adds stands among the shares; a method of the part's own finds it.
type System struct {
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

// doubt marks a figure of a ship's panel that no print gives.
func (f *Frame) doubt(figure string) string {
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

// share is the movement points of a phase, from 1.
func (a *Alloc) share(phase int) int {
	if phase < 1 || phase > len(a.Split) {
		return 0
	}
	return a.Split[phase-1]
}

// used is all power that is allotted.
func (a *Alloc) used() int { return a.Movement + a.Shields + a.Weapons + a.Cloak }

// Standing is what lasts until changed (ruling D11).
type Standing struct {
	Choose  string   `json:"choose"`          // shield on a line: strongest, weakest or a number
	Beams   []string `json:"beams,omitempty"` // banks in the order in which they are lost
	Missile []string `json:"missiles,omitempty"`
	Shed    []string `json:"shed"`    // systems in the order in which power is cut
	Missing string   `json:"missing"` // what to do without orders: course, hold, repeat

	Last string `json:"last,omitempty"` // the order set before

	more map[string]any // of the course's parts, by their keys: a word, or a list of words
}

func defaultStanding() Standing {
	return Standing{Choose: "strongest", Shed: []string{"weapons", "movement", "shields"}, Missing: "course"}
}

// Clone implements engine.System.
func (s *System) Clone() engine.System {
	c := *s
	c.Shields = slices.Clone(s.Shields)
	c.Banks = slices.Clone(s.Banks)
	for i := range c.Banks {
		c.Banks[i].Mounts = slices.Clone(s.Banks[i].Mounts)
	}
	c.Alloc.Split = slices.Clone(s.Alloc.Split)
	c.Standing = s.Standing.clone()
	c.parts = make([]Share, len(s.parts))
	for i, p := range s.parts {
		c.parts[i] = p.clone()
	}
	return &c
}

func (s Standing) clone() Standing {
	s.Beams, s.Missile, s.Shed = slices.Clone(s.Beams), slices.Clone(s.Missile), slices.Clone(s.Shed)
	return s
}

func (sy Book) decodeSystem(data json.RawMessage) (engine.System, error) {
	var s System
	shares := map[string]Share{}
	for _, p := range sy.parts {
		for _, share := range p.keeps {
			shares[share.key()] = share.clone()
		}
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
	if phases := sy.split.Phases(); len(s.Shields) != 6 || len(s.Alloc.Split) != phases {
		return nil, fmt.Errorf("read ship systems: %d shields and %d phases, expected 6 and %d", len(s.Shields), len(s.Alloc.Split), phases)
	}
	// What is read grows by doubling, and a game is kept as it was read for as long
	// as orders for it come in: the copy takes no more room than it needs.
	return s.Clone(), nil
}

// of is the system of a ship of this rule set.
func of(s *engine.Ship) *System {
	sys, ok := s.System.(*System)
	if !ok {
		return &System{Shields: make([]Shield, 6)}
	}
	return sys
}

// bank finds a bank by id.
func (s *System) bank(id string) (*Bank, bool) {
	for i := range s.Banks {
		if s.Banks[i].ID == id {
			return &s.Banks[i], true
		}
	}
	return nil, false
}

// mountName is how orders and reports name one mount.
func mountName(b *Bank, i int) string {
	if len(b.Mounts) == 1 {
		return b.ID
	}
	return b.ID + "-" + strconv.Itoa(i+1)
}

// numberWord is a small number in words.
func numberWord(n int) string {
	words := []string{"no", "one", "two", "three", "four", "five", "six"}
	if n < 0 || n >= len(words) {
		return strconv.Itoa(n)
	}
	return words[n]
}

// movementPoints is a number of them in words.
func movementPoints(n int) string {
	if n == 1 {
		return "1 movement point"
	}
	return strconv.Itoa(n) + " movement points"
}

// points is how many movement points a ship makes of power.
func (sy *Book) points(sys *System, power int) int {
	points := sys.Design.Move.Points(power)
	if sy.most > 0 {
		points = min(points, sy.most)
	}
	return points
}

// subtitle is the book's title without that of the game.
func (sy *Book) subtitle() string {
	_, name, found := strings.Cut(sy.title, ", ")
	if !found {
		return sy.title
	}
	if strings.HasSuffix(name, "Course") {
		name = "the " + name
	}
	return name
}

// ahead is the number of the shield ahead.
func (sy Book) ahead() int { return sy.ring.Number(0) }

// astern is the number of the shield astern.
func (sy Book) astern() int { return sy.ring.Number(3) }

// foremost lists the shields, those ahead first.
func (sy Book) foremost() []int {
	n := sy.ring.Number
	return []int{n(0), n(5), n(1), n(4), n(2), n(3)}
}

// bears reports whether a bank can fire from a place into a hex (rulings D5,
// D7), and which of its arcs holds it. A ship cannot fire into its own hex.
func (l *rulebook) bears(b *Bank, from engine.Place, at hex.Hex) (string, bool) {
	p, ok := hex.Bearing(from.Hex, at)
	if !ok {
		return "", false
	}
	rel := p.Relative(from.Heading)
	for _, name := range b.Arcs {
		for _, a := range l.Arcs[name] {
			if a.Contains(rel) {
				return name, true
			}
		}
	}
	return "", false
}

// reach is the longest range of a chart.
func (l *rulebook) reach(chart string) int { return len(l.Charts[chart]) }

// bonus is the damage modifier of a bank's weapon at a range.
func (b *Bank) bonus(rng int) int {
	for _, band := range b.Bands {
		if rng >= band.From && rng <= band.To {
			return band.Bonus
		}
	}
	return 0
}

// shedable lists the systems that power can be cut from.
func shedable() []string { return []string{"weapons", "movement", "shields"} }

// shedable lists those of a ship.
func (s *System) shedable() []string {
	if s.Has(sysCloak) {
		return append(shedable(), sysCloak)
	}
	return shedable()
}

// fighting are the ships in the fight, by id.
func fighting(g *engine.Game) []*engine.Ship {
	return slices.DeleteFunc(slices.Clone(g.Ships), func(s *engine.Ship) bool { return s.Status != engine.Active })
}

// sameStanding compares orders that may hold empty lists or none.
func sameStanding(a, b Standing) bool {
	return a.Choose == b.Choose && a.Missing == b.Missing && a.Last == b.Last &&
		slices.Equal(a.Beams, b.Beams) && slices.Equal(a.Missile, b.Missile) && slices.Equal(a.Shed, b.Shed) &&
		maps.EqualFunc(a.more, b.more, func(x, y any) bool { return reflect.DeepEqual(x, y) })
}

func sum(ns []int) int {
	t := 0
	for _, n := range ns {
		t += n
	}
	return t
}

// strongest is the index of the highest figure, the first of equals.
func strongest(ns []int) int {
	best := 0
	for i, n := range ns {
		if n > ns[best] {
			best = i
		}
	}
	return best
}

func joinInts(ns []int) string {
	var few [32]byte
	text := few[:0]
	for i, n := range ns {
		if i > 0 {
			text = append(text, ' ')
		}
		text = strconv.AppendInt(text, int64(n), 10)
	}
	return string(text)
}
