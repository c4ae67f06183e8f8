// Package mime turns the raw bytes of a mail into what a captain wrote: the text that may contain
// orders, the claimed sender, what it answers, and whether a person or a machine wrote it.
//
// It knows no orders, captains or games. It trusts nothing that a mail says about itself, and does
// not check signatures: it only passes on what was signed.
//
// Invariants: the time is linear in the size of the mail, with a budget for anything that costs
// more than a pass over the bytes, and memory is bounded, for any mail. Text is valid UTF-8 with \n
// line ends, without NUL or other control characters, and at most MaxText bytes. Readable text is
// returned however broken the rest of the mail is. No type of the MIME library leaves the package.
package mime
