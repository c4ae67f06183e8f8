// Package fasatest examines resolved turns of the tactical courses by laws of their
// rules: what every battle must keep to, whoever plays it and whatever is ordered.
//
// [Check] walks through the events of a turn and does the sums again, from the game
// before and the tables alone. It is for tests: of battles that are made up, and of
// those that robots fight. It knows no course by name; a law that belongs to a part
// of a ship holds for ships that have the part.
//
// It is not a second engine: what a captain may order, and whether it is wise, is not
// looked at, nor who sees what; for that there is [Blur], which changes what others
// may not know of a ship, for enginetest.CheckSecrets.
//
// Invariants: nothing here changes a game it is handed; a turn that keeps the laws
// gives nil, and the first breach ends the walk, with the number of its event.
package fasatest
