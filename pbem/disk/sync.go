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

// Touch gives a file or directory the present time.
func Touch(path string) error {
	now := time.Now()
	return os.Chtimes(path, now, now)
}

// MakeDir makes a directory and what is missing above it, each with its entry on
// stable storage. One that is there already is no error.
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

// IsUnwritable tells that the disk keeps something from being written: it is full,
// read-only or broken. That is over when someone mends it, so anyone who meets it
// tries again soon.
func IsUnwritable(err error) bool {
	return slices.ContainsFunc([]syscall.Errno{syscall.ENOSPC, syscall.EDQUOT, syscall.EROFS, syscall.EIO}, func(e syscall.Errno) bool { return errors.Is(err, e) })
}
