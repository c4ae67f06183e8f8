package fasa

import "starpost/engine"

// harms are what took superstructure, power or weapons from a ship in a phase.
type harms []engine.Ref

// harm notes what did a ship harm.
func harm(t *engine.Turn, ship string, by engine.Ref) {
	n := phaseNotes[harms](t)
	n[ship] = append(n[ship], by)
}

// trail is what last changed how things stand with ships in the turn, by ship.
type trail struct {
	shifts  map[string]engine.Ref // where she is, or who can see her
	blinded map[string]engine.Ref // that her sensors are out of order
}

// shift notes what last changed where a ship is, or who can see her.
func shift(t *engine.Turn, ship string, by engine.Ref) {
	n := turnNotes[trail](t)
	if n.shifts == nil {
		n.shifts = map[string]engine.Ref{}
	}
	n.shifts[ship] = by
}

func lastShift(t *engine.Turn, ship string) engine.Ref { return turnNotes[trail](t).shifts[ship] }

// putOut notes what put a ship's sensors out of order.
func putOut(t *engine.Turn, ship string, by engine.Ref) {
	n := turnNotes[trail](t)
	if n.blinded == nil {
		n.blinded = map[string]engine.Ref{}
	}
	n.blinded[ship] = by
}

// sightOf is why these ships see each other now or do not: what happened last to any of them.
func sightOf(t *engine.Turn, ships ...string) engine.Ref {
	var last engine.Ref
	for _, id := range ships {
		last = latest(last, append(t.Rulings(id, true), lastShift(t, id))...)
	}
	return last
}

// latest is the latest of some events.
func latest(a engine.Ref, more ...engine.Ref) engine.Ref {
	for _, b := range more {
		if b.Event > a.Event {
			a = b
		}
	}
	return a
}

// ruinOf is what a ship lost systems by in the phase that runs, and by a referee's ruling in
// the turn.
func ruinOf(t *engine.Turn, ship string) []engine.Ref {
	return append(t.Rulings(ship, false), phaseNotes[harms](t)[ship]...)
}
