package vault

import (
	"errors"
	"fmt"
	"io/fs"

	"starpost/pbem/record"
)

// Lock makes this process the only one that may write, until Unlock. It does not wait: if another holds
// the lock, the error (ErrLocked) says who and since when. A lock ends with its process. Locks of this
// Game are counted. Lock also cleans up after a crash.
func (g *Game) Lock() error {
	if g.holds > 0 {
		g.holds++
		return nil
	}
	if g.mayChange != nil {
		if err := g.mayChange(); err != nil {
			return err
		}
	}
	fence, err := g.tree.Lock()
	if err != nil {
		return err
	}
	g.fence, g.holds = fence, 1
	g.Journal.held, g.Journal.current = true, false
	// Another process may have committed between Open and now.
	if err = g.refresh(); err == nil {
		err = g.clean()
	}
	if err != nil {
		g.fence, g.holds = 0, 0
		g.Journal.release()
		return errors.Join(err, g.tree.Unlock(fence, false))
	}
	return nil
}

// OnChange sets a check that runs before the game is locked, and again before each write: a process that
// was stopped for a while may have missed much. If the check returns an error, the lock or write is
// refused.
func (g *Game) OnChange(may func() error) { g.mayChange = may }

// write commits a change if the record is still as this process knows the game. If a lock does not keep
// others out, as on some shared file systems, writing from outdated knowledge would destroy their
// changes.
func (g *Game) write(c record.Change) error { return g.commitTo(g.Stages.version(), c) }

// commitTo commits a change if the record is at version base, or in any case if base is nil.
func (g *Game) commitTo(base *record.Version, c record.Change) error {
	c.Ask = g.mayChange
	err := g.tree.Commit(g.fence, base, c)
	if errors.Is(err, ErrStale) || errors.Is(err, ErrFenced) || errors.Is(err, ErrCommitted) {
		return g.stale(err)
	}
	return err
}

// stale makes the game be read again, and says why nothing was written.
func (g *Game) stale(cause error) error {
	g.Journal.again()
	g.Orders.forgetListings()
	return &Error{
		Path: g.Dir(), Problem: "another process changed the game meanwhile; nothing was written",
		Way: "run only one daemon: stop the other one; this one will read the game again", Err: errors.Join(ErrStale, cause),
	}
}

// Quiet makes the end of a lock leave no trace for a [Watcher]: for a process that watches the game and
// knows its own changes.
func (g *Game) Quiet() { g.quiet = true }

// Unlock undoes one Lock. The end of a lock changes the modification time of orders/, so that a Watcher
// need not look at everything else.
func (g *Game) Unlock() error {
	if g.holds == 0 {
		return nil
	}
	if g.holds--; g.holds > 0 {
		return nil
	}
	g.Orders.forgetListings() // others may write from now on
	fence := g.fence
	g.fence = 0
	g.Journal.release()
	return g.tree.Unlock(fence, !g.quiet)
}

// Release undoes one Lock, or LockFresh, at the end of a function that returns err.
func (g *Game) Release(err *error) {
	if uerr := g.Unlock(); uerr != nil && *err == nil {
		*err = uerr
	}
}

// LockFresh is Lock, and reads what other processes have changed.
func (g *Game) LockFresh() error {
	if err := g.Lock(); err != nil {
		return err
	}
	if err := g.Refresh(); err != nil {
		return errors.Join(err, g.Unlock())
	}
	return nil
}

// InOneMoment runs f, which sees the game as it is when f first reads it: each read would cost a statement in a database. Of
// a game in a directory this is only the journal. Lock and Refresh read what other processes have added meanwhile, so f never changes
// the game from old knowledge.
func (g *Game) InOneMoment(f func() error) error {
	if t, ok := g.tree.Tree.(cachingRecord); ok {
		defer t.InOneMoment()()
	}
	g.Journal.moment = true
	defer func() {
		g.Journal.moment = false
		g.Journal.renew()
	}()
	return f()
}

// held reports whether the lock is held.
func (g *Game) held() bool { return g.holds > 0 }

// locked runs f with the lock held.
func (g *Game) locked(f func() error) (err error) {
	if err := g.Lock(); err != nil {
		return err
	}
	defer g.Release(&err)
	return f()
}

// clean finishes what a crash may have interrupted: it removes the order sets of the last committed turn.
func (g *Game) clean() error {
	if err := g.before("clean"); err != nil {
		return err
	}
	if err := g.Orders.finishAmend(); err != nil {
		return err
	}
	if err := sweepClosing(g); err != nil {
		return err
	}
	return g.Orders.sweep()
}

// sweepClosing removes a closing that is not for the due stage.
func sweepClosing(g *Game) error {
	if !g.conf.file.PublicDice() {
		return nil
	}
	if err := g.Journal.read(); err != nil {
		return err
	}
	if _, closed := g.conf.administration().Closed[g.DueStage().first()]; closed {
		return nil
	}
	if _, err := g.tree.Stat(ClosingDir); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return g.commitTo(nil, record.Change{Doing: "clear a leftover", Remove: []string{ClosingDir}})
}

// Steps are the points at which a crash may interrupt a write, including those of the record;
// each comes before the step it is named for. Tests use them to simulate crashes.
var Steps = append([]string{
	"build", // a turn's files are made
	"close", // the folder of a closing is written
	"clean", // after a commit, and whenever the lock is taken
	"park",  // an order set is copied to the later folder, because turns are rolled back
	"put",   // an amended order set is written next to its place, or moved there
}, record.Steps...)

// OnStep sets a function that is called before each of Steps. Its error stops there and leaves everything
// as it is, like a crash.
func (g *Game) OnStep(ask func(step string) error) {
	g.stopBy(func(step string) error {
		if err := ask(step); err != nil {
			return fmt.Errorf("%w: %w", record.ErrStopped, err)
		}
		return nil
	})
}

func (g *Game) stopBy(step func(string) error) {
	g.step = step
	if t, ok := g.tree.Tree.(interface {
		OnStep(ask func(step string) error)
	}); ok {
		t.OnStep(g.step)
	}
}

func (g *Game) before(name string) error {
	if g.step == nil {
		return nil
	}
	return g.step(name)
}
