package fasa

import (
	"fmt"
	"slices"
	"strings"

	"starpost/engine"
	"starpost/engine/rules/fasa/board"
	"starpost/engine/rules/fasa/ship"
)

// minePanels tell a captain, at his first ship, which mines he knows of and which of
// them are dummies, and before the first turn what he has to lay (stcs 10.1, 10.2).
// All of it is of his view, which holds no mine that he cannot know.
func minePanels(_ *rulebook, v *engine.View, s *engine.ShipView, _ *ship.State) []engine.Panel {
	if s.ID != v.Viewer.Focus {
		return nil
	}
	p := engine.Panel{Key: "mines", Title: "Mines"}
	var own, foreign [2][]string // hexes of mines and of dummies
	var counters []string        // of others, of which it is not known what they are
	for _, f := range v.Terrain {
		switch {
		case f.Gone || len(f.Hexes) == 0:
		case f.Kind == board.Minefield && f.Side == s.Side && v.Due == 1 && v.Round == 0:
			p.Notes = append(p.Notes, fmt.Sprintf("to be laid in the minefield on the map: %d mines, %d dummies; write lay mines HEX... and lay dummies HEX... with the first orders; what nobody lays is laid by dice", f.Figure[board.FigureMines], f.Figure[board.FigureDummies]))
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
	p.Notes = appendHexes(p.Notes, "of others, counters that are mines or dummies", counters)
	if len(p.Notes) == 0 {
		return nil
	}
	return []engine.Panel{p}
}

// appendHexes adds a line with hexes in their order, if there are any.
func appendHexes(notes []string, what string, hexes []string) []string {
	if len(hexes) == 0 {
		return notes
	}
	slices.Sort(hexes)
	return append(notes, what+": "+strings.Join(hexes, " "))
}
