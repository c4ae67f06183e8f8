package fasa

import (
	"strconv"

	"starpost/engine"
	"starpost/engine/rules/fasa/ship"
	"starpost/orders"
)

// standingHold is the standing order that keeps fire back, and its key in files.
const standingHold = "hold"

// darkPart is what captains may order and ask of their contacts, in books that can be played in the
// dark.
func darkPart() part {
	return part{
		verbs:    []verb{{section: "standing", compile: compileHold, Verb: engine.HoldVerb()}},
		params:   map[string]orders.Param{"LEVEL": engine.LevelParam()},
		subjects: contactSubjects(),
		orders:   []string{standingHold},
		standing: func(s ship.Standing) []string {
			if below := heldBelow(s); below > 0 {
				return []string{"hold fire below " + strconv.Itoa(below)}
			}
			return nil
		},
	}
}

func compileHold(c *compiler, _ int, st orders.Statement) {
	a, _ := st.Arg("LEVEL")
	if a.Text == "0" {
		a.Text = ""
	}
	c.p.standing.SetWord(standingHold, a.Text)
}

// heldBelow is the level below which a ship holds her fire, by its number; 0 for none.
func heldBelow(s ship.Standing) int {
	below, _ := strconv.Atoi(s.Word(standingHold)) // blank for none
	return below
}
