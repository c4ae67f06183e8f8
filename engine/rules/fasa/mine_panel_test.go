package fasa

import (
	"slices"
	"testing"

	"starpost/engine"
	"starpost/engine/hex"
	"starpost/engine/rules/fasa/board"
	"starpost/engine/rules/fasa/tell"
)

func TestMinePanelTellsWhatIsKnown(t *testing.T) {
	at := func(label string) []hex.Hex {
		h, err := hex.ParseLabel(label)
		if err != nil {
			t.Fatal(err)
		}
		return []hex.Hex{h}
	}
	ship := &engine.ShipView{ID: "ssrass", Side: "gorn"}
	v := &engine.View{
		Due: 1, Viewer: engine.Viewer{Focus: ship.ID},
		Terrain: []*engine.Feature{
			{ID: "field", Kind: board.Minefield, Side: "gorn", Hexes: at("1118"), Figure: map[string]int{board.FigureMines: 3, board.FigureDummies: 4}},
			{ID: "gone", Kind: board.Mine, Side: "gorn", Hexes: at("0101"), Gone: true},
			{ID: "b", Kind: board.Mine, Side: "gorn", Hexes: at("0916")},
			{ID: "a", Kind: board.Mine, Side: "gorn", Hexes: at("0815")},
			{ID: "c", Kind: board.Mine, Side: "federation", Hexes: at("1010"), Figure: map[string]int{board.FigureDummy: 1}},
			{ID: "sun", Kind: "planet", Hexes: at("0318")},
		},
	}
	tell := func(s *engine.ShipView) []string {
		var notes []string
		for _, p := range tell.MinePanels(nil, v, s, nil) {
			notes = append(notes, p.Notes...)
		}
		return notes
	}
	want := []string{
		"to lay in the minefield on the map: 3 mines, 4 dummies; use lay mines HEX... and lay dummies HEX... in your first orders; dice place the rest",
		"of your side, mines: 0815 0916",
		"of others, dummies: 1010",
	}
	if got := tell(ship); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := tell(&engine.ShipView{ID: "hissath", Side: "gorn"}); got != nil {
		t.Errorf("told twice: %q", got)
	}
	v.Due = 2
	if got := tell(ship); !slices.Equal(got, want[1:]) {
		t.Errorf("after the first turn: got %q, want %q", got, want[1:])
	}
	v.Terrain = v.Terrain[5:]
	if got := tell(ship); got != nil {
		t.Errorf("without mines: %q", got)
	}
}
