package vault

import (
	"errors"
	"fmt"
	"io/fs"

	"starpost/pbem/record"
)

// Lock makes this process the one that may write, until Unlock. It does not
// wait: if another holds the lock, the error (ErrLocked) says who and since
// when. A lock dies with its process. Taking a lock that is already held by
// this Game is counted. Leftovers of a crash are cleaned up.
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
	g.fence, g.holds, g.Journal.held = fence, 1, true
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

// OnChange sets a question that is asked before the game is locked, and again before each thing that
// is written to it: much may have happened since to a process that was stopped. Its error refuses
// the one or the other.
func (g *Game) OnChange(may func() error) { g.mayChange = may }

// write makes a change to the record if it is still as this process knows the game. Where a lock does
// not keep others out, as on some file systems of several machines, a write at what is remembered
// would destroy theirs.
func (g *Game) write(c record.Change) error { return g.commitTo(g.Stages.version(), c) }

// commitTo makes a change to the record if that is as base has it; nil: whatever is in it.
func (g *Game) commitTo(base *record.Version, c record.Change) error {
	c.Ask = g.mayChange
	err := g.tree.Commit(g.fence, base, c)
	if errors.Is(err, ErrStale) || errors.Is(err, ErrFenced) || errors.Is(err, ErrCommitted) {
		return g.stale(err)
	}
	return err
}

// stale has the game read again, and says why nothing was written.
func (g *Game) stale(cause error) error {
	g.Journal.again()
	g.Orders.forgetListings()
	return &Error{
		Path: g.Dir(), Problem: "another process changed the game meanwhile; nothing was written",
		Way: "run only one daemon: stop the other one; this one will read the game again", Err: errors.Join(ErrStale, cause),
	}
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

// held tells whether the lock is held.
func (g *Game) held() bool { return g.holds > 0 }

// locked runs f with the lock held.
func (g *Game) locked(f func() error) (err error) {
	if err := g.Lock(); err != nil {
		return err
	}
	defer g.Release(&err)
	return f()
}

// clean does what a crash may have left undone: it removes the order sets of the last committed turn.
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

// sweepClosing removes a closing that is not of the stage that is due.
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

// Steps are the points at which writing a game may be cut short by a crash, those of its record included;
// each stands before the step it is named for. They are there for tests that do just that.
var Steps = append([]string{
	"build", // a turn's files are made
	"close", // the folder of a closing is written
	"clean", // after a commit, and whenever the lock is taken
	"park",  // an order set is copied aside, for turns are taken back
	"put",   // an amended order set is written beside its place, or put there
}, record.Steps...)

// OnStep has ask called before each of Steps. Its error stops there and leaves
// all as it is, as a crash would.
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
