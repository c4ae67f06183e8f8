// Package family is what each family of rules needs again, and what it hands to the program.
//
// A [Family] is a package of rule sets that belong together: their scenarios, ship classes, campaigns and sheets. The
// program lists families and knows nothing else of them.
//
// Plain commands (house 200.0) are for captains without a map: [ConnVerb] is the order, and a rule set's [Navigator] makes
// ordinary orders of what was commanded. [Teach] puts remarks on what else may be said into the orders that a ship is
// offered first.
//
// A turn may be played in rounds: [Put], [Phases] and [Covers] deal with the sets of several; [Refuse] is for what no set can
// order.
//
// It stands over the core and below all rule sets: no family is known here by name.
package family
