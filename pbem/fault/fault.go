// Package fault has the common form of errors that tell a person the remedy.
//
// Callers find the kind of an error with errors.Is: Err is one of the kinds of the package that
// found it, or the system's error. Errors in orders or scenarios are diagnostics instead.
package fault

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"
)

// Fault is an error that a person can do something about.
type Fault struct {
	Path    string // the file or directory, perhaps with a line; "" for none
	Problem string // what is wrong; "" if Err says it
	Way     string // what a person can do; may be empty
	Err     error  // the kind or the cause; may be nil
}

// New returns an error without a path or kind.
func New(way, format string, args ...any) *Fault {
	return &Fault{Problem: fmt.Sprintf(format, args...), Way: way}
}

// Error returns path and problem.
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

// Unwrap returns the kind or the cause.
func (e *Fault) Unwrap() error { return e.Err }

// Hint returns the remedy, "" if none is known.
func (e *Fault) Hint() string { return e.Way }

// Hint returns the remedy of an error of any package, "" if there is none.
func Hint(err error) string {
	if h, ok := errors.AsType[interface {
		error
		Hint() string
	}](err); ok {
		return h.Hint()
	}
	return ""
}

// System describes an operating system's error with a remedy; nil for nil. so says what happened to
// the interrupted operation, such as "nothing was changed".
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

// Cause removes the path that *fs.PathError repeats.
func Cause(err error) error {
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		return p.Err
	}
	return err
}
