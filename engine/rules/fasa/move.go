package fasa

import (
	"starpost/engine"
)

// moveRule tells why a ship may not carry out a movement word now, with the rules
// that say so; blank when it may.
type moveRule func(l *rulebook, t *engine.Turn, s *engine.Ship, word string) (why string, rule []Topic)

// afterMove is what comes of a movement word that was carried out. The ship stands at
// the end of it already.
type afterMove func(l *rulebook, t *engine.Turn, s *engine.Ship, word string, from engine.Place)

// lesser is what is left of a movement word that cannot be carried out whole.
func lesser(w string) string {
	if w == "FF" {
		return "F"
	}
	return "H"
}
