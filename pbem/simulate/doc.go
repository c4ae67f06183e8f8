// Package simulate holds no code: its tests play whole battles by mail in a world that one number makes. Hosts
// (package daemon, as it is), their clocks, mail servers and captains run in one process, in a bubble of
// testing/synctest, where time goes on only when everybody waits. Whatever crosses a wire, a disk or a store takes a
// time that is drawn from the seed, so at each moment one thing happens, and the same seed gives the same world to
// the byte.
//
// What goes wrong is drawn too: servers that answer late, twice or not at all, hosts that are killed or stopped at any
// step, clocks that jump, and captains as people are: late, twice, wrong, away.
//
// It is not a test of what orders do, nor of protocols on a wire: connections end at the interfaces at which the daemon
// opens them. The store is SQLite in a file and games are directories, as on a host: a stand-in that lives in memory would be
// a third store to keep to the laws of the other two, and faults in the ones that people use would stay there.
//
// Invariants that are checked after every battle:
//   - each set that was acknowledged was played, unless a later one was acknowledged too;
//   - each captain got each report, under one Message-ID with the same bytes however often it came;
//   - each mail that asks for an answer has one, and none is left in the inbox;
//   - each turn was played once, and the game verifies;
//   - when faults end, the battle comes to its end, and nothing waits any more.
package simulate
