package fasa

import (
	"fmt"
	"strconv"

	"starpost/engine"
	"starpost/engine/hex"
	"starpost/engine/rules/fasa/board"
	"starpost/engine/rules/fasa/ship"
	"starpost/orders"
)

// farthestStation is how far from a ship a decoy may have her place, in hexes.
const farthestStation = 20

// decoysPart is decoys: ships without weapons that show as others do (ruling F20).
func decoysPart() part {
	return part{
		verbs: []verb{{section: "standing", compile: compileStation, Verb: orders.Verb{
			Name: ship.Station, Forms: []orders.Form{"station on SHIP RANGE BEARING", "station off"}, Once: true,
			Doc: "Of a decoy, in the dark: keep so many hexes from a ship of your side, in that direction on the map, and head as she does, in each phase without movement orders of your own. " +
				"Without `move` under `power` she takes as many movement points as that ship, as far as her power goes.",
			Examples: []string{"station on Huron 2 A", "station off"},
		}}},
		params:   map[string]orders.Param{"BEARING": {Class: orders.Choice, Choices: headings(), Doc: "a direction, A to F clockwise from the top of the map"}},
		keeps:    []ship.Share{&ship.Decoy{}},
		bars:     barsOfDecoys,
		orders:   []string{ship.Station},
		standing: func(s ship.Standing) []string { return stationWords(s) },
	}
}

// barsOfDecoys tells what a decoy cannot be ordered, and what only a decoy can.
func barsOfDecoys(sys *ship.State, section string, st orders.Statement) string {
	switch decoy := sys.Has(ship.NameDecoy); {
	case decoy && (section == "power" && st.Verb == "arm" || section == "phase" && st.Verb == "fire"):
		return "a decoy has no weapons that work"
	case !decoy && st.Verb == ship.Station:
		return "only decoys keep station by standing order"
	}
	return ""
}

func compileStation(c *compiler, _ int, st orders.Statement) {
	c.p.standing.SetList(ship.Station)
	if st.Form == 1 {
		return
	}
	a, _ := st.Arg("SHIP")
	away, _ := st.Arg("RANGE")
	way, _ := st.Arg("BEARING")
	id, ok := c.target(a, false)
	if !ok {
		return
	}
	if n, _, known := c.names.find(string(id)); !known || n.side != c.side {
		c.fail(a.Pos, "E256", "name a ship of your side", "station is kept on ships of one's own side")
		return
	}
	if away.Num > farthestStation {
		c.fail(away.Pos, "E263", fmt.Sprintf("at most %d", farthestStation), "a station of %d hexes is too far", away.Num)
		return
	}
	c.p.standing.SetList(ship.Station, string(id), strconv.Itoa(away.Num), way.Text)
	c.effect(st.Pos.Line, "%d hexes %s of %s and heading as she does, in phases without movement orders", away.Num, way.Text, a.Text)
}

// stationWords is the standing order to keep station in force, in words; nil for none.
func stationWords(s ship.Standing) []string {
	if list := s.List(ship.Station); len(list) == 3 {
		return []string{"station on " + list[0] + " " + list[1] + " " + list[2]}
	}
	return nil
}

// keepsStation tells whether a ship keeps station where nothing else is ordered.
func keepsStation(s ship.Standing) bool { return stationWords(s) != nil }

// toStation is the movement order that stands for keeping station; none if it is not in force.
func toStation(s ship.Standing) []moveOrder {
	text := stationWords(s)
	if text == nil {
		return nil
	}
	list := s.List(ship.Station)
	away, _ := strconv.Atoi(list[1]) // compileStation wrote it
	way, _ := hex.ParseHeading(list[2])
	return []moveOrder{{Maneuver: board.Maneuver{Verb: ship.Station, Range: away, Side: int(way)}, text: text[0], target: engine.ShipID(list[0])}}
}

// moves are the movement orders of a phase, by its index: without any of its own those of standing orders.
func (p *plan) moves(n int) []moveOrder {
	if own := p.in(n).moves; len(own) > 0 {
		return own
	}
	return toStation(p.standing)
}

// stations tells whether a set leaves its ship to keep station in phases without movement orders, with these standing
// orders so far.
func stations(b *orders.Block, so ship.Standing) bool {
	if b != nil {
		g, _ := b.Group("standing", 0)
		if given := g.All(ship.Station); len(given) > 0 {
			return given[0].Form == 0
		}
	}
	return keepsStation(so)
}
