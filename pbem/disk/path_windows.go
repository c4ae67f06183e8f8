package disk

import (
	"errors"
	"os"
)

// syncPath puts a file on stable storage. Windows does that only for files open for writing; directory entries
// are in the file system's own journal.
func syncPath(path string) error {
	info, err := os.Stat(path)
	if err != nil || info.IsDir() {
		return err
	}
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
