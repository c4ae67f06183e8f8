// Package scenario reads scenario files and makes games from them: the sides, ships, terrain and goals that a
// battle starts with. Mistakes in a file are reported with their line and a hint.
//
// [Parse] reads a file and needs no rule set. [Scenario.Drawn] rolls for starting places, and [Scenario.NewGame]
// makes turn 0 of a game with the rule set that the file names.
package scenario
