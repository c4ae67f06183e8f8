package blind

// ShipID is the id of a ship or small craft, which no other word is compared with.
type ShipID string
