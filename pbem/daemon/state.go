package daemon

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// stateDir is the state directory as it was opened. Its lock, the ledger and the
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

// stateGoneError tells that the state directory is not there any more.
type stateGoneError struct {
	dir   string
	cause error // nil when there is another one in its place
}

func (e *stateGoneError) Error() string {
	if e.cause != nil {
		return fmt.Sprintf("the state directory %s is gone: %v", e.dir, e.cause)
	}
	return fmt.Sprintf("the state directory %s is gone: there is another one in its place", e.dir)
}

func (e *stateGoneError) Unwrap() error { return e.cause }

// Hint is the way out.
func (e *stateGoneError) Hint() string {
	return "put it back where it was (is its disk mounted?) and start again; without it, docs/durability.md says what is lost"
}

// check gives a goneError unless the directory is the one that was opened.
func (s stateDir) check() error {
	info, err := os.Stat(s.path)
	switch {
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return nil // it cannot be looked at; what is done in it will tell why
	case err != nil:
		return &stateGoneError{s.path, err}
	case !os.SameFile(info, s.info):
		return &stateGoneError{s.path, nil}
	}
	return nil
}

// checkState tells whether the state directory and the ledger in it are still what was
// opened.
func (d *Daemon) checkState() error {
	if err := d.state.check(); err != nil {
		return err
	}
	return d.ledger.CheckFiles()
}
