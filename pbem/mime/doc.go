// Package mime turns the raw bytes of a mail into what a captain wrote: the
// text that may hold orders, who says he sent it, what it answers, and whether
// a person or a machine wrote it.
//
// It does not know orders, captains or games, believes nothing that a mail says
// about itself, and does not check signatures: it only
// hands over what was signed.
//
// Invariants: time is linear in the size of the mail, with a budget for what
// costs more than to look at a byte, and memory is bounded, whatever the mail
// holds; Text is valid UTF-8 with \n line ends, without NUL or other
// control characters, and at most MaxText bytes; a mail with any readable text
// gives that text, however broken the rest is. No type of the MIME library
// leaves the package.
package mime
