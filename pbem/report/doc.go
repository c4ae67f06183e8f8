// Package report renders what one viewer may know of a game: as text, HTML, SVG
// and JSON, with the order template. It also builds the acknowledgement of an
// order mail.
//
// It gets an [engine.View] and never sees the game behind it, so it cannot
// reveal anything outside the view. Sentences and tables come from the rule
// set ([engine.Rules].Present), and package templates draws them. This package
// adds what the reports of all rule sets share: the orders due and the deadline,
// the map, messages, the order template and the commitment to the dice.
//
// It reads no files and no clock, and sends nothing.
//
// Invariants:
//   - The same view and Meta give the same bytes.
//   - The JSON report is the view; its schema is [Schema].
//   - A template sent back unchanged is a valid order set, provided that the
//     rule set's Template returns one.
package report
