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

	"starpost/pbem/config"
	"starpost/pbem/daemon/intake"
	"starpost/pbem/daemon/process"
	"starpost/pbem/daemon/sender"
	"starpost/pbem/daemon/watch"
	"starpost/pbem/store"
)

// Serve runs until ctx ends, which is not an error. It retries unreachable servers, with growing
// pauses, and a full disk. It rebuilds a store that is lost meanwhile.
func (d *Daemon) Serve(ctx context.Context) error {
	for {
		err := d.serve(ctx)
		if !store.IsLost(err) {
			return err
		}
		if err := d.reopen(ctx, err); err != nil || d.Store == nil {
			return err
		}
	}
}

func (d *Daemon) serve(ctx context.Context) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	d.guard.SetMode(watch.ModeServe)
	doors, err := intake.OpenDoors(d.keeper.Accounts, d.Log)
	if err != nil {
		return err
	}
	var group sync.WaitGroup
	for _, door := range doors {
		group.Go(func() {
			defer d.LogPanic()
			if err := door.Serve(ctx); err != nil {
				stop(err)
			}
		})
	}
	for _, s := range d.workers {
		group.Go(func() {
			defer d.LogPanic()
			if err := s.serve(ctx); err != nil {
				stop(err)
			}
		})
	}
	for _, s := range d.workers {
		if s.Handed != nil {
			group.Go(func() {
				defer d.LogPanic()
				intake.WatchHanded(ctx, d.Clock, s.Account)
			})
		}
	}
	group.Wait()
	err = context.Cause(ctx)
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		d.keeper.NoteRest()
		d.Log.Info("daemon stopped")
		return nil
	}
	return err
}

// NeedsOperator reports whether a person must resolve err before the daemon is started again.
func NeedsOperator(err error) bool {
	return errors.Is(err, process.ErrOtherDaemon) || errors.Is(err, store.ErrNewer)
}

// Summary counts the mails that Once sent.
type Summary struct {
	Sent     int // mails delivered
	Deferred int // mails deferred; a later run sends them
	Failed   int // mails permanently refused
}

// Once handles the mails in the mailboxes, resolves what is due, sends what is queued, and returns.
// If a server cannot be reached or refuses the login, it first does everything that does not need
// that server, and then returns an error. It also returns an error if a game is in trouble.
// Completed work stays done.
func (d *Daemon) Once(ctx context.Context) (sum Summary, err error) {
	defer func() { err = errors.Join(err, d.condemnStore(err)) }()
	defer func() {
		if berr := d.guard.Beat(time.Time{}, false); err == nil {
			err = berr
		}
	}()
	d.keeper.RefreshGames(true)
	d.guard.SetMode(watch.ModeOnce)
	d.keeper.Steps.Relays.Inline()
	workers, giveBack, err := d.claimed(ctx)
	if err != nil {
		return sum, err
	}
	defer giveBack()
	var senders []*sender.BackgroundSender
	for _, s := range workers {
		senders = append(senders, s.sender.StartSender(ctx))
	}
	defer func() {
		for _, e := range senders {
			e.End()
			e.Connection.Close()
			if e.Err != nil && !e.Told {
				err = errors.Join(err, d.named(e.Worker.Box, fmt.Errorf("send mail: %w", e.Err)))
			}
			sum.Sent, sum.Deferred, sum.Failed = sum.Sent+e.N.Sent, sum.Deferred+e.N.Deferred, sum.Failed+e.N.Failed
		}
	}()
	var all []error
	// Read all mailboxes before any game plays: a mail may have come to a mailbox other than its
	// game's.
	var read []*worker
	for _, s := range workers {
		err := s.readOnce(ctx)
		if err == nil {
			read = append(read, s)
			s.guard.SetProblem(s.Box.Address, false, s.intake.Problem)
			continue
		}
		s.guard.SetProblem(s.Box.Address, false, err)
		s.Presence.Down.Store(true)
		all = append(all, d.named(s.Box, fmt.Errorf("read mail: %w", err)))
		if process.Fatal(ctx, err) {
			return sum, errors.Join(all...)
		}
	}
	if err := d.forgetOld(ctx); err != nil {
		if process.Fatal(ctx, err) {
			return sum, errors.Join(append(all, err)...)
		}
		d.Log.Error("deleting expired records failed, will retry", "err", err)
	}
	for _, s := range read {
		if _, err := s.tick(ctx, true, true); err != nil {
			return sum, errors.Join(append(all, err)...)
		}
	}
	if err := d.guard.Beat(time.Time{}, true); err != nil {
		return sum, errors.Join(append(all, err)...)
	}
	for _, e := range senders {
		err := e.SendRest(ctx)
		d.guard.SetProblem(e.Worker.Box.Address, true, err)
		if err != nil {
			all = append(all, d.named(e.Worker.Box, fmt.Errorf("send mail: %w", err)))
			if process.Fatal(ctx, err) {
				break
			}
		}
	}
	return sum, errors.Join(append(all, d.troubled())...)
}

// named adds the mailbox to err if there are several mailboxes.
func (d *Daemon) named(box config.Mailbox, err error) error {
	if len(d.workers) == 1 {
		return err
	}
	return fmt.Errorf("%s: %w", box.Address, err)
}

// troubled returns an error naming every game that cannot be opened or cannot go on, or nil.
func (d *Daemon) troubled() error {
	var all []error
	for _, dir := range slices.Sorted(maps.Keys(d.keeper.Games.Trouble)) {
		err := d.keeper.Games.Trouble[dir]
		if !strings.Contains(err.Error(), dir) {
			err = fmt.Errorf("%s: %w", dir, err)
		}
		all = append(all, fmt.Errorf("game cannot be opened: %w", err))
	}
	for _, g := range d.keeper.Games.Games {
		if g.Problem != nil {
			all = append(all, fmt.Errorf("game %s: %w", g.Vault.ID(), g.Problem))
		}
	}
	return errors.Join(all...)
}
