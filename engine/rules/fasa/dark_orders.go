package fasa

import (
	"strconv"

	"starpost/engine"
	"starpost/engine/dark"
	"starpost/engine/family"
	"starpost/engine/rules/fasa/ship"
	"starpost/orders"
)

// darkPart is what captains may order and ask of their contacts, in books that can be played in the
// dark.
func darkPart() part {
	return part{
		verbs: []verb{
			{section: "standing", compile: compileHold, Verb: dark.HoldVerb()},
			{compile: compileDisengage, Verb: dark.DisengageVerb()},
			{Verb: family.ConnVerb()}, // of which a navigator makes other orders first,
		},
		params:   darkParams(),
		subjects: contactSubjects(),
		orders:   []string{ship.Hold},
		standing: func(s ship.Standing) []string {
			if below := heldBelow(s); below > 0 {
				return []string{"hold fire below " + strconv.Itoa(below)}
			}
			return nil
		},
	}
}

func darkParams() map[string]orders.Param {
	params := family.ConnParams()
	params["LEVEL"] = dark.LevelParam()
	return params
}

// leaveOrder is a captain's order to leave unseen as the turn ends.
type leaveOrder struct {
	line int
	text string
}

func compileDisengage(c *compiler, _ int, st orders.Statement) {
	*ship.Edit[leaveOrder](&c.p.parts) = leaveOrder{st.Pos.Line, orders.FormatStatement(st)}
	c.warn(st.Pos, "W127", "leave it out to stay", "this takes the ship out of the battle as the turn ends, if no enemy has found her for two turns")
}

// warnOpen remarks on an order of games in the dark in one in the open.
func warnOpen(v *engine.View, b *orders.Block) (out []orders.Diagnostic) {
	for _, st := range engine.TurnLevelStatements(b, dark.DisengageVerb().Name) {
		if !v.Dark {
			out = append(out, orders.Diagnostic{
				Pos: st.Pos, Severity: orders.Warning, Code: "W134", Hint: "leave by warp +1, or over an edge of the map",
				Message: "in the open all are seen: this is passed over",
			})
		}
	}
	return out
}

func compileHold(c *compiler, _ int, st orders.Statement) {
	a, _ := st.Arg("LEVEL")
	if a.Text == "0" {
		a.Text = ""
	}
	c.p.standing.SetWord(ship.Hold, a.Text)
}

// heldBelow is the level below which a ship holds her fire, by its number; 0 for none.
func heldBelow(s ship.Standing) int {
	below, _ := strconv.Atoi(s.Word(ship.Hold)) // blank for none
	return below
}
