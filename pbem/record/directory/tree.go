// Package directory keeps the record of a game in a directory, each file under its own name, so that
// people can read everything and change orders by hand.
//
// A file is written to a temporary file and renamed; a folder is built, synced and renamed; a journal
// line is appended and synced. Each is on stable storage when a commit returns, except as [Tree.Defer]
// says. An interrupted commit leaves files with names that start with a dot; the next holder of the lock removes them.
//
// The lock is an operating system lock on the file .lock, which names its holder and the holder's
// fence. Some network file systems do not enforce such locks; so the fence in the file is also
// checked before each change.
package directory

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/gofrs/flock"

	"starpost/pbem/disk"
	"starpost/pbem/fault"
	"starpost/pbem/record"
)

// Only the owner may read a game: it contains reports and orders that captains must
// not see of each other, and mails with their keys.
const (
	fileMode fs.FileMode = 0o600
	dirMode  fs.FileMode = 0o700
)

// Tree is a record in a directory.
type Tree struct {
	dir  string
	step func(string) error // see OnStep; may be nil

	lock   *flock.Flock // nil while it is not held
	fence  record.Fence
	signed fs.FileInfo // the lock's file as we last wrote it
	text   string      // ... and its text
	tidied bool        // leftovers of earlier holders are removed

	later *disk.Batch // see Defer; nil if nothing is deferred
	now   disk.Batch  // what the current change has written
}

// At returns the record in a directory, which need not exist yet.
func At(dir string) *Tree { return &Tree{dir: filepath.Clean(dir)} }

// Games lists the directories of games below a root, sorted by name.
func Games(root string) ([]string, error) {
	entries, err := os.ReadDir(root)
	if err != nil {
		return nil, system("list games", root, err)
	}
	var dirs []string
	for _, e := range entries {
		dir := filepath.Join(root, e.Name())
		if _, err := os.Stat(filepath.Join(dir, "game.toml")); err == nil {
			dirs = append(dirs, dir)
		}
	}
	return dirs, nil
}

// Place returns the path of a file; that of the directory if name is "".
func (t *Tree) Place(name string) string {
	if name == "" {
		return t.dir
	}
	return filepath.Join(t.dir, filepath.FromSlash(name))
}

// Open opens a file. It does not follow links that lead out of the directory.
func (t *Tree) Open(name string) (fs.File, error) {
	if err := inside("open", name); err != nil {
		return nil, err
	}
	f, err := os.OpenInRoot(t.dir, filepath.FromSlash(name))
	if err != nil {
		return nil, err
	}
	return f, nil
}

// ReadFile reads a file.
func (t *Tree) ReadFile(name string) ([]byte, error) {
	if err := inside("read", name); err != nil {
		return nil, err
	}
	return disk.ReadFile(t.Place(name))
}

// ReadDir lists a folder, sorted by name.
func (t *Tree) ReadDir(name string) ([]fs.DirEntry, error) {
	if err := inside("read", name); err != nil {
		return nil, err
	}
	return os.ReadDir(t.Place(name))
}

// Stat describes a file or folder, following links.
func (t *Tree) Stat(name string) (fs.FileInfo, error) {
	if err := inside("look at", name); err != nil {
		return nil, err
	}
	return os.Stat(t.Place(name))
}

// Look looks at a file through l, which does so for very many games at once.
func (t *Tree) Look(l *disk.Looker, name string) (disk.Facts, error) { return l.Look(t.dir, name) }

// Listen makes l watch a folder.
func (t *Tree) Listen(l *disk.Listener, name string) (int32, error) { return l.Add(t.Place(name)) }

// inside returns an error unless name is a path below the directory. It need not be UTF-8, because
// people may name files in any encoding.
func inside(op, name string) error {
	if !fs.ValidPath(strings.ToValidUTF8(name, "?")) || strings.ContainsRune(name, 0) {
		return &fs.PathError{Op: op, Path: name, Err: fs.ErrInvalid}
	}
	return nil
}

// OnStep makes changes call ask before each of record.Steps. An error of ask stops the change; if it
// wraps record.ErrStopped, nothing is cleaned up, as in a crash.
func (t *Tree) OnStep(ask func(step string) error) { t.step = ask }

func (t *Tree) before(step string) error {
	if t.step == nil {
		return nil
	}
	return t.step(step)
}

// system adds context and advice to an operating system's error; nil stays nil.
func system(doing, path string, err error) error {
	if _, told := errors.AsType[*fault.Fault](err); told || errors.Is(err, record.ErrStopped) {
		return err
	}
	return fault.System(doing, path, err, "the game is unchanged")
}
