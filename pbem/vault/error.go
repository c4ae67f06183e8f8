package vault

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"
)

// The kinds of trouble that callers tell apart with errors.Is.
var (
	ErrNotAGame  = errors.New("not a game directory")
	ErrExists    = errors.New("the directory is not empty")
	ErrDamaged   = errors.New("the game directory is damaged")
	ErrLocked    = errors.New("another process is using the game")
	ErrCommitted = errors.New("the turn is already committed")
	ErrNoTurn    = errors.New("the game has no such turn")
	ErrSettings  = errors.New("the settings are wrong")
)

// Error is trouble with a file of a game: which, what, and the way out.
type Error struct {
	Path    string // the file or directory
	Problem string // what is wrong with it
	Way     string // what a person can do; may be empty
	Err     error  // one of the errors above, or the system's
}

// Error gives path and problem.
func (e *Error) Error() string {
	if e.Problem == "" {
		return fmt.Sprintf("%s: %v", e.Path, e.Err)
	}
	return e.Path + ": " + e.Problem
}

// Unwrap gives the kind or the cause.
func (e *Error) Unwrap() error { return e.Err }

// Hint is the way out, one sentence, or "".
func (e *Error) Hint() string { return e.Way }

const wayDamaged = "restore the file from a backup of the game directory; `starpost verify` checks the whole of it"

// missing says that a file which must be there is not, or cannot be read.
func missing(path string, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return &Error{Path: path, Problem: "the file is missing", Way: wayDamaged, Err: ErrDamaged}
	}
	return system("read", path, err)
}

func damaged(path, format string, args ...any) error {
	return &Error{Path: path, Problem: fmt.Sprintf(format, args...), Way: wayDamaged, Err: ErrDamaged}
}

// system puts an operating system's error into words with a way out.
func system(doing, path string, err error) error {
	e := &Error{Path: path, Problem: fmt.Sprintf("cannot %s: %v", doing, cause(err)), Err: err}
	switch {
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		e.Problem = fmt.Sprintf("cannot %s: the disk is full", doing)
		e.Way = "free some space and try again; nothing of the game was changed"
	case errors.Is(err, syscall.EROFS):
		e.Problem = fmt.Sprintf("cannot %s: the file system is read-only", doing)
		e.Way = "mount it for writing and try again; nothing of the game was changed"
	case errors.Is(err, fs.ErrPermission):
		e.Problem = fmt.Sprintf("cannot %s: permission denied", doing)
		e.Way = "run as the user to whom the game directory belongs, or change its permissions; nothing of the game was changed"
	}
	return e
}

// cause drops the path that *fs.PathError repeats.
func cause(err error) error {
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		return p.Err
	}
	return err
}
