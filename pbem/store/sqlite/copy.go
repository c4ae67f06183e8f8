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

// copied is a second copy of the database, for the case that the first is removed
// or damaged. SQLite appends what is committed to its log, file-wal, before it puts
// it into the database: what is new in the log is appended to the copy's log after
// every commit, and put into the copy whenever SQLite was told to empty its own. So
// database and log of the copy are, at every moment, those of a commit.
//
// The copy is not synced, and may fall behind, as on a full disk: what was committed
// does not depend on it. A nil one does nothing.
type copied struct {
	l     *Store
	path  string
	lock  *flock.Flock
	from  *os.File // the store's log
	to    *os.File // the copy's
	at    int64    // up to where both are the same
	head  [logHead]byte
	lost  atomic.Bool    // it does not follow any more
	tries int            // commits since then
	some  [32 << 10]byte // of the log, on its way
	log   []byte         // all of it; see apply
}

// SQLite's log has a head, then frames: a head each, of which the first two words
// are the page's number and, where a commit ends, how many pages there are, and a
// page. See https://www.sqlite.org/fileformat2.html#walformat.
const (
	logHead   = 32
	frameHead = 24
	// maxLog is the size at which the log is emptied.
	maxLog = 4 << 20
	// againAfter is after how many commits a copy that was lost is made again.
	againAfter = 100
)

func copyOf(path string) string { return path + ".copy" }

// followCopy makes the copy follow. Another process that has the store open may keep
// it already: then there is nothing to do.
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
	l.link.copy.lose() // until it is open
	ours, err := sqlstore.Get[int64](ctx, l.db, "count commits", "SELECT n FROM commits")
	if err != nil {
		return err
	}
	emptied, err := l.emptyLog(ctx)
	if err != nil || !emptied {
		return err // a reader keeps it; the copy is made again later
	}
	if n, err := commitsOf(ctx, path); err == nil && n == ours {
		return l.link.copy.open()
	}
	l.link.copy.renew(ctx)
	return nil
}

// commitsOf counts the commits in a copy, and has SQLite empty its log.
func commitsOf(ctx context.Context, path string) (n int64, err error) {
	link, err := connect(ctx, path, "mode=rw&_pragma=synchronous(OFF)")
	if err != nil {
		return 0, err
	}
	l := storeOf(link, path)
	defer func() { err = errors.Join(err, l.Close()) }()
	return sqlstore.Get[int64](ctx, l.db, "count commits", "SELECT n FROM commits")
}

// open opens the copy's log, which is empty then.
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

// lose notes that the copy does not follow any more; it is made again before long.
func (c *copied) lose() {
	if c != nil {
		c.lost.Store(true)
	}
}

// follow appends what was committed. The connection must be taken.
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
		return // the next commit tells
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

// apply puts the copy's log into the copy, of each page what was written last.
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
	size := int(binary.BigEndian.Uint32(c.head[8:])) // of a page
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

// copier is a connection that copies its database.
type copier interface {
	NewBackup(to string) (*sqlite.Backup, error)
}

// renew makes the copy from the whole database. If that cannot be, it is tried again
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
	// Another process may have committed something meanwhile.
	if info, serr := c.from.Stat(); err == nil && serr == nil && info.Size() == 0 {
		if err = errors.Join(removed(os.Remove(c.path+"-wal")), removed(os.Remove(c.path+"-shm")), os.Rename(half, c.path)); err == nil && c.open() == nil {
			return
		}
	}
	_ = os.Remove(half)
}

// emptyLog has SQLite put its log into the database and cut it, unless a reader
// keeps it from that. The connection must be taken.
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

// close lets the copy go.
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

// restore puts the copy in the place of a database that is lost; false if there is
// none. The database comes last, for without it all is done again.
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

// ClearLeftovers removes what a process that was killed left beside the store in the file path: files
// that were being restored, and a copy that was being made. No other process may be at that.
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

// duplicate copies a file, whole or not at all.
func duplicate(from, to string) (err error) {
	f, err := os.Open(from)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	return disk.ReplaceFrom(to, f, 0o600)
}

// whole tells whether the copy is still there. It may be behind.
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
