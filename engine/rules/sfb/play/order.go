package play

import (
	"cmp"
	"slices"
	"strconv"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/engine/rules/sfb/rulebook"
	"starpost/engine/rules/sfb/state"
)

// tellOrder reports the order of movement, without hidden ships.
func tellOrder(l *rulebook.Rules, t *engine.Turn) {
	order := slices.DeleteFunc(slices.Clone(memo(t).order), func(id engine.ShipID) bool {
		s, _ := t.Game.Ship(id)
		return Hidden(&l.Book, t.Game, s)
	})
	if len(order) > 1 {
		t.Emit(&state.Order{Order: order}, openly(t.Game), l.Cite(rulebook.OnOrderOfMoving)...)
	}
}

// orderOfMoving returns the order of movement: slower ships first, then higher turn modes, then by a die (ruling C4).
func orderOfMoving(l *rulebook.Rules, t *engine.Turn, ships []*engine.Ship) []engine.ShipID {
	ships = slices.DeleteFunc(slices.Clone(ships), func(s *engine.Ship) bool { return state.Of(s).Speed == 0 && l.Quanta == nil })
	before := func(a, b *engine.Ship) int { return movesBefore(l, t.Game, a.ID, b.ID) }
	slices.SortStableFunc(ships, before)
	for i := 0; i < len(ships); {
		j := i + 1
		for j < len(ships) && before(ships[i], ships[j]) == 0 {
			j++
		}
		if state.Of(ships[i]).Speed > 0 && !Hidden(&l.Book, t.Game, ships[i]) {
			throwForOrder(l, t, ships[i:j], 1)
		}
		i = j
	}
	out := make([]engine.ShipID, len(ships))
	for i, s := range ships {
		out[i] = s.ID
	}
	return out
}

// movesBefore compares ships by speed and turn mode; hidden ships come last, without dice.
func movesBefore(l *rulebook.Rules, g *engine.Game, a, b engine.ShipID) int {
	s, _ := g.Ship(a)
	o, _ := g.Ship(b)
	x, y := state.Of(s), state.Of(o)
	if g.Blind != nil { // the order of movement must not reveal turn modes
		return cmp.Compare(x.Speed, y.Speed)
	}
	return cmp.Or(cmp.Compare(rulebook.BoolInt(Hidden(&l.Book, g, s)), rulebook.BoolInt(Hidden(&l.Book, g, o))), cmp.Compare(x.Speed, y.Speed), -cmp.Compare(x.StraightAt(x.Speed), y.StraightAt(y.Speed)))
}

// throwForOrder sorts otherwise equal ships by a die each, rolling again for ties.
func throwForOrder(l *rulebook.Rules, t *engine.Turn, ships []*engine.Ship, try int) {
	if len(ships) < 2 {
		return
	}
	rolls := map[engine.ShipID]int{}
	for _, s := range ships {
		name := engine.NameRoll("order", s.ID)
		if try > 1 {
			name = name.And(strconv.Itoa(try))
		}
		rolls[s.ID] = t.Roll(name, dice.D6, openly(t.Game), l.Cite(rulebook.OnOrderOfMoving)...)
	}
	slices.SortStableFunc(ships, func(a, b *engine.Ship) int { return cmp.Compare(rolls[a.ID], rolls[b.ID]) })
	for i := 0; i < len(ships); {
		j := i + 1
		for j < len(ships) && rolls[ships[i].ID] == rolls[ships[j].ID] {
			j++
		}
		throwForOrder(l, t, ships[i:j], try+1)
		i = j
	}
}
