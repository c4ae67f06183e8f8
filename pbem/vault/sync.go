package vault

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// syncDir puts the entries of a directory on stable storage.
func syncDir(dir string) error { return syncPath(dir) }

func syncPath(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// syncEach syncs every file and directory below dir, and dir itself.
func syncEach(dir string) error {
	return filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		if err != nil {
			return system("sync", path, err)
		}
		if err := syncPath(path); err != nil {
			return system("sync", path, err)
		}
		return nil
	})
}
