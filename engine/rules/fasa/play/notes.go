package play

import (
	"slices"
	"strconv"

	"starpost/engine"
	"starpost/engine/rules/fasa/rulebook"
	"starpost/engine/rules/fasa/ship"
)

// Notes is what the phases of a turn tell each other.
type Notes struct {
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

// Memo is the notes of a turn. Notes of a phase are cleared when the next phase begins.
func Memo(t *engine.Turn) *Notes {
	n, ok := t.Memo.(*Notes)
	if !ok {
		n = &Notes{plans: map[engine.ShipID]rulebook.Plan{}, sets: map[engine.ShipID]*rulebook.InForce{}}
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

// movers are the ships in the fight in the order in which they move.
func movers(t *engine.Turn) []*engine.Ship {
	n := Memo(t)
	ships := ship.Fighting(t.Game)
	rank := map[engine.ShipID]int{}
	for i, id := range n.Advantage {
		rank[id] = 2 * i
	}
	for _, s := range ships { // who keeps station goes after the ship on which she does
		if list := ship.Of(s).Standing.List(ship.Station); len(list) > 0 {
			rank[s.ID] = rank[engine.ShipID(list[0])] + 1
		}
	}
	slices.SortStableFunc(ships, func(a, b *engine.Ship) int {
		if pa, pb := ship.Of(a).Alloc.Points, ship.Of(b).Alloc.Points; pa != pb {
			return pb - pa
		}
		return rank[a.ID] - rank[b.ID]
	})
	return ships
}

const (
	asDeclared hearing = iota // as it is so far
	asIfNone                  // as if nothing were declared
	asIfOpen                  // what is not declared so far may still be
)

// Hazard names the roll for what happens to a ship on its way. In a phase that may be more
// than once: the first has the name itself, the others a number too.
func Hazard(l *rulebook.Rules, t *engine.Turn, name engine.RollName) engine.RollName {
	n, full := TurnNotes[befallen](t), t.RollName(name)
	if *n == nil {
		*n = befallen{}
	}
	if (*n)[full]++; (*n)[full] > 1 {
		return name.And(strconv.Itoa((*n)[full]))
	}
	return name
}

// befallen is how often something has happened to a ship in a phase, by the whole name of the roll.
type befallen map[engine.RollName]int
