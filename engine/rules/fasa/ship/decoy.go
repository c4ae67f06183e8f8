package ship

// Decoy is the share of a ship that only looks like one of her design (ruling F20).
type Decoy struct{}

// NameDecoy is the key of their share, and Station that of the standing order that keeps one at her place beside a
// ship, of which the list is that ship, the range and the direction.
const (
	NameDecoy = "decoy"
	Station   = "station"
)

// Key implements Share.
func (*Decoy) Key() string { return NameDecoy }

// Clone implements Share.
func (d *Decoy) Clone() Share { return d }
