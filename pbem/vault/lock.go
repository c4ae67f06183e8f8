package vault

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"

	"starpost/pbem/disk"
)

const lockName = ".lock"

// Lock makes this process the one that may write, until Unlock. It does not
// wait: if another holds the lock, the error (ErrLocked) says who and since
// when. A lock dies with its process. Taking a lock that is already held by
// this Game is counted. Leftovers of a crash are cleaned up.
func (g *Game) Lock() error {
	if g.holds > 0 {
		g.holds++
		return nil
	}
	if err := g.may(); err != nil {
		return err
	}
	path := filepath.Join(g.dir, lockName)
	l := flock.New(path, flock.SetFlag(os.O_CREATE|os.O_RDWR), flock.SetPermissions(fileMode))
	ok, err := l.TryLock()
	if err != nil {
		return system("lock the game", path, err)
	}
	if !ok {
		return &Error{
			Path: g.dir, Problem: "the game is in use by " + disk.Holder(path),
			Way: "wait for it to end, or stop it", Err: ErrLocked,
		}
	}
	if err := g.signLock(l); err != nil {
		return joinUnlock(l, system("lock the game", path, err))
	}
	g.lock, g.holds = l, 1
	// Another process may have committed between Open and now.
	if err := g.refresh(); err != nil {
		return joinUnlock(l, err, func() { g.lock, g.holds, g.current = nil, 0, false })
	}
	if err := g.clean(); err != nil {
		return joinUnlock(l, err, func() { g.lock, g.holds, g.current = nil, 0, false })
	}
	return nil
}

// OnChange sets a question that is asked before the game is locked, and again before each thing that
// is written to it: much may have happened since to a process that was stopped. Its error refuses
// the one or the other.
func (g *Game) OnChange(may func() error) { g.mayChange = may }

// stillOurs makes sure, at the last moment before something is written, that the game is as this
// process knows it. Where a lock does not keep others out, as on some file systems of several
// machines, a write at what is remembered would destroy theirs.
func (g *Game) stillOurs() error {
	if err := g.may(); err != nil {
		return err
	}
	same, err := g.journalKept()
	if err != nil || !same {
		return g.stale(err)
	}
	if g.turns > 0 && !g.sameTurns() {
		return g.stale(nil)
	}
	known := g.rounds
	if err := g.readRounds(); err != nil || g.rounds != known {
		return g.stale(err)
	}
	return nil
}

func (g *Game) may() error {
	if g.mayChange == nil {
		return nil
	}
	return g.mayChange()
}

// stale has the game read again, and says why nothing was written.
func (g *Game) stale(cause error) error {
	g.current, g.journal.changed = false, time.Time{}
	g.forgetListings()
	return &Error{
		Path: g.dir, Problem: "another process has changed the game while this one had it; nothing was written",
		Way: "one daemon at a time: stop the other one; this one looks at the game again", Err: errors.Join(ErrStale, cause),
	}
}

// signLock writes into the lock's file who holds it; the time of the file says
// since when. A file that no other process has signed since only gets another time.
func (g *Game) signLock(l *flock.Flock) error {
	info, err := l.Stat()
	if err != nil {
		return err
	}
	if g.signed != nil && os.SameFile(g.signed, info) && info.Size() == g.signed.Size() && info.ModTime().Equal(g.signed.ModTime()) {
		if err := touch(l.Path()); err != nil {
			return err
		}
	} else if err := rewrite(l.Path(), []byte(disk.Self()), info.Size()); err != nil {
		return err
	}
	g.signed, err = l.Stat()
	return err
}

// touch gives a file that is not empty the present time, by the file system's
// clock.
func touch(path string) (err error) {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	first := make([]byte, 1)
	if _, err := f.ReadAt(first, 0); err != nil {
		return err
	}
	_, err = f.WriteAt(first, 0)
	return err
}

// rewrite gives a file that has had size bytes other ones. It is not emptied first:
// a file system may wait for the disk then, lest the file be empty after a crash.
func rewrite(path string, data []byte, size int64) (err error) {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE, fileMode)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if _, err = f.WriteAt(data, 0); err == nil && size > int64(len(data)) {
		err = f.Truncate(int64(len(data)))
	}
	return err
}

func joinUnlock(l *flock.Flock, err error, after ...func()) error {
	for _, f := range after {
		f()
	}
	if uerr := l.Unlock(); uerr != nil {
		return fmt.Errorf("%w (and unlock: %w)", err, uerr)
	}
	return err
}

// Quiet has the end of a lock leave no trace for a [Watcher]: for who watches the game
// himself, and knows what he did.
func (g *Game) Quiet() { g.quiet = true }

// Unlock undoes one Lock. The end of a lock shows in the time of orders/, so that who
// looks after the game need not look at all that may have changed.
func (g *Game) Unlock() error {
	if g.holds == 0 {
		return nil
	}
	if g.holds--; g.holds > 0 {
		return nil
	}
	g.forgetListings() // others may write from now on
	g.current = false
	l := g.lock
	g.lock = nil
	err := g.announce()
	return errors.Join(err, system("unlock the game", l.Path(), l.Unlock()))
}

// announce lets a Watcher see that the game may have changed.
func (g *Game) announce() error {
	if g.quiet {
		return nil
	}
	dir := g.path("orders")
	err := disk.Touch(dir)
	if errors.Is(err, fs.ErrNotExist) { // as after a way through an archive that keeps no empty directories
		err = os.Mkdir(dir, dirMode)
	}
	return system("unlock the game", dir, err)
}

// Release undoes one Lock, or LockFresh, at the end of a function that returns err.
func (g *Game) Release(err *error) {
	if uerr := g.Unlock(); uerr != nil && *err == nil {
		*err = uerr
	}
}

// LockFresh is Lock, and what another process has changed is read.
func (g *Game) LockFresh() error {
	if err := g.Lock(); err != nil {
		return err
	}
	if err := g.Refresh(); err != nil {
		return errors.Join(err, g.Unlock())
	}
	return nil
}

// locked runs f with the lock held.
func (g *Game) locked(f func() error) (err error) {
	if err := g.Lock(); err != nil {
		return err
	}
	defer g.Release(&err)
	return f()
}
