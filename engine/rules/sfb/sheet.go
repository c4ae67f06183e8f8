package sfb

import (
	"slices"

	"starpost/engine/rules/sfb/arcs"
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
	StarDrive     Kind = "star-drive"
	// Weapons of other rules than the cadet game's.
	Phaser4         Kind = "phaser-4"
	PlasmaG         Kind = "plasma-g"
	PlasmaK         Kind = "plasma-k"
	Plasma1         Kind = "plasma-1"
	Plasma2         Kind = "plasma-2"
	Plasma3         Kind = "plasma-3"
	Plasma4         Kind = "plasma-4"
	PrimaryCannon   Kind = "cannon-primary"
	SecondaryCannon Kind = "cannon-secondary"
	TertiaryCannon  Kind = "cannon-tertiary"
	Laser           Kind = "laser"
	Particle        Kind = "particle"
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
	{StarDrive, NoCategory, "star drive"},
	{Phaser4, WeaponBoxes, "phaser-4"},
	{PlasmaG, WeaponBoxes, "plasma-G torpedo"},
	{PlasmaK, WeaponBoxes, "plasma-K torpedo"},
	{Plasma1, WeaponBoxes, "plasma torpedo, type 1"},
	{Plasma2, WeaponBoxes, "plasma torpedo, type 2"},
	{Plasma3, WeaponBoxes, "plasma torpedo, type 3"},
	{Plasma4, WeaponBoxes, "plasma torpedo, type 4"},
	{PrimaryCannon, WeaponBoxes, "primary battery cannon"},
	{SecondaryCannon, WeaponBoxes, "secondary battery cannon"},
	{TertiaryCannon, WeaponBoxes, "tertiary battery cannon"},
	{Laser, WeaponBoxes, "laser"},
	{Particle, WeaponBoxes, "particle beam"},
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
	return k == Phaser1 || k == Phaser2 || k == Phaser3 || k == Phaser4 || k == PhaserG
}

// shot is what a shot of a phaser takes from the capacitors, in halves of energy. Torpedoes of
// the strength of a phaser take what that does (house H3).
func (k Kind) shot() int {
	switch k { //nolint:exhaustive // all other phasers take the same
	case Phaser3, Plasma3:
		return 1
	case Phaser4, Plasma4:
		return 4
	case Plasma1, Plasma2, Laser, Particle:
		return 2
	default:
		return 2 * b2i(k.Phaser())
	}
}

// Sheet is a ship's sheet of boxes with what is left of them: her class's as long as all
// is whole. It is a ship's state in files, and is copied by [Sheet.Clone].
type Sheet struct {
	Class    string     `json:"class"`
	Shields  [6]Boxes   `json:"shields"` // 1 ahead, then clockwise
	TurnMode []turnStep `json:"turn_mode"`
	Banks    []Bank     `json:"banks"`           // by name; the order is that of the class
	Cloak    int        `json:"cloak,omitempty"` // energy that a turn under the cloak takes; 0: she has none
	// Letter names the turn mode, where it is one of the rule set's; MoveCost is what a hex
	// takes of movement energy, in 60ths; 0: 60.
	Letter   string `json:"letter,omitempty"`
	MoveCost int    `json:"move_cost,omitempty"`
	// Breakdown is the least die with which a high energy turn breaks her engines; 0: none
	// does. Boarding are boarding parties, Size is 4 for the smallest ships and 2 for the largest.
	Breakdown int `json:"breakdown,omitempty"`
	Boarding  int `json:"boarding,omitempty"`
	Size      int `json:"size,omitempty"`
}

// Boxes are the boxes of a shield or a bank, and how many of them are left.
type Boxes struct {
	All  int `json:"boxes"`
	Left int `json:"left"`
}

// turnStep is a line of a turn mode: up to that speed a ship moves so many hexes
// straight before each turn.
type turnStep struct {
	Moves int `json:"moves"`
	Speed int `json:"speed"`
}

// Bank is some boxes of one kind under one name, such as those of an engine. Each
// weapon is a bank of its own.
type Bank struct {
	Name string   `json:"name"`
	Kind Kind     `json:"kind"`
	Arcs arcs.Set `json:"arcs,omitempty"` // of a weapon
	// Reach is the longest range of a weapon whose chart goes beyond it; 0: the chart's.
	Reach int `json:"reach,omitempty"`
	// Track are the numbers that the boxes stand for, the best first: those are lost first.
	Track []int `json:"track,omitempty"`
	Boxes
}

// Rating is the number that what is left of a track stands for; ok is false without one. The
// last number stays when all boxes are gone.
func (s *Sheet) Rating(of Kind) (number int, ok bool) {
	for i := range s.Banks {
		if b := &s.Banks[i]; b.Kind == of && len(b.Track) > 0 {
			return b.Track[min(b.All-b.Left, len(b.Track)-1)], true
		}
	}
	return 0, false
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

// fit gives a sheet so many boxes of a kind that is no weapon's.
func (s *Sheet) fit(kind Kind, n int) {
	s.Banks = slices.Clone(s.Banks)
	i := slices.IndexFunc(s.Banks, func(b Bank) bool { return b.Kind == kind })
	if i < 0 {
		i, s.Banks = len(s.Banks), append(s.Banks, Bank{Name: string(kind), Kind: kind})
	}
	s.Banks[i].Boxes = Boxes{All: n, Left: n}
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

// Power is what engines and reactors give in a turn, a box 1; a star drive gives none (house 21.32).
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
