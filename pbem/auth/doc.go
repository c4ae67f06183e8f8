// Package auth determines who a mail is from and how certain that is: turn keys, the
// comparison of addresses, and a verdict from both.
//
// It does not parse mails or orders and stores nothing: a turn key is
// derived from the game's secret whenever it is needed.
//
// Invariants: From alone never suffices; a key is compared in constant time;
// no reason that Assess returns contains a key.
package auth
