package vault

import (
	"errors"
	"time"

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
	g.fence, g.holds = fence, 1
	// Another process may have committed between Open and now.
	if err = g.refresh(); err == nil {
		err = g.clean()
	}
	if err != nil {
		g.fence, g.holds, g.current = 0, 0, false
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
func (g *Game) write(c record.Change) error { return g.commitTo(g.version(), c) }

// clear removes what counts for nothing any more, whatever else is in the record.
func (g *Game) clear(doing string, names ...string) error {
	return g.commitTo(nil, record.Change{Doing: doing, Remove: names})
}

func (g *Game) commitTo(base *record.Version, c record.Change) error {
	c.Ask = g.mayChange
	err := g.tree.Commit(g.fence, base, c)
	if errors.Is(err, ErrStale) || errors.Is(err, ErrFenced) || errors.Is(err, ErrCommitted) {
		return g.stale(err)
	}
	return err
}

// version is what a change rests on: the journal as it was read, the newest stage, and that there is none after it.
func (g *Game) version() *record.Version {
	j := g.journal
	v := &record.Version{Size: j.size, Good: j.good, Last: j.last, Head: j.head, There: g.StageName(g.Newest())}
	if !g.first.has(g.turns) {
		v.Absent = append(v.Absent, g.StageName(Stage{Turn: g.turns, Revision: 1}))
	}
	if g.Rounds() > 0 && !g.rounds.leftover {
		v.Absent = append(v.Absent, g.StageName(Stage{Turn: g.turns, Round: g.rounds.n + 1}, ManifestFile))
	}
	return v
}

// stale has the game read again, and says why nothing was written.
func (g *Game) stale(cause error) error {
	g.current, g.journal.changed = false, time.Time{}
	g.forgetListings()
	return &Error{
		Path: g.Dir(), Problem: "another process has changed the game while this one had it; nothing was written",
		Way: "one daemon at a time: stop the other one; this one looks at the game again", Err: errors.Join(ErrStale, cause),
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
	g.forgetListings() // others may write from now on
	fence := g.fence
	g.fence, g.current = 0, false
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

// locked runs f with the lock held.
func (g *Game) locked(f func() error) (err error) {
	if err := g.Lock(); err != nil {
		return err
	}
	defer g.Release(&err)
	return f()
}
