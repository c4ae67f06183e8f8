//go:build !linux

package vault

// syncTree puts all below dir on stable storage.
func syncTree(dir string) error { return syncEach(dir) }
