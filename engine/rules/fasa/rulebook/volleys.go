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
	Orders []FireOrder // by which each mount fires
	Rng    int
	Arc    string

	Declared engine.Ref
}

// Hit is something that does damage to a ship, and where it comes from.
type Hit struct {
	Target *engine.Ship
	From   engine.ShipID // id of the ship or the thing that does it
	At     hex.Hex       // where it comes from
	Stood  engine.Place  // where the target was struck, and how it stood to what struck it
	Weapon string
	Mount  int  // from 1; 0 for what has none
	Spread bool // what gets through is divided into blocks
	Cause  engine.Ref
}

// Penetration is a hit that got through a shield.
type Penetration struct {
	Hit
	Shield  int // number
	Through int
	Group   engine.RollName // hits of one group share their location
	Again   bool            // another hit of its group got through before
	Spared  int             // points that were taken off, but not off casualties
	Pierced engine.Ref
}

// Salvo is a fire phase under way.
type Salvo struct {
	Turn    *engine.Turn
	Volleys [][]Volley // ship by ship
	Through []Penetration
}

// ShotRoll is a to-hit number, the roll against it, and what came of it.
type ShotRoll struct {
	Number, Need, Roll int
	Named              string // the whole name of the roll
	Hit                bool
	Slim               SlimRoll
	Thrown             []engine.Ref // the dice
}

// SlimRoll is a number for a die to stay within, and the slim chance that is left
// when it is 0 or less (stcs 14.1, ruling D42): a 1, and then a second die.
type SlimRoll struct {
	Slim   int // highest second die that succeeds, for such a number
	Second int // the second die, once a 1 was rolled
}

// Toll is what a manoeuvre costs a ship: power of engines, and superstructure.
type Toll struct {
	Engines        []ship.EngineChange
	Superstructure int
	Rule           []cites.Topic
}

// PowerCut is a system that power is cut from, and how much of it at first; 0 for all.
type PowerCut struct {
	System string
	Most   int
}

// PowerLoss is what was cut of the power of a ship.
type PowerLoss struct {
	Was, Alloc ship.Alloc // before and after
	Detail     []string   // each cut in words
	From       []string   // by detail: the system it was cut from
}

// DamageBlock is damage that got through, on its way to the location that takes it.
type DamageBlock struct {
	Penetration
	Part, Points int // the block's number from 1, and what it holds
	Roll         int
}

// Place is a location and the table that gave it, with the cell of a detailed one.
type Place struct {
	Table, Location string
	Cell            tables.Hit
}

// Throw is a die that several events follow from.
type Throw struct {
	Value int
	Event engine.Ref
}
