package fasa

import (
	"slices"

	"starpost/engine/rules/fasa/ship"
	"starpost/orders"
)

// What conditions may ask of a ship that a question tells of another one.
const (
	shieldOf    = "shield SHIELD of SHIP"
	powerOf     = "power of SHIP"
	structureOf = "superstructure of SHIP"
	pointsOf    = "points of SHIP"
)

// questionFor is the question that tells of another ship what a condition asks; blank for none.
func questionFor(subject string) string {
	switch subject {
	case shieldOf:
		return ship.AskShields
	case powerOf:
		return ship.AskPower
	case structureOf:
		return ship.AskStructure
	case pointsOf:
		return ship.AskPoints
	}
	return ""
}

// figureWanted is what a condition asks of another ship that takes a question.
type figureWanted struct {
	pos      orders.Pos
	question string
}

// unasked remarks on conditions that no question of the set, nor a standing one, can answer: they
// are never met. What another round's set asked, or another post's, is not known here.
func (c *compiler) unasked() {
	if !c.tell || c.post != "" || slices.Contains(c.p.unsure.phases, true) {
		return
	}
	asked := slices.Clone(c.p.standing.List("questions"))
	for _, phase := range c.p.phases {
		for _, a := range read[[]asking](phase.parts) {
			asked = append(asked, a.question)
		}
	}
	said := map[string]bool{}
	for _, f := range c.figures {
		if !said[f.question] && !slices.Contains(asked, f.question) {
			said[f.question] = true
			c.warn(f.pos, "W125", "write question "+f.question+" in a phase, with a lock", "what this condition asks of another ship only question %s tells, which this set does not put: the condition counts as not met", f.question)
		}
	}
}
