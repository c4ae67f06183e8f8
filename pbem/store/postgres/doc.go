// Package postgres keeps what a store holds (package store) in a database of PostgreSQL, version 14 or newer, which several hosts
// may share. The statements are those of package sqlstore, the same as for a file.
//
// What was confirmed lasts as long as the server's disk, or its synchronous standby; servers that confirm before they have
// written are refused. A lost connection is replaced for the next statement.
package postgres
