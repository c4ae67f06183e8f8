// Package effect defines the effects of a mail: steps that change games, and mails in addition to
// the answer, which a [Robot] writes to captains and referees. They include questions to
// addresses, which are confirmed by a token or a reply.
//
// It decides nothing: the packages above decide who may change what.
//
// Invariants:
//   - A step may be done again without changing anything.
//   - The same mail decided again gives mails with the same Message-IDs.
//   - No mail to a captain who has left a seat carries its turn key.
package effect
