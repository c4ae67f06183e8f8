// Package record says what the record of a game is: files by name, which one process at a
// time changes, each change whole or not at all.
//
// Names are slash-separated, as package fs has them. The record knows two of them: Journal,
// which only grows, and Orders, which people may write to besides. What the files hold is for
// package vault to know. Where they are kept is for an adapter: directory keeps them as files
// that a person can read, memory keeps them for as long as a process lives.
//
// Who changes a record holds its lock, and with it a [Fence]: a number that grows whenever the
// lock passes to another holder. Each change is held against it, so that a process which was
// stopped, and whose place another took, changes nothing when it goes on.
package record

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"time"
)

// Names that every record has.
const (
	Journal = "journal.jsonl" // added to, a line at a time
	Orders  = "orders"        // the folder of order sets
)

// The kinds of trouble that callers tell apart with errors.Is.
var (
	ErrExists    = errors.New("the directory is not empty")
	ErrLocked    = errors.New("another process is using the game")
	ErrFenced    = errors.New("another process has taken over the game")
	ErrStale     = errors.New("another process changed the game meanwhile")
	ErrCommitted = errors.New("the turn is already committed")
	// ErrStopped is in an error that a test has a change stopped with, as by a crash: nothing is
	// tidied up.
	ErrStopped = errors.New("stopped as by a crash")
)

// Steps are the points at which a change may be cut short by a crash where it is not made at once; each
// stands before the step it is named for.
var Steps = []string{
	"file", // a file of a folder is written
	"sync", // ... all of it goes to the disk
	"rename",
	"sync turns",
	"sweep", // a file or folder is removed
	"journal open",
	"journal write",
	"journal sync",
}

// A Tree is the record of one game. It may be used by one goroutine at a time.
type Tree interface {
	Reader
	Writer
}

// A Reader reads a record; it needs no lock. A file is as one change left it, never half of
// that. What is not there is fs.ErrNotExist.
type Reader interface {
	fs.ReadFileFS
	fs.ReadDirFS
	fs.StatFS
	// Place is where a file of the record is kept, for people; of "" where all is, by which
	// commands find the game.
	Place(name string) string
}

// A Writer changes a record.
type Writer interface {
	// Create makes the record of files, if there is nothing yet (else ErrExists). The
	// last file is there last of all.
	Create(files []File) error
	// Lock makes its caller the one that may change the record, until Unlock or the
	// end of the process. It does not wait: ErrLocked names the holder.
	Lock() (Fence, error)
	// Commit makes a change if the fence is that of the lock's holder (else ErrFenced) and
	// the record is as base says (else ErrStale); nil says nothing of it. After an error
	// nothing of the change counts. A change that was made already, its answer having been lost,
	// is made once: to repeat it is no error and changes nothing.
	Commit(f Fence, base *Version, c Change) error
	// Unlock gives the lock back. With tell those that watch the record notice it.
	Unlock(f Fence, tell bool) error
}

// Fence is which holder of the lock, counted from 1, a change comes from.
type Fence uint64

// Files are all files of a record with their times, but for those that a dot begins and those that skip, which may be nil, tells of.
func Files(from Reader, skip func(name string) bool) (files []File, err error) {
	err = fs.WalkDir(from, ".", func(name string, e fs.DirEntry, err error) error {
		switch {
		case err != nil || name == ".":
			return err
		case strings.HasPrefix(e.Name(), ".") && e.IsDir():
			return fs.SkipDir
		case e.IsDir() || strings.HasPrefix(e.Name(), ".") || skip != nil && skip(name):
			return nil
		}
		data, err := from.ReadFile(name)
		if err != nil {
			return err
		}
		info, err := from.Stat(name) // what a link points at
		if err != nil {
			return err
		}
		files = append(files, File{Name: name, Data: data, Modified: info.ModTime()})
		return nil
	})
	return files, err
}

// Version is what a change rests on: how the record was when its maker last read it. A line of the
// journal rests on the journal alone.
type Version struct {
	Size int64  // of the journal, in bytes; 0 if there is none
	Good int64  // ... in whole lines: what is behind was torn, and is cut off before a line is added
	Last int64  // ... before the last whole line
	Head string // the SHA-256 of that line without its end, in hexadecimal

	There  string   // a folder that is there; "" for none in particular
	Absent []string // folders that are not
}

// Change is what a commit does. Bytes are added first, then files put, then others removed; a line
// of the journal is a change by itself.
type Change struct {
	Doing string       // in a word or two, for errors
	Ask   func() error // what is asked at the last moment before the change counts, and may refuse it; may be nil

	Add []File // bytes for the ends of files, unless they stand there already
	Put []File // whole files
	// Dir is a folder that all of Put lie in: they are there together or not at all. One of that
	// name is ErrCommitted, or with Replace a leftover that counts for nothing.
	Dir     string
	Replace bool
	Remove  []string // files, or folders with all in them
	Prune   []string // folders to be removed if nothing is left in them
}

// File is a file of a change.
type File struct {
	Name     string
	Data     []byte
	Modified time.Time // what becomes its time; zero for now
	// Was is how the file was when it last had just this Data, if that is known: if it
	// still is, nothing but its time need be written.
	Was fs.FileInfo
}

// Check refuses a change that no record can make: names that cannot be (see checkName), a line of
// the journal beside others or without a version, a folder that does not hold what is put.
func (c Change) Check(base *Version) error {
	names := slices.Concat(c.Remove, c.Prune)
	for _, f := range slices.Concat(c.Add, c.Put) {
		names = append(names, f.Name)
		if c.Dir != "" && !strings.HasPrefix(f.Name, c.Dir+"/") {
			return fmt.Errorf("change a record: %q is not in folder %q", f.Name, c.Dir)
		}
	}
	if c.Dir != "" {
		names = append(names, c.Dir)
	}
	for _, name := range names {
		if err := checkName(name); err != nil {
			return err
		}
	}
	if c.Line() != nil && (base == nil || len(names) > 1) {
		return errors.New("change a record: a journal line must be a separate change, and needs a version")
	}
	return nil
}

// Allowed asks whether the change may be made.
func (c Change) Allowed() error {
	if c.Ask == nil {
		return nil
	}
	return c.Ask()
}

// Line is the line of the journal that a change adds; nil for none.
func (c Change) Line() []byte {
	for _, f := range c.Add {
		if f.Name == Journal {
			return f.Data
		}
	}
	return nil
}

// maxElement is how long an element of a name may be, in bytes, as file systems have it.
const maxElement = 255

// checkName refuses what cannot be the name of a file to write: of no length, absolute, with "." or ".."
// in it, with characters that some system takes for something else, or too long.
func checkName(name string) error {
	problem := ""
	switch {
	case !fs.ValidPath(name) || name == ".":
		problem = "is not a name inside the game"
	case strings.ContainsAny(name, "\\\x00"):
		problem = "contains a character that file names cannot have"
	case slices.ContainsFunc(strings.Split(name, "/"), func(s string) bool { return len(s) > maxElement }):
		problem = fmt.Sprintf("has a part of more than %d bytes", maxElement)
	}
	if problem != "" {
		return &fs.PathError{Op: "write", Path: name, Err: fmt.Errorf("%w: it %s", fs.ErrInvalid, problem)}
	}
	return nil
}
