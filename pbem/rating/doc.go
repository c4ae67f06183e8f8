// Package rating rates captains by finished games between people, and keeps what each has
// played. It reads no mail and no game directory but by [Of], and it is no ladder: nothing
// hangs on a rating.
//
// What it holds true:
//
//   - A rating is by Mark Glickman's Glicko-2 ("Example of the Glicko-2 system", 2012), one for
//     each rule set. Those of a side play as one against the mean of the other side.
//   - What robots played, and what was played with dice that can be foreseen, does not count.
//   - A scenario that one side wins more often between equals pays it less: see [Game.Odds].
//   - People are told apart by their addresses, and no address leaves the package.
package rating
