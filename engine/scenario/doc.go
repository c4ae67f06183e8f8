// Package scenario reads scenario files and makes games of them: the sides, ships, terrain and goals that a
// battle begins with. What is wrong in a file is told with its line and a way out.
//
// A file is read by [Parse], which knows no rule set. Dice choose places by [Scenario.Drawn], and
// [Scenario.NewGame] makes turn 0 of a game by the rule set that the file names.
package scenario
