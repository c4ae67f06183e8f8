package daemon

import (
	"context"
	"errors"
	"sync"

	"starpost/pbem/daemon/process"
	"starpost/pbem/daemon/watch"
)

// serve runs the loops of the mailbox until ctx ends. Hosts that share a database run them only while they hold the
// mailbox; the others wait.
func (s *worker) serve(ctx context.Context) error {
	if !s.Presence.Shared() {
		return s.work(ctx)
	}
	trouble := watch.NewRetry(s.Process, false)
	told := ""
	for ctx.Err() == nil {
		err := s.Presence.Hold(ctx)
		if err == nil || errors.Is(err, watch.ErrElsewhere) {
			if trouble.Worked(s.Clock.Now(), 0) {
				s.log.Info("requesting the mailbox works again")
			}
			// Forget earlier problems: they concern another host now, or the restarted loops find them again.
			s.guard.SetProblem(s.Box.Address, false, nil)
			s.guard.SetProblem(s.Box.Address, true, nil)
		}
		switch {
		case err == nil:
			told = ""
			if err := s.workWhileHeld(ctx); err != nil {
				return err
			}
			continue
		case process.Fatal(ctx, err):
			return process.IgnoreEnd(ctx, err)
		}
		next := s.Clock.Now().Add(s.Presence.Lease() / 3)
		if !errors.Is(err, watch.ErrElsewhere) {
			if next, err = s.handleDown(ctx, trouble, "requesting the mailbox failed", err); err != nil {
				return process.IgnoreEnd(ctx, err)
			}
		} else if holder := watch.HolderIn(err); holder != "" && told != holder {
			told = holder
			s.log.Info("waiting while another host serves the mailbox", "host", told)
		}
		if err := s.guard.Beat(next, false); err != nil {
			return process.IgnoreEnd(ctx, err)
		}
		s.Emit(process.Event{Kind: process.Idle, At: next})
		select {
		case <-s.Clock.After(next.Sub(s.Clock.Now())):
		case <-ctx.Done():
		}
	}
	return nil
}

// workWhileHeld runs the loops until this host loses the mailbox, or ctx ends.
func (s *worker) workWhileHeld(ctx context.Context) error {
	s.log.Info("serving the mailbox")
	held, lose := context.WithCancel(ctx)
	end := s.keep(held, lose)
	err := s.work(held)
	if lost := held.Err() != nil && ctx.Err() == nil; lost && err != nil && !process.Ends(err) {
		s.log.Warn("work on the mailbox was cut short", "err", err)
		err = nil
	}
	end()
	return err
}

// keep renews the lease of the mailbox until end is called, which releases it. It calls lose if the mailbox goes to
// another host.
func (s *worker) keep(ctx context.Context, lose func()) (end func()) {
	done := make(chan struct{})
	var group sync.WaitGroup
	group.Go(func() {
		defer s.LogPanic()
		defer lose()
		for {
			select {
			case <-s.Clock.After(s.Presence.Lease() / 3):
			case <-done:
				return
			}
			switch err := s.Presence.Hold(context.WithoutCancel(ctx)); {
			case errors.Is(err, watch.ErrElsewhere):
				s.log.Warn("lost the mailbox", "err", err)
				return
			case err != nil && !s.Presence.Has():
				s.log.Warn("the mailbox lease has expired", "err", err)
				return
			case err != nil:
				s.log.Debug("renewing the mailbox lease failed", "err", err)
			}
		}
	})
	return func() {
		close(done)
		group.Wait()
		if s.Stopped.Load() != nil {
			return // after a simulated kill, do nothing
		}
		if err := s.Presence.Release(context.WithoutCancel(ctx)); err != nil { // another host takes it once the lease expires
			s.log.Warn("releasing the mailbox failed", "err", err)
		}
	}
}

// work runs the loops of the mailbox until ctx ends, or one of them fails.
func (s *worker) work(ctx context.Context) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	var group sync.WaitGroup
	var errs [2]error
	for i, loop := range []func(context.Context) error{s.deliverLoop, s.intakeLoop} {
		group.Go(func() {
			defer s.LogPanic()
			if errs[i] = loop(ctx); errs[i] != nil {
				stop()
			}
		})
	}
	group.Wait()
	return errors.Join(errs[:]...)
}

// claimed returns the mailboxes that a run of Once serves: those that no other host holds. end releases them.
func (d *Daemon) claimed(ctx context.Context) (all []*worker, end func(), err error) {
	var ends []func()
	end = func() {
		for _, end := range ends {
			end()
		}
	}
	for _, s := range d.workers {
		if s.Presence.Shared() {
			switch err := s.Presence.Hold(ctx); {
			case errors.Is(err, watch.ErrElsewhere):
				s.log.Info("another host serves the mailbox", "host", watch.HolderIn(err))
				continue
			case err != nil:
				end()
				return nil, nil, d.named(s.Box, err)
			}
			ends = append(ends, s.keep(ctx, func() {}))
		}
		all = append(all, s)
	}
	return all, end, nil
}
