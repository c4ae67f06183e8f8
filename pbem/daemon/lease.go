package daemon

import (
	"context"
	"errors"
	"fmt"
	"time"

	"starpost/pbem/vault"
)

// leaseFor is how long a daemon may change a game that it has changed: longer than any turn takes
// to resolve, and for as long others wait that would change it after this daemon was cut off.
const leaseFor = 10 * time.Minute

// errUnproven is the kind of trouble that it is not known whether this process still serves a mailbox.
var errUnproven = errors.New("the mailbox must be asked first whether it is still ours")

// mayAct makes sure, before anything is done that others see, that this process is still the one that
// serves the mailbox: it may have been stopped, with its machine or alone, while another took its place.
// A proof is good for a poll; then, and where a mail to another mailbox comes before this one was read
// for the first time, the mailbox is asked. While it cannot be, nothing is done.
func (s *presence) mayAct(ctx context.Context) error {
	p := s
	ours := func() bool { return p.known.Load() && p.age(s.clock.Elapsed()) <= s.cfg.Poll.Duration() }
	if ours() {
		return nil
	}
	cause := errUnproven
	if !p.down.Load() {
		p.mu.Lock()
		defer p.mu.Unlock()
		if ours() {
			return nil // another goroutine asked
		}
		in, err := s.o.Inbox(ctx, s.box)
		if err == nil {
			err = s.prove(ctx, in)
			in.Close()
		}
		switch {
		case err == nil && ours() || fatal(ctx, err):
			return err
		case err == nil: // this process was stopped meanwhile, so the answer is an old one
			err = errors.New("the answer took longer than a poll")
		default:
			p.down.Store(true)
			nudge(s.asked)
		}
		cause = fmt.Errorf("%w: %w", errUnproven, err)
	}
	nudge(s.wake)
	return cause
}

// mayChange makes sure, before a game is locked, and before each thing that is written to it, that
// this daemon is still the one that may: of its mailbox, and of the store. A process that was stopped
// meanwhile holds a lock and a lease which others have since. g.mu is held.
func (d *keeper) mayChange(g *game) error {
	ctx := g.within
	if ctx == nil {
		ctx = context.Background()
	}
	switch err := g.worker.presence.mayAct(ctx); {
	case errors.Is(err, errUnproven):
		return &vault.Error{
			Path: g.vault.Dir(), Problem: err.Error(), Way: "wait until the mailbox " + g.worker.box.Address + " can be read",
			Err: errors.Join(err, vault.ErrLocked),
		}
	case err != nil:
		return err
	}
	return d.lease(ctx, g)
}

// lease makes sure that no other daemon on the same store changes a game. The
// lock of the game's directory tells processes of one machine apart; on a file system that several
// machines share it may not. A lease is renewed when half of it is over, so it costs next to nothing
// where games change often. Its holder is the state directory, which one process at a time has: who
// starts again after a crash has its leases at once. g.mu is held.
func (d *keeper) lease(ctx context.Context, g *game) error {
	now := d.clock.Now()
	if left := g.leased.Sub(now); left > leaseFor/2 && left <= leaseFor {
		return nil
	}
	l, err := d.store.Lease(ctx, g.key, d.holder, now, now.Add(leaseFor))
	if err != nil {
		return fmt.Errorf("lease game %s: %w", g.id, err)
	}
	if l.Holder != d.holder {
		g.leased = time.Time{}
		return &vault.Error{
			Path: g.vault.Dir(), Problem: fmt.Sprintf("another daemon on the same store (%s) has the game until %s", l.Holder, l.Until.UTC().Format(time.DateTime+" UTC")),
			Way: fmt.Sprintf("wait: it is this daemon's turn when the other stops, or changes nothing for that long; if that is longer than %s, a clock is wrong: stop the other, which gives the game back", leaseFor), Err: vault.ErrLocked,
		}
	}
	g.leased = now.Add(leaseFor)
	d.leased.Store(true)
	return nil
}

// endLeases gives back what the daemon has of games.
func (d *keeper) endLeases() error {
	if d.leased.Load() && d.stopped.Load() == nil { // after a kill nothing is done
		return d.store.EndLeases(context.Background(), d.holder)
	}
	return nil
}
