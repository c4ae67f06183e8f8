// Package disk gets files onto stable storage, many at a time where one does not
// have to be there before the next is begun: a disk is waited for as often as
// something is to last, not as often as something is written.
//
// It is not a file system, and it knows nothing of what the files are for.
//
// Invariant: after Sync, SyncDir or SyncTree have returned nil, what they are
// about survives a loss of power.
package disk
