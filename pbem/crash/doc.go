// Package crash holds no code: its tests build the program, have it play whole
// battles by mail against captains and servers that stay alive, and kill it
// (SIGKILL) at every named step and at random instants, again and again. What
// the world got to see, and what lies on disk in the end, must be what a run
// without kills leaves.
//
// It is not a test of what orders do, or of servers that misbehave; packages
// turn and daemon have those.
//
// Invariants that are checked after every battle:
//   - every mail is answered that asks for an answer, under one Message-ID with
//     the same bytes however often it went out, and lies in the folder of its
//     outcome; none is left in the inbox;
//   - each turn was played once, with the last valid set of each ship, and its
//     events and states are byte for byte those of the undisturbed run;
//   - every report went out, and nothing else did;
//   - store and game directories agree, and each is whole.
package crash
