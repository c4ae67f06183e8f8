package ship

import (
	"fmt"

	"starpost/engine"
)

// Helm is how a ship is steered (stcs 8): its warp speed, which is not its
// movement on the map, how its engines are set, and what its last movements were.
type Helm struct {
	Warp    int    `json:"warp"`               // warp factor; 0 is sublight
	Cruise  int    `json:"cruise"`             // highest safe warp factor
	Top     int    `json:"top"`                // highest warp factor
	Stress  string `json:"stress,omitempty"`   // letters of the stress charts: warp engines/superstructure
	Astern  bool   `json:"astern,omitempty"`   // the engines are set to go astern
	Still   bool   `json:"still,omitempty"`    // it held throughout the last movement phase
	Way     string `json:"way,omitempty"`      // ahead or astern: how it moved last
	WayTurn int    `json:"way_turn,omitempty"` // the turn in which that was
	Swung   int    `json:"swung,omitempty"`    // fire phase, counted through the game, in which an emergency turn affects its fire
}

// Helm returns the share of a ship with a warp speed, which the caller may change; elsewhere a share of zeros whose
// changes are lost.
func (s *State) Helm() *Helm { return ShareOf[Helm](s) }

// Key implements Share.
func (*Helm) Key() string { return NameHelm }

// Clone implements Share.
func (h *Helm) Clone() Share {
	c := *h
	return &c
}

// HelmSet is how a ship's engines are set after a movement phase, and how she moved in it.
type HelmSet struct {
	Ship    engine.ShipID `json:"ship" see:"crew"`
	Still   bool          `json:"still,omitempty" see:"crew"`
	Astern  bool          `json:"astern,omitempty" see:"crew"`
	Way     string        `json:"way,omitempty" see:"crew"`
	WayTurn int           `json:"way_turn,omitempty" see:"crew"`
	Swung   int           `json:"swung,omitempty" see:"crew"`
	Shift   bool          `json:"shift,omitempty" see:"crew"` // the engines were set the other way before
}

// Apply implements engine.Body.
func (b *HelmSet) Apply(g *engine.Game) error {
	h, err := lookupHelm(g, b.Ship)
	if err != nil {
		return err
	}
	h.Still, h.Astern, h.Way, h.WayTurn, h.Swung = b.Still, b.Astern, b.Way, b.WayTurn, b.Swung
	return nil
}

// lookupHelm returns the helm of a ship of a game.
func lookupHelm(g *engine.Game, id engine.ShipID) (*Helm, error) {
	s, err := Lookup(g, id)
	if err != nil {
		return nil, err
	}
	if !s.Has(NameHelm) {
		return nil, fmt.Errorf("%s has no helm", id)
	}
	return s.Helm(), nil
}

// NameHelm is the helm's key.
const NameHelm = "helm"
