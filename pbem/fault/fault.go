// Package fault has the one form of errors that tell a person the way out.
//
// What kind of trouble it is callers find out with errors.Is: Err is one of the kinds
// that the package has which found it, or the system's error. It is not for mistakes in
// orders or scenarios, which are diagnostics.
package fault

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"
)

// Fault is an error: trouble that a person can do something about.
type Fault struct {
	Path    string // the file or directory, with its line perhaps; "" for none
	Problem string // what is wrong; "" where Err says it
	Way     string // what a person can do; may be empty
	Err     error  // the kind or the cause; may be nil
}

// New makes an error without a path and of no kind.
func New(way, format string, args ...any) *Fault {
	return &Fault{Problem: fmt.Sprintf(format, args...), Way: way}
}

// Error gives path and problem.
func (e *Fault) Error() string {
	words := e.Problem
	if words == "" && e.Err != nil {
		words = e.Err.Error()
	}
	if e.Path != "" {
		return e.Path + ": " + words
	}
	return words
}

// Unwrap gives the kind or the cause.
func (e *Fault) Unwrap() error { return e.Err }

// Hint is the way out, "" where none is known.
func (e *Fault) Hint() string { return e.Way }

// Hint is the way out that an error of any package knows of, "" for none.
func Hint(err error) string {
	if h, ok := errors.AsType[interface {
		error
		Hint() string
	}](err); ok {
		return h.Hint()
	}
	return ""
}

// System puts an operating system's error into words with a way out; nil for nil. So
// tells what has become of the thing that was being done, such as "nothing was changed".
func System(doing, path string, err error, so string) error {
	if err == nil {
		return nil
	}
	e := &Fault{Path: path, Problem: fmt.Sprintf("cannot %s: %v", doing, Cause(err)), Err: err}
	switch {
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		e.Problem = fmt.Sprintf("cannot %s: the disk is full", doing)
		e.Way = "free some space and try again; " + so
	case errors.Is(err, syscall.EROFS):
		e.Problem = fmt.Sprintf("cannot %s: the file system is read-only", doing)
		e.Way = "mount it for writing and try again; " + so
	case errors.Is(err, fs.ErrPermission):
		e.Problem = fmt.Sprintf("cannot %s: permission denied", doing)
		e.Way = "run as the user to whom the directory belongs, or change its permissions; " + so
	case errors.Is(err, fs.ErrNotExist):
		e.Way = "the directory must be there; " + so
	}
	return e
}

// Cause drops the path that *fs.PathError repeats.
func Cause(err error) error {
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		return p.Err
	}
	return err
}
