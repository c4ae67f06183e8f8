package directory

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"time"

	"starpost/pbem/disk"
	"starpost/pbem/record"
)

// Commit makes a change. Its parts are written in the order that record.Change gives. A new folder takes effect
// when it is renamed, a journal line when it is on the disk.
func (t *Tree) Commit(f record.Fence, base *record.Version, c record.Change) error {
	err := t.commit(f, base, c)
	if err == nil || errors.Is(err, record.ErrStopped) {
		return err
	}
	// If another process took the lock, it removed our unfinished files: report that, not a disk error.
	if lost := t.ours(f); errors.Is(lost, record.ErrFenced) {
		return lost
	}
	return err
}

func (t *Tree) commit(f record.Fence, base *record.Version, c record.Change) error {
	if err := c.Check(base); err != nil {
		return err
	}
	if c.Dir != "" {
		return t.putFolder(f, base, c)
	}
	if c.Line() != nil {
		return t.addLine(f, base, c)
	}
	if err := t.may(f, c); err != nil {
		return err
	}
	if fits, err := t.fits(base, c); err != nil || !fits {
		return cmp.Or(err, t.madeAlready(c))
	}
	return t.putFiles(f, c)
}

// may returns an error if the change is refused or the lock is lost. It is called right before the change, since the
// process may have been suspended at any time before.
func (t *Tree) may(f record.Fence, c record.Change) error {
	if err := c.Allowed(); err != nil {
		return err
	}
	return t.ours(f)
}

// fits reports whether the record is in the state that a change is based on.
func (t *Tree) fits(base *record.Version, c record.Change) (bool, error) {
	if c.Dir != "" && !c.Replace {
		if there, err := t.has(c.Dir); err != nil || there {
			return false, err
		}
	}
	if base == nil {
		return true, nil
	}
	if same, err := t.journalIs(base); err != nil || !same {
		return false, err
	}
	if base.There != "" {
		if there, err := t.has(base.There); err != nil || !there {
			return false, err
		}
	}
	for _, name := range base.Absent {
		if there, err := t.has(name); err != nil || there {
			return false, err
		}
	}
	return true, nil
}

func (t *Tree) has(name string) (bool, error) {
	_, err := os.Lstat(t.Place(name))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, system("look for", t.Place(name), err)
}

// madeAlready returns nil if a change was made before and its answer lost, and otherwise ErrCommitted or ErrStale.
func (t *Tree) madeAlready(c record.Change) error {
	made := true
	for _, f := range c.Add {
		data, err := disk.ReadFile(t.Place(f.Name))
		made = made && err == nil && bytes.HasSuffix(data, f.Data)
	}
	for _, f := range c.Put {
		data, err := disk.ReadFile(t.Place(f.Name))
		made = made && err == nil && string(data) == string(f.Data)
	}
	for _, name := range c.Remove {
		there, err := t.has(name)
		made = made && err == nil && !there
	}
	switch {
	case made && c.Dir != "":
		return system(c.Doing, t.Place(c.Dir), disk.SyncTree(t.Place(path.Dir(c.Dir))))
	case made:
		return nil
	case c.Dir != "" && !c.Replace:
		if there, err := t.has(c.Dir); err != nil || there {
			return errors.Join(err, record.ErrCommitted)
		}
	}
	return record.ErrStale
}

// journalIs reports whether the journal is as it was read: by its size, and the hash of its last line.
func (t *Tree) journalIs(base *record.Version) (bool, error) {
	path := t.Place(record.Journal)
	f, err := disk.OpenFile(path, os.O_RDONLY, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return base.Size == 0, nil
	}
	if err != nil {
		return false, system("look at the journal", path, err)
	}
	same, err := describes(base, f)
	return same, system("look at the journal", path, errors.Join(err, f.Close()))
}

func describes(base *record.Version, f *os.File) (bool, error) {
	info, err := f.Stat()
	if err != nil || info.Size() != base.Size {
		return false, err
	}
	return endsIn(base, f)
}

// endsIn reports whether a file has the last line that base describes.
func endsIn(base *record.Version, f *os.File) (bool, error) {
	if base.Good == 0 {
		return true, nil
	}
	line := make([]byte, base.Good-base.Last)
	if _, err := f.ReadAt(line, base.Last); err != nil {
		return false, err
	}
	sum := sha256.Sum256(line[:len(line)-1])
	return hex.EncodeToString(sum[:]) == base.Head, nil
}

// addLine writes a line after the last whole one of the journal.
func (t *Tree) addLine(fence record.Fence, base *record.Version, c record.Change) (err error) {
	path, line := t.Place(record.Journal), c.Line()
	if err := t.before("journal open"); err != nil {
		return err
	}
	how := os.O_RDWR
	if base.Size == 0 {
		if err := t.may(fence, c); err != nil {
			return err
		}
		how |= os.O_CREATE
	}
	f, err := disk.OpenFile(path, how, fileMode)
	if errors.Is(err, fs.ErrNotExist) {
		return errors.Join(record.ErrStale, err)
	}
	if err != nil {
		return system("note in the journal", path, err)
	}
	defer func() {
		if cerr := f.Close(); cerr != nil && err == nil {
			err = system("note in the journal", path, cerr)
		}
	}()
	if err := t.before("journal write"); err != nil {
		return err
	}
	if err := t.may(fence, c); err != nil {
		return err
	}
	switch same, err := describes(base, f); {
	case err != nil:
		return system("note in the journal", path, err)
	case !same:
		return t.lineIsThere(base, f, line)
	}
	if base.Size > base.Good { // a line torn by a crash
		if err := f.Truncate(base.Good); err != nil {
			return system("cut a torn line off the journal", path, err)
		}
	}
	_, err = f.WriteAt(line, base.Good)
	if err == nil {
		if err := t.before("journal sync"); err != nil {
			return err
		}
		err = f.Sync()
	}
	if err != nil {
		// The caller is told that the entry is not there, so it must not be.
		return errors.Join(system("note in the journal", path, err), f.Truncate(base.Good))
	}
	if base.Good == 0 {
		return system("note in the journal", t.dir, disk.SyncDir(t.dir))
	}
	return nil
}

// lineIsThere returns nil if the line is already the journal's last, since its answer was lost, and otherwise ErrStale.
func (t *Tree) lineIsThere(base *record.Version, f *os.File, line []byte) error {
	info, err := f.Stat()
	if err != nil || info.Size() != base.Good+int64(len(line)) {
		return errors.Join(record.ErrStale, err)
	}
	last := make([]byte, len(line))
	if same, err := endsIn(base, f); err != nil || !same {
		return errors.Join(record.ErrStale, err)
	}
	if _, err := f.ReadAt(last, base.Good); err != nil || string(last) != string(line) {
		return errors.Join(record.ErrStale, err)
	}
	return system("note in the journal", f.Name(), errors.Join(f.Sync(), disk.SyncDir(t.dir)))
}

// Defer puts off syncing the files that are put or removed from now on until b is synced; with
// nil, each change is synced at once again. Until b is synced, a power failure may bring back
// the earlier file, or leave half of one: the caller must be able to repeat the changes.
// New folders (Change.Dir) and journal lines are always synced at once.
func (t *Tree) Defer(b *disk.Batch) { t.later = b }

// putFiles makes a change without a folder or journal line.
func (t *Tree) putFiles(fence record.Fence, c record.Change) (err error) {
	notes := make([]int64, 0, len(c.Add)) // earlier sizes, as add returns them
	defer func() {
		if err == nil || errors.Is(err, record.ErrStopped) {
			return
		}
		for i, size := range notes {
			err = errors.Join(err, cut(t.Place(c.Add[i].Name), size, len(c.Add[i].Data)))
		}
	}()
	for _, f := range c.Add {
		size, err := t.add(f)
		if notes = append(notes, size); err != nil {
			return system(c.Doing, t.Place(f.Name), err)
		}
	}
	for _, f := range c.Put {
		if err := t.put(fence, f); err != nil {
			return system(c.Doing, t.Place(f.Name), err)
		}
	}
	changed := &t.now
	if t.later != nil {
		changed = t.later
	}
	for _, name := range c.Remove {
		if err := t.before("sweep"); err != nil {
			return err
		}
		if err := t.ours(fence); err != nil {
			return err
		}
		if err := os.RemoveAll(t.Place(name)); err != nil {
			return system(c.Doing, t.Place(name), err)
		}
		changed.DirChanged(filepath.Dir(t.Place(name)))
	}
	for _, name := range c.Prune {
		if err := prune(t.Place(name)); err != nil {
			return system(c.Doing, t.Place(name), err)
		}
	}
	if t.later != nil {
		for _, f := range c.Add {
			t.later.FileWritten(t.Place(f.Name))
		}
		return nil
	}
	return t.now.Sync()
}

// put writes a file completely or not at all.
func (t *Tree) put(fence record.Fence, f record.File) error {
	path := t.Place(f.Name)
	write := func() error { return t.replaceFile(fence, path, f.Data, f.Modified) }
	makeDir := func(dir string) error { return disk.MakeDir(dir, dirMode) }
	if t.later != nil {
		if t.touch(path, f) {
			return nil
		}
		write = func() error { return t.later.Write(path, filepath.Dir(path), f.Data, fileMode, f.Modified) }
		makeDir = t.makeDirLater
	}
	err := write()
	if errors.Is(err, fs.ErrNotExist) { // the first order set of a turn has no folder yet
		if err := makeDir(filepath.Dir(path)); err != nil {
			return err
		}
		err = write()
	}
	if err == nil && t.later == nil {
		t.now.DirChanged(filepath.Dir(path))
	}
	return err
}

// makeDirLater makes a folder without waiting for the disk.
func (t *Tree) makeDirLater(dir string) error {
	if err := os.MkdirAll(dir, dirMode); err != nil {
		return err
	}
	for ; len(dir) > len(t.dir) && dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		t.later.DirChanged(filepath.Dir(dir))
	}
	return nil
}

// touch sets the time of a file that already has the data to put, and reports whether it did
// so. Otherwise the file must be written.
func (t *Tree) touch(path string, f record.File) bool {
	if f.Was == nil || f.Modified.IsZero() {
		return false
	}
	info, err := os.Lstat(path)
	if err != nil || !disk.Same(f.Was, info) || info.Mode() != fileMode {
		return false
	}
	if err := os.Chtimes(path, f.Modified, f.Modified); err != nil {
		return false // write the file instead
	}
	t.later.FileWritten(path)
	return true
}

// replaceFile writes text to path, completely or not at all, and sets its time unless that
// is zero. It checks the fence after the sync, right before the rename.
func (t *Tree) replaceFile(fence record.Fence, path string, text []byte, modified time.Time) (err error) {
	// The temporary file is beside its target: another directory may be on
	// another file system.
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"*") // accessible to its owner only
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(f.Name()))
		}
	}()
	if _, err = f.Write(text); err == nil {
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
	if err := t.ours(fence); err != nil { // syncing takes time
		return err
	}
	return os.Rename(f.Name(), path)
}

// add appends data to a file, unless the file ends with it already. It returns the earlier size of
// the file, or -1 if that is unknown or nothing was added.
func (t *Tree) add(a record.File) (size int64, err error) {
	f, err := disk.OpenFile(t.Place(a.Name), os.O_RDWR|os.O_APPEND|os.O_CREATE, fileMode)
	if err != nil {
		return -1, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if size, err = f.Seek(0, io.SeekEnd); err != nil {
		return -1, err
	}
	if there := size - int64(len(a.Data)); there >= 0 {
		end := make([]byte, len(a.Data))
		if _, err := f.ReadAt(end, there); err == nil && bytes.Equal(end, a.Data) {
			return -1, nil
		}
	}
	_, err = f.Write(a.Data)
	if err == nil && t.later == nil {
		err = f.Sync()
	}
	return size, err
}

// cut truncates a file to its size before bytes were added, unless more has been added since.
// A file that was empty is removed.
func cut(path string, size int64, added int) error {
	if size < 0 {
		return nil
	}
	if info, err := os.Stat(path); err == nil && info.Size() > size+int64(added) {
		return nil
	}
	err := os.Truncate(path, size)
	if size == 0 {
		err = os.Remove(path)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// prune removes a folder if it is empty.
func prune(path string) error {
	entries, err := os.ReadDir(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil && len(entries) == 0 {
		err = os.Remove(path)
	}
	return err
}
