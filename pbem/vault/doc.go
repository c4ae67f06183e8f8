// Package vault keeps games, each as a record (see package record): files by name, everything in them text.
// Where they lie in a directory, that looks so:
//
//	wolf/
//	  game.toml           settings, captains, rule set, hash of the secret
//	  scenario.toml       frozen copy
//	  secret              mode 0600
//	  ships/*.toml        the game's own ship and weapon tables, if any
//	  orders/Hood.txt     the set in force for the turn that is due
//	  orders/@Kirk.txt    what a captain says for all his ships
//	  orders/later/0005/  sets for turns after the one that is due
//	  orders/replaced.0003.jsonl  hashes of sets that were in force for turn 3 before
//	  journal.jsonl       administrative facts: who joined, left, moved, is away
//	  turns/0003/         a turn: state.json, events.jsonl, orders, reports,
//	                      outbox, manifest.json by which to know each file
//	  turns/0003.r2/      the same turn as it was resolved again
//	  turns/0003.p1/      how turn 3 stood after its first round, where turns have them
//
// It knows names of files, not paths, and what is in game.toml and manifest.json. It does not know
// what orders mean, plays nothing, renders nothing and sends nothing; packages
// turn and report do. Time, randomness and content come from the caller.
//
// A [Game] has three parts: [Stages], the turns and rounds played so far; [Orders], the order sets for the
// turns to come; and [Journal], everything else that happened, such as joins, rulings and pauses. Each part
// reads the record by itself; changes go through the game, which holds the lock.
//
// Invariants:
//   - A directory below turns is complete and on stable storage, or absent: one
//     change of the record makes it. That is the commit of a turn.
//   - A turn, once committed, is never written again; a second commit of the
//     same turn is refused. What changes its outcome is a revision of it, in a
//     directory of its own; which one counts the journal says alone, and the
//     line that says so is the commit of the change (see [Revise]).
//   - journal.jsonl is only ever added to. Each line holds the hash of the one
//     before, and each turn's manifest that of the last line of its time.
//   - One process writes at a time (see [Game.Lock]); readers need no lock.
//   - A file that is missing or altered is named in the error, together with
//     what to do.
//   - Nothing here prints or returns the secret but [Game.Secret].
package vault
