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

// Turn is a turn with the results of its looks; in a game in the open it is only the turn.
type Turn struct {
	*engine.Turn

	captains  []engine.Captain
	observers []Observer               // by captain, at any moment of the turn
	own       [][]*engine.Ship         // by captain
	eyes      [][]*engine.Ship         // by captain: those, and the small craft that the captain sees through
	ships     int                      // number of the game's ships when eyes was made
	watches   []blind.Watch            // by captain, of the current phase
	near      map[[2]engine.ShipID]int // by ship and what it detects: the nearest distance at the end of looks in the turn
	waiting   []telling                // until TellWaiting
	found     []blind.Fix              // by the last look
	coded     []codedTalk              // talk in code in the turn
	sighted   []engine.ShipID          // ships that enemies found in the turn, as more than a field
	written   int                      // how many of those have been recorded
	echoed    bool                     // the echoes of the turn have been rolled
	passages  []blind.Passage          // what will be passed on when the next round begins
	charts    []*chart                 // by captain; nil if the chart is known
}

// In returns a turn's Turn for the rules of the dark.
func In(t *engine.Turn) *Turn {
	if dark, ok := t.Extension().(*Turn); ok {
		return dark
	}
	return &Turn{Turn: t}
}

// open reports whether the game is in the open.
func (t *Turn) open() bool { return t.Game.Blind == nil }

// begin starts the dark's part of a turn.
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

// launched updates what each captain sees through, after small craft were launched.
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

// Look lets all captains look at a ship that has moved, in the middle of a phase, and her own captain at all
// others. It does nothing in a game in the open.
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

// look lets a captain look at some ships; captain is an index of t.captains.
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

// LookRound ends the looks of a phase: each captain is told once where each contact is. Moves says that it was a
// phase in which ships move: then contacts that no look found are lost, and the warp fields of ships that did not
// move are gone. It does nothing in a game in the open.
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
			if s, ok := t.Game.Ship(ch.Contact.Ship); ch.Quiet || ch.Faded && ok && s.Small() { // drones come and go: do not report lost ones
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

// inOrder returns a function that sorts what a captain finds for numbering; captain is an index of t.captains.
func (t *Turn) inOrder(captain int) func([]blind.Fix) {
	return numbering(t.Game, t.eyes[captain], t.Dice(), t.Number())
}

// numbering returns a function that sorts what ships find for numbering: by the distance of its place from those
// ships and, where that is equal, by special dice, so that the order reveals neither who it is nor who moved first.
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
		if source == nil { // a set-up without the game's secret, which is only for looking at
			return dice.Words(g.ID, turn, string(id), name)
		}
		return fmt.Sprintf("%03d.%03d.%03d", source.Roll(name+".1", dice.D100), source.Roll(name+".2", dice.D100), source.Roll(name+".3", dice.D100))
	}
	return func(found []blind.Fix) { blind.InOrder(found, away, key) }
}

// newNumber returns the number that a captain will have for something found in the phase. It is blank while ships
// still move in it, because all new contacts are numbered together; they are numbered at the latest when they are
// fired at.
func (t *Turn) newNumber(captain int, id engine.ShipID) engine.ShipID {
	log, w := t.Game.Blind.Log(t.captains[captain].Name), &t.watches[captain]
	if t.Phase.Step == stepFire {
		w.Give(log, t.inOrder(captain))
	}
	return w.Number(log, id)
}

// stepFire is the step of phases in which ships fire, after the moves of the phase or impulse.
const stepFire = "fire"

// sight notes that a captain has found an enemy ship; captain is an index of t.captains.
func (t *Turn) sight(captain int, s *engine.Ship) {
	if t.own[captain][0].Side != s.Side && !s.Small() && !slices.Contains(t.sighted, s.ID) {
		t.sighted = append(t.sighted, s.ID)
	}
}

// tellFound records which ships enemies have found in the turn, each once.
func (t *Turn) tellFound() {
	if all := t.sighted; len(all) > t.written {
		found := slices.Clone(all[t.written:])
		slices.Sort(found)
		t.written = len(all)
		t.Record(&Found{Ships: found}, engine.See{}, []string{LeavesUnseen})
	}
}

// Found lists ships that enemies have found in the turn, as more than a warp field.
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
