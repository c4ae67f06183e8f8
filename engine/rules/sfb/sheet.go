package sfb

import (
	"fmt"
	"slices"
	"strings"

	"starpost/engine/hex"
)

// Category is what the damage allocation chart calls a group of systems (cadet D4.3).
type Category string

// The categories. NoCategory is that of boxes that cannot be hit in the cadet game.
const (
	HullBoxes   Category = "hull"
	EngineBoxes Category = "engine"
	WeaponBoxes Category = "weapon"
	OtherBoxes  Category = "other"
	ExcessBoxes Category = "excess"
	NoCategory  Category = "none"
)

// Kind is what the boxes of a bank are.
type Kind string

// The kinds of boxes that the chart names (cadet D4.3), and two that it never hits.
const (
	Hull        Kind = "hull"
	Impulse     Kind = "impulse"
	Warp        Kind = "warp"
	Phaser1     Kind = "phaser-1"
	Phaser2     Kind = "phaser-2"
	Phaser3     Kind = "phaser-3"
	PhaserG     Kind = "phaser-g"
	Photon      Kind = "photon"
	PlasmaS     Kind = "plasma-s"
	PlasmaR     Kind = "plasma-r"
	PlasmaF     Kind = "plasma-f"
	Disruptor   Kind = "disruptor"
	Fusion      Kind = "fusion"
	Pulsar      Kind = "ppd"
	Expanding   Kind = "esg"
	DroneRack   Kind = "drone"
	Transporter Kind = "transporter"
	Lab         Kind = "lab"
	Reactor     Kind = "apr"
	Battery     Kind = "battery"
	Shuttle     Kind = "shuttle"
	Excess      Kind = "excess"
	Bridge      Kind = "bridge"
	Security    Kind = "security"
	// Kinds that the full game's chart names beside these.
	FlagBridge    Kind = "flag"
	Emergency     Kind = "emergency"
	Auxiliary     Kind = "auxiliary"
	Sensor        Kind = "sensor"
	Scanner       Kind = "scanner"
	DamageControl Kind = "damage-control"
	Tractor       Kind = "tractor"
	Probe         Kind = "probe"
	Cargo         Kind = "cargo"
	SpecialSensor Kind = "special-sensor"
	Armour        Kind = "armour"
)

// kinds are all kinds in the order of the rule, each with its category.
var kinds = []struct {
	Kind     Kind
	Category Category
	Title    string // of one box
}{
	{Hull, HullBoxes, "hull"},
	{Impulse, EngineBoxes, "impulse engine"},
	{Warp, EngineBoxes, "warp engine"},
	{Phaser1, WeaponBoxes, "phaser-1"},
	{Phaser2, WeaponBoxes, "phaser-2"},
	{Phaser3, WeaponBoxes, "phaser-3"},
	{PhaserG, WeaponBoxes, "gatling phaser"},
	{Photon, WeaponBoxes, "photon torpedo"},
	{PlasmaS, WeaponBoxes, "plasma-S torpedo"},
	{PlasmaR, WeaponBoxes, "plasma-R torpedo"},
	{PlasmaF, WeaponBoxes, "plasma-F torpedo"},
	{Disruptor, WeaponBoxes, "disruptor"},
	{Fusion, WeaponBoxes, "fusion beam"},
	{Pulsar, WeaponBoxes, "plasmatic pulsar device"},
	{Expanding, WeaponBoxes, "expanding sphere generator"},
	{DroneRack, WeaponBoxes, "drone rack"},
	{Transporter, OtherBoxes, "transporter"},
	{Lab, OtherBoxes, "laboratory"},
	{Reactor, OtherBoxes, "auxiliary power reactor"},
	{Battery, OtherBoxes, "battery"},
	{Shuttle, OtherBoxes, "shuttle"},
	{Excess, ExcessBoxes, "excess damage"},
	{Bridge, NoCategory, "bridge"},
	{Security, NoCategory, "security"},
	{FlagBridge, NoCategory, "flag bridge"},
	{Emergency, NoCategory, "emergency bridge"},
	{Auxiliary, NoCategory, "auxiliary control"},
	{Sensor, NoCategory, "sensor"},
	{Scanner, NoCategory, "scanner"},
	{DamageControl, NoCategory, "damage control"},
	{Tractor, NoCategory, "tractor beam"},
	{Probe, NoCategory, "probe launcher"},
	{Cargo, NoCategory, "cargo"},
	{SpecialSensor, NoCategory, "special sensor"},
	{Armour, NoCategory, "armour"},
}

// Kinds are the names of all kinds.
func Kinds() []string {
	out := make([]string, len(kinds))
	for i, k := range kinds {
		out[i] = string(k.Kind)
	}
	return out
}

// Category is that of a kind (cadet D4.3); NoCategory for one that is not known.
func (k Kind) Category() Category {
	for i := range kinds {
		if kinds[i].Kind == k {
			return kinds[i].Category
		}
	}
	return NoCategory
}

// Title is a kind in words.
func (k Kind) Title() string {
	for i := range kinds {
		if kinds[i].Kind == k {
			return kinds[i].Title
		}
	}
	return string(k)
}

// Phaser tells whether a weapon of the kind is a phaser.
func (k Kind) Phaser() bool {
	return k == Phaser1 || k == Phaser2 || k == Phaser3 || k == PhaserG
}

// Sheet is a ship's sheet of boxes with what is left of them: her class's as long as all
// is whole. It is a ship's state in files, and is copied by [Sheet.Clone].
type Sheet struct {
	Class    string     `json:"class"`
	Shields  [6]Boxes   `json:"shields"` // 1 ahead, then clockwise
	TurnMode []TurnStep `json:"turn_mode"`
	Banks    []Bank     `json:"banks"`           // by name; the order is that of the class
	Cloak    int        `json:"cloak,omitempty"` // energy that a turn under the cloak takes; 0: she has none
	// Letter names the turn mode, where it is one of the rule set's; MoveCost is what a hex
	// takes of movement energy, in 60ths; 0: 60.
	Letter   string `json:"letter,omitempty"`
	MoveCost int    `json:"move_cost,omitempty"`
}

// Boxes are the boxes of a shield or a bank, and how many of them are left.
type Boxes struct {
	All  int `json:"boxes"`
	Left int `json:"left"`
}

// TurnStep is a line of a turn mode: up to that speed a ship moves so many hexes
// straight before each turn.
type TurnStep struct {
	Moves int `json:"moves"`
	Speed int `json:"speed"`
}

// Bank is some boxes of one kind under one name, such as those of an engine. Each
// weapon is a bank of its own.
type Bank struct {
	Name string `json:"name"`
	Kind Kind   `json:"kind"`
	Arcs Arcs   `json:"arcs,omitempty"` // of a weapon
	Boxes
}

// Clone copies a sheet.
func (s Sheet) Clone() Sheet {
	s.Banks = slices.Clone(s.Banks)
	return s
}

// Bank is the index of a bank by its name, -1 for a name that no bank has.
func (s *Sheet) Bank(name string) int {
	return slices.IndexFunc(s.Banks, func(b Bank) bool { return b.Name == name })
}

// Count adds up the boxes of the banks of the kinds.
func (s *Sheet) Count(of ...Kind) (sum Boxes) {
	for i := range s.Banks {
		if b := &s.Banks[i]; slices.Contains(of, b.Kind) {
			sum.All += b.All
			sum.Left += b.Left
		}
	}
	return sum
}

// In adds up the boxes of the banks of a category.
func (s *Sheet) In(c Category) (sum Boxes) {
	for i := range s.Banks {
		if b := &s.Banks[i]; b.Kind.Category() == c {
			sum.All += b.All
			sum.Left += b.Left
		}
	}
	return sum
}

// Inside counts the boxes that damage can destroy, without excess damage.
func (s *Sheet) Inside() (sum Boxes) {
	for _, c := range []Category{HullBoxes, EngineBoxes, WeaponBoxes, OtherBoxes} {
		b := s.In(c)
		sum.All += b.All
		sum.Left += b.Left
	}
	return sum
}

// Power is what engines and reactors give in a turn, a box 1.
func (s *Sheet) Power() int { return s.Count(Warp, Impulse, Reactor).Left }

// Straight is how many hexes a ship of that speed moves straight before each turn.
// Beyond the last line of the turn mode that line holds.
func (s *Sheet) Straight(speed int) int {
	for _, t := range s.TurnMode {
		if speed <= t.Speed {
			return t.Moves
		}
	}
	if n := len(s.TurnMode); n > 0 {
		return s.TurnMode[n-1].Moves
	}
	return 1
}

// Arcs are the sixths of the circle that a weapon bears on, a bit for each, clockwise
// from dead ahead: RF, R, RR, LR, L, LF.
type Arcs uint8

// sextants are the names of the six arcs, clockwise from dead ahead.
var sextants = [6]string{"RF", "R", "RR", "LR", "L", "LF"}

// arcNames are names of several arcs together, the widest first.
var arcNames = []struct {
	name string
	arcs Arcs
}{
	{"360", 0b111111},
	{"FX", 0b110011},
	{"RX", 0b011110},
	{"LS", 0b111000},
	{"RS", 0b000111},
	{"FA", 0b100001},
	{"RA", 0b001100},
}

// Bear tells whether a bearing from the bow lies in the arcs or on one of their lines.
func (a Arcs) Bear(rel hex.Point) bool {
	p := int(rel)
	if p < 0 || p > 23 {
		return false
	}
	if p%4 == 0 && a&(1<<((p/4+5)%6)) != 0 {
		return true
	}
	return a&(1<<(p/4)) != 0
}

// String is the arcs as sheets write them, such as "FX" or "L+LR".
func (a Arcs) String() string {
	for _, n := range arcNames {
		if n.arcs == a {
			return n.name
		}
	}
	var parts []string
	// As sheets have it: the left ones from the bow backwards, then the right ones.
	for _, i := range []int{5, 0, 4, 1, 3, 2} {
		if a&(1<<i) != 0 {
			parts = append(parts, sextants[i])
		}
	}
	return strings.Join(parts, "+")
}

// ParseArcs reads the text of arcs.
func ParseArcs(text string) (Arcs, error) {
	var all Arcs
	for part := range strings.SplitSeq(text, "+") {
		var a Arcs
		for _, n := range arcNames {
			if n.name == part {
				a = n.arcs
			}
		}
		if i := slices.Index(sextants[:], part); i >= 0 {
			a = 1 << i
		}
		if a == 0 {
			return 0, fmt.Errorf("%+.30q is no firing arc; arcs are LF RF R RR LR L, FA RA LS RS FX RX and 360, joined by +", part)
		}
		all |= a
	}
	return all, nil
}

// MarshalText writes the text form.
func (a Arcs) MarshalText() ([]byte, error) { return []byte(a.String()), nil }

// UnmarshalText reads the text form.
func (a *Arcs) UnmarshalText(text []byte) (err error) {
	*a, err = ParseArcs(string(text))
	return err
}
