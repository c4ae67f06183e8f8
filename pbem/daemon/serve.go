package daemon

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"
)

// Serve runs until ctx ends, which is no error. Servers that cannot be reached
// are tried again and again, with growing pauses, and so is a full disk.
func (d *Daemon) Serve(ctx context.Context) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var group sync.WaitGroup
	group.Go(func() {
		if err := d.deliverLoop(ctx); err != nil {
			stop(err)
		}
	})
	if err := d.intakeLoop(ctx); err != nil {
		stop(err)
	}
	group.Wait()
	err := context.Cause(ctx)
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return nil
	}
	return err
}

// Summary is what Once did.
type Summary struct {
	Sent     int // mails delivered
	Deferred int // mails put off; a later run sends them
	Failed   int // mails refused for good
}

// Once handles what is in the mailbox, resolves what is due, sends what is
// queued, and ends. A server that cannot be reached, or that refuses the
// login, is an error; what was done before that stays done. So is a game in
// trouble, after all is done for the others.
func (d *Daemon) Once(ctx context.Context) (Summary, error) {
	d.shelf.refresh()
	in, err := d.o.Inbox(ctx)
	if err != nil {
		return Summary{}, fmt.Errorf("read mail: %w", err)
	}
	_, err = d.look(ctx, in)
	in.Close()
	if err != nil {
		return Summary{}, fmt.Errorf("read mail: %w", err)
	}
	if _, err := d.tick(ctx, true, true); err != nil {
		return Summary{}, err
	}
	n, err := d.deliver(ctx)
	if err != nil {
		err = fmt.Errorf("send mail: %w", err)
	}
	return Summary{Sent: n.sent, Deferred: n.deferred, Failed: n.failed}, errors.Join(err, d.troubled())
}

// troubled names every game that cannot be opened, or cannot go on; nil for
// none.
func (d *Daemon) troubled() error {
	var all []error
	for _, dir := range slices.Sorted(maps.Keys(d.shelf.trouble)) {
		err := d.shelf.trouble[dir]
		if !strings.Contains(err.Error(), dir) {
			err = fmt.Errorf("%s: %w", dir, err)
		}
		all = append(all, fmt.Errorf("game cannot be opened: %w", err))
	}
	for _, g := range d.shelf.games {
		if g.said != nil {
			all = append(all, fmt.Errorf("game %s: %w", g.vault.ID(), g.said))
		}
	}
	return errors.Join(all...)
}

// intakeLoop reads mail and runs turns until ctx ends.
func (d *Daemon) intakeLoop(ctx context.Context) error {
	var in Inbox
	defer func() {
		if in != nil {
			in.Close()
		}
	}()
	pause := pauses(5*time.Second, 15*time.Minute)
	var full, retry time.Time // when to look at every game, and to connect again
	for ctx.Err() == nil {
		now := d.clock.Now()
		again, fresh := false, false
		all := !now.Before(full)
		if all {
			d.shelf.refresh()
			full = now.Add(d.cfg.Poll.Duration())
		}
		if in == nil && !now.Before(retry) {
			var err error
			if in, err = d.o.Inbox(ctx); err != nil {
				in = nil
				if ctx.Err() != nil {
					return nil
				}
				retry = now.Add(pause.NextBackOff())
				d.log.Error("mailbox cannot be opened, it will be tried again", "err", err, "hint", Hint(err), "at", retry)
			}
		}
		if in != nil {
			var err error
			if again, err = d.look(ctx, in); err != nil {
				if fatal(ctx, err) {
					return quiet(ctx, err)
				}
				in.Close()
				in, retry = nil, now.Add(pause.NextBackOff())
				d.log.Warn("mailbox cannot be read, it will be opened again", "err", err, "hint", Hint(err), "at", retry)
			} else {
				fresh = true
				pause.Reset()
			}
		}
		next, err := d.tick(ctx, all, fresh)
		if err != nil {
			return quiet(ctx, err)
		}
		until := full
		if again {
			until = earlier(until, d.clock.Now().Add(retryLocked))
		}
		until = earlier(earlier(until, next), zeroIf(in != nil, retry))
		d.tell(Event{Kind: Idle, At: until})
		if err := d.sleep(ctx, in, until); err != nil {
			in.Close()
			in, retry = nil, d.clock.Now().Add(pause.NextBackOff())
			if ctx.Err() == nil {
				d.log.Info("mailbox connection ended, it will be opened again", "err", err)
			}
		}
	}
	return nil
}

// quiet gives no error for the end of ctx.
func quiet(ctx context.Context, err error) error {
	if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		return nil
	}
	return err
}

func zeroIf(yes bool, t time.Time) time.Time {
	if yes {
		return time.Time{}
	}
	return t
}

// earlier is the earlier of two moments, zero being never.
func earlier(a, b time.Time) time.Time {
	if b.IsZero() || !a.IsZero() && a.Before(b) {
		return a
	}
	return b
}

// sleep waits until then, for mail, for Wake, or for the end of ctx. The error
// is the mailbox's: its connection is of no more use.
func (d *Daemon) sleep(ctx context.Context, in Inbox, until time.Time) error {
	left := until.Sub(d.clock.Now())
	if left <= 0 {
		return nil
	}
	timer := d.clock.After(left)
	if in == nil {
		select {
		case <-timer:
		case <-d.wake:
		case <-ctx.Done():
		}
		return nil
	}
	over, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		select {
		case <-timer:
		case <-d.wake:
		case <-over:
			return
		}
		in.Wake()
	}()
	// The clock's timer is to end it; the mailbox's own comes after that, or
	// both would, and the second be taken for news.
	err := in.Wait(ctx, left+time.Minute)
	close(over)
	// What the waker took must not be lost: whoever called Wake is served by the
	// look that follows.
	<-ended
	return err
}

// deliverLoop sends what is queued until ctx ends.
func (d *Daemon) deliverLoop(ctx context.Context) error {
	pause := pauses(5*time.Second, 15*time.Minute)
	for ctx.Err() == nil {
		next := time.Time{}
		_, err := d.deliver(ctx)
		if err == nil {
			// Zero when none waits.
			next, _, err = d.ledger.NextDue(ctx)
		}
		switch {
		case err == nil:
			pause.Reset()
		case fatal(ctx, err):
			return quiet(ctx, err)
		default:
			next = d.clock.Now().Add(pause.NextBackOff())
			d.log.Error("mail cannot be sent, it will be tried again", "err", err, "hint", Hint(err), "at", next)
		}
		var timer <-chan time.Time
		if !next.IsZero() {
			timer = d.clock.After(next.Sub(d.clock.Now()))
		}
		queued := d.post
		if err != nil {
			queued = nil // more mail does not bring the server back
		}
		select {
		case <-timer:
		case <-queued:
		case <-ctx.Done():
		}
	}
	return nil
}
