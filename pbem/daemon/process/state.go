package process

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"starpost/pbem/fault"
)

// StateDir is the state directory as it was opened. Its lock, the store and the
// spool are good for that directory alone.
type StateDir struct {
	path string
	info fs.FileInfo
}

// OpenState remembers which directory it is.
func OpenState(path string) (StateDir, error) {
	info, err := os.Stat(path)
	if err != nil {
		return StateDir{}, fmt.Errorf("open the state directory: %w", err)
	}
	return StateDir{path, info}, nil
}

// errStateGone is the kind of trouble that the state directory is not there any more.
var errStateGone = errors.New("the state directory is gone")

// Holder is what the one process that has the directory is called in leases.
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

// gone says what became of the directory.
func (s StateDir) gone(what any) error {
	return &fault.Fault{
		Problem: fmt.Sprintf("the state directory %s is gone: %v", s.path, what), Err: errStateGone,
		Way: "put it back (is its disk mounted?) and start again; for what is lost without it, see docs/durability.md",
	}
}

// Check gives errStateGone unless the directory is the one that was opened.
func (s StateDir) Check() error {
	info, err := os.Stat(s.path)
	switch {
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return nil // it cannot be looked at; what is done in it will tell why
	case err != nil:
		return s.gone(err)
	case !os.SameFile(info, s.info):
		return s.gone("a different one is in its place")
	}
	return nil
}
