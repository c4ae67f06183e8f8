//go:build !linux

package disk

// SyncTree puts all below dir on stable storage.
func SyncTree(dir string) error { return syncEach(dir) }

// syncAll puts the entries of directories, and files that were written in them,
// on stable storage.
func syncAll(dirs, files []string) error { return syncSingly(dirs, files) }
