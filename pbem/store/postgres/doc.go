// Package postgres implements a store (package store) in a PostgreSQL database, version 14 or newer, which several hosts
// may share. The statements are those of package sqlstore, the same as for a file.
//
// Confirmed changes last as long as the server's disk, or its synchronous standby. Servers that confirm changes before
// writing them are refused. After a lost connection, the next statement gets a new one.
package postgres
