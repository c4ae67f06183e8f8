// Package engine holds what every rule set shares: a game and its ships, events
// and how they change a game, dice, the order of phases, victory, and what each
// viewer may know.
//
// It is pure: no file, clock, log or global. It knows no rule set by name; a
// rule set is a [Rules] value made of named phases, types of events, order verbs
// and a few functions, and everything here works on such a value.
//
// Invariants:
//   - [Apply] is the only thing that changes a game. Replaying the events of a
//     turn over the game before it gives the game after it.
//   - The same game, sheets and dice give the same events, byte for byte,
//     whatever the order in which the sheets came in.
//   - A turn played in rounds gives the events of the same turn played at once, and
//     those of each round begin with those of the round before (see [ResolveRounds]).
//   - A viewer gets nothing that was not granted: see [See] and [BuildView].
//
// The types that name each other, from [Rules] over [Turn] and [View] to [Story], stand together in rules.go; their
// methods stand in files above it, and what they are made of in files below.
package engine
