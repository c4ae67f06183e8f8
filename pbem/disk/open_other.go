//go:build !linux

package disk

import (
	"io/fs"
	"os"
)

// OpenFile is os.OpenFile.
func OpenFile(path string, flag int, perm fs.FileMode) (*os.File, error) {
	return os.OpenFile(path, flag, perm)
}

// ReadFile is os.ReadFile.
func ReadFile(path string) ([]byte, error) { return os.ReadFile(path) }
