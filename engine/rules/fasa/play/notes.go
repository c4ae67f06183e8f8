package play

import (
	"slices"
	"strconv"

	"starpost/engine"
	"starpost/engine/family"
	"starpost/engine/rules/fasa/rulebook"
	"starpost/engine/rules/fasa/ship"
)

// Notes is what the phases of a turn pass on to each other.
type Notes struct {
	plans     map[engine.ShipID]rulebook.Plan
	sets      map[engine.ShipID]*rulebook.InForce // by ship, where further sets may come in this turn
	Advantage []engine.ShipID                     // ship ids, best last
	hearing   hearing                             // how conditions treat others' declarations
	parts     []any                               // the notes of parts, each by its type
	phase     int                                 // the current phase
	inPhaseNotes
}

// inPhaseNotes are the notes for one phase.
type inPhaseNotes struct {
	moved    map[engine.ShipID]bool // changed hex
	declared map[engine.ShipID]bool // ships on which fire is declared, and whether any of it can be evaded
	now      []any                  // the notes of parts, each a map by ship
}

// Memo returns the notes of a turn. It clears notes of a phase when the next phase begins.
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

// TurnNotes returns a part's notes on the turn.
func TurnNotes[T any](t *engine.Turn) *T { return ship.Edit[T](&Memo(t).parts) }

// noted returns a part's note on a ship in the current phase, if there is one.
func noted[T any](t *engine.Turn, id engine.ShipID) (note T, ok bool) {
	all, _ := family.Find[map[engine.ShipID]T](Memo(t).now)
	note, ok = all[id]
	return note, ok
}

// PhaseNotes returns a part's notes on the current phase, by ship, to be added to.
func PhaseNotes[T any](t *engine.Turn) map[engine.ShipID]T {
	n := Memo(t)
	all, ok := family.Find[map[engine.ShipID]T](n.now)
	if !ok {
		all = map[engine.ShipID]T{}
		n.now = append(n.now, all)
	}
	return all
}

// Spent reports whether a ship has no superstructure left.
func Spent(s *engine.Ship) bool { return ship.Of(s).Superstructure <= 0 }

// Ordered returns a part's order for the whole turn from a ship's plan.
func Ordered[T any](t *engine.Turn, s *engine.Ship) T { return ship.Read[T](Memo(t).plans[s.ID].Parts) }

// OrderedNow returns a part's orders for the current phase from a ship's plan.
func OrderedNow[T any](t *engine.Turn, s *engine.Ship) []T {
	p := Memo(t).plans[s.ID]
	return ship.Read[[]T](p.In(t.Phase.No - 1).Parts)
}

// hearing is how conditions treat others' declarations of fire.
type hearing int

// movers returns the ships in the fight in the order in which they move.
func movers(t *engine.Turn) []*engine.Ship {
	n := Memo(t)
	ships := ship.Fighting(t.Game)
	rank := map[engine.ShipID]int{}
	for i, id := range n.Advantage {
		rank[id] = 2 * i
	}
	for _, s := range ships { // a ship keeping station moves after the ship she follows
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
	asDeclared hearing = iota // as declared so far
	asIfNone                  // as if nothing were declared
	asIfOpen                  // as if more might still be declared
)

// Hazard returns the name of a roll for something that happens to a ship on her way. If it happens
// more than once in a phase, the first roll has the plain name, and the others add a number.
func Hazard(t *engine.Turn, name engine.RollName) engine.RollName {
	n, full := TurnNotes[befallen](t), t.RollName(name)
	if *n == nil {
		*n = befallen{}
	}
	if (*n)[full]++; (*n)[full] > 1 {
		return name.And(strconv.Itoa((*n)[full]))
	}
	return name
}

// befallen counts how often something has happened to a ship in a phase, by the full name of the roll.
type befallen map[engine.RollName]int
