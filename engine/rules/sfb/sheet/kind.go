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

// Weapon is what weapons of a kind have in common, whatever a rule set's chart says of them. A new kind is a row of kinds, and a
// chart in the books that have it.
type Weapon struct {
	Phaser   bool   // it is a phaser: no turn of arming, points by the die alone, and it can guard
	Launches bool   // it launches what flies and seeks by itself
	Rack     bool   // ... drones that are stowed in it, in any direction, and is not armed
	Cannon   bool   // it fires along rows of hexes
	Shot     int    // what a shot takes from the capacitors, in halves of energy; torpedoes of the strength of a phaser take what that does (house H3)
	Hit      string // by which word the full game's damage chart hits it; blank for none but that for any weapon
}

// The words of that chart for weapons.
const (
	HitAsPhaser  = "phaser"
	HitAsTorpedo = "torp"
	HitAsDrone   = "drone"
)

// kindRow is what is known of a kind.
type kindRow struct {
	Kind
	Category
	Title string // of one box
	Weapon
}

// kinds are all kinds in the order of the rule.
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
	if row := kindRows[k]; row != nil {
		return row.Category
	}
	return NoCategory
}

// Title is a kind in words.
func (k Kind) Title() string {
	if row := kindRows[k]; row != nil {
		return row.Title
	}
	return string(k)
}

// Weapon is what weapons of a kind have in common; empty for what is none.
func (k Kind) Weapon() Weapon {
	if row := kindRows[k]; row != nil {
		return row.Weapon
	}
	return Weapon{}
}

// Phaser tells whether a weapon of the kind is a phaser.
func (k Kind) Phaser() bool { return k.Weapon().Phaser }

// Launches tells whether weapons of a kind launch what flies and seeks by itself.
func (k Kind) Launches() bool { return k.Weapon().Launches }

// Rack tells whether it is drones that weapons of a kind launch.
func (k Kind) Rack() bool { return k.Weapon().Rack }

// Cannon tells whether weapons of a kind fire along rows of hexes.
func (k Kind) Cannon() bool { return k.Weapon().Cannon }

// Shot is what a shot of a weapon of the kind takes from the capacitors, in halves of energy.
func (k Kind) Shot() int { return k.Weapon().Shot }

// Does words what a weapon of the kind does: of a phaser, its points for each face of the die, one digit each.
func (k Kind) Does(points string) string {
	if !k.Phaser() || points == "" {
		return points
	}
	return strings.Join(strings.Split(points, ""), " ") + " points by die 1 to 6"
}

// Inner tells whether boxes of a kind are of systems inside a ship, which can be raided and
// mended.
func (k Kind) Inner() bool { return k != Hull && k != Armour && k != Excess }
