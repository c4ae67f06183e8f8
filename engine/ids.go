package engine

import "starpost/engine/blind"

// ShipID is what a ship or small craft is known by, all through a game, and CaptainName what a captain or an officer is.
// They are types of their own so that no other word, be it a weapon or a phase, can ever be taken for either.
type (
	ShipID      = blind.ShipID
	CaptainName = blind.CaptainName
)
