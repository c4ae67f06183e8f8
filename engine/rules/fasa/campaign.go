package fasa

import (
	"cmp"
	"maps"
	"slices"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/engine/family"
	"starpost/engine/rules/fasa/rulebook"
	"starpost/engine/rules/fasa/ship"
)

// newRating rolls a rating: a base and three dice, whose names begin with name (stcs 12.1,
// 12.2, 12.4).
func newRating(from dice.Source, name string, base int) (rating int, rolls [3]int) {
	rating = base
	for i := range rolls {
		rolls[i] = from.Roll(name+"."+string(rune('1'+i)), dice.D10)
		rating += rolls[i]
	}
	return rating, rolls
}

// grown returns a rating with victory points added (stcs 12.8).
func grown(rating, points int) int { return min(ship.MaxRating, rating+points) }

// divided splits a ship's victory points between captain and crew: percent of them, and a
// point that cannot be split, to the captain (stcs 12.7; 50 by ruling D39).
func divided(points, percent int) (captain, crew int) {
	crew = points * (100 - percent) / 100
	return points - crew, crew
}

// equalShares splits a ship's victory points among her captain and her officers; the remainder
// goes to the captain (stcs 24.1).
func equalShares(points, officers int) (captain, each int) {
	each = points / (1 + officers)
	return points - officers*each, each
}

// learns returns the skills that a ship's officers want to improve, by post (stcs 24.2).
func learns(s *engine.Ship) map[string]string {
	var out map[string]string
	for _, skill := range ship.Of(s).Standing.List(rulebook.StandingLearn) {
		if out == nil {
			out = map[string]string{}
		}
		out[rulebook.Learner(skill)] = skill
	}
	return out
}

// Ways to share the points of a ship that several others defeated (stcs 12.6), of which a
// campaign chooses one before it begins.
const (
	shareLast = "last" // evenly, with a further share for the ship that finished her
	shareMost = "most" // two of three for the ship that did most damage, the others evenly
)

// Victory is a ship that was defeated, and what that is worth to the ships that defeated it.
type Victory struct {
	Over     engine.ShipID         `json:"over"`               // the ship's id
	How      engine.Status         `json:"how"`                // destroyed, crippled, surrendered or left: driven off
	Points   int                   `json:"points"`             // tenth of its power at the start, rounded down
	Finisher engine.ShipID         `json:"finisher,omitempty"` // the ship that struck it last; none for a ship that left
	Shares   map[engine.ShipID]int `json:"shares,omitempty"`   // by ship; empty if no enemy damaged it
}

// victories returns the victory points of a battle (stcs 12.5, 12.6, ruling D39), by the
// id of the ship that was defeated. start is the game at its set-up, end after its last
// turn, and events are all in between. The points of a ship are shared, as way says,
// among the enemies that damaged it inside. With shareLast the further share goes to the
// ship whose hit took its last superstructure or power; the remainder goes to that ship
// too, or, if there is none, to the one that did most damage. With shareMost the remainder
// goes to the ship that did most. A ship that leaves counts as driven off if it was damaged,
// unless it left over an edge that its own side was to reach.
func victories(start, end *engine.Game, events []engine.Event, way string) []Victory {
	hurts := map[engine.ShipID]*damageTally{}
	for i := range events {
		b, ok := events[i].Body.(*ship.Damage)
		if !ok || !enemies(start, b.From, b.Ship) {
			continue
		}
		h := hurts[b.Ship]
		if h == nil {
			h = &damageTally{by: map[engine.ShipID]int{}}
			hurts[b.Ship] = h
		}
		h.add(b)
	}
	var out []Victory
	for _, s := range end.Ships {
		first, ok := start.Ship(s.ID)
		if !ok || s.Status == engine.Active || s.Status == engine.Waiting || s.Status == engine.Left && reached(end, s) {
			continue
		}
		v := Victory{Over: s.ID, How: s.Status, Points: ship.Of(first).Power / 10}
		if h := hurts[s.ID]; h != nil {
			v.Shares, v.Finisher = h.shares(v.Points, s.Status == engine.Left, way)
		}
		out = append(out, v)
	}
	return out
}

// damageTally counts who damaged a ship, by how many points, and who struck it last.
type damageTally struct {
	by   map[engine.ShipID]int
	last engine.ShipID
	done bool // it had nothing left after last's hit
}

func (h *damageTally) add(b *ship.Damage) {
	h.by[b.From] += b.Points
	if h.done {
		return
	}
	h.last = b.From
	h.done = b.Superstructure != nil && b.Superstructure.After <= 0 || b.Power != nil && b.Power.After <= 0
}

// shares splits points among those who did damage. Of equals, the ship that finished the
// target counts as having done most, otherwise the first by id.
func (h *damageTally) shares(points int, left bool, way string) (shares map[engine.ShipID]int, finisher engine.ShipID) {
	if !left {
		finisher = h.last
	}
	first := func(id engine.ShipID) int {
		if id == finisher {
			return 0
		}
		return 1
	}
	ids := slices.SortedFunc(maps.Keys(h.by), func(a, b engine.ShipID) int {
		return cmp.Or(cmp.Compare(h.by[b], h.by[a]), cmp.Compare(first(a), first(b)), cmp.Compare(a, b))
	})
	// each is one ship's part of the points; rest gets the remainder.
	each, rest := points/len(ids), ids[0]
	switch {
	case way == shareMost && len(ids) > 1:
		each = points / 3 / (len(ids) - 1)
	case finisher != "":
		each, rest = points/(len(ids)+1), finisher
	}
	shares = map[engine.ShipID]int{}
	for _, id := range ids {
		shares[id] = each
	}
	shares[rest] += points - each*len(ids)
	return shares, finisher
}

// enemies reports whether two ids are ships of different sides.
func enemies(g *engine.Game, one, other engine.ShipID) bool {
	a, ok := g.Ship(one)
	b, ok2 := g.Ship(other)
	return ok && ok2 && a.Side != b.Side
}

// reached reports whether a ship left over an edge that its side was to reach.
func reached(g *engine.Game, s *engine.Ship) bool {
	return slices.ContainsFunc(g.Victory.Goals, func(goal engine.Goal) bool {
		return goal.When == engine.GoalExit && goal.Side == s.Side && slices.Contains(s.Exit, goal.Edge) &&
			(len(goal.Ships) == 0 || slices.Contains(goal.Ships, s.ID))
	})
}

// fateOf returns what becomes of a ship, by the state of the game at its end (stcs 12.9). The
// rules' page on rescues is lost; this is the project's reading. All on a destroyed ship are
// lost with it. A ship that can no longer fight, and all aboard, are saved if their side still
// has a ship in the fight at the end, or wins; otherwise they are taken, as are ships that
// surrender.
func fateOf(end *engine.Game, s *engine.Ship) family.Fate {
	switch s.Status {
	case engine.Destroyed:
		return family.FateLost
	case engine.Surrendered:
		return family.FateTaken
	case engine.Crippled:
		if !holds(end, s.Side) {
			return family.FateTaken
		}
	case engine.Active, engine.Waiting, engine.Left:
	}
	return family.FateKept
}

// holds reports whether a side holds the field: it has won, or has a ship in the fight.
func holds(end *engine.Game, side string) bool {
	if end.Result != nil && end.Result.Side == side {
		return true
	}
	return slices.ContainsFunc(end.Ships, func(s *engine.Ship) bool { return s.Side == side && s.Status == engine.Active })
}
