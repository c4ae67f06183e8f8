package verbs

import (
	"fmt"
	"strconv"

	"starpost/engine"
	"starpost/engine/dark"
	"starpost/engine/family"
	"starpost/engine/hex"
	"starpost/engine/rules/fasa/board"
	"starpost/engine/rules/fasa/rulebook"
	"starpost/engine/rules/fasa/ship"
	"starpost/orders"
)

// farthestStation is the most hexes from a ship at which a decoy may keep station.
const farthestStation = 20

// BarsOfDecoys returns why a decoy cannot be given an order, or another ship an order for decoys; "" otherwise.
func BarsOfDecoys(sys *ship.State, section string, st orders.Statement) string {
	switch decoy := sys.Has(ship.NameDecoy); {
	case decoy && (section == "power" && st.Verb == "arm" || section == "phase" && st.Verb == "fire"):
		return "a decoy has no working weapons"
	case !decoy && st.Verb == ship.Station:
		return "only decoys keep station by standing order"
	}
	return ""
}

// CompileStation reads the standing order to keep station on a ship.
func CompileStation(c *rulebook.Compiler, _ int, st orders.Statement) {
	c.Plan.Standing.SetList(ship.Station)
	if st.Form == 1 {
		return
	}
	a, _ := st.Arg("SHIP")
	away, _ := st.Arg("RANGE")
	way, _ := st.Arg("BEARING")
	id, ok := c.Target(a, false)
	if !ok {
		return
	}
	if n, _, known := c.Names.Find(string(id)); !known || n.Side != c.Side {
		c.Fail(a.Pos, "E256", "name a ship of your side", "station can be kept only on ships of your own side")
		return
	}
	if away.Num > farthestStation {
		c.Fail(away.Pos, "E263", fmt.Sprintf("at most %d", farthestStation), "a station of %d hexes is too far", away.Num)
		return
	}
	c.Plan.Standing.SetList(ship.Station, string(id), strconv.Itoa(away.Num), way.Text)
	c.Effect(st.Pos.Line, "%d hexes %s of %s, on her heading, in phases without movement orders", away.Num, way.Text, a.Text)
}

// toStation returns the movement order for keeping station; none if the standing order is not in force.
func toStation(s ship.Standing) []rulebook.MoveOrder {
	text := rulebook.StationWords(s)
	if text == nil {
		return nil
	}
	list := s.List(ship.Station)
	away, _ := strconv.Atoi(list[1]) // CompileStation wrote it
	way, _ := hex.ParseHeading(list[2])
	return []rulebook.MoveOrder{{Maneuver: board.Maneuver{Verb: ship.Station, Range: away, Side: int(way)}, Text: text[0], Target: engine.ShipID(list[0])}}
}

// Moves returns the movement orders of a phase, by its index, or those of standing orders if it has none.
func Moves(p *rulebook.Plan, n int) []rulebook.MoveOrder {
	if own := p.In(n).Moves; len(own) > 0 {
		return own
	}
	return toStation(p.Standing)
}

// DarkParams returns the parameters of orders in the dark.
func DarkParams() map[string]orders.Param {
	params := family.ConnParams()
	params["LEVEL"] = dark.LevelParam()
	return params
}

// LeaveOrder is an order to leave unseen at the end of the turn.
type LeaveOrder struct {
	Line int
	Text string
}

// CompileDisengage reads an order to leave unseen.
func CompileDisengage(c *rulebook.Compiler, _ int, st orders.Statement) {
	*ship.Edit[LeaveOrder](&c.Plan.Parts) = LeaveOrder{st.Pos.Line, orders.FormatStatement(st)}
	c.Warn(st.Pos, "W127", "leave it out to stay", "this takes the ship out of the battle at the end of the turn, if no enemy has found her for two turns")
}

// WarnOpen warns of an order for games in the dark, in a game in the open.
func WarnOpen(v *engine.View, b *orders.Block) (out []orders.Diagnostic) {
	for _, st := range engine.TurnLevelStatements(b, dark.DisengageVerb().Name) {
		if !v.Dark {
			out = append(out, orders.Diagnostic{
				Pos: st.Pos, Severity: orders.Warning, Code: "W134", Hint: "leave by warp +1, or over an edge of the map",
				Message: "in the open all ships are seen: this line is skipped",
			})
		}
	}
	return out
}

// CompileHold reads the standing order to hold fire below a level of knowledge.
func CompileHold(c *rulebook.Compiler, _ int, st orders.Statement) {
	a, _ := st.Arg("LEVEL")
	if a.Text == "0" {
		a.Text = ""
	}
	c.Plan.Standing.SetWord(ship.Hold, a.Text)
}

// HeldBelow returns the number of the level below which a ship holds her fire; 0 for none.
func HeldBelow(s ship.Standing) int {
	below, _ := strconv.Atoi(s.Word(ship.Hold)) // "" for none
	return below
}
