package sqlite

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"sync"

	"starpost/pbem/store"
)

// opened are the database's files as they were opened, with the size that each has
// at least.
type opened struct {
	mu    sync.Mutex
	files []openedFile
}

type openedFile struct {
	path string
	info fs.FileInfo
	size int64
}

// lookAt looks at a database that was just opened: its file, and those that SQLite
// keeps beside it, of new changes and for processes to share.
func lookAt(path string, db fs.FileInfo) (*opened, error) {
	all := []openedFile{{path: path, info: db}}
	for _, ending := range []string{"-wal", "-shm"} {
		info, err := os.Stat(path + ending)
		if err != nil {
			return nil, err
		}
		all = append(all, openedFile{path + ending, info, info.Size()})
	}
	return &opened{files: all}, nil
}

// changing lets f make files smaller, which SQLite does not do by itself while it
// uses them.
func (o *opened) changing(f func()) {
	o.mu.Lock()
	defer o.mu.Unlock()
	f()
	for i := range o.files {
		o.files[i].size = 0
	}
}

// whole gives ErrLost unless all files are those that were opened, and not cut.
func (o *opened) whole() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	for i := range o.files {
		f := &o.files[i]
		info, err := os.Stat(f.path)
		switch {
		case errors.Is(err, fs.ErrNotExist), err == nil && (!same(info, f.info) || info.Size() < f.size):
			return fmt.Errorf("%s: %w", f.path, store.ErrLost)
		case err != nil:
			return fmt.Errorf("check the store: %w", err)
		}
		if i > 0 {
			f.size = info.Size()
		}
	}
	return nil
}

// same tells whether two calls of Stat found the same file. On Windows a file that is open cannot be replaced, and its identity
// cannot always be read.
func same(a, b fs.FileInfo) bool { return runtime.GOOS == "windows" || os.SameFile(a, b) }

// CheckFiles tells whether the store still has the files that were opened, and its
// copy. What is written into a file that was removed lasts no longer than the
// process, and one that was cut fails its reader.
func (l *Store) CheckFiles() error {
	if err := l.files.whole(); err != nil {
		return err
	}
	return l.link.copy.whole()
}
