package fasa

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"starpost/engine"
	"starpost/engine/rules/fasa/board"
	"starpost/engine/rules/fasa/ship"
)

// crewPanels tell a captain what his crew has lost.
func crewPanels(_ *rulebook, _ *engine.View, s *engine.ShipView, sys *ship.State) []engine.Panel {
	note := "casualties " + perCent(sys.Crew().Lost) + " of the crew"
	if n := ship.ShortHanded(sys); n > 0 {
		note += fmt.Sprintf(": -%d on to-hit and repair numbers", n)
		if sys.Has("people") {
			note += fmt.Sprintf(", efficiency %d", ship.Efficiency(sys))
		}
	}
	return []engine.Panel{{Key: "crew-" + string(s.ID), Title: s.Name + ": losses", Notes: []string{note, "damage chart " + sys.Hull().Chart + sys.Design.Doubt("damage_chart")}}}
}

func helmPanels(_ *rulebook, v *engine.View, s *engine.ShipView, sys *ship.State) []engine.Panel {
	if !sys.Has(ship.NameHelm) {
		return nil
	}
	h := sys.Helm()
	p := engine.Panel{Key: "helm-" + string(s.ID), Title: s.Name + ": helm", Notes: []string{
		fmt.Sprintf("%s, safe to %d, at most %d%s", warpWord(h.Warp), h.Cruise, h.Top, cmp.Or(sys.Design.Doubt("cruise"), sys.Design.Doubt("emergency"))),
	}}
	if h.Stress != "" {
		p.Notes = append(p.Notes, "stress charts "+h.Stress+sys.Design.Doubt("stress"))
	}
	g := gearOf(h, v.Due)
	ways := []string{}
	if why, _ := g.forbids("F"); why == "" {
		ways = append(ways, wayAhead)
	}
	if why, _ := g.forbids(board.WordAstern); why == "" {
		ways = append(ways, wayAstern)
	}
	switch {
	case len(ways) == 2:
		p.Notes = append(p.Notes, "held through the last phase: may go ahead or astern in the next")
	case slices.Contains(ways, wayAstern):
		p.Notes = append(p.Notes, "engines set to go astern: hold through a whole phase to go ahead again")
	}
	return []engine.Panel{p}
}

// repairPanels tell a captain what is out of order and what a repair takes.
func repairPanels(l *rulebook, _ *engine.View, s *engine.ShipView, sys *ship.State) []engine.Panel {
	p := engine.Panel{
		Key: "repairs-" + string(s.ID), Title: s.Name + ": repairs",
		Columns: []engine.Column{{Name: "system"}, {Name: "state"}, {Name: "hits", Right: true}, {Name: "repaired at"}},
	}
	for f := range sys.Faults {
		tr := sys.Track(f.Name)
		down := sys.Down(f)
		if tr.Boxes == 0 && !down {
			continue
		}
		state, chance := "works", "-"
		if down {
			need, mods, out := sys.Need(l.Library, f)
			state, chance = "DAMAGED", l.dieWords(need)+modifierWords(mods)
			if out {
				state, chance = "OUT", "never"
			}
		}
		p.Rows = append(p.Rows, []string{f.Name, state, strconv.Itoa(tr.Boxes), chance})
	}
	if len(p.Rows) == 0 {
		p.Notes = append(p.Notes, "nothing is out of order")
	}
	return []engine.Panel{p}
}
