// Package submission decides the order sets of a mail: whose each is, whether it is new or
// only quoted, whether its sender is proven, and whether it is in order. What is taken becomes
// steps, and mails to those aboard whom the rules have know of it at once.
//
// Package blocks finds the sets in the text; what an order means is for packages orderset and
// turn. The way of a set: [Submissions.DecideBlocks] puts blocks together by game, choose tells
// the captain's own from quoted ones, judgeSet decides each, and [Submissions.Take] makes steps.
//
// Invariants:
//   - A set with errors never displaces another; sets are replaced whole.
//   - What stands behind quote marks or bars is never taken as it stands there.
package submission
