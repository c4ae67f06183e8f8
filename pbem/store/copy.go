package store

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync/atomic"

	"github.com/gofrs/flock"
	"github.com/google/renameio/v2"
	"modernc.org/sqlite"

	"starpost/pbem/disk"
)

// copied is a second copy of the database, for the case that the first is removed or
// damaged. SQLite appends what is committed to its log, file-wal, and puts it into the
// database when it is told to. The copy is a database of its own whose log is that same
// file under a second name: so whatever is committed is in the copy at once, without
// being written twice. Before the store's log is emptied SQLite puts it into the copy.
//
// The copy follows as long as all that was ever taken out of the log went into it first.
// It may fall behind, as on a full disk: what was committed does not depend on it. A nil
// one does nothing.
type copied struct {
	l     *Store
	path  string
	lock  *flock.Flock
	log   *os.File      // the store's
	head  [logHead]byte // of the log; zero while that is empty
	roll  int64         // at which size the log is put into both
	lost  atomic.Bool   // the copy does not follow any more
	since int           // commits since then
}

const (
	// logHead is how long the head of SQLite's log is, which is another one whenever the
	// log begins anew. See https://www.sqlite.org/fileformat2.html#walformat.
	logHead = 32
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
	log, err := os.Open(l.path + "-wal")
	if err != nil {
		return errors.Join(err, lock.Unlock())
	}
	l.copy = &copied{l: l, path: path, lock: lock, log: log}
	l.copy.level(ctx)
	return nil
}

// level puts the log into the copy, and then into the store, and has the copy follow
// from there. A copy that lacks anything is made again; if that cannot be, it is tried
// later. The connection must be taken.
func (c *copied) level(ctx context.Context) {
	c.since, c.head = 0, [logHead]byte{}
	err := c.takeLog(ctx)
	if err != nil {
		err = c.renew()
	}
	if err == nil {
		err = c.l.emptyLog(ctx)
	}
	var info fs.FileInfo
	if err == nil {
		info, err = c.log.Stat()
	}
	if err == nil {
		c.roll = info.Size() + maxLog // it is not empty while another process reads it
		err = os.Link(c.l.path+"-wal", c.path+"-wal")
	}
	c.lost.Store(err != nil)
}

// takeLog has SQLite put the copy's log into the copy, which does away with the log's
// second name. The error tells of a copy that lacks something.
func (c *copied) takeLog(ctx context.Context) (err error) {
	if c.lost.Load() {
		return errBehind
	}
	db, err := connect(ctx, c.path, "mode=rw&_pragma=synchronous(FULL)")
	if err != nil {
		return err
	}
	var ours, n int64
	for d, to := range map[*database]*int64{c.l.db: &ours, db: &n} {
		err = errors.Join(err, d.conn.QueryRowContext(ctx, "SELECT n FROM commits").Scan(to))
	}
	if err == nil && n != ours {
		err = errBehind
	}
	return errors.Join(err, db.Close())
}

// errBehind tells that the copy lacks commits.
var errBehind = errors.New("the copy is behind")

// follow is for each commit: it looks after the log. The connection must be taken.
func (c *copied) follow(ctx context.Context) {
	if c == nil {
		return
	}
	if c.lost.Load() {
		if c.since++; c.since%againAfter == 0 {
			c.level(ctx)
		}
		return
	}
	info, err := c.log.Stat()
	var head [logHead]byte
	if err == nil {
		_, err = c.log.ReadAt(head[:], 0)
	}
	begun := c.head != [logHead]byte{} && head != c.head
	if err != nil || begun || info.Size() >= c.roll {
		c.lost.Store(begun) // another process has emptied the log
		c.level(ctx)
		return
	}
	c.head = head
}

// renew makes the copy from the whole database. The log is none of the one that lacks
// something: what is left of that is what it was.
func (c *copied) renew() (err error) {
	if err := removed(os.Remove(c.path + "-wal")); err != nil {
		return err
	}
	half := c.path + ".new"
	err = c.l.db.conn.Raw(func(driver any) error {
		from, ok := driver.(interface {
			NewBackup(to string) (*sqlite.Backup, error)
		})
		if !ok {
			return errors.New("the driver makes no copies")
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
	if err == nil {
		err = errors.Join(removed(os.Remove(c.path+"-shm")), os.Rename(half, c.path))
	}
	if err != nil {
		return errors.Join(err, removed(os.Remove(half)))
	}
	return nil
}

// emptyLog has SQLite put its log into the database and cut it, unless a reader
// keeps it from that, for whom it does not wait. The connection must be taken.
func (l *Store) emptyLog(ctx context.Context) (err error) {
	l.files.changing(func() {
		_, err = l.db.conn.ExecContext(ctx, "PRAGMA busy_timeout = 0; PRAGMA wal_checkpoint(TRUNCATE)")
		_, werr := l.db.conn.ExecContext(ctx, fmt.Sprintf("PRAGMA busy_timeout = %d", busyTimeout))
		err = errors.Join(err, werr)
	})
	return err
}

// close lets the copy go.
func (c *copied) close() error {
	if c == nil {
		return nil
	}
	return errors.Join(c.log.Close(), c.lock.Unlock())
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
	return true, disk.SyncDir(filepath.Dir(path))
}

// duplicate copies a file, whole or not at all.
func duplicate(from, to string) (err error) {
	f, err := os.Open(from)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	t, err := renameio.NewPendingFile(to, renameio.WithPermissions(0o600))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, t.Cleanup()) }()
	if _, err := io.Copy(t, f); err != nil {
		return err
	}
	return t.CloseAtomicallyReplace()
}

// whole tells whether the copy is still there. It may be behind.
func (c *copied) whole() error {
	if c == nil || c.lost.Load() {
		return nil
	}
	for _, ending := range []string{"", "-wal"} {
		if _, err := os.Stat(c.path + ending); errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("%s: %w", c.path+ending, ErrLost)
		}
	}
	return nil
}
