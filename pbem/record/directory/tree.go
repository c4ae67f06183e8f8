// Package directory keeps the record of a game in a directory: each file under its name, as a person
// would write it, so that orders may be changed by hand and everything be read.
//
// A file is written beside its place and renamed, a folder is built, synced and renamed, a line is
// added to the journal and synced. Each is on stable storage when a commit returns, but see
// [Tree.Defer]. One that ends in the middle leaves files that a dot begins; who takes the lock next removes them.
//
// The lock is that of the operating system on the file .lock, which names its holder and the number
// of the holder's fence. Where such a lock does not keep others out, as on some file systems of several
// machines, the number does: it is looked at before each change.
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

// A game is its owner's alone: reports and orders are what its captains must not
// know of each other, and the mails have their keys.
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
	signed fs.FileInfo // of the lock's file as we wrote it last
	text   string      // ... and what it says
	tidied bool        // what the holder before may have left is gone

	later *disk.Batch // see Defer; nil when nothing is put off
	now   disk.Batch  // what the change at hand has written
}

// At is the record in a directory, whether there is one or not.
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

// Place is the path of a file.
func (t *Tree) Place(name string) string { return filepath.Join(t.dir, filepath.FromSlash(name)) }

// Open opens a file, unless links lead out of the directory.
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
	return os.ReadFile(t.Place(name))
}

// ReadDir lists a folder, sorted by name.
func (t *Tree) ReadDir(name string) ([]fs.DirEntry, error) {
	if err := inside("read", name); err != nil {
		return nil, err
	}
	return os.ReadDir(t.Place(name))
}

// Stat looks at a file or folder.
func (t *Tree) Stat(name string) (fs.FileInfo, error) {
	if err := inside("look at", name); err != nil {
		return nil, err
	}
	return os.Stat(t.Place(name))
}

// Look has a file looked at with those of very many games.
func (t *Tree) Look(l *disk.Looker, name string) (disk.Facts, error) { return l.Look(t.dir, name) }

// Listen listens to a folder.
func (t *Tree) Listen(l *disk.Listener, name string) (int32, error) { return l.Add(t.Place(name)) }

// inside refuses what is no name of a file below the directory. People may give files names in any
// encoding.
func inside(op, name string) error {
	if !fs.ValidPath(strings.ToValidUTF8(name, "?")) || strings.ContainsRune(name, 0) {
		return &fs.PathError{Op: op, Path: name, Err: fs.ErrInvalid}
	}
	return nil
}

// OnStep has ask called before each of record.Steps. Its error stops there and leaves all as it
// is, as a crash would, if record.ErrStopped is in it.
func (t *Tree) OnStep(ask func(step string) error) { t.step = ask }

func (t *Tree) before(step string) error {
	if t.step == nil {
		return nil
	}
	return t.step(step)
}

// system puts an operating system's error into words with a way out; nil for nil.
func system(doing, path string, err error) error {
	if _, told := errors.AsType[*fault.Fault](err); told || errors.Is(err, record.ErrStopped) {
		return err
	}
	return fault.System(doing, path, err, "the game is unchanged")
}
