// Package demo plays a whole battle by mail within one process, for people to
// watch and for tests: an SMTP and an IMAP server on the loopback address, the
// real daemon, and two robot captains, each a mail client of its own.
//
// Nothing in it is a short cut. A captain learns of the battle only from the
// reports in its mailbox: the view from the JSON that is attached, the turn key
// from the order template in the text. Its orders go out as an answer by SMTP.
//
// Invariants: the same seed gives the same states and events, byte for byte;
// nothing polls by the clock; when Run returns, servers, daemon and captains
// have ended.
package demo
