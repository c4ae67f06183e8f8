package engine

import "starpost/engine/blind"

// ShipID is what a ship or small craft is known by, all through a game. It is a type of its own so that no other
// word, be it a weapon, a phase or a captain, can ever be taken for a ship.
type ShipID = blind.ShipID
