package sheet

import "strings"

// Category is a group of systems in the damage allocation chart (cadet D4.3).
type Category string

// The categories. NoCategory is for boxes that cannot be hit in the cadet game.
const (
	HullBoxes   Category = "hull"
	EngineBoxes Category = "engine"
	WeaponBoxes Category = "weapon"
	OtherBoxes  Category = "other"
	ExcessBoxes Category = "excess"
	NoCategory  Category = "none"
)

// Kind is the kind of a bank's boxes.
type Kind string

// The kinds named in the chart (cadet D4.3), and two that it never hits.
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
	// Further kinds in the full game's chart.
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
	// Weapons of rules other than the cadet game.
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

// Weapon has the properties of all weapons of a kind that do not depend on a rule set's chart. To add a kind, add a row
// to kinds, and a chart to the books that have it.
type Weapon struct {
	Phaser   bool   // no arming turns, points by the die alone, can guard
	Launches bool   // launches drones or plasma torpedoes
	Rack     bool   // ... drones stowed in it, in any direction, without arming
	Cannon   bool   // fires along rows of hexes
	Shot     int    // capacitor energy of a shot, in halves; torpedoes with the strength of a phaser use that phaser's (house H3)
	Hit      string // the word in the full game's damage chart that hits it; "" if only the word for any weapon does
}

// Words for weapons in that chart.
const (
	HitAsPhaser  = "phaser"
	HitAsTorpedo = "torp"
	HitAsDrone   = "drone"
)

// kindRow has the properties of a kind.
type kindRow struct {
	Kind
	Category
	Title string // of one box
	Weapon
}

// kinds are all kinds, in the order of the rule.
var kinds = []kindRow{
	{Hull, HullBoxes, "hull", Weapon{}},
	{Impulse, EngineBoxes, "impulse engine", Weapon{}},
	{Warp, EngineBoxes, "warp engine", Weapon{}},
	{Phaser1, WeaponBoxes, "phaser-1", Weapon{Phaser: true, Shot: 2, Hit: HitAsPhaser}},
	{Phaser2, WeaponBoxes, "phaser-2", Weapon{Phaser: true, Shot: 2, Hit: HitAsPhaser}},
	{Phaser3, WeaponBoxes, "phaser-3", Weapon{Phaser: true, Shot: 1, Hit: HitAsPhaser}},
	{PhaserG, WeaponBoxes, "gatling phaser", Weapon{Phaser: true, Shot: 2, Hit: HitAsPhaser}},
	{Photon, WeaponBoxes, "photon torpedo", Weapon{Hit: HitAsTorpedo}},
	{PlasmaS, WeaponBoxes, "plasma-S torpedo", Weapon{Launches: true, Hit: HitAsTorpedo}},
	{PlasmaR, WeaponBoxes, "plasma-R torpedo", Weapon{Launches: true, Hit: HitAsTorpedo}},
	{PlasmaF, WeaponBoxes, "plasma-F torpedo", Weapon{Launches: true, Hit: HitAsTorpedo}},
	{Disruptor, WeaponBoxes, "disruptor", Weapon{Hit: HitAsTorpedo}},
	{Fusion, WeaponBoxes, "fusion beam", Weapon{}},
	{Pulsar, WeaponBoxes, "plasmatic pulsar device", Weapon{}},
	{Expanding, WeaponBoxes, "expanding sphere generator", Weapon{}},
	{DroneRack, WeaponBoxes, "drone rack", Weapon{Launches: true, Rack: true, Hit: HitAsDrone}},
	{Transporter, OtherBoxes, "transporter", Weapon{}},
	{Lab, OtherBoxes, "laboratory", Weapon{}},
	{Reactor, OtherBoxes, "auxiliary power reactor", Weapon{}},
	{Battery, OtherBoxes, "battery", Weapon{}},
	{Shuttle, OtherBoxes, "shuttle", Weapon{}},
	{Excess, ExcessBoxes, "excess damage", Weapon{}},
	{Bridge, NoCategory, "bridge", Weapon{}},
	{Security, NoCategory, "security", Weapon{}},
	{FlagBridge, NoCategory, "flag bridge", Weapon{}},
	{Emergency, NoCategory, "emergency bridge", Weapon{}},
	{Auxiliary, NoCategory, "auxiliary control", Weapon{}},
	{Sensor, NoCategory, "sensor", Weapon{}},
	{Scanner, NoCategory, "scanner", Weapon{}},
	{DamageControl, NoCategory, "damage control", Weapon{}},
	{Tractor, NoCategory, "tractor beam", Weapon{}},
	{Probe, NoCategory, "probe launcher", Weapon{}},
	{Cargo, NoCategory, "cargo", Weapon{}},
	{SpecialSensor, NoCategory, "special sensor", Weapon{}},
	{Armour, NoCategory, "armour", Weapon{}},
	{StarDrive, NoCategory, "star drive", Weapon{}},
	{Phaser4, WeaponBoxes, "phaser-4", Weapon{Phaser: true, Shot: 4, Hit: HitAsPhaser}},
	{PlasmaG, WeaponBoxes, "plasma-G torpedo", Weapon{Launches: true, Hit: HitAsTorpedo}},
	{PlasmaK, WeaponBoxes, "plasma-K torpedo", Weapon{Launches: true, Hit: HitAsTorpedo}},
	{Plasma1, WeaponBoxes, "plasma torpedo, type 1", Weapon{Launches: true, Shot: 2, Hit: HitAsTorpedo}},
	{Plasma2, WeaponBoxes, "plasma torpedo, type 2", Weapon{Launches: true, Shot: 2, Hit: HitAsTorpedo}},
	{Plasma3, WeaponBoxes, "plasma torpedo, type 3", Weapon{Launches: true, Shot: 1, Hit: HitAsTorpedo}},
	{Plasma4, WeaponBoxes, "plasma torpedo, type 4", Weapon{Launches: true, Shot: 4, Hit: HitAsTorpedo}},
	{PrimaryCannon, WeaponBoxes, "primary battery cannon", Weapon{Cannon: true, Hit: HitAsDrone}},
	{SecondaryCannon, WeaponBoxes, "secondary battery cannon", Weapon{Cannon: true, Hit: HitAsDrone}},
	{TertiaryCannon, WeaponBoxes, "tertiary battery cannon", Weapon{Cannon: true, Hit: HitAsDrone}},
	{Laser, WeaponBoxes, "laser", Weapon{Shot: 2, Hit: HitAsPhaser}},
	{Particle, WeaponBoxes, "particle beam", Weapon{Shot: 2, Hit: HitAsPhaser}},
}

var kindRows = func() map[Kind]*kindRow {
	rows := make(map[Kind]*kindRow, len(kinds))
	for i := range kinds {
		rows[kinds[i].Kind] = &kinds[i]
	}
	return rows
}()

// kindNames returns the names of all kinds.
func kindNames() []string {
	out := make([]string, len(kinds))
	for i, k := range kinds {
		out[i] = string(k.Kind)
	}
	return out
}

// Category returns the category of a kind (cadet D4.3); NoCategory if the kind is unknown.
func (k Kind) Category() Category {
	if row := kindRows[k]; row != nil {
		return row.Category
	}
	return NoCategory
}

// Title returns a kind in words.
func (k Kind) Title() string {
	if row := kindRows[k]; row != nil {
		return row.Title
	}
	return string(k)
}

// Weapon returns the properties of weapons of a kind; empty for other kinds.
func (k Kind) Weapon() Weapon {
	if row := kindRows[k]; row != nil {
		return row.Weapon
	}
	return Weapon{}
}

// Phaser reports whether the kind is a phaser.
func (k Kind) Phaser() bool { return k.Weapon().Phaser }

// Launches reports whether weapons of a kind launch drones or plasma torpedoes.
func (k Kind) Launches() bool { return k.Weapon().Launches }

// Rack reports whether a kind launches drones.
func (k Kind) Rack() bool { return k.Weapon().Rack }

// Cannon reports whether weapons of a kind fire along rows of hexes.
func (k Kind) Cannon() bool { return k.Weapon().Cannon }

// Shot returns the capacitor energy for a shot of the kind, in halves.
func (k Kind) Shot() int { return k.Weapon().Shot }

// Does words the effect of a weapon of the kind. For a phaser, points has one digit for each face of the die.
func (k Kind) Does(points string) string {
	if !k.Phaser() || points == "" {
		return points
	}
	return strings.Join(strings.Split(points, ""), " ") + " points by die 1 to 6"
}

// Inner reports whether boxes of a kind are systems inside a ship, which can be raided and repaired.
func (k Kind) Inner() bool { return k != Hull && k != Armour && k != Excess }
