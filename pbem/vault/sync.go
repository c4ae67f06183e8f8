package vault

import "starpost/pbem/disk"

// syncTree puts all below dir on stable storage.
func syncTree(dir string) error {
	return system("sync", dir, disk.SyncTree(dir))
}
