package watch

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Only one of the hosts that share a database serves a mailbox at a time. It holds and renews a lease, and checks it
// by the monotonic clock before it acts: a host that was suspended for longer has to ask the database first, and
// learns there if another host took over. All hosts share one mark in the mailbox, which guards against hosts on
// another database.

// ErrElsewhere is returned when another host serves the mailbox.
var ErrElsewhere = errors.New("another host serves the mailbox")

// elsewhere is an ErrElsewhere that names the host.
type elsewhere struct{ mailbox, holder string }

func (e *elsewhere) Error() string {
	return fmt.Sprintf("%v %s: %s", ErrElsewhere, e.mailbox, e.holder)
}
func (e *elsewhere) Unwrap() error { return ErrElsewhere }

// HolderIn returns the name of the host that serves the mailbox according to an error of Hold; "" if it names none.
func HolderIn(err error) string {
	if e, ok := errors.AsType[*elsewhere](err); ok {
		return e.holder
	}
	return ""
}

// holding is the lease as this host last knew it. Presence.held is locked while the database is asked.
type holding struct {
	owner string // the name of the hosts in marks
	fence int64  // 0: this host does not have the mailbox
	until time.Duration
}

// Shared reports whether other hosts may serve the mailbox.
func (p *Presence) Shared() bool { return p.Hosts != nil }

// Lease returns how long a host keeps the mailbox without renewing.
func (p *Presence) Lease() time.Duration { return p.Config.Store.Lease.Duration() }

// Has reports whether this host holds the mailbox.
func (p *Presence) Has() bool {
	if p.Hosts == nil {
		return true
	}
	h := p.holding.Load()
	return h != nil && p.Clock.Elapsed() < h.until
}

// Hold takes the mailbox, or renews its lease. The error is ErrElsewhere if another host holds it, or held it since
// the last call; in the second case the next call takes it again.
func (p *Presence) Hold(ctx context.Context) error {
	p.held.Lock()
	defer p.held.Unlock()
	began := p.Clock.Elapsed() // measured before the server's time starts
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
		return &elsewhere{p.box.Address, got.Holder}
	}
	p.holding.Store(&holding{got.Owner, got.Fence, began + p.Lease()})
	return nil
}

// renew renews a lease that has expired. It does not take a mailbox that was lost or released: that is up to Hold.
func (p *Presence) renew(ctx context.Context) error {
	switch {
	case p.Has():
		return nil
	case p.holding.Load() == nil:
		return fmt.Errorf("%w %s", ErrElsewhere, p.box.Address)
	}
	return p.Hold(ctx)
}

// HoldUntilCommit makes sure, at the end of a group of the store, that this host still has the mailbox, and keeps it until
// the group is committed. Otherwise a host that was cut off could commit its work in the middle of the next one's.
func (p *Presence) HoldUntilCommit(group context.Context) error {
	if p.Hosts == nil {
		return nil
	}
	h := p.holding.Load()
	if h != nil {
		if held, err := p.Hosts.HoldUntilCommit(group, p.box.Address, p.holder(), h.fence); held || err != nil {
			return err
		}
	}
	return fmt.Errorf("%w %s meanwhile", ErrElsewhere, p.box.Address)
}

// Release gives the mailbox back, so the next host does not have to wait for the lease to expire. The caller must not
// act on the mailbox afterwards.
func (p *Presence) Release(ctx context.Context) error {
	if p.Hosts == nil {
		return nil
	}
	p.held.Lock()
	had := p.holding.Swap(nil)
	p.held.Unlock()
	p.mu.Lock()
	p.run, p.mine, p.settled, p.gone, p.failed, p.lost = "", false, false, false, false, 0
	p.mu.Unlock()
	p.known.Store(false)
	if had == nil {
		return nil
	}
	return p.Hosts.Release(ctx, p.box.Address, p.holder())
}

// holder returns the name of this host among those that share the database.
func (p *Presence) holder() string {
	name, err := p.State.Holder()
	if err != nil {
		name = "an unnamed host"
	}
	return name + " " + p.guard.owner()[:min(8, len(p.guard.owner()))]
}

// owner returns the name, in marks, of this host or of all hosts that share the database.
func (p *Presence) owner() string {
	if h := p.holding.Load(); h != nil {
		return h.owner
	}
	return p.guard.owner()
}

// looked returns when the mailbox was last read; zero for never.
func (w *Guard) looked(address string) time.Time {
	w.Mu.Lock()
	defer w.Mu.Unlock()
	return w.Now.Mailboxes[address].Looked
}

// heardLook records that another host has read the mailbox.
func (w *Guard) heardLook(address string, at time.Time) {
	w.Mu.Lock()
	defer w.Mu.Unlock()
	h := w.Now.Mailboxes[address]
	if at.After(h.Looked) && !w.interrupted(address) {
		h.Looked, h.Mode, h.Gaps = at, ModeServe, nil
		w.Now.Mailboxes[address] = h
	}
}
