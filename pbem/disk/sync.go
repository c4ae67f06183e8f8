package disk

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// SyncDir puts the entries of a directory on stable storage.
func SyncDir(dir string) error { return syncPath(dir) }

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
		if err == nil {
			err = syncPath(path)
		}
		if err != nil {
			return fmt.Errorf("sync %s: %w", path, err)
		}
		return nil
	})
}
