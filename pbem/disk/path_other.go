//go:build !windows

package disk

import (
	"errors"
	"os"
)

func syncPath(path string) error {
	f, err := OpenFile(path, os.O_RDONLY, 0)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
