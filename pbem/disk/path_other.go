//go:build !windows

package disk

import (
	"errors"
	"os"
)

func syncPath(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
