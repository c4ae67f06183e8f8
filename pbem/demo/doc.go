// Package demo plays a whole battle by mail within one process, for people to watch and for tests:
// an SMTP and an IMAP server on the loopback address, the real daemon, and two robot captains, each
// with its own mail client.
//
// Nothing is simplified. A captain learns of the battle only from the reports in its mailbox: the
// view from the attached JSON, the turn key from the order template in the text. Its orders are
// sent as a reply by SMTP.
//
// Invariants: the same seed gives the same states and events, byte for byte. Nothing polls by the
// clock. When Run returns, servers, daemon and captains have ended.
package demo
