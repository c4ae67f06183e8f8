// Package orders is the language in which captains write: text to tree with
// positions, tree to canonical text, and diagnostics for what does not fit.
//
// It knows no rule. A rule set hands it a [Language]: a table of sections,
// verbs, the forms each verb may take, and the subjects a condition may test.
// Whether the ship named exists, has the power or may fire is not looked at
// here.
//
// # The text
//
//	#orders wolf turn 3 ship Hood key 7K4Q-92FM
//	power
//	  move 16                 ; a comment
//	phase 1
//	  fire bank-b at Riskadh when range <= 10 and not cloaked
//	final
//	#end
//
// Where a game takes orders for a part of a turn at a time, the head has "phase 2"
// too.
//
// Everything outside #orders and #end is ignored. One statement stands on one
// line; a line that starts with & goes on with the statement before it (a mark
// at the start and not at the end, so that a lost line never swallows the
// next). White space, commas and upper or lower case do not matter. A line
// that starts with > is never an order: it is a mail program's quotation.
// Typographic quotes, dashes and spaces are read as their plain sisters, and
// quotation marks around a word are dropped. A message body stands between
// #text and #endtext and is kept as it is.
//
// A section heading (power, phase 2) holds for the statements below it. The
// statements of the section with no name, the turn level, are understood
// anywhere and change no section.
//
// # What holds
//
//   - No input panics, hangs or fills memory: bytes, blocks, lines, words,
//     nesting and diagnostics are all capped.
//   - Positions are 1-based, count runes, and lie inside the source (or just
//     behind the end of a line, where something is missing).
//   - Parsing never stops at the first mistake.
//   - For a block b that was parsed without errors, Format(b) parses without
//     errors and formats to the same bytes.
//   - A Language that passes [Language.Validate] has no form that cannot be
//     matched.
package orders
