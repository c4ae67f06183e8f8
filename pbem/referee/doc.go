// Package referee implements the acts of a referee on a game, some of which the daemon performs
// instead: pause it, resume it, give a turn more time.
//
// It is independent of command line and mail: the caller passes a game, who acts and
// why, and it writes one entry to the game's journal. It sends no mail; the daemon
// reads the journal and tells the captains.
//
// It also shows a referee the full record of a turn (Show), the causes of an event
// (Follow), disputes, and games at a glance (Watcher). These are
// for referees only; a referee's words to captains are checked against
// what each of them knows (Settle).
//
// And it changes resolved turns: rulings, reruns, rollbacks, amended orders.
// The effects can be seen before anything is written (PreviewRerun, Differ,
// WhatIf, Preview).
//
// Invariants: an act is one entry, so it is done completely or not at all; a refused
// act changes nothing; a new deadline is in the future, and not on a day off.
package referee
