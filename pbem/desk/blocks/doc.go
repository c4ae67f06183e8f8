// Package blocks reads the text of a mail: where its order sets are, what the sender wrote,
// and what a mail program quoted below or between.
//
// Captains reply to reports, and a report ends with order sets ready to be sent. So a mail
// usually contains more of the robot's text than of the sender's. A [Body] is
// the mail as one source of lines: its text and, if it has one, its order file. A
// [Page] is these lines with the order sets ("blocks", from #orders to #end) that
// the scanner of package orders found.
//
// Quotations have two forms. Most programs mark each line, with > or with a bar
// (see [Marked] and [Barred]). Some mark nothing, and write a line or a few header
// lines above: [Page.Quoted] recognises those by their shape. [Unmark] removes marks
// and bars.
//
// Some captains forget the line that begins an order set. [Loose] finds the lines that were
// probably meant as orders, and [Page.Frame] reads them as the set that fits best.
//
// This package knows no game, no captain and no sender. Which blocks count is
// decided in package desk.
package blocks
