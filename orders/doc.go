// Package orders implements the language of captains' orders: it parses text into a tree with positions, formats
// trees as canonical text, and diagnoses what does not fit.
//
// It knows no rules. A rule set supplies a [Language]: a table of sections, verbs, the forms of each verb, and the
// subjects that conditions may test. Whether a ship exists, has the power or may fire is not checked here.
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
// In games that take orders for a part of a turn at a time, the head also has "phase 2".
//
// Everything outside #orders and #end is ignored. Each statement is on one line; a line that starts with &
// continues the statement before it (the mark is at the start and not at the end, so that a lost line never
// swallows the next). White space, commas and letter case do not matter. A line that starts with > is never an
// order: it is a mail program's quotation. Typographic quotes, dashes and spaces are read as their plain
// equivalents, and quotation marks around a word are dropped. A message body is between #text and #endtext and is
// kept as it is.
//
// A section heading (power, phase 2) applies to the statements below it. The statements of the section without a
// name, the turn level, are allowed anywhere and do not change the section.
//
// # Invariants
//
//   - No input causes a panic, an endless loop or unbounded memory: bytes, blocks, lines, words,
//     nesting and diagnostics are all limited.
//   - Positions are 1-based, count runes, and lie inside the source (or just
//     behind the end of a line, where something is missing).
//   - Parsing never stops at the first mistake.
//   - For a block b that was parsed without errors, Format(b) parses without
//     errors and formats to the same bytes.
//   - A Language that passes [Language.Validate] has no form that cannot be
//     matched.
package orders
