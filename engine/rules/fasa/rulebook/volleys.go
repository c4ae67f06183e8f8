package rulebook

import (
	"starpost/engine"
	"starpost/engine/hex"
	"starpost/engine/rules/fasa/cites"
	"starpost/engine/rules/fasa/ship"
	"starpost/engine/rules/fasa/tables"
)

// Volley is the mounts of one bank that one ship fires at one target in one
// phase, and so (unless every mount rolls) one to-hit roll (stcs 4.4).
type Volley struct {
	Ship   *engine.Ship
	Target *engine.Ship
	Bank   int
	Mounts []int
	Power  []int       // of each mount's shot
	Orders []FireOrder // the order by which each mount fires
	Rng    int
	Arc    string

	Declared engine.Ref
}

// Hit is something that does damage to a ship, and where it comes from.
type Hit struct {
	Target *engine.Ship
	From   engine.ShipID // id of the ship or object that does it
	At     hex.Hex       // where it comes from
	Stood  engine.Place  // where, and on which heading, the target was struck
	Weapon string
	Mount  int  // from 1; 0 if it has none
	Spread bool // damage that gets through is divided into blocks
	Cause  engine.Ref
}

// Penetration is a hit that got through a shield.
type Penetration struct {
	Hit
	Shield  int // number
	Through int
	Group   engine.RollName // hits of one group share their location
	Again   bool            // another hit of its group got through before
	Spared  int             // points taken off the damage, but not off casualties
	Pierced engine.Ref
}

// Salvo is a fire phase under way.
type Salvo struct {
	Turn    *engine.Turn
	Volleys [][]Volley // ship by ship
	Through []Penetration
}

// ShotRoll is the number that a shot needs, the roll against it, and the result.
type ShotRoll struct {
	Need, Roll int
	Named      string // the whole name of the roll
	Hit        bool
	Slim       SlimRoll
	Thrown     []engine.Ref // the dice
}

// SlimRoll is the slim chance of a number of 0 or less (stcs 14.1, ruling D42): a 1, and
// then a second die.
type SlimRoll struct {
	Slim   int // highest second die that succeeds, for such a number
	Second int // the second die, once a 1 was rolled
}

// Toll is the cost of a manoeuvre: power of engines, and superstructure.
type Toll struct {
	Engines        []ship.EngineChange
	Superstructure int
	Rule           []cites.Topic
}

// PowerCut is a system that power is cut from, and the most cut from it at first; 0 for all.
type PowerCut struct {
	System string
	Most   int
}

// PowerLoss is the power that was cut from a ship.
type PowerLoss struct {
	Was, Alloc ship.Alloc // before and after
	Detail     []string   // each cut in words
	From       []string   // by detail: the system it was cut from
}

// DamageBlock is damage that got through, on its way to a location.
type DamageBlock struct {
	Penetration
	Part, Points int // the block's number from 1, and what it holds
	Roll         int
}

// Place is a location, the table that gave it, and the cell of a detailed table.
type Place struct {
	Table, Location string
	Cell            tables.Hit
}

// Throw is a die that several events follow from.
type Throw struct {
	Value int
	Event engine.Ref
}
