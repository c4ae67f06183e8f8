// Package rating rates captains by finished games between people, and keeps each captain's
// record. It reads no mail, and game directories only in [Of]. It is not a ladder: nothing
// depends on a rating.
//
// Invariants:
//
//   - A rating is by Mark Glickman's Glicko-2 ("Example of the Glicko-2 system", 2012), one for
//     each rule set. The players of a side count as one against the mean of the other side.
//   - Games with robots, or with predictable dice, do not count.
//   - A scenario that one side wins more often between equals pays it less: see [Game.Odds].
//   - People are distinguished by their addresses, and no address leaves the package.
package rating
