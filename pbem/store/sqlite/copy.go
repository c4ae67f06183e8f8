package sqlite

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/gofrs/flock"
	"modernc.org/sqlite"

	"starpost/pbem/disk"
	"starpost/pbem/store"
	"starpost/pbem/store/sqlstore"
)

// copied is a second copy of the database, in case the first is removed or damaged.
// SQLite appends each commit to its write-ahead log, file-wal, before it puts the
// changes into the database. After every commit the new part of that log is appended
// to the copy's log, which is applied to the copy whenever SQLite's log is emptied. So
// the copy and its log always hold the state after some commit.
//
// The copy is not synced and may fall behind, as on a full disk: no commit depends on
// it. A nil *copied does nothing.
type copied struct {
	l     *Store
	path  string
	lock  *flock.Flock
	from  *os.File // the store's log
	to    *os.File // the copy's log
	at    int64    // length up to which both logs are the same
	head  [logHead]byte
	lost  atomic.Bool    // the copy is no longer updated
	tries int            // commits since it was lost
	some  [32 << 10]byte // buffer for copying the log
	log   []byte         // the copy's whole log; see apply
}

// SQLite's log is a header followed by frames. Each frame is a header and a page. The
// first two words of a frame's header are the page number and, in the last frame of a
// commit, the database's size in pages. See https://www.sqlite.org/fileformat2.html#walformat.
const (
	logHead   = 32
	frameHead = 24
	// maxLog is the size at which the log is emptied.
	maxLog = 4 << 20
	// againAfter is the number of commits after which a lost copy is made again.
	againAfter = 100
)

func copyOf(path string) string { return path + ".copy" }

// followCopy starts updating the copy, unless another process that has the store open
// does so already.
func (l *Store) followCopy(ctx context.Context) error {
	path := copyOf(l.path)
	lock := flock.New(path+".lock", flock.SetFlag(os.O_CREATE|os.O_RDWR), flock.SetPermissions(0o600))
	if ok, err := lock.TryLock(); err != nil || !ok {
		return err
	}
	from, err := os.Open(l.path + "-wal")
	if err != nil {
		return errors.Join(err, lock.Unlock())
	}
	l.link.copy = &copied{l: l, path: path, lock: lock, from: from}
	l.link.copy.lose() // until open succeeds
	ours, err := sqlstore.Get[int64](ctx, l.db, "count commits", "SELECT n FROM commits")
	if err != nil {
		return err
	}
	emptied, err := l.emptyLog(ctx)
	if err != nil || !emptied {
		return err // a reader keeps the log; the copy is made again later
	}
	if n, err := commitsOf(ctx, path); err == nil && n == ours {
		return l.link.copy.open()
	}
	l.link.copy.renew(ctx)
	return nil
}

// commitsOf returns the number of commits in a copy. Closing it makes SQLite empty the copy's log.
func commitsOf(ctx context.Context, path string) (n int64, err error) {
	link, err := connect(ctx, path, "mode=rw&_pragma=synchronous(OFF)")
	if err != nil {
		return 0, err
	}
	l := storeOf(link, path)
	defer func() { err = errors.Join(err, l.Close()) }()
	return sqlstore.Get[int64](ctx, l.db, "count commits", "SELECT n FROM commits")
}

// open opens the copy's log and empties it.
func (c *copied) open() (err error) {
	if c.to != nil {
		err = c.to.Close()
	}
	if err == nil {
		c.to, err = os.OpenFile(c.path+"-wal", os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o600)
	}
	c.at, c.tries = 0, 0
	c.lost.Store(err != nil)
	return err
}

// lose notes that the copy is no longer updated; it is made again after a while.
func (c *copied) lose() {
	if c != nil {
		c.lost.Store(true)
	}
}

// follow appends the latest commit to the copy's log. The caller must hold the connection.
func (c *copied) follow(ctx context.Context) {
	if c == nil {
		return
	}
	if c.lost.Load() {
		if c.tries++; c.tries%againAfter == 0 {
			c.renew(ctx)
		}
		return
	}
	info, err := c.from.Stat()
	if err != nil {
		return // the next commit tries again
	}
	var head [logHead]byte
	if _, err := c.from.ReadAt(head[:], 0); err != nil || info.Size() < c.at || c.at > 0 && head != c.head {
		c.lost.Store(true) // another process has emptied the log
		return
	}
	c.head = head
	n, err := io.CopyBuffer(io.NewOffsetWriter(c.to, c.at), io.NewSectionReader(c.from, c.at, info.Size()-c.at), c.some[:])
	if c.at += n; err == nil && c.at < maxLog || c.at < maxLog && info.Size() < 4*maxLog {
		return
	}
	if emptied, eerr := c.l.emptyLog(ctx); eerr == nil && emptied && (err != nil || c.apply() != nil) {
		c.lost.Store(true)
	}
}

// apply writes the latest version of each page in the copy's log into the copy, and empties the log.
func (c *copied) apply() (err error) {
	db, err := os.OpenFile(c.path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	c.log = slices.Grow(c.log[:0], int(max(c.at, logHead)))[:max(c.at, logHead)]
	log := c.log
	if _, err := c.to.ReadAt(log, 0); err != nil {
		return err
	}
	size := int(binary.BigEndian.Uint32(c.head[8:])) // page size
	last, pages := map[uint32][]byte{}, int64(0)
	for frame := range slices.Chunk(log[logHead:], frameHead+size) {
		last[binary.BigEndian.Uint32(frame)] = frame[frameHead:]
		if n := binary.BigEndian.Uint32(frame[4:]); n > 0 {
			pages = int64(n)
		}
	}
	for page, data := range last {
		if _, err := db.WriteAt(data, int64(page-1)*int64(size)); err != nil {
			return err
		}
	}
	if pages > 0 {
		if err := db.Truncate(pages * int64(size)); err != nil {
			return err
		}
	}
	c.at = 0
	return c.to.Truncate(0)
}

// copier is a driver connection that can copy its database.
type copier interface {
	NewBackup(to string) (*sqlite.Backup, error)
}

// renew makes a new copy from the whole database. If that fails, follow tries again
// later.
func (c *copied) renew(ctx context.Context) {
	half := c.path + ".new"
	if emptied, err := c.l.emptyLog(ctx); err != nil || !emptied {
		return
	}
	err := c.l.link.conn.Raw(func(driver any) error {
		from, ok := driver.(copier)
		if !ok {
			return errors.New("the driver cannot make copies")
		}
		b, err := from.NewBackup(source(half, ""))
		if err != nil {
			return err
		}
		_, err = b.Step(-1)
		return errors.Join(err, b.Finish())
	})
	if err == nil {
		err = os.Chmod(half, 0o600)
	}
	// Another process may have committed meanwhile: then the copy is already behind.
	if info, serr := c.from.Stat(); err == nil && serr == nil && info.Size() == 0 {
		if err = errors.Join(removed(os.Remove(c.path+"-wal")), removed(os.Remove(c.path+"-shm")), os.Rename(half, c.path)); err == nil && c.open() == nil {
			return
		}
	}
	_ = os.Remove(half)
}

// emptyLog makes SQLite write its log into the database and truncate it, unless a reader
// prevents that. The caller must hold the connection.
func (l *Store) emptyLog(ctx context.Context) (emptied bool, err error) {
	var busy, log, done int
	wait := func(ms int) error {
		_, err := l.link.conn.ExecContext(ctx, fmt.Sprintf("PRAGMA busy_timeout = %d", ms))
		return err
	}
	l.files.changing(func() {
		err = errors.Join(wait(0), l.link.conn.QueryRowContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)").Scan(&busy, &log, &done), wait(busyTimeout))
	})
	return err == nil && busy == 0, err
}

// close closes the copy's files and releases its lock.
func (c *copied) close() error {
	if c == nil {
		return nil
	}
	err := errors.Join(c.from.Close(), c.lock.Unlock())
	if c.to != nil {
		err = errors.Join(err, c.to.Close())
	}
	return err
}

// restore replaces a lost database by its copy; it returns false if there is no copy. The
// database file is written last: while it is missing, an interrupted restore is repeated.
func restore(path string) (bool, error) {
	for _, ending := range []string{"-wal", "-shm"} {
		if err := removed(os.Remove(path + ending)); err != nil {
			return false, err
		}
	}
	err := duplicate(copyOf(path)+"-wal", path+"-wal")
	if removed(err) == nil {
		err = duplicate(copyOf(path), path)
	}
	if err != nil {
		return false, removed(err)
	}
	return true, nil
}

// ClearLeftovers removes what a killed process left beside the store in the file path: partly restored
// files, and a partly made copy. No other process may be restoring or copying meanwhile.
func ClearLeftovers(path string) error {
	begin := "." + filepath.Base(path)
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		return fmt.Errorf("look for leftovers: %w", err)
	}
	for _, e := range entries {
		if name := e.Name(); strings.HasPrefix(name, begin) || name == filepath.Base(copyOf(path))+".new" {
			if err := os.Remove(filepath.Join(filepath.Dir(path), name)); err != nil {
				return fmt.Errorf("clear a leftover: %w", err)
			}
		}
	}
	return nil
}

// duplicate copies a file completely or not at all.
func duplicate(from, to string) (err error) {
	f, err := os.Open(from)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	return disk.ReplaceFrom(to, f, 0o600)
}

// whole returns ErrLost if the copy's files are gone. The copy may be behind.
func (c *copied) whole() error {
	if c == nil || c.lost.Load() {
		return nil
	}
	for _, ending := range []string{"", "-wal"} {
		if _, err := os.Stat(c.path + ending); errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("%s: %w", c.path+ending, store.ErrLost)
		}
	}
	return nil
}
