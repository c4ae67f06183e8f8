// Package console is the table of referees' commands: their syntax, their
// effects, their answers, and their help. The command line ("starpost referee DIR pause
// --why TEXT") and mails ("#pause --why TEXT") both use it.
//
// It does not check who gives a command: its caller has done that. A file on the
// command line and a block in a mail are the same to it, an attached text.
//
// Invariants: package referee performs the acts, with one journal entry for each,
// and a command repeated for the same cause acts once; a command
// that only shows things changes nothing, except for the record that a referee who plays
// looked at them.
package console
