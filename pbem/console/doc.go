// Package console is the table of referees' commands: how each is written, what it
// does, what it answers, and its help. The command line ("starpost referee DIR pause
// --why TEXT") and mails ("#pause --why TEXT") both use it.
//
// It does not ask who gives a command: its caller has found that out. A file on the
// command line and a block in a mail are the same to it, a text that came along.
//
// Invariants: what is done is done by package referee, one journal entry an act,
// and a command that comes a second time for the same cause acts once; a command
// that only shows things changes nothing but the note that a referee who plays
// looked at them.
package console
