// Package benchhosts measures several hosts that share a PostgreSQL database: "make bench-hosts". It has tests alone.
//
// A few dozen real games are played and served by the program, in a schema of their own. What it wrote is copied under other
// names, so that each copy is as the program would have left it. The hosts are processes of the program; the mail servers are a process
// of their own, so that no host is charged for them.
package benchhosts
