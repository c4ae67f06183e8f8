// Package disk writes files to stable storage, many at a time if one need not be there before the
// next is begun: it waits for the disk once for each durable step, not once for each file.
//
// It is not a file system, and does not know what the files are for.
//
// Invariant: after Sync, SyncDir or SyncTree has returned nil, what it covers survives a loss of
// power.
package disk
