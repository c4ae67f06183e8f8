package fasa

import (
	"slices"

	"starpost/engine"
	"starpost/engine/hex"
	"starpost/engine/rules/fasa/board"
	"starpost/engine/rules/fasa/cites"
	"starpost/engine/rules/fasa/ship"
)

// maneuverState is how a ship has moved in a phase so far, and what limits its next movement
// words.
type maneuverState struct {
	astern, still bool       // as the phase began; astern changes with the way
	ahead, back   bool       // moved so in this turn
	busy          bool       // something other than holding, in this phase
	forth, aft    bool       // moved ahead or astern in this phase
	turned, swung bool       // in this phase
	last          engine.Ref // the movement that came last in this phase
}

// gearOf is how the engines are set at the beginning of a movement phase.
func gearOf(h *ship.Helm, turn int) maneuverState {
	moved := ""
	if h.WayTurn == turn {
		moved = h.Way
	}
	return maneuverState{astern: h.Astern, still: h.Still, ahead: moved == wayAhead, back: moved == wayAstern}
}

// forbids tells why a movement word cannot be carried out (stcs 8.1, 8.2, rulings
// D27, D28); blank when it can.
func (g *maneuverState) forbids(word string) (why string, rule []cites.Topic) {
	switch word {
	case "H":
		return "", nil
	case board.WordEvadeL, board.WordEvadeR:
		return "", nil
	case "L", "R", board.WordTacticalL, board.WordTacticalR:
		if g.aft {
			return "there is no turn in a phase in which the ship goes astern", onReverse()
		}
		return "", nil
	case board.WordAstern:
		switch {
		case g.forth || g.ahead:
			return "the ship has gone ahead in this turn", onReverse()
		case g.turned:
			return "the ship has turned in this phase, and cannot go astern in it", onReverse()
		case !g.astern && !g.still:
			return "the ship must hold through a whole phase before it goes astern", onReverse()
		}
		return "", nil
	}
	switch {
	case g.aft || g.back:
		return "the ship has gone astern in this turn", onReverse()
	case g.astern && !g.still:
		return "the ship must hold through a whole phase before it goes ahead again", onReverse()
	case g.swung && emergency(word):
		return "there is one emergency heading change in a phase", []cites.Topic{cites.EmergencyHeadingChange}
	}
	return "", nil
}

func onReverse() []cites.Topic { return []cites.Topic{cites.ReverseMovement} }

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
	case board.WordAstern:
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

// emergency tells whether a movement word is an emergency heading change.
func emergency(word string) bool { return word == board.WordSwingL || word == board.WordSwingR }

// onward is the movement word that keeps a ship on its way.
func onward(sys *ship.State) string {
	if sys.Helm().Astern {
		return board.WordAstern
	}
	return "F"
}

// lesser is the shorter movement word for one that cannot be carried out in full.
func lesser(w string) string {
	if w == "FF" {
		return "F"
	}
	return "H"
}

// rockyHexes are the hexes with asteroids.
func rockyHexes(g *engine.Game) []hex.Hex {
	var out []hex.Hex
	for i := range g.Terrain {
		if f := &g.Terrain[i]; !f.Gone && f.Kind == board.Asteroid {
			out = append(out, f.Hexes...)
		}
	}
	return out
}

// rocksBetween counts the hexes of asteroids on the way to a hex, that hex among them.
func rocksBetween(g *engine.Game, from, to hex.Hex) int {
	in := rockyHexes(g)
	if len(in) == 0 {
		return 0
	}
	hexes := 0
	if slices.Contains(in, to) {
		hexes++
	}
	for pair := range hex.Between(from, to) {
		if slices.Contains(in, pair[0]) && slices.Contains(in, pair[1]) {
			hexes++
		}
	}
	return hexes
}
