package disk

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"time"
)

// SyncDir puts the entries of a directory on stable storage.
func SyncDir(dir string) error { return syncPath(dir) }

// Touch sets the times of a file or directory to now.
func Touch(path string) error {
	now := time.Now()
	return os.Chtimes(path, now, now)
}

// MakeDir creates a directory and its missing parents, with their entries on stable storage. An
// existing directory is not an error.
func MakeDir(dir string, perm fs.FileMode) error {
	err := os.Mkdir(dir, perm)
	if errors.Is(err, fs.ErrNotExist) && filepath.Dir(dir) != dir {
		if err = MakeDir(filepath.Dir(dir), perm); err == nil {
			err = os.Mkdir(dir, perm)
		}
	}
	if errors.Is(err, fs.ErrExist) {
		if info, serr := os.Stat(dir); serr == nil && info.IsDir() {
			return nil
		}
	}
	if err != nil {
		return err
	}
	return SyncDir(filepath.Dir(dir))
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

// IsUnwritable reports whether err means that the disk is full, read-only or broken. Someone can
// fix that at any time, so callers retry soon.
func IsUnwritable(err error) bool {
	return slices.ContainsFunc([]syscall.Errno{syscall.ENOSPC, syscall.EDQUOT, syscall.EROFS, syscall.EIO}, func(e syscall.Errno) bool { return errors.Is(err, e) })
}
