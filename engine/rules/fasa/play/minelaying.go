package play

import (
	"slices"
	"strconv"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/engine/hex"
	"starpost/engine/rules/fasa/board"
	"starpost/engine/rules/fasa/cites"
	"starpost/engine/rules/fasa/rulebook"
	"starpost/engine/rules/fasa/ship"
	"starpost/engine/rules/fasa/verbs"
	"starpost/engine/tactical"
)

// LayMines lays the mines of all fields in the first turn: as captains of their side ordered,
// the rest by dice. Only that side knows what lies where, unless the field's counters are
// shown: then all see where something lies, and only that side which of it is live
// (stcs 10.1, ruling D35). The name of a mine holds only its hex.
func LayMines(l *rulebook.Rules, t *engine.Turn) {
	if t.Number() != 1 {
		for _, s := range ship.Fighting(t.Game) {
			for _, o := range Ordered[[]verbs.LayOrder](t, s) {
				cannotLay(l, t, s, o, TooLateToLay)
			}
		}
		return
	}
	var fields []*layer
	for i := range t.Game.Terrain {
		if f := t.Game.Terrain[i]; f.Kind == board.Minefield && !f.Gone {
			fields = append(fields, layerOf(l, t.Game, f))
		}
	}
	for _, s := range ship.Fighting(t.Game) {
		for _, o := range Ordered[[]verbs.LayOrder](t, s) {
			for _, h := range o.Hexes {
				layOne(l, t, s, fields, o, h)
			}
		}
	}
	for _, y := range fields {
		layRest(l, t, y)
	}
}

// TooLateToLay is why a mine is not laid after the first turn.
const TooLateToLay = "mines are laid before the first turn only"

// NotInField returns why a mine is not laid in a hex.
func NotInField(h hex.Hex) string { return h.Label() + " is not in a minefield of your side" }

// layer is a minefield whose mines are being laid.
type layer struct {
	field engine.Feature
	left  [2]int    // mines and dummies still to be laid
	free  []hex.Hex // its hexes without a mine or dummy, in order
}

func layerOf(l *rulebook.Rules, g *engine.Game, f engine.Feature) *layer {
	y := &layer{field: f, left: [2]int{f.Figure[board.FigureMines], f.Figure[board.FigureDummies]}}
	for _, h := range f.Hexes {
		if !slices.ContainsFunc(g.TerrainAt(h), func(o *engine.Feature) bool { return o.Kind == board.Mine || l.Ground[o.Kind].Closed }) {
			y.free = append(y.free, h)
		}
	}
	slices.SortFunc(y.free, hex.Compare)
	return y
}

// hasMine reports whether a mine or a dummy lies in a hex.
func hasMine(g *engine.Game, h hex.Hex) bool {
	return slices.ContainsFunc(g.TerrainAt(h), func(o *engine.Feature) bool { return o.Kind == board.Mine })
}

// layOne lays one mine as ordered, in the first field of the ship's side that has the hex
// free and one of its kind left.
func layOne(l *rulebook.Rules, t *engine.Turn, s *engine.Ship, fields []*layer, o verbs.LayOrder, h hex.Hex) {
	why := NotInField(h)
	for _, y := range fields {
		if y.field.Side != s.Side || !slices.Contains(y.field.Hexes, h) {
			continue
		}
		switch {
		case !slices.Contains(y.free, h) || hasMine(t.Game, h):
			why = h.Label() + " cannot take one more"
		case y.left[BoolInt(o.Dummy)] == 0:
			why = "there are no more of them"
		default:
			t.Because(t.Ordered(s.ID, o.Line, o.Text))
			lay(l, t, y, h, o.Dummy)
			return
		}
	}
	cannotLay(l, t, s, o, why)
}

func cannotLay(l *rulebook.Rules, t *engine.Turn, s *engine.Ship, o verbs.LayOrder, why string) {
	Skip(l, t, s, ship.PostHelm, o.Line, o.Text, why, cites.MineLaying)
}

// layRest lays the remaining mines of a field by dice, and takes the field itself off the map.
func layRest(l *rulebook.Rules, t *engine.Turn, y *layer) {
	var side []engine.ShipID
	for _, s := range t.Game.Ships {
		if s.Side == y.field.Side {
			side = append(side, s.ID)
		}
	}
	y.free = slices.DeleteFunc(y.free, func(h hex.Hex) bool { return hasMine(t.Game, h) }) // of another field
	for n := 1; tactical.Sum(y.left[:]) > 0 && len(y.free) > 0; n++ {
		roll := t.Roll(engine.NameRoll("lay").And(y.field.ID, strconv.Itoa(n)), dice.D100, engine.SeeOnly(side...), l.Cite(cites.MineLaying, cites.HiddenMines)...)
		lay(l, t, y, y.free[(roll-1)*len(y.free)/100], y.left[0] == 0)
	}
	gone := y.field
	gone.Gone = true
	t.Emit(&engine.Charted{Feature: gone}, engine.See{}, l.Cite(cites.MineLaying, cites.HiddenMines)...)
}

// lay puts one mine of a field into a hex.
func lay(l *rulebook.Rules, t *engine.Turn, y *layer, h hex.Hex, dummy bool) {
	f := engine.Feature{
		ID: board.Mine + "-" + h.Label(), Kind: board.Mine, Hexes: []hex.Hex{h}, Side: y.field.Side, Hidden: true, Shown: y.field.Shown,
		Figure: map[string]int{board.FigureDummy: BoolInt(dummy), board.FigureDamage: y.field.Figure[board.FigureDamage]},
	}
	t.Emit(&engine.Charted{Feature: f}, engine.See{}, l.Cite(cites.MineLaying, cites.HiddenMines)...)
	y.left[BoolInt(dummy)]--
	y.free = slices.DeleteFunc(y.free, func(o hex.Hex) bool { return o == h })
}
