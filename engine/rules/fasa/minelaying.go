package fasa

import (
	"slices"
	"strconv"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/engine/hex"
	"starpost/engine/rules/fasa/board"
	"starpost/engine/rules/fasa/cites"
	"starpost/engine/rules/fasa/ship"
	"starpost/engine/tactical"
)

// layMines lays the mines of all fields in the first turn: as the captains of their
// side have ordered, the rest by dice. What is laid where only that side knows, unless
// the field's counters are shown: then all see where something lies, and only that
// side which of it is live (stcs 10.1, ruling D35). Nothing about a mine but its hex
// goes into its name.
func (l *rulebook) layMines(t *engine.Turn) {
	if t.Number() != 1 {
		for _, s := range ship.Fighting(t.Game) {
			for _, o := range ordered[[]layOrder](t, s) {
				l.cannotLay(t, s, o, tooLateToLay)
			}
		}
		return
	}
	var fields []*layer
	for i := range t.Game.Terrain {
		if f := t.Game.Terrain[i]; f.Kind == board.Minefield && !f.Gone {
			fields = append(fields, l.layerOf(t.Game, f))
		}
	}
	for _, s := range ship.Fighting(t.Game) {
		for _, o := range ordered[[]layOrder](t, s) {
			for _, h := range o.hexes {
				l.layOne(t, s, fields, o, h)
			}
		}
	}
	for _, y := range fields {
		l.layRest(t, y)
	}
}

// tooLateToLay and notInField are why a mine is not laid as it was ordered.
const tooLateToLay = "mines are laid before the first turn only"

func notInField(h hex.Hex) string { return h.Label() + " is not in a minefield of your side" }

// layer is a minefield whose mines are being laid.
type layer struct {
	field engine.Feature
	left  [2]int    // mines and dummies still to be laid
	free  []hex.Hex // hexes of it without one, in order
}

func (l *rulebook) layerOf(g *engine.Game, f engine.Feature) *layer {
	y := &layer{field: f, left: [2]int{f.Figure[board.FigureMines], f.Figure[board.FigureDummies]}}
	for _, h := range f.Hexes {
		if !slices.ContainsFunc(g.TerrainAt(h), func(o *engine.Feature) bool { return o.Kind == board.Mine || l.ground[o.Kind].Closed }) {
			y.free = append(y.free, h)
		}
	}
	slices.SortFunc(y.free, hex.Compare)
	return y
}

// hasMine tells whether a mine or a dummy lies in a hex.
func hasMine(g *engine.Game, h hex.Hex) bool {
	return slices.ContainsFunc(g.TerrainAt(h), func(o *engine.Feature) bool { return o.Kind == board.Mine })
}

// layOne lays one mine as ordered, in the first field of the ship's side that has the
// hex free and one of the kind left.
func (l *rulebook) layOne(t *engine.Turn, s *engine.Ship, fields []*layer, o layOrder, h hex.Hex) {
	why := notInField(h)
	for _, y := range fields {
		if y.field.Side != s.Side || !slices.Contains(y.field.Hexes, h) {
			continue
		}
		switch {
		case !slices.Contains(y.free, h) || hasMine(t.Game, h):
			why = h.Label() + " cannot take one more"
		case y.left[boolInt(o.dummy)] == 0:
			why = "there are no more of them"
		default:
			t.Because(t.Ordered(s.ID, o.line, o.text))
			l.lay(t, y, h, o.dummy)
			return
		}
	}
	l.cannotLay(t, s, o, why)
}

func (l *rulebook) cannotLay(t *engine.Turn, s *engine.Ship, o layOrder, why string) {
	l.skip(t, s, ship.PostHelm, o.line, o.text, why, cites.MineLaying)
}

// layRest lays by dice what is left of a field, and takes the field itself off the map.
func (l *rulebook) layRest(t *engine.Turn, y *layer) {
	var side []engine.ShipID
	for _, s := range t.Game.Ships {
		if s.Side == y.field.Side {
			side = append(side, s.ID)
		}
	}
	y.free = slices.DeleteFunc(y.free, func(h hex.Hex) bool { return hasMine(t.Game, h) }) // of another field
	for n := 1; tactical.Sum(y.left[:]) > 0 && len(y.free) > 0; n++ {
		roll := t.Roll(engine.NameRoll("lay").And(y.field.ID, strconv.Itoa(n)), dice.D100, engine.SeeOnly(side...), l.cite(cites.MineLaying, cites.HiddenMines)...)
		l.lay(t, y, y.free[(roll-1)*len(y.free)/100], y.left[0] == 0)
	}
	gone := y.field
	gone.Gone = true
	t.Emit(&engine.Charted{Feature: gone}, engine.See{}, l.cite(cites.MineLaying, cites.HiddenMines)...)
}

// lay puts one mine of a field into a hex.
func (l *rulebook) lay(t *engine.Turn, y *layer, h hex.Hex, dummy bool) {
	f := engine.Feature{
		ID: board.Mine + "-" + h.Label(), Kind: board.Mine, Hexes: []hex.Hex{h}, Side: y.field.Side, Hidden: true, Shown: y.field.Shown,
		Figure: map[string]int{board.FigureDummy: boolInt(dummy), board.FigureDamage: y.field.Figure[board.FigureDamage]},
	}
	t.Emit(&engine.Charted{Feature: f}, engine.See{}, l.cite(cites.MineLaying, cites.HiddenMines)...)
	y.left[boolInt(dummy)]--
	y.free = slices.DeleteFunc(y.free, func(o hex.Hex) bool { return o == h })
}
