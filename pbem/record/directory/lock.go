package directory

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/gofrs/flock"

	"starpost/pbem/disk"
	"starpost/pbem/fault"
	"starpost/pbem/pattern"
	"starpost/pbem/record"
)

// lockName is the file that is locked. Its first line says who holds the lock; its second line has
// the holder's fence.
const lockName = ".lock"

// fenceWord begins the second line.
const fenceWord = "fence "

// maxLock is the largest size of a lock file written by this program; larger files are ignored.
const maxLock = 1 << 10

// Lock allows this process alone to write, until Unlock or the end of the process.
func (t *Tree) Lock() (record.Fence, error) {
	path := t.Place(lockName)
	l := flock.New(path, flock.SetFlag(os.O_CREATE|os.O_RDWR), flock.SetPermissions(fileMode))
	ok, err := l.TryLock()
	if err != nil {
		return 0, system("lock the game", path, err)
	}
	if !ok {
		return 0, &fault.Fault{
			Path: t.dir, Problem: "the game is in use by " + disk.Holder(path),
			Way: "wait for it to end, or stop it", Err: record.ErrLocked,
		}
	}
	if err = t.sign(l); err == nil && !t.tidied {
		err = t.tidy()
	}
	if err != nil {
		return 0, errors.Join(err, l.Unlock())
	}
	t.lock = l
	return t.fence, nil
}

// Unlock releases the lock. If tell is set, it sets the time of the orders folder to now, for watchers to notice.
func (t *Tree) Unlock(f record.Fence, tell bool) error {
	l := t.lock
	if l == nil || f != t.fence {
		return nil
	}
	t.lock = nil
	var err error
	if tell {
		err = t.announce()
	}
	return errors.Join(err, system("unlock the game", l.Path(), l.Unlock()))
}

func (t *Tree) announce() error {
	dir := t.Place(record.Orders)
	err := disk.Touch(dir)
	if errors.Is(err, fs.ErrNotExist) { // for example, an archive dropped the empty directory
		err = os.Mkdir(dir, dirMode)
	}
	return system("unlock the game", dir, err)
}

// sign writes the holder and a new fence into the lock's file; the time of the file says since when the lock is held.
// If no other process has signed the file since this one did, only its time changes.
func (t *Tree) sign(l *flock.Flock) error {
	path := l.Path()
	info, err := l.Stat()
	if err == nil && !disk.Same(t.signed, info) {
		var was record.Fence
		if was, err = readFence(path); err == nil {
			t.fence, t.tidied = max(was, t.fence)+1, false
			t.text = fmt.Sprintf("%s%s%d\n", disk.Self(), fenceWord, t.fence)
			err = rewrite(path, []byte(t.text), info.Size())
		}
	}
	if err == nil {
		// Set the time explicitly: the time of a write is coarser, so two holders could look the same.
		err = disk.Touch(path)
	}
	if err == nil {
		t.signed, err = l.Stat()
	}
	return system("lock the game", path, err)
}

// rewrite replaces the contents of a file of size bytes. It does not truncate the file first:
// some file systems would then wait for the disk, so that a crash cannot leave it empty.
func rewrite(path string, data []byte, size int64) (err error) {
	f, err := disk.OpenFile(path, os.O_WRONLY|os.O_CREATE, fileMode)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if _, err = f.WriteAt(data, 0); err == nil && size > int64(len(data)) {
		err = f.Truncate(int64(len(data)))
	}
	return err
}

// readFence returns the fence in a lock's file; 0 if it has none.
func readFence(path string) (record.Fence, error) {
	text, err := readLock(path)
	if err != nil {
		return 0, err
	}
	_, line, _ := strings.Cut(text, "\n")
	number, ok := strings.CutPrefix(strings.TrimSuffix(line, "\n"), fenceWord)
	if !ok {
		return 0, nil
	}
	n, err := strconv.ParseUint(number, 10, 64)
	if err != nil || n == math.MaxUint64 {
		return 0, &fault.Fault{
			Path: path + ":2", Problem: fmt.Sprintf("%.30q is not a lock holder's number", number),
			Way: "stop all programs that use the game, and remove the file, which was altered", Err: record.ErrLocked,
		}
	}
	return record.Fence(n), nil
}

func readLock(path string) (string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return "", err
	}
	if info.Size() > maxLock {
		return "", nil // not written by this program
	}
	text, err := disk.ReadFile(path)
	return string(text), err
}

// ours returns an ErrFenced error if another process has taken the lock. That can happen unnoticed if
// this process was suspended, or if the file system does not enforce locks.
func (t *Tree) ours(f record.Fence) error {
	if t.lock != nil && f == t.fence {
		path := t.Place(lockName)
		info, err := os.Stat(path)
		switch {
		case err == nil && disk.Same(t.signed, info):
			return nil
		case err == nil && os.SameFile(t.signed, info):
			if text, err := readLock(path); err == nil && text == t.text { // only the time was changed
				t.signed = info
				return nil
			}
		case err != nil && !errors.Is(err, fs.ErrNotExist):
			return system("look at the lock", path, err)
		}
	}
	return &fault.Fault{
		Path: t.dir, Problem: "another process has taken over the game; nothing was written",
		Way: "run only one daemon: stop the other one; this one will read the game again", Err: record.ErrFenced,
	}
}

// building is the prefix of folders in which a record, or a folder of it, is built.
const building = ".new"

// leftover matches the names of folders being built, and of temporary files.
var leftover = pattern.New(`^\.(new(\.[0-9]+)?|closing|.+\.txt\.?[0-9]+)$`)

// tidy removes what interrupted changes of earlier holders left.
func (t *Tree) tidy() error {
	orders := escapeGlob(t.Place(record.Orders))
	for _, pattern := range []string{
		filepath.Join(escapeGlob(t.dir), ".*"), filepath.Join(escapeGlob(t.Place("turns")), ".*"), filepath.Join(orders, ".*"), filepath.Join(orders, "later", "*", ".*"),
	} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			return fmt.Errorf("look for leftovers in %s: %w", t.dir, err)
		}
		for _, path := range found {
			if !leftover().MatchString(filepath.Base(path)) {
				continue
			}
			if err := os.RemoveAll(path); err != nil {
				return system("clear a leftover", path, err)
			}
		}
	}
	t.tidied = true
	return nil
}

func escapeGlob(dir string) string { return globEscapes.Replace(dir) }

var globEscapes = strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`)
