// Package record defines the record of a game: a set of named files. One process at a time
// changes a record, and each change is made completely or not at all.
//
// Names are slash-separated, as in package fs. Two have a meaning here: Journal, which only
// grows, and Orders, a folder that people may write to as well. Package vault defines the files'
// contents. Adapters keep them: directory as readable files, memory in memory, postgres in a database.
//
// To change a record, a process holds its lock, and with it a [Fence]: a number that grows
// whenever the lock passes to another holder. Each change is checked against the fence, so a
// process that was suspended and replaced changes nothing when it resumes.
package record

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Names that every record has.
const (
	Journal = "journal.jsonl" // grows by one line at a time
	Orders  = "orders"        // the folder of order sets
)

// Errors that callers distinguish with errors.Is.
var (
	ErrExists    = errors.New("the directory is not empty")
	ErrLocked    = errors.New("another process is using the game")
	ErrAway      = fmt.Errorf("%w: it is checked out", ErrLocked) // until its return, see package move
	ErrFenced    = errors.New("another process has taken over the game")
	ErrStale     = errors.New("another process changed the game meanwhile")
	ErrCommitted = errors.New("the turn is already committed")
	// ErrStopped is wrapped by errors with which a test stops a change as a crash would: nothing
	// is cleaned up.
	ErrStopped = errors.New("stopped as by a crash")
)

// Steps are the points at which a crash may interrupt a change that is not atomic by itself. Each
// point is just before the step that it names.
var Steps = []string{
	"file", // write a file of a folder
	"sync", // sync the folder to disk
	"rename",
	"sync turns",
	"sweep", // remove a file or folder
	"journal open",
	"journal write",
	"journal sync",
}

// A Tree is the record of one game. It may be used by one goroutine at a time.
type Tree interface {
	Reader
	Writer
}

// A Reader reads a record; it needs no lock. Each file is as one change left it, never half
// written. For missing files and folders, errors are fs.ErrNotExist.
type Reader interface {
	fs.ReadFileFS
	fs.ReadDirFS
	fs.StatFS
	// Place returns where a file of the record is kept, for people to read; for "" the place
	// of the whole record, by which commands find the game.
	Place(name string) string
}

// CommandLine returns a command about a game as typed in a shell: "starpost referee wolf resume". For a game in a
// database it ends with the flag that names the database. The words are not quoted.
func CommandLine(game Reader, command string, words ...any) string {
	if in, ok := game.(addressed); ok {
		name, url := in.Address()
		return commandLine(command, name, append(slices.Clone(words), StoreFlag(url)))
	}
	return commandLine(command, game.Place(""), words)
}

// MailedCommandLine is CommandLine for mails, which tell neither where the games of a host are nor its database:
// "starpost referee wolf resume", as typed among the games, or "starpost referee wolf resume --store URL".
func MailedCommandLine(game Reader, command string, words ...any) string {
	if in, ok := game.(addressed); ok {
		name, _ := in.Address()
		return commandLine(command, name, append(slices.Clone(words), "--store URL"))
	}
	return commandLine(command, filepath.Base(game.Place("")), words)
}

// addressed is a game in a database.
type addressed interface{ Address() (name, url string) }

func commandLine(command, name string, words []any) string {
	return strings.TrimSuffix(fmt.Sprintln(append([]any{"starpost", command, Quote(name)}, words...)...), "\n")
}

// StoreFlag returns the flag that names a database in a command line.
func StoreFlag(url string) string { return "--store " + Quote(url) }

// Quote quotes a word for a shell, if it needs to be.
func Quote(s string) string {
	if s != "" && !strings.ContainsFunc(s, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("/._-+@", r))
	}) {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// A Writer changes a record.
type Writer interface {
	// Create makes the record from files, if there is none yet (otherwise ErrExists). The
	// last file appears last.
	Create(files []File) error
	// Lock allows the caller alone to change the record, until Unlock or the
	// end of the process. It does not wait: an ErrLocked error names the holder.
	Lock() (Fence, error)
	// Commit makes a change if the fence is that of the lock's holder (otherwise ErrFenced) and
	// the record matches base (otherwise ErrStale); a nil base matches any record. After an error
	// no part of the change counts. Repeating a change, as after a lost answer, is no error
	// and changes nothing.
	Commit(f Fence, base *Version, c Change) error
	// Unlock releases the lock. If tell is set, watchers of the record notice it.
	Unlock(f Fence, tell bool) error
}

// Fence is the number of a lock's holder, counted from 1.
type Fence uint64

// Files returns all files of a record with their times. It leaves out names that start with a dot, and files for which skip,
// if not nil, returns true.
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
		info, err := from.Stat(name) // follows links
		if err != nil {
			return err
		}
		files = append(files, File{Name: name, Data: data, Modified: info.ModTime()})
		return nil
	})
	return files, err
}

// Version describes the state of the record that a change is based on. For a change that adds a
// journal line, only the journal is compared.
type Version struct {
	Size int64  // size of the journal in bytes; 0 if there is none
	Good int64  // size of its whole lines; a torn line after them is cut off before a line is added
	Last int64  // where its last whole line starts
	Head string // the SHA-256 of that line without its newline, in hexadecimal

	There  string   // a folder that must exist; "" for none
	Absent []string // folders that must not exist
}

// Change is what a commit does. Bytes are added first, then files are put, then others removed. A line
// of the journal must be a change by itself.
type Change struct {
	Doing string       // what the change does, in a word or two, for errors
	Ask   func() error // called just before the change takes effect, and may refuse it; may be nil

	Add []File // bytes to append to files, unless the files end with them already
	Put []File // whole files
	// Dir is a folder that contains all of Put; they appear together or not at all. If it
	// exists already, that is ErrCommitted, or with Replace a leftover to be replaced.
	Dir     string
	Replace bool
	Remove  []string // files, or folders with their contents
	Prune   []string // folders to be removed if they are empty
}

// File is a file of a change.
type File struct {
	Name     string
	Data     []byte
	Modified time.Time // its modification time; zero for now
	// Was describes the file when it last had exactly this Data, if known. If the file has not
	// changed since, only its time needs to be written.
	Was fs.FileInfo
}

// Check returns an error for a change that no record can make: one with an invalid name (see
// checkName), a journal line with other changes or without a version, or a file to put outside Dir.
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

// Allowed calls Ask, if set, and returns its error.
func (c Change) Allowed() error {
	if c.Ask == nil {
		return nil
	}
	return c.Ask()
}

// Line returns the journal line that a change adds, or nil.
func (c Change) Line() []byte {
	for _, f := range c.Add {
		if f.Name == Journal {
			return f.Data
		}
	}
	return nil
}

// maxElement is the longest element of a name, in bytes, that common file systems allow.
const maxElement = 255

// checkName returns an error for a name that no file may have: one that is empty, absolute or too long, or has "."
// or ".." elements, or characters with a special meaning on some system.
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
