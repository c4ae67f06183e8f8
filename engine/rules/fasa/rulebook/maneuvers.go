package rulebook

import (
	"slices"

	"starpost/engine"
	"starpost/engine/hex"
	"starpost/engine/rules/fasa/board"
	"starpost/engine/rules/fasa/cites"
	"starpost/engine/rules/fasa/ship"
)

// ManeuverState is how a ship has moved in a phase so far, which limits her next movement
// words.
type ManeuverState struct {
	Astern, still bool       // as the phase began; Astern changes as she moves
	ahead, back   bool       // moved that way in this turn
	Busy          bool       // something other than holding, in this phase
	Forth, Aft    bool       // moved ahead or astern in this phase
	turned, Swung bool       // in this phase
	Last          engine.Ref // the movement that came last in this phase
}

// GearOf returns how the engines are set at the beginning of a movement phase.
func GearOf(h *ship.Helm, turn int) ManeuverState {
	moved := ""
	if h.WayTurn == turn {
		moved = h.Way
	}
	return ManeuverState{Astern: h.Astern, still: h.Still, ahead: moved == WayAhead, back: moved == WayAstern}
}

// Forbids returns why a movement word cannot be carried out (stcs 8.1, 8.2, rulings
// D27, D28); "" if it can.
func (g *ManeuverState) Forbids(word string) (why string, rule []cites.Topic) {
	switch word {
	case "H":
		return "", nil
	case board.WordEvadeL, board.WordEvadeR:
		return "", nil
	case "L", "R", board.WordTacticalL, board.WordTacticalR:
		if g.Aft {
			return "there is no turn in a phase in which the ship goes astern", onReverse()
		}
		return "", nil
	case board.WordAstern:
		switch {
		case g.Forth || g.ahead:
			return "the ship has gone ahead in this turn", onReverse()
		case g.turned:
			return "the ship has turned in this phase, and cannot go astern in it", onReverse()
		case !g.Astern && !g.still:
			return "the ship must hold through a whole phase before it goes astern", onReverse()
		}
		return "", nil
	}
	switch {
	case g.Aft || g.back:
		return "the ship has gone astern in this turn", onReverse()
	case g.Astern && !g.still:
		return "the ship must hold through a whole phase before it goes ahead again", onReverse()
	case g.Swung && Emergency(word):
		return "there is one emergency heading change in a phase", []cites.Topic{cites.EmergencyHeadingChange}
	}
	return "", nil
}

func onReverse() []cites.Topic { return []cites.Topic{cites.ReverseMovement} }

// Stuck reports whether the ship can only turn on the spot now.
func (g *ManeuverState) Stuck() bool {
	why, _ := g.Forbids("F")
	return why != ""
}

// Use records a movement word that was carried out.
func (g *ManeuverState) Use(word string) {
	switch word {
	case "H":
		return
	case board.WordAstern:
		g.Astern, g.Aft, g.back = true, true, true
	case "L", "R":
		g.turned = true
	default:
		g.Astern, g.Forth, g.ahead = false, true, true
		g.turned = g.turned || word != "F" && word != "FF" && word != "SL" && word != "SR"
		g.Swung = g.Swung || Emergency(word)
	}
	g.Busy = true
}

// Emergency reports whether a movement word is an emergency heading change.
func Emergency(word string) bool { return word == board.WordSwingL || word == board.WordSwingR }

// Onward returns the movement word that keeps a ship on her way.
func Onward(sys *ship.State) string {
	if sys.Helm().Astern {
		return board.WordAstern
	}
	return "F"
}

// Lesser returns the shorter movement word in place of one that cannot be carried out in full.
func Lesser(w string) string {
	if w == "FF" {
		return "F"
	}
	return "H"
}

// RockyHexes returns the hexes with asteroids.
func RockyHexes(g *engine.Game) []hex.Hex {
	var out []hex.Hex
	for i := range g.Terrain {
		if f := &g.Terrain[i]; !f.Gone && f.Kind == board.Asteroid {
			out = append(out, f.Hexes...)
		}
	}
	return out
}

// RocksBetween counts the asteroid hexes on the way to a hex, that hex included.
func RocksBetween(g *engine.Game, from, to hex.Hex) int {
	in := RockyHexes(g)
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
