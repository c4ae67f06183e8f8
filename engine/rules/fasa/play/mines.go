package play

import (
	"slices"

	"starpost/engine"
	"starpost/engine/blind"
	"starpost/engine/hex"
	"starpost/engine/rules/fasa/board"
	"starpost/engine/rules/fasa/cites"
	"starpost/engine/rules/fasa/rulebook"
	"starpost/engine/rules/fasa/ship"
)

// photon is the damage of a photon torpedo, and of a mine unless the scenario says
// otherwise.
const photon = 10

// MineGround returns the terrain of minefields and mines (stcs 5.4, 10.1, ruling D35).
func MineGround() map[string]engine.Ground {
	damage := engine.Bracket{Least: 1, Most: 50, Usual: photon}
	return map[string]engine.Ground{
		board.Minefield: { // where a side lays mines and dummies before the first turn
			Hidden: true, Looks: blind.Signature{Small: true},
			Figure: map[string]engine.Bracket{board.FigureMines: {Most: 200, Usual: 5}, board.FigureDummies: {Most: 200}, board.FigureDamage: damage},
		},
		board.Mine: {
			Hidden: true, Looks: blind.Signature{Small: true},
			Facts:  map[string]string{"mass": "small", "composition": "steel", "state": "solid", "life": "none"}, // the same for a dummy
			Figure: map[string]engine.Bracket{board.FigureDummy: {Most: 1}, board.FigureDamage: damage},
		},
	}
}

// Mined applies the mines in the hexes that a movement word enters (stcs 10.2, 10.3). An
// emergency heading change, of which there is one in a phase, evades one of them.
func Mined(l *rulebook.Rules, t *engine.Turn, s *engine.Ship, word string, from engine.Place) {
	evades := rulebook.Emergency(word)
	for _, h := range board.Way(from, word) {
		for _, f := range t.Game.TerrainAt(h) {
			if f.Kind == board.Mine && f.Side != s.Side && s.Status == engine.Active {
				evades = !meet(l, t, s, *f, h, word, evades) && evades
			}
		}
	}
}

// meet applies a mine to a ship that enters its hex. A dummy is recognized and taken off the
// map; an evaded mine stays; any other goes off.
func meet(l *rulebook.Rules, t *engine.Turn, s *engine.Ship, f engine.Feature, at hex.Hex, word string, evades bool) (evaded bool) {
	b := &ship.MineMet{Ship: s.ID, Hex: at, Dummy: f.Figure[board.FigureDummy] > 0, Evaded: evades}
	rule := []cites.Topic{cites.Mines, cites.HiddenMines}
	see := l.Show(t.Game, []*engine.Ship{s}, s.ID)
	if b.Evaded = b.Evaded && !b.Dummy; b.Evaded {
		t.Because(LastShift(t, s.ID)).Emit(b, see, l.Cite(rule...)...)
		if !slices.Contains(f.Found, s.ID) {
			f.Found = append(slices.Clone(f.Found), s.ID)
			slices.Sort(f.Found)
			t.Because(t.Last()).Emit(&engine.Charted{Feature: f}, engine.See{}, l.Cite(rule...)...)
		}
		return true
	}
	if !b.Dummy {
		b.Shield, b.Damage = entering(&l.Book, word), f.Figure[board.FigureDamage]
	}
	met := t.Because(LastShift(t, s.ID)).Emit(b, see, l.Cite(rule...)...)
	f.Gone, f.Missed = true, unaware(l, t.Game, s)
	t.Because(met).Emit(&engine.Charted{Feature: f}, engine.See{}, l.Cite(rule...)...)
	if !b.Dummy {
		strikeShield(l, t, metAt(s, at, l.Ring.Side(b.Shield), "a mine", met), b.Shield, b.Damage, Hazard(t, engine.NameRoll("mine", s.ID)))
	}
	return false
}

// unaware returns the ships whose captains do not see a ship, nor what she does.
func unaware(l *rulebook.Rules, g *engine.Game, s *engine.Ship) []engine.ShipID {
	var out []engine.ShipID
	for _, o := range g.Ships {
		if !l.Aware(g, o, s) {
			out = append(out, o.ID)
		}
	}
	return out
}

// entering returns the shield that a mine strikes, by the movement word that enters its hex:
// ahead 2, astern 5; slipping to the left 1, as it comes from the right, to the right 3
// (stcs 10.3).
func entering(book *rulebook.Book, word string) int {
	switch word {
	case "SL":
		return book.Ring.Number(5)
	case "SR":
		return book.Ring.Number(1)
	}
	return leading(book, word)
}
