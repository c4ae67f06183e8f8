package dark

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"starpost/engine"
	"starpost/engine/blind"
	"starpost/engine/dice"
	"starpost/engine/hex"
)

// Turn is a turn with what its looks have found, or in a game in the open a turn alone.
type Turn struct {
	*engine.Turn

	captains  []engine.Captain
	observers []Observer               // by captain, as they are at any moment
	own       [][]*engine.Ship         // by captain
	eyes      [][]*engine.Ship         // by captain: those, and the small craft by which he sees
	ships     int                      // that the game had when eyes were looked up
	watches   []blind.Watch            // by captain, of the phase that is played
	near      map[[2]engine.ShipID]int // by ship and what it detects: how near that came in the turn, as looks ended
	waiting   []telling                // until TellWaiting
	found     []blind.Fix              // by the last look
	coded     []codedTalk              // what was said in code in the turn
	sighted   []engine.ShipID          // ships that enemies found in the turn, as more than a field
	written   int                      // how many of those are written down
	echoed    bool                     // the echoes of the turn are thrown
	passages  []blind.Passage          // what will be passed on as the next round begins
	charts    []*chart                 // by captain; nil where the chart is known
}

// In is a turn as the rules of the dark have it.
func In(t *engine.Turn) *Turn {
	if dark, ok := t.Extension().(*Turn); ok {
		return dark
	}
	return &Turn{Turn: t}
}

// open tells of a turn of a game in the open.
func (t *Turn) open() bool { return t.Game.Blind == nil }

// begin has captains look at a turn.
func begin(turn *engine.Turn) *Turn {
	g := turn.Game
	t := &Turn{Turn: turn, captains: commanders(g)}
	for i, c := range t.captains {
		own := shipsOf(g, c.Ships)
		t.own = append(t.own, own)
		t.observers = append(t.observers, Observer{Captain: c.Name, rules: t.Rules, game: g, own: own, turn: t, place: i})
	}
	t.eyes = slices.Clone(t.own)
	t.watches, t.near = make([]blind.Watch, len(t.captains)), map[[2]engine.ShipID]int{}
	t.charts = make([]*chart, len(t.captains))
	if g.Blind.Uncharted() {
		for i, c := range t.captains {
			t.charts[i] = chartOf(g.Blind.Log(c.Name))
		}
	}
	t.launched()
	return t
}

// launched looks up by what each captain sees, after small craft were launched.
func (t *Turn) launched() {
	if t.ships == len(t.Game.Ships) {
		return
	}
	t.ships = len(t.Game.Ships)
	for i := range t.captains {
		t.eyes[i] = eyesOf(t.Game, t.captains[i].Name)
		t.observers[i].own = t.eyes[i]
	}
}

// Look is a look of all captains in the middle of a phase at a ship that has moved, and of
// its own at all others. It does nothing in a game in the open.
func (t *Turn) Look(mover *engine.Ship) {
	if t.open() {
		return
	}
	one := []*engine.Ship{mover}
	for i := range t.captains {
		c := &t.captains[i]
		if c.Name == commanderOf(t.Game, mover) {
			t.survey(i, mover)
		}
		if c.Name == mover.Captain || mover.Scouts() && c.Name == commanderOf(t.Game, mover) {
			t.look(i, t.Game.Ships)
		} else {
			t.look(i, one)
		}
	}
}

// look is a look of a captain, by his place among them, at some ships.
func (t *Turn) look(captain int, at []*engine.Ship) {
	name := t.captains[captain].Name
	found := t.found[:0]
	for _, s := range at {
		if commanderOf(t.Game, s) == name {
			continue
		}
		if f, ok := fixOf(t.Rules, t.Game, t.eyes[captain], s); ok {
			found = append(found, f)
			if f.Level >= blind.Presence {
				t.sight(captain, s)
			}
		}
	}
	t.watches[captain].Look(found)
	t.found = found
}

// LookRound ends the looks of a phase: each captain is told once where each of his contacts
// is. Moves tells that ships have moved in it: what no look had is lost then, and the warp
// fields of ships that did not move are gone. It does nothing in a game in the open.
func (t *Turn) LookRound(moves bool) {
	if t.open() {
		return
	}
	if moves {
		t.Record(&Wake{Ships: slices.Clone(t.Game.Blind.Moved)}, engine.See{}, []string{"house 9.75"})
	}
	t.measure()
	now := blind.When{Turn: t.Number(), Phase: t.Phase.No}
	rough := roughly(t.Rules, t.Game)
	rule := []string{"house 9.71", "D52"}
	throws := moves && !t.echoed
	t.echoed = t.echoed || moves
	for i := range t.captains {
		c := &t.captains[i]
		t.look(i, t.Game.Ships)
		log := t.Game.Blind.Log(c.Name)
		echoes := t.echoes(i, log)
		if throws {
			echoes = append(echoes, t.throwEchoes(i)...)
		}
		t.watches[i].Look(echoes)
		t.watches[i].Measure(rough)
		t.watches[i].Give(log, t.inOrder(i))
		for _, ch := range t.watches[i].Changes(log, now, moves) {
			if !moves && !ch.New && !ch.More && !ch.Less {
				continue
			}
			see := engine.SeeAmong(c.Ships...)
			if s, ok := t.Game.Ship(ch.Contact.Ship); ch.Quiet || ch.Faded && ok && s.Small() { // drones come and go
				see = engine.See{}
			}
			b := contactOf(c.Ships[0], ch)
			b.Again = b.New && ch.Contact.Named && log.Remembered(ch.Contact.Ship) != nil
			t.Record(b, see, rule)
		}
		t.watches[i].Clear()
		t.survey(i, t.eyes[i]...)
		t.tellChart(i)
	}
	t.tellFound()
}

// inOrder sorts what a captain, by his place among them, finds as it is numbered.
func (t *Turn) inOrder(captain int) func([]blind.Fix) {
	return numbering(t.Game, t.eyes[captain], t.Dice(), t.Number())
}

// numbering sorts what ships find as it is numbered: by the places that are told, as far as they are now from those
// ships, and what cannot be told apart by dice of its own, so that the order tells neither who it is nor who moved first.
func numbering(g *engine.Game, eyes []*engine.Ship, source dice.Source, turn int) func([]blind.Fix) {
	away := func(at hex.Hex) int {
		best := math.MaxInt
		for _, s := range eyes {
			if s.OnMap() {
				best = min(best, hex.Distance(s.Hex, at))
			}
		}
		return best
	}
	key := func(id engine.ShipID) string {
		name := engine.NameRoll("t"+strconv.Itoa(turn)+".contact", id).String()
		if source == nil { // a set-up without the game's secret, which is only looked at
			return dice.Words(g.ID, turn, string(id), name)
		}
		return fmt.Sprintf("%03d.%03d.%03d", source.Roll(name+".1", dice.D100), source.Roll(name+".2", dice.D100), source.Roll(name+".3", dice.D100))
	}
	return func(found []blind.Fix) { blind.InOrder(found, away, key) }
}

// newNumber is the number under which a captain will have what he has found in the phase; blank while ships still
// move in it, for all that is new is numbered together, and where it is shot at at the latest.
func (t *Turn) newNumber(captain int, id engine.ShipID) engine.ShipID {
	log, w := t.Game.Blind.Log(t.captains[captain].Name), &t.watches[captain]
	if t.Phase.Step == stepFire {
		w.Give(log, t.inOrder(captain))
	}
	return w.Number(log, id)
}

// stepFire is the step of phases in which ships fire, when those of the phase or impulse have moved.
const stepFire = "fire"

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
