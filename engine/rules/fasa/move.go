package fasa

import (
	"starpost/engine"
)

// moveRule tells why a ship may not carry out a movement word now, with the rules
// that say so; blank when it may.
type moveRule func(l *rulebook, t *engine.Turn, s *engine.Ship, word string) (why string, rule []Topic)

// afterMove is what follows a movement word that was carried out. The ship is at the end
// of it already.
type afterMove func(l *rulebook, t *engine.Turn, s *engine.Ship, word string, from engine.Place)

// lesser is the shorter movement word for one that cannot be carried out in full.
func lesser(w string) string {
	if w == "FF" {
		return "F"
	}
	return "H"
}
