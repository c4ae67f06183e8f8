// Package sfb is the family of rules with sheets of boxes: energy that is allotted each
// turn, impulses in which ships move one hex at a time, turn modes, weapons that are
// armed over turns and fire by chart and die, drones that fly by themselves, and damage
// that a chart allocates box by box.
//
// A rule set of the family is a [Book], a value of numbers, charts and citations (cadet.go
// is one; house.go is another, whose pool of movement energy is in pool.go). Its order language is in language.go, what a captain's orders mean in plan.go
// and energy.go, and the turn in turn.go: movement in helm.go, drones in drones.go, fire in
// fire.go, volleys in volley.go. What only some books have is a part (part.go): tractor beams in
// tractor.go, the cloak that hides a ship in hiding.go, raids and boarding in
// boarding.go, boxes mended in battle in rigging.go, the need for a bridge in helm.go, probes and
// shuttles in research.go. What viewers get is in check.go, template.go, present.go;
// what is said of each event is a row in events.go or with its part, and the longer accounts of why are in account.go.
//
// A ship is a sheet of boxes, which package sheet reads from files and allocates damage to;
// what she has beside it in battle, and the events that change it, is package state.
//
// It is not a place for hexes, dice or who may see what: those are the engine's.
//
// Invariants: a box that is lost comes back by a ruling alone; energy that is spent was
// there; sheets, places and speeds are open to all, energy is its captain's secret.
package sfb
