package engine

import "starpost/engine/blind"

// ShipID is what a ship or small craft is known by, all through a game. It is a type of its own so that no
// other word, be it a weapon or a phase, can ever be taken for one.
type ShipID = blind.ShipID

// CaptainName is what a captain or an officer is known by.
type CaptainName = blind.CaptainName
