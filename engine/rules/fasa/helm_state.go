package fasa

import (
	"fmt"

	"starpost/engine"
)

// Helm is how a ship is steered (stcs 8): its warp speed, which is not its
// movement on the map, how its engines are set, and what its last movements were.
type Helm struct {
	Warp    int    `json:"warp"`               // warp factor; 0 is sublight
	Cruise  int    `json:"cruise"`             // highest safe one
	Top     int    `json:"top"`                // highest one
	Stress  string `json:"stress,omitempty"`   // letters of the stress charts: warp engines/superstructure
	Astern  bool   `json:"astern,omitempty"`   // the engines are set to go astern
	Still   bool   `json:"still,omitempty"`    // it held through the whole last movement phase
	Way     string `json:"way,omitempty"`      // ahead or astern: how it moved last
	WayTurn int    `json:"way_turn,omitempty"` // the turn in which that was
	Swung   int    `json:"swung,omitempty"`    // fire phase, counted through the game, in which its fire suffers from an emergency turn
}

// Helm is a ship's.
func (s *System) Helm() *Helm { return shareOf[Helm](s) }

func (*Helm) key() string { return sysHelm }

func (h *Helm) clone() Share {
	c := *h
	return &c
}

// maneuverState is the movement of a ship in a phase, as far as it has come, and what it has
// to go by.
type maneuverState struct {
	astern, still bool       // as the phase began; astern changes with the way
	ahead, back   bool       // moved so in this turn
	busy          bool       // something other than holding, in this phase
	forth, aft    bool       // moved ahead or astern in this phase
	turned, swung bool       // in this phase
	last          engine.Ref // the movement that came last in this phase
}

// gearOf is how the engines are set at the beginning of a movement phase.
func gearOf(h *Helm, turn int) maneuverState {
	moved := ""
	if h.WayTurn == turn {
		moved = h.Way
	}
	return maneuverState{astern: h.Astern, still: h.Still, ahead: moved == wayAhead, back: moved == wayAstern}
}

// forbids tells why a movement word cannot be carried out (stcs 8.1, 8.2, rulings
// D27, D28); blank when it can.
func (g *maneuverState) forbids(word string) (why string, rule []Topic) {
	astern := []Topic{ReverseMovement}
	switch word {
	case "H":
		return "", nil
	case wordEvadeL, wordEvadeR:
		return "", nil
	case "L", "R", wordTacticalL, wordTacticalR:
		if g.aft {
			return "there is no turn in a phase in which the ship goes astern", astern
		}
		return "", nil
	case wordAstern:
		switch {
		case g.forth || g.ahead:
			return "the ship has gone ahead in this turn", astern
		case g.turned:
			return "the ship has turned in this phase, and cannot go astern in it", astern
		case !g.astern && !g.still:
			return "the ship must hold through a whole phase before it goes astern", astern
		}
		return "", nil
	}
	switch {
	case g.aft || g.back:
		return "the ship has gone astern in this turn", astern
	case g.astern && !g.still:
		return "the ship must hold through a whole phase before it goes ahead again", astern
	case g.swung && emergency(word):
		return "there is one emergency heading change in a phase", []Topic{EmergencyHeadingChange}
	}
	return "", nil
}

// stuck tells whether the ship can do no more now than turn on the spot.
func (g *maneuverState) stuck() bool {
	why, _ := g.forbids("F")
	return why != ""
}

// use takes in a movement word that was carried out.
func (g *maneuverState) use(word string) {
	switch word {
	case "H":
		return
	case wordAstern:
		g.astern, g.aft, g.back = true, true, true
	case "L", "R":
		g.turned = true
	default:
		g.astern, g.forth, g.ahead = false, true, true
		g.turned = g.turned || word != "F" && word != "FF" && word != "SL" && word != "SR"
		g.swung = g.swung || emergency(word)
	}
	g.busy = true
}

// next goes on to the next phase of a turn.
func (g *maneuverState) next() {
	*g = maneuverState{astern: g.astern, still: !g.busy, ahead: g.ahead, back: g.back}
}

// emergency tells whether a movement word is an emergency heading change.
func emergency(word string) bool { return word == wordSwingL || word == wordSwingR }

// HelmSet is how a ship's engines are set after a movement phase, and what it did in it.
type HelmSet struct {
	Ship    string `json:"ship"`
	Still   bool   `json:"still,omitempty"`
	Astern  bool   `json:"astern,omitempty"`
	Way     string `json:"way,omitempty"`
	WayTurn int    `json:"way_turn,omitempty"`
	Swung   int    `json:"swung,omitempty"`
	Shift   bool   `json:"shift,omitempty"` // the engines were set the other way before
}

// Type implements engine.Body.
func (*HelmSet) Type() string { return "helm" }

// Apply implements engine.Body.
func (b *HelmSet) Apply(g *engine.Game) error {
	h, err := helm(g, b.Ship)
	if err != nil {
		return err
	}
	h.Still, h.Astern, h.Way, h.WayTurn, h.Swung = b.Still, b.Astern, b.Way, b.WayTurn, b.Swung
	return nil
}

// helm is that of a ship of a game.
func helm(g *engine.Game, id string) (*Helm, error) {
	s, err := system(g, id)
	if err != nil {
		return nil, err
	}
	if !s.Has(sysHelm) {
		return nil, fmt.Errorf("%s has no helm", id)
	}
	return s.Helm(), nil
}

// onward is the movement word that keeps a ship on its way.
func onward(sys *System) string {
	if sys.Helm().Astern {
		return wordAstern
	}
	return "F"
}
