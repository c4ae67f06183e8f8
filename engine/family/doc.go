// Package family has what all families of rule sets need, and what they provide to the program.
//
// A [Family] is a package of related rule sets with their scenarios, ship classes, campaigns and sheets. The
// program lists families and knows nothing else about them.
//
// Plain commands (house 200.0) are for captains without a map: [ConnVerb] is the order for them, and a rule set's
// [Navigator] turns the commands into ordinary orders. [Teach] adds remarks on other possible orders to the first
// order set that a ship is offered.
//
// A turn may be played in rounds: [Put], [Phases] and [Covers] handle the order sets of several rounds. [Refuse]
// handles sets that cannot be checked at all.
//
// The package builds on the core. All rule sets build on it, and it knows no family by name.
package family
