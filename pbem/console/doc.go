// Package console is the referee's side of the conversation: it reads his
// commands as words, does them to a game, and puts into words what came of them.
//
// It is neither the command line nor a mail; both print what it says, so that a
// referee reads the same on either way. It does not ask who he is: whoever hands
// it a command has found that out.
//
// Invariants: what is done is done by package referee, one journal entry an act,
// and a command that is handed in a second time for the same cause acts once;
// what only looks changes nothing but the note that somebody looked.
package console
