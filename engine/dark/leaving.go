package dark

import (
	"slices"

	"starpost/engine"
	"starpost/orders"
)

// A ship in the dark may leave unseen once no enemy has found her for two whole turns, if one had
// before: else who hides would be gone (house 6.62, F15). Warp fields do not count.

// unseenTurns is for how many turns running no enemy may have had her.
const unseenTurns = 2

// LeavesUnseen is the paragraph by which ships leave so.
const LeavesUnseen = "house 6.62"

// StillFound is why a ship cannot leave unseen: the same words whatever it is.
const StillFound = "two turns have not gone by in which no enemy found her, or none had found her before"

// DisengageVerb is the order to leave unseen, for rule sets that have no order of that name.
func DisengageVerb() orders.Verb {
	return orders.Verb{
		Name: "disengage", Forms: []orders.Form{"disengage"}, Once: true, Examples: []string{"disengage"},
		Doc: "In the dark: leave the battle as the turn ends, without a word to anyone, if for two whole turns no enemy has found you, and one had before that. Warp fields do not count. The enemy gains half of what the ship is worth.",
	}
}

// Slipped tells whether a ship may leave unseen as the turn stands.
func (t *Turn) Slipped(s *engine.Ship) bool {
	if t.open() {
		return false
	}
	last, found := t.Game.Blind.Found[s.ID]
	return found && t.Number()-last >= unseenTurns && !slices.Contains(t.sighted, s.ID)
}

// sight notes that a captain, by his place among them, has found a ship of an enemy.
func (t *Turn) sight(captain int, s *engine.Ship) {
	if t.own[captain][0].Side != s.Side && !s.Small() && !slices.Contains(t.sighted, s.ID) {
		t.sighted = append(t.sighted, s.ID)
	}
}

// tellFound writes down which ships enemies have found in the turn, each once.
func (t *Turn) tellFound() {
	if all := t.sighted; len(all) > t.written {
		found := slices.Clone(all[t.written:])
		slices.Sort(found)
		t.written = len(all)
		t.Record(&Found{Ships: found}, engine.See{}, []string{LeavesUnseen})
	}
}

// Found is which ships enemies have found in the turn, as more than a warp field.
type Found struct {
	Ships []engine.ShipID `json:"ships"`
}

// Type implements Body.
func (*Found) Type() string { return "found" }

// Apply implements Body.
func (b *Found) Apply(g *engine.Game) error {
	if g.Blind == nil {
		return errNoContact
	}
	noteFound(g, b.Ships...)
	return nil
}

func noteFound(g *engine.Game, ids ...engine.ShipID) {
	if g.Blind.Found == nil {
		g.Blind.Found = map[engine.ShipID]int{}
	}
	for _, id := range ids {
		g.Blind.Found[id] = g.Turn
	}
}
