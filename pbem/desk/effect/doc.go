// Package effect has what a mail brings about: steps that change games, and mails beside
// the answer, composed as a [Robot] writes them to captains and referees. Questions to
// addresses, which are confirmed by a token or a reply, are among them.
//
// It decides nothing: who may have something changed, and what, is for the packages above.
//
// Invariants:
//   - A step may be done again and changes nothing then.
//   - The same mail decided again gives mails with the same Message-IDs.
//   - No mail to who is gone from a seat carries its turn key.
package effect
