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

// opened holds the database's files as they were when opened, each with its smallest
// possible size.
type opened struct {
	mu    sync.Mutex
	files []openedFile
}

type openedFile struct {
	path string
	info fs.FileInfo
	size int64
}

// lookAt records the files of a database that was just opened: its file, SQLite's
// write-ahead log, and its shared-memory file.
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

// changing runs f, which may make the files smaller. SQLite does not do that by
// itself while it uses them.
func (o *opened) changing(f func()) {
	o.mu.Lock()
	defer o.mu.Unlock()
	f()
	for i := range o.files {
		o.files[i].size = 0
	}
}

// whole returns ErrLost if a file is missing, was replaced, or was cut short.
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

// same reports whether two calls of Stat found the same file. On Windows it is always true: an open file cannot be replaced
// there, and its identity cannot always be read.
func same(a, b fs.FileInfo) bool { return runtime.GOOS == "windows" || os.SameFile(a, b) }

// CheckFiles returns ErrLost unless the store still has its copy and the files that
// were opened. Data written to a removed file lasts no longer than the process, and
// reading a file that was cut short fails.
func (l *Store) CheckFiles() error {
	if err := l.files.whole(); err != nil {
		return err
	}
	return l.link.copy.whole()
}
