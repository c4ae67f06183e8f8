package process

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"starpost/pbem/fault"
)

// StateDir is the state directory as it was opened. Its lock, the store and the spool are valid for
// that directory only.
type StateDir struct {
	path string
	info fs.FileInfo
}

// OpenState returns the state directory at path.
func OpenState(path string) (StateDir, error) {
	info, err := os.Stat(path)
	if err != nil {
		return StateDir{}, fmt.Errorf("open the state directory: %w", err)
	}
	return StateDir{path, info}, nil
}

// errStateGone says that the state directory no longer exists.
var errStateGone = errors.New("the state directory is gone")

// Holder returns the name, used in leases, of the process that holds the directory.
func (s StateDir) Holder() (string, error) {
	path, err := filepath.Abs(s.path)
	if err != nil {
		return "", fmt.Errorf("name the state directory: %w", err)
	}
	host, err := os.Hostname()
	if err != nil {
		return "", fmt.Errorf("name the state directory: %w", err)
	}
	return host + ":" + path, nil
}

// gone returns an error about the missing directory.
func (s StateDir) gone(what any) error {
	return &fault.Fault{
		Problem: fmt.Sprintf("the state directory %s is gone: %v", s.path, what), Err: errStateGone,
		Way: "put it back (is its disk mounted?) and start again; for what is lost without it, see docs/durability.md",
	}
}

// Check returns errStateGone unless the directory is still the one that was opened.
func (s StateDir) Check() error {
	info, err := os.Stat(s.path)
	switch {
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return nil // cannot look at it; later operations in it will report why
	case err != nil:
		return s.gone(err)
	case !os.SameFile(info, s.info):
		return s.gone("a different one is in its place")
	}
	return nil
}
