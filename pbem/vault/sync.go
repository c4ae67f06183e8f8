package vault

import "starpost/pbem/disk"

// syncTree puts all below dir on stable storage.
func syncTree(dir string) error {
	if err := disk.SyncTree(dir); err != nil {
		return system("sync", dir, err)
	}
	return nil
}
