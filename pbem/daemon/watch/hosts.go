package watch

import (
	"context"
	"errors"
	"fmt"
	"time"

	"starpost/pbem/clock"
)

// Of hosts that share a database one at a time has a mailbox, for as long as a lease that it renews. What it does there rests on
// that, by the clock that no one sets: who was stopped for longer asks first, and finds that another one has the mailbox.
// The mark in the mailbox is that of all of them, and guards against a host on another database.

// ErrElsewhere is the kind of trouble that another host has the mailbox.
var ErrElsewhere = errors.New("another host serves the mailbox")

// holding is what is known of the lease. Presence.held is locked while it is asked for.
type holding struct {
	owner string // what the hosts are called in marks
	fence int64  // 0: this host does not have the mailbox
	until time.Duration
}

// Shared tells whether other hosts may have the mailbox.
func (p *Presence) Shared() bool { return p.Hosts != nil }

// Lease is for how long the mailbox stays with a host that is not heard of.
func (p *Presence) Lease() time.Duration { return p.Config.Store.Lease.Duration() }

// Has tells whether this host has the mailbox.
func (p *Presence) Has() bool {
	if p.Hosts == nil {
		return true
	}
	h := p.holding.Load()
	return h != nil && p.Clock.Elapsed() < h.until
}

// Hold takes the mailbox, or has it for longer. The error is ErrElsewhere where another host has it, or had it meanwhile; this one
// must take it anew then.
func (p *Presence) Hold(ctx context.Context) error {
	p.held.Lock()
	defer p.held.Unlock()
	began := p.Clock.Elapsed() // before the server counts
	got, err := p.Hosts.Hold(ctx, p.box.Address, p.holder(), p.Lease(), p.guard.looked(p.box.Address))
	if err != nil {
		return fmt.Errorf("hold the mailbox %s: %w", p.box.Address, err)
	}
	p.guard.heardLook(p.box.Address, got.Looked)
	had := p.holding.Load()
	if got.Holder != p.holder() || had != nil && had.fence != got.Fence {
		p.holding.Store(nil)
		if got.Holder == p.holder() {
			return fmt.Errorf("%w %s meanwhile", ErrElsewhere, p.box.Address)
		}
		return fmt.Errorf("%w %s: %s", ErrElsewhere, p.box.Address, got.Holder)
	}
	p.holding.Store(&holding{got.Owner, got.Fence, began + p.Lease()})
	return nil
}

// renew has the mailbox for longer if its lease is over; whoever has lost it, or gave it back, does not take it so.
func (p *Presence) renew(ctx context.Context) error {
	switch {
	case p.Has():
		return nil
	case p.holding.Load() == nil:
		return fmt.Errorf("%w %s", ErrElsewhere, p.box.Address)
	}
	return p.Hold(ctx)
}

// Release gives the mailbox back, so that the next host need not wait. Nothing may be done there any more.
func (p *Presence) Release(ctx context.Context) error {
	if p.Hosts == nil {
		return nil
	}
	p.held.Lock()
	had := p.holding.Swap(nil)
	p.held.Unlock()
	p.mu.Lock()
	p.run, p.mine, p.settled, p.gone, p.failed = "", false, false, false, false
	p.mu.Unlock()
	p.known.Store(false)
	if had == nil {
		return nil
	}
	return p.Hosts.Release(ctx, p.box.Address, p.holder())
}

// holder is what this host is called among those that share the database.
func (p *Presence) holder() string {
	name, err := p.State.Holder()
	if err != nil {
		name = "a host without a name"
	}
	return name + " " + p.guard.owner()[:min(8, len(p.guard.owner()))]
}

// owner is what we are called in marks.
func (p *Presence) owner() string {
	if h := p.holding.Load(); h != nil {
		return h.owner
	}
	return p.guard.owner()
}

// looked is when the mailbox was read last; zero for never.
func (w *Guard) looked(address string) time.Time {
	w.Mu.Lock()
	defer w.Mu.Unlock()
	return w.Now.Mailboxes[address].Looked
}

// heardLook notes that another host has read the mailbox.
func (w *Guard) heardLook(address string, at time.Time) {
	w.Mu.Lock()
	defer w.Mu.Unlock()
	h := w.Now.Mailboxes[address]
	if at.After(h.Looked) && !w.interrupted(address) {
		h.Looked, h.Mode, h.Gaps = at, ModeServe, []clock.Span(nil)
		w.Now.Mailboxes[address] = h
	}
}
