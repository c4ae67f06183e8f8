// Package fasatest checks resolved turns of the tactical courses: invariants of their rules that hold in every
// battle, for any players and any orders.
//
// [Check] walks through the events of a turn and computes its numbers again, from the game before and the tables
// alone. It is for tests with made-up battles and battles between robots. It knows no course by name; invariants of a
// part apply to ships that have the part.
//
// It does not check what captains may order or who sees what. For the latter there is [Blur], which changes the secrets
// of a ship for enginetest.CheckSecrets.
//
// Invariants: nothing here changes a game passed to it; a correct turn gives nil, and the first error ends the walk,
// with the number of its event.
package fasatest
