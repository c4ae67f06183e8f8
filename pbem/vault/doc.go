// Package vault stores games, each as a record (see package record): named files, all of them text.
// In a directory they are arranged like this:
//
//	wolf/
//	  game.toml           settings, captains, rule set, hash of the secret
//	  scenario.toml       frozen copy
//	  secret              mode 0600
//	  ships/*.toml        the game's own ship and weapon tables, if any
//	  orders/Hood.txt     the set in force for the turn that is due
//	  orders/@Kirk.txt    a captain's orders for all their ships
//	  orders/later/0005/  sets for turns after the one that is due
//	  orders/replaced.0003.jsonl  hashes of earlier sets for turn 3 that were replaced
//	  journal.jsonl       administrative facts: who joined, left, moved, is away
//	  turns/0003/         a turn: state.json, events.jsonl, orders, reports,
//	                      outbox, and manifest.json, which identifies each file
//	  turns/0003.r2/      the same turn, resolved again
//	  turns/0003.p1/      turn 3 after its first round, in games with rounds
//
// It knows names of files, not paths, and the content of game.toml and manifest.json. It does not know
// what orders mean, and resolves, renders and sends nothing; packages
// turn and report do. Time, randomness and content come from the caller.
//
// A [Game] has three parts: [Stages], the turns and rounds played so far; [Orders], the order sets for the
// turns to come; and [Journal], everything else that happened, such as joins, rulings and pauses. Each part
// reads the record itself; changes go through the game, which holds the lock.
//
// Invariants:
//   - A directory below turns is complete and on stable storage, or absent: one
//     change of the record makes it. That is the commit of a turn.
//   - A committed turn is never written again; a second commit of the
//     same turn is refused. A change of its outcome is a new revision, in a
//     directory of its own. Only the journal says which revision counts, and the
//     entry that says so is the commit of the change (see [Revise]).
//   - journal.jsonl is append-only. Each line holds the hash of the one
//     before, and each turn's manifest that of the last line at its time.
//   - Only one process writes at a time (see [Game.Lock]); readers need no lock.
//   - An error about a missing or altered file names the file and says
//     what to do.
//   - Only [Game.Secret] returns the secret, and nothing prints it.
package vault
