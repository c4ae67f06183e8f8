package play

import (
	"starpost/engine"
	"starpost/engine/ruling"
)

// What an event follows from is noted here only where causes are recorded (engine.Turn.Traced).

// harms are what took superstructure, power or weapons from a ship in a phase.
type harms []engine.Ref

// harm notes what did a ship harm.
func harm(t *engine.Turn, ship engine.ShipID, by engine.Ref) {
	if t.Traced() {
		n := PhaseNotes[harms](t)
		n[ship] = append(n[ship], by)
	}
}

// trail is what last changed how things stand with ships in the turn, by ship.
type trail struct {
	shifts  map[engine.ShipID]engine.Ref // where she is, or who can see her
	blinded map[engine.ShipID]engine.Ref // that her sensors are out of order
}

// Shift notes what last changed where a ship is, or who can see her.
func Shift(t *engine.Turn, ship engine.ShipID, by engine.Ref) {
	if t.Traced() {
		put(&TurnNotes[trail](t).shifts, ship, by)
	}
}

// putOut notes what put a ship's sensors out of order.
func putOut(t *engine.Turn, ship engine.ShipID, by engine.Ref) {
	if t.Traced() {
		put(&TurnNotes[trail](t).blinded, ship, by)
	}
}

func put(notes *map[engine.ShipID]engine.Ref, ship engine.ShipID, by engine.Ref) {
	if *notes == nil {
		*notes = map[engine.ShipID]engine.Ref{}
	}
	(*notes)[ship] = by
}

// LastShift is the event of the turn by which a ship last came to stand where she does, or to be seen by whom she is.
func LastShift(t *engine.Turn, ship engine.ShipID) engine.Ref {
	return TurnNotes[trail](t).shifts[ship]
}

// sightOf is why these ships see each other now or do not: what happened last to any of them.
func sightOf(t *engine.Turn, ships ...engine.ShipID) (last engine.Ref) {
	if !t.Traced() {
		return last
	}
	for _, id := range ships {
		for _, by := range append(ruling.On(t, id, true), LastShift(t, id)) {
			if by.Event > last.Event {
				last = by
			}
		}
	}
	return last
}

// RuinOf is what a ship lost systems by in the phase that runs, and by a referee's ruling in
// the turn.
func RuinOf(t *engine.Turn, ship engine.ShipID) []engine.Ref {
	if !t.Traced() {
		return nil
	}
	harmed, _ := noted[harms](t, ship)
	return append(ruling.On(t, ship, false), harmed...)
}
