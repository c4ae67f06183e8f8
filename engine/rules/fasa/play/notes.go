package play

import (
	"starpost/engine"
	"starpost/engine/rules/fasa/rulebook"
	"starpost/engine/rules/fasa/ship"
)

// notes is what the phases of a turn tell each other.
type notes struct {
	plans     map[engine.ShipID]rulebook.Plan
	sets      map[engine.ShipID]*rulebook.InForce // by ship, where more of them may come in this turn
	Advantage []engine.ShipID                     // ship ids, best last
	hearing   hearing                             // how conditions take what others declare
	parts     []any                               // the notes of parts, each by its type
	phase     int                                 // that is played
	inPhaseNotes
}

// inPhaseNotes are those that are for one phase.
type inPhaseNotes struct {
	moved    map[engine.ShipID]bool // changed hex
	declared map[engine.ShipID]bool // ships on which fire is declared, and whether any of it is no beam
	now      []any                  // the notes of parts, each a map of its own
}

func Memo(t *engine.Turn) *notes {
	n, ok := t.Memo.(*notes)
	if !ok {
		n = &notes{plans: map[engine.ShipID]rulebook.Plan{}, sets: map[engine.ShipID]*rulebook.InForce{}}
		n.moved, n.declared = map[engine.ShipID]bool{}, map[engine.ShipID]bool{}
		t.Memo = n
	}
	if t.Phase.No != n.phase && t.Phase.No > 0 {
		n.phase, n.now = t.Phase.No, nil
		clear(n.moved)
		clear(n.declared)
	}
	return n
}

// TurnNotes are a part's notes on the turn.
func TurnNotes[T any](t *engine.Turn) *T { return ship.Edit[T](&Memo(t).parts) }

// noted is a part's note on a ship in the phase that is played, if it made one.
func noted[T any](t *engine.Turn, id engine.ShipID) (note T, ok bool) {
	all, _ := ship.Find[map[engine.ShipID]T](Memo(t).now)
	note, ok = all[id]
	return note, ok
}

// PhaseNotes are a part's notes on the phase that is played, by ship, to be added to.
func PhaseNotes[T any](t *engine.Turn) map[engine.ShipID]T {
	n := Memo(t)
	all, ok := ship.Find[map[engine.ShipID]T](n.now)
	if !ok {
		all = map[engine.ShipID]T{}
		n.now = append(n.now, all)
	}
	return all
}

// Spent tells whether nothing of a ship's superstructure is left.
func Spent(s *engine.Ship) bool { return ship.Of(s).Superstructure <= 0 }

// Ordered is a part's order for the whole turn, of the plan that a ship carries out.
func Ordered[T any](t *engine.Turn, s *engine.Ship) T { return ship.Read[T](Memo(t).plans[s.ID].Parts) }

// OrderedNow is a part's orders for the phase that is played.
func OrderedNow[T any](t *engine.Turn, s *engine.Ship) []T {
	p := Memo(t).plans[s.ID]
	return ship.Read[[]T](p.In(t.Phase.No - 1).Parts)
}

// hearing is how conditions take what others declare.
type hearing int
