// Package referee does to a game what is a referee's to do, and what the daemon
// does in his place: pause it, let it go on, give a turn more time.
//
// It is not the command line and not a mail: it is handed a game, who acts and
// why, and writes one entry into the game's journal. It sends no mail; the daemon
// reads the journal and tells the captains.
//
// It also looks into games for him: the whole truth of a turn (Show), how an event
// came about (Follow), disputes, and games at a glance (Watcher). What it shows is
// for referees alone; words that a referee gives to captains are held against
// what each of them knows (Settle).
//
// And it changes what was resolved: rulings, reruns, rollbacks, amended orders.
// What would come of them it tells before anything is written (Retry, Differ,
// WhatIf, Preview).
//
// Invariants: an act is one entry, so it is there whole or not at all; a refused
// act changes nothing; a deadline that an act makes lies ahead, and on no day off.
package referee
