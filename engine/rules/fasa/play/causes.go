package play

import (
	"starpost/engine"
	"starpost/engine/ruling"
)

// Causes of events are recorded only if the turn is traced (engine.Turn.Traced).

// harms are the events that took superstructure, power or weapons from a ship in a phase.
type harms []engine.Ref

// harm records an event that did a ship harm.
func harm(t *engine.Turn, ship engine.ShipID, by engine.Ref) {
	if t.Traced() {
		n := PhaseNotes[harms](t)
		n[ship] = append(n[ship], by)
	}
}

// trail is the last change to each ship's position and sensors in the turn.
type trail struct {
	shifts  map[engine.ShipID]engine.Ref // of her place, or of who can see her
	blinded map[engine.ShipID]engine.Ref // by which her sensors went out of order
}

// Shift records the last event to change where a ship is, or who can see her.
func Shift(t *engine.Turn, ship engine.ShipID, by engine.Ref) {
	if t.Traced() {
		put(&TurnNotes[trail](t).shifts, ship, by)
	}
}

// putOut records the event that put a ship's sensors out of order.
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

// LastShift returns the turn's last event that changed where a ship is, or who can see her.
func LastShift(t *engine.Turn, ship engine.ShipID) engine.Ref {
	return TurnNotes[trail](t).shifts[ship]
}

// sightOf returns why these ships see each other or not: the last event that happened to any of them.
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

// RuinOf returns the events that cost a ship systems in the current phase, and a referee's
// rulings on her in the turn.
func RuinOf(t *engine.Turn, ship engine.ShipID) []engine.Ref {
	if !t.Traced() {
		return nil
	}
	harmed, _ := noted[harms](t, ship)
	return append(ruling.On(t, ship, false), harmed...)
}
