// Package report turns what one viewer may know of a game into what he reads:
// text, HTML, SVG and JSON, the order template, and the body of the answer to
// an order mail.
//
// It is handed an [engine.View] and never sees the game behind it, so it cannot
// tell what the view does not hold. Sentences and tables come from the rule
// set ([engine.Rules].Present), drawing from package templates; here stands
// what every rule set's report has around them: what is owed and by when, the
// map, messages, the template and the dice's commitment.
//
// It reads no file and no clock and sends nothing.
//
// Invariants:
//   - The same view and facts give the same bytes.
//   - The JSON report is the view; its schema is [Schema].
//   - A template sent back unchanged is a valid order set, if the rule set's
//     Template keeps its promise.
package report
