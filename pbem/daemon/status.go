package daemon

import (
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"starpost/pbem/daemon/games"
)

// Status is the state of a running daemon, for monitoring.
type Status struct {
	Waiting   int // mails to be sent
	Mailboxes []MailboxStatus
	Games     games.GameCounts
}

// MailboxStatus is the state of one mailbox.
type MailboxStatus struct {
	Address string
	Looked  time.Time // when it was last read; zero: never
}

// Status returns the state as of a moment ago. It may be called from any goroutine and does not
// block.
func (d *Daemon) Status() Status {
	s := Status{Waiting: int(d.waitingMails.Load())}
	d.keeper.Board.Mu.Lock()
	s.Games = d.keeper.Board.Counts
	s.Games.Trouble += d.keeper.Board.Closed
	d.keeper.Board.Mu.Unlock()
	d.guard.Mu.Lock()
	for _, at := range d.workers {
		s.Mailboxes = append(s.Mailboxes, MailboxStatus{Address: at.Box.Address, Looked: d.guard.Now.Mailboxes[at.Box.Address].Looked})
	}
	d.guard.Mu.Unlock()
	return s
}

// countWaiting returns the number of waiting mails, of all mailboxes, and keeps it for Status.
func (d *Daemon) countWaiting(ctx context.Context) (n int, err error) {
	if n, err = d.Store.Waiting(ctx); err == nil {
		d.waitingMails.Store(int64(n))
	}
	return n, err
}

// Games returns the last known state of each game, ordered by ID. Like Status it may be called from
// any goroutine and does not block.
func (d *Daemon) Games() []games.GameStatus {
	d.keeper.Board.Mu.Lock()
	all := slices.Collect(maps.Values(d.keeper.Board.Games))
	d.keeper.Board.Mu.Unlock()
	slices.SortFunc(all, func(a, b games.GameStatus) int { return strings.Compare(a.ID, b.ID) })
	return all
}

// keepNotes is how long the notes are kept that only serve to limit what is sent; tidyEvery is how
// often expired records are deleted.
const (
	keepNotes = 120 * 24 * time.Hour
	tidyEvery = 24 * time.Hour
)

// forgetOld deletes expired records once a day: notes of answers and bounces, and, if the
// configuration limits their retention, raw mails.
func (d *Daemon) forgetOld(ctx context.Context) error {
	d.keeper.Mu.Lock()
	defer d.keeper.Mu.Unlock()
	now := d.Clock.Now()
	if since := now.Sub(d.forgotAt); !d.forgotAt.IsZero() && since >= 0 && since < tidyEvery {
		return nil
	}
	if err := d.Store.DeleteExpired(ctx, now.Add(-keepNotes)); err != nil {
		return err
	}
	if d.Config.KeepRaw > 0 {
		gone, err := d.Store.DeleteRaws(ctx, now.Add(-d.Config.KeepRaw.Duration()))
		if err != nil {
			return err
		}
		if gone > 0 {
			d.Log.Info("deleted expired raw mails", "mails", gone, "older_than", d.Config.KeepRaw)
		}
	}
	for _, s := range d.workers {
		if s.Handed == nil {
			continue
		}
		if _, err := s.Handed.Tidy(now, d.Config.KeepRaw.Duration()); err != nil {
			return err
		}
	}
	d.forgotAt = now
	return nil
}
