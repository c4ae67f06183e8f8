// Package play carries out a turn impulse by impulse: energy, movement, drones, fire, volleys and
// damage, and what parts add to it (tractor beams, the cloak, raids and boarding, boxes mended
// in battle, probes and shuttles, battery cannon). What one impulse must tell a later one of the
// same turn stands in the notes of the turn (notes.go).
package play
