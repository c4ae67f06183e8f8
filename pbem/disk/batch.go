package disk

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// Batch remembers what was written and is not on stable storage yet. It may be
// used by one goroutine at a time; the zero value is ready.
type Batch struct {
	files, dirs map[string]bool
}

// few is up to how many files and directories are synced one by one: then it is
// not worth waiting for whatever else was written to the file system.
const few = 4

// Write replaces the file path by data, whole or not at all for readers,
// with that time of change unless it is zero. The data are on their way to the
// disk only; until Sync, a loss of power may leave the earlier file, or half of
// this one. halves is the directory for the file while it is being written, on
// the same file system.
func (b *Batch) Write(path, halves string, data []byte, perm fs.FileMode, modified time.Time) error {
	if err := put(path, halves, bytes.NewReader(data), perm, modified, false); err != nil {
		return err
	}
	b.FileWritten(path)
	return nil
}

// Replace replaces the file path by data, whole or not at all for readers and after a loss of power.
// When it returns nil the file is on stable storage.
func Replace(path string, data []byte, perm fs.FileMode) error {
	return ReplaceFrom(path, bytes.NewReader(data), perm)
}

// ReplaceFrom is Replace with what from reads.
func ReplaceFrom(path string, from io.Reader, perm fs.FileMode) error {
	dir := filepath.Dir(path)
	if err := put(path, dir, from, perm, time.Time{}, true); err != nil {
		return err
	}
	return SyncDir(dir)
}

func put(path, halves string, from io.Reader, perm fs.FileMode, modified time.Time, sync bool) (err error) {
	f, err := half(path, halves, perm)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			if rerr := os.Remove(f.Name()); rerr != nil && !errors.Is(rerr, fs.ErrNotExist) {
				err = errors.Join(err, rerr)
			}
		}
	}()
	_, err = io.Copy(f, from)
	if err == nil {
		err = permit(f, perm)
	}
	if err == nil && sync {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	if !modified.IsZero() {
		if err := os.Chtimes(f.Name(), modified, modified); err != nil {
			return err
		}
	}
	return os.Rename(f.Name(), path)
}

// half makes the file that is to become path. Its name tells of which it is; if
// there is one of that name, which a crash left or another writer is about, it gets
// another.
func half(path, halves string, perm fs.FileMode) (*os.File, error) {
	name := "." + filepath.Base(path)
	f, err := os.OpenFile(filepath.Join(halves, name+"0"), os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm)
	if errors.Is(err, fs.ErrExist) {
		return os.CreateTemp(halves, name+"*")
	}
	return f, err
}

// permit gives a file its permissions where the process's mask held some back, or
// it was made without.
func permit(f *os.File, perm fs.FileMode) error {
	info, err := f.Stat()
	if err != nil || info.Mode().Perm() == perm {
		return err
	}
	return f.Chmod(perm)
}

// FileWritten notes a file that the caller has written.
func (b *Batch) FileWritten(path string) {
	b.note(&b.files, path)
	b.DirChanged(filepath.Dir(path))
}

// DirChanged notes that entries of a directory came or went.
func (b *Batch) DirChanged(dir string) { b.note(&b.dirs, dir) }

func (b *Batch) note(set *map[string]bool, path string) {
	if *set == nil {
		*set = map[string]bool{}
	}
	(*set)[path] = true
}

// Sync puts all that was noted on stable storage. After an error everything is
// still noted.
func (b *Batch) Sync() error {
	dirs, files := slices.Sorted(maps.Keys(b.dirs)), slices.Sorted(maps.Keys(b.files))
	sync := syncAll
	if len(dirs)+len(files) <= few {
		sync = syncSingly
	}
	if err := sync(dirs, files); err != nil {
		return err
	}
	b.dirs, b.files = nil, nil
	return nil
}

// syncSingly syncs each; what was removed again needs nothing.
func syncSingly(dirs, files []string) error {
	for _, path := range slices.Concat(files, dirs) {
		if err := syncPath(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("sync %s: %w", path, err)
		}
	}
	return nil
}

// ErrUnheard tells that a [Listener] would not hear of every change: files must be asked for.
var ErrUnheard = errors.New("the system does not tell of changed files here")

// Facts are what tells a file from what it was, as far as the file system knows.
type Facts struct {
	Inode             uint64 // 0 where there is no such thing
	Size              int64
	Modified, Changed int64 // in nanoseconds; the second cannot be set back
}

// Looker asks for very many files below the directories of a few folders, one after the
// other. It is for one goroutine. The zero value is ready; Close it.
type Looker struct {
	root
	path []byte
}

// Same tells whether two looks at a file found the same one, unchanged: a file that another one
// replaced is not, even if it has its size and time.
func Same(a, b fs.FileInfo) bool {
	return a != nil && b != nil && os.SameFile(a, b) && a.Size() == b.Size() && a.ModTime().Equal(b.ModTime())
}
