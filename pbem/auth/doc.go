// Package auth says who a mail is from and how sure that is: turn keys, the
// comparison of addresses, and the judgement over both.
//
// It is not a parser of mails or orders and stores nothing: a turn key is
// derived from the game's secret whenever it is needed.
//
// Invariants: From alone never suffices; a key is compared in constant time;
// no reason that Assess gives contains a key.
package auth
