package sheet

import "strings"

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

// kindNames are the names of all kinds.
func kindNames() []string {
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

// Does words what a weapon of the kind does: of a phaser, its points for each face of the die, one digit each.
func (k Kind) Does(points string) string {
	if !k.Phaser() || points == "" {
		return points
	}
	return strings.Join(strings.Split(points, ""), " ") + " points by die 1 to 6"
}

// Shot is what a shot of a phaser takes from the capacitors, in halves of energy. Torpedoes of
// the strength of a phaser take what that does (house H3).
func (k Kind) Shot() int {
	switch k { //nolint:exhaustive // the others take nothing of them
	case Phaser3, Plasma3:
		return 1
	case Phaser4, Plasma4:
		return 4
	case Phaser1, Phaser2, PhaserG, Plasma1, Plasma2, Laser, Particle:
		return 2
	default:
		return 0
	}
}

// Launches tells whether weapons of a kind launch what flies and seeks by itself.
func (k Kind) Launches() bool {
	switch k { //nolint:exhaustive // the others fire
	case DroneRack, PlasmaS, PlasmaR, PlasmaF, PlasmaG, PlasmaK, Plasma1, Plasma2, Plasma3, Plasma4:
		return true
	default:
		return false
	}
}

// Cannon tells whether weapons of a kind fire along rows of hexes.
func (k Kind) Cannon() bool {
	return k == PrimaryCannon || k == SecondaryCannon || k == TertiaryCannon
}

// Inner tells whether boxes of a kind are of systems inside a ship, which can be raided and
// mended.
func (k Kind) Inner() bool { return k != Hull && k != Armour && k != Excess }
