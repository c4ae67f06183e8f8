// Package simulate holds no code. Its tests play whole battles by mail in a world determined by one number. Hosts
// (package daemon, unchanged), their clocks, mail servers and captains run in one process, in a bubble of
// testing/synctest, where time advances only when everyone waits. Every operation on a wire, a disk or a store takes
// a time drawn from the seed, so only one thing happens at a time, and the same seed gives the same world to the
// byte.
//
// Faults are drawn too: servers that answer late, twice or not at all, hosts that are killed or stopped at any step,
// clocks that jump, and captains who behave like people: late, twice, wrong, away.
//
// It does not test what orders do, nor protocols on a wire: connections end at the interfaces at which the daemon
// opens them. The store is SQLite in a file and games are directories, as on a host: a substitute in memory would be
// a third store to keep consistent with the other two, and would not find faults in the ones that people use.
//
// Invariants checked after every battle:
//   - each set that was acknowledged last was played;
//   - each captain got each report, under one Message-ID with the same bytes however often it came;
//   - each mail that needs an answer has one, and none is left in the inbox;
//   - each turn was played once, and the game verifies;
//   - after the faults end, the battle comes to its end, and nothing is left waiting.
package simulate
