package tell

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"starpost/engine"
	"starpost/engine/rules/fasa/board"
	"starpost/engine/rules/fasa/play"
	"starpost/engine/rules/fasa/rulebook"
	"starpost/engine/rules/fasa/ship"
)

// CrewPanels returns the panel of a crew's losses.
func CrewPanels(_ *rulebook.Rules, _ *engine.View, s *engine.ShipView, sys *ship.State) []engine.Panel {
	note := "casualties " + perCent(sys.Crew().Lost) + " of the crew"
	if n := ship.ShortHanded(sys); n > 0 {
		note += fmt.Sprintf(": -%d on to-hit and repair numbers", n)
		if sys.Has("people") {
			note += fmt.Sprintf(", efficiency %d", ship.Efficiency(sys))
		}
	}
	return []engine.Panel{{Key: "crew-" + string(s.ID), Posts: []string{ship.PostScience}, Title: s.Name + ": losses", Notes: []string{note, "damage chart " + sys.Hull().Chart + sys.Design.Doubt("damage_chart")}}}
}

// HelmPanels returns the panel of the helm.
func HelmPanels(_ *rulebook.Rules, v *engine.View, s *engine.ShipView, sys *ship.State) []engine.Panel {
	if !sys.Has(ship.NameHelm) {
		return nil
	}
	h := sys.Helm()
	p := engine.Panel{Key: "helm-" + string(s.ID), Posts: []string{ship.PostHelm}, Title: s.Name + ": helm", Notes: []string{
		fmt.Sprintf("%s, safe to %d, at most %d%s", play.WarpWord(h.Warp), h.Cruise, h.Top, cmp.Or(sys.Design.Doubt("cruise"), sys.Design.Doubt("emergency"))),
	}}
	if h.Stress != "" {
		p.Notes = append(p.Notes, "stress charts "+h.Stress+sys.Design.Doubt("stress"))
	}
	g := rulebook.GearOf(h, v.Due)
	ways := []string{}
	if why, _ := g.Forbids("F"); why == "" {
		ways = append(ways, rulebook.WayAhead)
	}
	if why, _ := g.Forbids(board.WordAstern); why == "" {
		ways = append(ways, rulebook.WayAstern)
	}
	switch {
	case len(ways) == 2:
		p.Notes = append(p.Notes, "held through the last phase: may go ahead or astern in the next")
	case slices.Contains(ways, rulebook.WayAstern):
		p.Notes = append(p.Notes, "engines set astern: hold through a whole phase to go ahead again")
	}
	return []engine.Panel{p}
}

// RepairPanels returns the panel of what is damaged and what a repair takes.
func RepairPanels(l *rulebook.Rules, _ *engine.View, s *engine.ShipView, sys *ship.State) []engine.Panel {
	p := engine.Panel{
		Key: "repairs-" + string(s.ID), Posts: []string{ship.PostScience}, Title: s.Name + ": repairs",
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
			state, chance = "DAMAGED", l.DieWords(need)+rulebook.ModifierWords(mods)
			if out {
				state, chance = "OUT", "never"
			}
		}
		p.Rows = append(p.Rows, []string{f.Name, state, strconv.Itoa(tr.Boxes), chance})
	}
	if len(p.Rows) == 0 {
		p.Notes = append(p.Notes, "no damage")
	}
	return []engine.Panel{p}
}

// MinePanels returns, with a captain's first ship, the panel of known mines and which of them are
// dummies, and before the first turn of the mines to lay (stcs 10.1, 10.2). All of it is from the
// captain's view, which holds no mine that the captain cannot know.
func MinePanels(_ *rulebook.Rules, v *engine.View, s *engine.ShipView, _ *ship.State) []engine.Panel {
	if s.ID != v.Viewer.Focus {
		return nil
	}
	p := engine.Panel{Key: "mines", Title: "Mines"}
	var own, foreign [2][]string // hexes of mines and of dummies
	var counters []string        // of others, not known to be mines or dummies
	for _, f := range v.Terrain {
		switch {
		case f.Gone || len(f.Hexes) == 0:
		case f.Kind == board.Minefield && f.Side == s.Side && v.Due == 1 && v.Round == 0:
			p.Notes = append(p.Notes, fmt.Sprintf("to lay in the minefield on the map: %d mines, %d dummies; use lay mines HEX... and lay dummies HEX... in your first orders; dice place the rest", f.Figure[board.FigureMines], f.Figure[board.FigureDummies]))
		case f.Kind != board.Mine:
		case f.Side == s.Side:
			own[f.Figure[board.FigureDummy]] = append(own[f.Figure[board.FigureDummy]], f.Hexes[0].Label())
		case f.Figure == nil:
			counters = append(counters, f.Hexes[0].Label())
		default:
			foreign[f.Figure[board.FigureDummy]] = append(foreign[f.Figure[board.FigureDummy]], f.Hexes[0].Label())
		}
	}
	for i, what := range []string{"mines", "dummies"} {
		p.Notes = appendHexes(p.Notes, "of your side, "+what, own[i])
	}
	for i, what := range []string{"mines", "dummies"} {
		p.Notes = appendHexes(p.Notes, "of others, "+what, foreign[i])
	}
	p.Notes = appendHexes(p.Notes, "of others, mines or dummies", counters)
	if len(p.Notes) == 0 {
		return nil
	}
	return []engine.Panel{p}
}

// appendHexes adds a line with the sorted hexes, if there are any.
func appendHexes(notes []string, what string, hexes []string) []string {
	if len(hexes) == 0 {
		return notes
	}
	slices.Sort(hexes)
	return append(notes, what+": "+strings.Join(hexes, " "))
}
