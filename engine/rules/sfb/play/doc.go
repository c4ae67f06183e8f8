// Package play carries out a turn impulse by impulse: energy, movement, drones, fire, volleys and damage, and the
// actions of parts (tractor beams, the cloak, raids and boarding, repairs in battle, probes and shuttles, battery
// cannon). State that later impulses of the same turn need is in the notes of the turn (notes.go).
package play
