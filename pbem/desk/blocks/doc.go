// Package blocks reads the text of a mail: where order sets stand in it, what of it
// the sender wrote himself, and what a mail program quoted below or between.
//
// People answer reports, and a report ends with order sets ready to be sent. So a
// mail holds what we wrote, mostly more of it than of the sender's own. A [Body] is
// the mail as one source of lines: its text and, where it has one, its order file. A
// [Page] is those lines with the order sets ("blocks", from #orders to #end) that
// the scanner of package orders found.
//
// Quoted is told in two ways. Most programs mark each line, with > or with a bar
// (see [Marked] and [Barred]). Some mark nothing, and write a line or a few header
// lines above: [Page.Quoted] knows those by their shape. What a program did to marked
// lines is undone by [Unmark].
//
// Some forget the line that begins an order set. [Loose] finds the lines that were
// meant for orders, and [Page.Frame] reads them as the set that they fit best.
//
// Nothing here knows a game, a captain or who sent the mail. Which blocks count is
// decided in package desk.
package blocks
