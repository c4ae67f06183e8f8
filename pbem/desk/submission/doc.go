// Package submission decides the order sets of a mail: to whom each belongs, whether it is new or
// only quoted, whether its sender is proven, and whether it is valid. Accepted sets become
// steps, and mails to captains aboard the ship who learn of them at once by the rules.
//
// Package blocks finds the sets in the text; what an order means is up to packages orderset and
// turn. The path of a set: [Submissions.DecideBlocks] groups blocks by game, choose separates
// the captain's own from quoted ones, judgeSet decides each, and [Submissions.Take] makes steps.
//
// Invariants:
//   - A set with errors never replaces another; sets are replaced whole.
//   - A set behind quote marks or bars is never taken from the marked text.
package submission
