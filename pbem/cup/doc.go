// Package cup runs cups and ladders: who entered, who meets whom in which round, the results
// and the standings. It is not a lobby: its games are made and played like all others, and it
// reads their results.
//
// Invariants:
//
//   - A cup is its journal: an append-only file of lines, each with the hash of the one before.
//     The same journal gives the same cup.
//   - Pairing is a function of the cup alone, with these rules: no two players meet twice, each
//     player's counts of the two sides differ by at most one, each has at most one bye, and
//     every active player has a match or the bye. If no such round is possible, the cup ends.
//   - A pairing is final. A result that a referee changes later changes the standings.
//   - People are distinguished by their addresses, and no address leaves the package except for mails.
package cup
