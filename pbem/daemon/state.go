package daemon

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"starpost/pbem/fault"
)

// stateDir is the state directory as it was opened. Its lock, the store and the
// spool are good for that directory alone.
type stateDir struct {
	path string
	info fs.FileInfo
}

func openState(path string) (stateDir, error) {
	info, err := os.Stat(path)
	if err != nil {
		return stateDir{}, fmt.Errorf("open the state directory: %w", err)
	}
	return stateDir{path, info}, nil
}

// errStateGone is the kind of trouble that the state directory is not there any more.
var errStateGone = errors.New("the state directory is gone")

// holder is what the one process that has the directory is called in leases.
func (s stateDir) holder() (string, error) {
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
func (s stateDir) gone(what any) error {
	return &fault.Fault{
		Problem: fmt.Sprintf("the state directory %s is gone: %v", s.path, what), Err: errStateGone,
		Way: "put it back where it was (is its disk mounted?) and start again; without it, docs/durability.md says what is lost",
	}
}

// check gives errStateGone unless the directory is the one that was opened.
func (s stateDir) check() error {
	info, err := os.Stat(s.path)
	switch {
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return nil // it cannot be looked at; what is done in it will tell why
	case err != nil:
		return s.gone(err)
	case !os.SameFile(info, s.info):
		return s.gone("there is another one in its place")
	}
	return nil
}

// checkState tells whether the state directory and the store in it are still what was
// opened.
func (d *process) checkState() error {
	if err := d.state.check(); err != nil {
		return err
	}
	return d.store.CheckFiles()
}
