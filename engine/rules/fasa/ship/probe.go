package ship

import (
	"slices"
	"strings"

	"starpost/engine"
	"starpost/engine/dark"
	"starpost/engine/hex"
)

// NameProbe is the key of a probe's share, and the name of her design.
const NameProbe = "probe"

// Probe is the state of a probe, in place of all that a ship has: its mission, when it was launched, and its target
// hex (house 14.1).
type Probe struct {
	To       hex.Hex       `json:"to"`
	Launched engine.Moment `json:"launched"`
	dark.Mission
}

// Probe returns a probe's share.
func (s *State) Probe() *Probe { return ShareOf[Probe](s) }

// Key implements Share.
func (*Probe) Key() string { return NameProbe }

// Clone implements Share.
func (p *Probe) Clone() Share {
	c := *p
	c.Given = slices.Clone(p.Given)
	return &c
}

// Sent implements engine.Sent.
func (s *State) Sent() (*dark.Mission, engine.Moment) {
	p := s.Probe()
	return &p.Mission, p.Launched
}

// ProbeLaunch is a probe leaving its ship. Only her captain knows its target and purpose.
type ProbeLaunch struct {
	Ship     engine.ShipID `json:"ship" see:"all"`
	Craft    string        `json:"craft" see:"all"` // its name
	Short    string        `json:"short" see:"all"`
	At       engine.Place  `json:"at" see:"all"`
	To       hex.Hex       `json:"to,omitzero" see:"science"`
	Study    engine.ShipID `json:"study,omitempty" see:"science"`
	File     string        `json:"file,omitempty" see:"science"`
	Words    string        `json:"words,omitempty" see:"science"`
	Launched engine.Moment `json:"launched" see:"all"`
}

// Apply implements engine.Body. A probe has one point of structure, no shields, and as many movement phases as ships.
func (b *ProbeLaunch) Apply(g *engine.Game) error {
	parent, err := Lookup(g, b.Ship)
	if err != nil {
		return err
	}
	parent.Labs().Probes--
	s, _ := g.Ship(b.Ship)
	sys := &State{
		Design: Frame{Name: NameProbe, Title: "Probe", Superstructure: 1}, Superstructure: 1,
		Shields: make([]Shield, len(parent.Shields)), Alloc: Alloc{Split: make([]int, len(parent.Alloc.Split))},
	}
	sys.Put(&Probe{To: b.To, Launched: b.Launched, Mission: dark.Mission{Study: b.Study, File: b.File, Words: b.Words}})
	return g.Launch(&engine.Ship{
		ID: engine.ShipID(strings.ToLower(b.Craft)), Name: b.Craft, Title: "probe of " + s.Name, Short: b.Short, Side: s.Side, Class: NameProbe, Kind: engine.KindProbe,
		Parent: s.ID, Hex: b.At.Hex, Heading: b.At.Heading, Status: engine.Active, System: sys,
	})
}

// Decoy marks a ship that only looks like one of her design (ruling F20).
type Decoy struct{}

// Clone implements Share.
func (d *Decoy) Clone() Share { return d }

// Labs holds the laboratories of a ship in a game in the dark (house 12.2), and the probes that she has left. Hits
// damage neither.
type Labs struct {
	Boxes  int `json:"boxes"`
	Probes int `json:"probes,omitempty"`
}

// Labs returns the share of a ship with laboratories, as ships have in the dark, which the caller may change; elsewhere
// an empty share whose changes are lost.
func (s *State) Labs() *Labs { return ShareOf[Labs](s) }

// NameLabs is the key of the laboratories' share.
const NameLabs = "labs"

// Clone implements Share.
func (l *Labs) Clone() Share {
	c := *l
	return &c
}

// FreeLabs returns the number of laboratories that are not lit for her sensors.
func (s *State) FreeLabs() int { return max(0, s.Labs().Boxes-s.Alloc.Labs) }

// NameDecoy is the key of a decoy's share, and Station the key of the standing order that keeps a decoy at her place
// beside a ship: a list of that ship, the range and the direction.
const (
	NameDecoy = "decoy"
	Station   = "station"
)

// Key implements Share.
func (*Decoy) Key() string { return NameDecoy }

// Key implements Share.
func (*Labs) Key() string { return NameLabs }
