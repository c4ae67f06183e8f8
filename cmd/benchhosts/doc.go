// Package benchhosts measures several hosts that share a PostgreSQL database ("make bench-hosts"). It contains only tests.
//
// The program first plays and serves a few dozen real games in a separate schema. Their rows are then copied under other
// names, so each copy is as the program would have left it. Each host is a process of the program. The mail servers run
// in another process, so that their processor time does not count as a host's.
package benchhosts
