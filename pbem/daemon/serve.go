package daemon

import (
	"starpost/pbem/config"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"starpost/pbem/store"
)

// Serve runs until ctx ends, which is no error. Servers that cannot be reached
// are tried again and again, with growing pauses, and so is a full disk. A
// store that is lost meanwhile is rebuilt.
func (d *Daemon) Serve(ctx context.Context) error {
	for {
		err := d.serve(ctx)
		if !store.IsLost(err) {
			return err
		}
		if err := d.reopen(ctx, err); err != nil || d.store == nil {
			return err
		}
	}
}

func (d *Daemon) serve(ctx context.Context) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	d.guard.setMode(ModeServe)
	doors, err := openDoors(d.keeper.accounts, d.log)
	if err != nil {
		return err
	}
	var group sync.WaitGroup
	for _, door := range doors {
		group.Go(func() {
			defer d.logPanic()
			if err := door.Serve(ctx); err != nil {
				stop(err)
			}
		})
	}
	for _, s := range d.workers {
		for _, loop := range []func(context.Context) error{s.deliverLoop, s.intakeLoop} {
			group.Go(func() {
				defer d.logPanic()
				if err := loop(ctx); err != nil {
					stop(err)
				}
			})
		}
	}
	for _, s := range d.workers {
		if s.handed != nil {
			group.Go(func() {
				defer d.logPanic()
				watchHanded(ctx, d.clock, s.account)
			})
		}
	}
	group.Wait()
	err = context.Cause(ctx)
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		d.keeper.noteRest()
		return nil
	}
	return err
}

// logPanic logs what ends a goroutine, and the process with it: the daemon's log may be
// where the last words of a process are not. To be deferred.
func (d *process) logPanic() {
	if p := recover(); p != nil {
		d.log.Error("daemon crashed", "err", fmt.Sprint(p))
		panic(p)
	}
}

// NeedsOperator tells of an error that a person must deal with before the daemon is started
// again.
func NeedsOperator(err error) bool {
	return errors.Is(err, errOtherDaemon) || errors.Is(err, store.ErrNewer)
}

// Summary is what Once did.
type Summary struct {
	Sent     int // mails delivered
	Deferred int // mails put off; a later run sends them
	Failed   int // mails refused for good
}

// Once handles what is in the mailboxes, resolves what is due, sends what is
// queued, and ends. A server that cannot be reached, or that refuses the login,
// is an error, after all is done that does not need it; what was done stays
// done. So is a game in trouble.
func (d *Daemon) Once(ctx context.Context) (sum Summary, err error) {
	defer func() { err = errors.Join(err, d.condemnStore(err)) }()
	defer func() {
		if berr := d.guard.beat(time.Time{}, false); err == nil {
			err = berr
		}
	}()
	d.keeper.refreshGames(true)
	d.guard.setMode(ModeOnce)
	d.keeper.steps.relays.Inline()
	var senders []*backgroundSender
	for _, s := range d.workers {
		senders = append(senders, s.sender.startSender(ctx))
	}
	defer func() {
		for _, e := range senders {
			e.end()
			e.connection.close()
			if e.err != nil && !e.told {
				err = errors.Join(err, d.named(e.worker.box, fmt.Errorf("send mail: %w", e.err)))
			}
			sum.Sent, sum.Deferred, sum.Failed = sum.Sent+e.n.sent, sum.Deferred+e.n.deferred, sum.Failed+e.n.failed
		}
	}()
	var all []error
	// All are read before any plays: a mail may have come to another mailbox
	// than its game's.
	var read []*worker
	for _, s := range d.workers {
		err := s.readOnce(ctx)
		if err == nil {
			read = append(read, s)
			s.guard.setProblem(s.box.Address, false, s.intake.problem)
			continue
		}
		s.guard.setProblem(s.box.Address, false, err)
		s.presence.down.Store(true)
		all = append(all, d.named(s.box, fmt.Errorf("read mail: %w", err)))
		if fatal(ctx, err) {
			return sum, errors.Join(all...)
		}
	}
	if err := d.forgetOld(ctx); err != nil {
		if fatal(ctx, err) {
			return sum, errors.Join(append(all, err)...)
		}
		d.log.Error("deleting expired records failed, will retry", "err", err)
	}
	for _, s := range read {
		if _, err := s.tick(ctx, true, true); err != nil {
			return sum, errors.Join(append(all, err)...)
		}
	}
	if err := d.guard.beat(time.Time{}, true); err != nil {
		return sum, errors.Join(append(all, err)...)
	}
	for _, e := range senders {
		err := e.sendRest(ctx)
		d.guard.setProblem(e.worker.box.Address, true, err)
		if err != nil {
			all = append(all, d.named(e.worker.box, fmt.Errorf("send mail: %w", err)))
			if fatal(ctx, err) {
				break
			}
		}
	}
	return sum, errors.Join(append(all, d.troubled())...)
}

// readOnce handles what is in the mailbox.
func (s *worker) readOnce(ctx context.Context) error {
	in, err := s.o.Inbox(ctx, s.box)
	if err != nil {
		return err
	}
	defer in.Close()
	if _, err = s.intake.readMailbox(ctx, in); err == nil {
		s.guard.noteRead(s.box.Address)
	}
	return err
}

// named says whose error it is, where there are several mailboxes.
func (d *Daemon) named(box config.Mailbox, err error) error {
	if len(d.workers) == 1 {
		return err
	}
	return fmt.Errorf("%s: %w", box.Address, err)
}

// troubled names every game that cannot be opened, or cannot go on; nil for
// none.
func (d *Daemon) troubled() error {
	var all []error
	for _, dir := range slices.Sorted(maps.Keys(d.keeper.games.trouble)) {
		err := d.keeper.games.trouble[dir]
		if !strings.Contains(err.Error(), dir) {
			err = fmt.Errorf("%s: %w", dir, err)
		}
		all = append(all, fmt.Errorf("game cannot be opened: %w", err))
	}
	for _, g := range d.keeper.games.games {
		if g.problem != nil {
			all = append(all, fmt.Errorf("game %s: %w", g.vault.ID(), g.problem))
		}
	}
	return errors.Join(all...)
}

// ignoreEnd gives no error for the end of ctx.
func ignoreEnd(ctx context.Context, err error) error {
	if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		return nil
	}
	return err
}

func unless(yes bool, t time.Time) time.Time {
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
