package ledger

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sync"
)

// ErrLost tells that the ledger's files were removed, replaced or damaged under our
// hands: it must be closed and opened, which makes a new one.
var ErrLost = errors.New("the ledger's file was removed, replaced or damaged")

// IsLost tells whether an error means that the ledger cannot be used any more: see
// ErrLost.
func IsLost(err error) bool { return errors.Is(err, ErrLost) || isDamaged(err) }

// opened are the database's files as they were opened, with the size that each has
// at least: SQLite never makes one smaller while it uses it.
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

// whole gives ErrLost unless all files are those that were opened, and not cut.
func (o *opened) whole() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	for i := range o.files {
		f := &o.files[i]
		info, err := os.Stat(f.path)
		switch {
		case errors.Is(err, fs.ErrNotExist), err == nil && (!os.SameFile(info, f.info) || info.Size() < f.size):
			return fmt.Errorf("%s: %w", f.path, ErrLost)
		case err != nil:
			return fmt.Errorf("check the ledger: %w", err)
		}
		if i > 0 {
			f.size = info.Size()
		}
	}
	return nil
}

// CheckFiles tells whether the ledger still has the files that were opened. What is
// written into a file that was removed lasts no longer than the process, and one
// that was cut fails its reader.
func (l *Ledger) CheckFiles() error {
	if err := l.files.whole(); err != nil {
		return err
	}
	if _, err := os.Stat(l.segments.dir); err != nil {
		return fmt.Errorf("%s: %w", l.segments.dir, errors.Join(ErrLost, err))
	}
	return l.journal.whole()
}

// whole tells whether the journal is still the file that was opened.
func (t *journal) whole() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	ours, err := t.file.Stat()
	if err != nil {
		return fmt.Errorf("check the ledger's journal: %w", err)
	}
	info, err := os.Stat(t.path)
	switch {
	case errors.Is(err, fs.ErrNotExist), err == nil && !os.SameFile(info, ours):
		return fmt.Errorf("%s: %w", t.path, ErrLost)
	case err != nil:
		return fmt.Errorf("check the ledger's journal: %w", err)
	}
	return nil
}
