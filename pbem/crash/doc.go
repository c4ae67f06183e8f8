// Package crash has no code of its own. Its tests build the program, have it
// play whole battles by mail, and kill it (SIGKILL) again and again, at every
// named step and at random instants, while the captains and servers stay alive.
// The mails sent and the files left in the end must be those of a run without
// kills.
//
// It does not test the effects of orders or misbehaving servers; packages turn
// and daemon do.
//
// Invariants checked after every battle:
//   - Every mail that asks for an answer gets one, with one Message-ID and the
//     same bytes however often it went out, and lies in the folder of its
//     outcome; none is left in the inbox.
//   - Each turn was played once, with the last valid set of each ship, and its
//     events and states are byte for byte those of the undisturbed run.
//   - Every report went out, and nothing was sent without a reason.
//   - The store and the game directories agree, and each is complete.
package crash
