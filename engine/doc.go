// Package engine holds what every rule set shares: a game and its ships, events
// and how they change a game, dice, the order of phases, victory, and what each
// viewer may know.
//
// It is pure: it has no files, clock, log or globals. It knows no rule set by name. A rule set is a [Rules] value
// made of named phases, event types, order verbs and a few functions, and everything here works on such a value.
//
// Invariants:
//   - Only [Apply] changes a game. Replaying the events of a turn over the game
//     before it gives the game after it.
//   - The same game, sheets and dice give the same events, byte for byte,
//     whatever the order in which the sheets came in.
//   - A turn played in rounds gives the same events as the turn played at once, and
//     those of each round begin with those of the round before (see [ResolveRounds]).
//   - A viewer gets nothing that was not granted: see [See] and [BuildView].
//
// The types that refer to each other, from [Rules] through [Turn] and [View] to [Story], are together in rules.go.
// Their methods are in files that build on it; the types they are made of are in files that it builds on.
package engine
