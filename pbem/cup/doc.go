// Package cup runs cups and ladders: who entered, who meets whom in which round, what came of
// it, and how they stand. It is no lobby: its games are made and played like all others, and it
// reads their results.
//
// What it holds true:
//
//   - A cup is its journal: lines that are only ever added, each with the hash of the one before.
//     The same journal gives the same cup.
//   - Pairing is a function of the cup alone, with laws: no two players meet twice, each player's
//     counts of the two sides differ by one at most, each has one bye at most, and
//     every active player has a match or the bye. Where no such round is left, the cup ends.
//   - What was paired stays paired. A result that a referee changes later changes the standings.
//   - People are told apart by their addresses, and no address leaves the package but for mails.
package cup
