package board

import (
	"starpost/engine"
	"starpost/engine/hex"
)

// Movement words that the Advanced Course adds: one hex astern, and one hex ahead with an
// emergency turn of two sides.
const (
	WordAstern = "B"
	WordSwingL = "EL"
	WordSwingR = "ER"
)

// Movement words of a tactical heading change, which captains do not write.
const (
	WordTacticalL = "TL"
	WordTacticalR = "TR"
)

// Words of an evasive turn, with which the rules of movement are asked about it.
const (
	WordEvadeL = "VL"
	WordEvadeR = "VR"
)

// Words that stand for a ship in orders. They are resolved when the order is carried out, so
// that orders can be for ships that appear only in mid-turn.
const (
	AimNearest = "nearest"
	AimLocked  = "locked"
)

// Step carries out one movement word (stcs 3.5, ruling D16). Unknown words hold.
func Step(at engine.Place, word string) engine.Place {
	switch word {
	case "F":
		at.Hex = at.Hex.Step(at.Heading)
	case "FF":
		at.Hex = at.Hex.StepN(at.Heading, 2)
	case "FL":
		at.Hex = at.Hex.Step(at.Heading)
		at.Heading = at.Heading.Turn(-1)
	case "FR":
		at.Hex = at.Hex.Step(at.Heading)
		at.Heading = at.Heading.Turn(1)
	case WordSwingL:
		at.Hex = at.Hex.Step(at.Heading)
		at.Heading = at.Heading.Turn(-2)
	case WordSwingR:
		at.Hex = at.Hex.Step(at.Heading)
		at.Heading = at.Heading.Turn(2)
	case WordAstern:
		at.Hex = at.Hex.Step(at.Heading.Turn(3))
	case "L", WordTacticalL, WordEvadeL:
		at.Heading = at.Heading.Turn(-1)
	case "R", WordTacticalR, WordEvadeR:
		at.Heading = at.Heading.Turn(1)
	case "SL":
		at.Hex = at.Hex.Step(at.Heading.Turn(-1)).Step(at.Heading)
	case "SR":
		at.Hex = at.Hex.Step(at.Heading.Turn(1)).Step(at.Heading)
	}
	return at
}

// Way lists the hexes that a movement word enters, in order.
func Way(at engine.Place, word string) []hex.Hex {
	to := Step(at, word).Hex
	switch {
	case to == at.Hex:
		return nil
	case hex.Distance(at.Hex, to) == 1:
		return []hex.Hex{to}
	case word == "SL":
		return []hex.Hex{at.Hex.Step(at.Heading.Turn(-1)), to}
	case word == "SR":
		return []hex.Hex{at.Hex.Step(at.Heading.Turn(1)), to}
	}
	return []hex.Hex{at.Hex.Step(at.Heading), to}
}
