package ship

// Labs are the laboratories of a ship in a game in the dark (house 12.2), and the probes that she has left. No hit
// takes one.
type Labs struct {
	Boxes  int `json:"boxes"`
	Probes int `json:"probes,omitempty"`
}

// Labs are a ship's.
func (s *State) Labs() *Labs { return ShareOf[Labs](s) }

// NameLabs is the key of their share.
const NameLabs = "labs"

// Key implements Share.
func (*Labs) Key() string { return NameLabs }

// Clone implements Share.
func (l *Labs) Clone() Share {
	c := *l
	return &c
}

// FreeLabs are the boxes that are not lit for her sensors.
func (s *State) FreeLabs() int { return max(0, s.Labs().Boxes-s.Alloc.Labs) }
