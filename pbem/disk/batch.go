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

// Batch records files that are written but not yet on stable storage. It may be used by one
// goroutine at a time; the zero value is ready to use.
type Batch struct {
	files, dirs map[string]bool
}

// few is the most files and directories that are synced one by one: for these it is not worth
// waiting for everything else written to the file system.
const few = 4

// Write replaces the file path by data, atomically for readers, and sets its modification time
// unless modified is zero. The data may not be on disk yet: until Sync, a loss of power may leave
// the earlier file, or half of this one. halves is the directory for the file while it is being
// written, on the same file system.
func (b *Batch) Write(path, halves string, data []byte, perm fs.FileMode, modified time.Time) error {
	if err := put(path, halves, bytes.NewReader(data), perm, modified, false); err != nil {
		return err
	}
	b.FileWritten(path)
	return nil
}

// Replace replaces the file path by data, atomically for readers and after a loss of power. When it
// returns nil, the file is on stable storage.
func Replace(path string, data []byte, perm fs.FileMode) error {
	return ReplaceFrom(path, bytes.NewReader(data), perm)
}

// ReplaceFrom is Replace with data read from a reader.
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

// half creates the file that is to become path, with a name derived from it. If that name is taken,
// by a crash or another writer, it chooses another.
func half(path, halves string, perm fs.FileMode) (*os.File, error) {
	name := "." + filepath.Base(path)
	f, err := OpenFile(filepath.Join(halves, name+"0"), os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm)
	if errors.Is(err, fs.ErrExist) {
		return os.CreateTemp(halves, name+"*")
	}
	return f, err
}

// permit sets a file's permissions, if the umask removed some or it was created without them.
func permit(f *os.File, perm fs.FileMode) error {
	info, err := f.Stat()
	if err != nil || info.Mode().Perm() == perm {
		return err
	}
	return f.Chmod(perm)
}

// FileWritten records a file that the caller has written.
func (b *Batch) FileWritten(path string) {
	b.note(&b.files, path)
	b.DirChanged(filepath.Dir(path))
}

// DirChanged records that entries of a directory were added or removed.
func (b *Batch) DirChanged(dir string) { b.note(&b.dirs, dir) }

func (b *Batch) note(set *map[string]bool, path string) {
	if *set == nil {
		*set = map[string]bool{}
	}
	(*set)[path] = true
}

// Sync puts everything recorded on stable storage. After an error everything is still recorded.
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

// syncSingly syncs each path; a path that was removed again is skipped.
func syncSingly(dirs, files []string) error {
	for _, path := range slices.Concat(files, dirs) {
		if err := syncPath(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("sync %s: %w", path, err)
		}
	}
	return nil
}

// ErrUnheard says that a [Listener] would miss some changes, so files must be polled.
var ErrUnheard = errors.New("the system does not tell of changed files here")

// Facts identify the state of a file, as far as the file system knows it.
type Facts struct {
	Inode             uint64 // 0 if there are no inodes
	Size              int64
	Modified, Changed int64 // in nanoseconds; Changed cannot be set back
}

// Looker checks very many files below the directories of a few folders, one after the other. It must
// be used by one goroutine only. The zero value is ready to use; Close it.
type Looker struct {
	root
	path []byte
}

// Same reports whether two looks at a file found the same unchanged file. A file that replaced
// another differs, even with the same size and time.
func Same(a, b fs.FileInfo) bool {
	return a != nil && b != nil && os.SameFile(a, b) && a.Size() == b.Size() && a.ModTime().Equal(b.ModTime())
}
