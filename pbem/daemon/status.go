package daemon

import (
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"starpost/pbem/daemon/games"
)

// Status is how it stands with a running daemon, for who watches it.
type Status struct {
	Waiting   int // mails to be sent
	Mailboxes []MailboxStatus
	Games     games.GameCounts
}

// MailboxStatus is how it stands with one mailbox.
type MailboxStatus struct {
	Address string
	Looked  time.Time // when it was last read; zero: never
}

// Status tells how it stood a moment ago. It may be called from any goroutine,
// and waits for nothing.
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

// countWaiting has Status see how many mails wait.
func (d *Daemon) countWaiting(ctx context.Context) error {
	n, err := d.Store.Waiting(ctx)
	if err == nil {
		d.waitingMails.Store(int64(n))
	}
	return err
}

// Games tells how it stood with each game, in order of id. Like Status it may be
// called from any goroutine, and waits for nothing.
func (d *Daemon) Games() []games.GameStatus {
	d.keeper.Board.Mu.Lock()
	all := slices.Collect(maps.Values(d.keeper.Board.Games))
	d.keeper.Board.Mu.Unlock()
	slices.SortFunc(all, func(a, b games.GameStatus) int { return strings.Compare(a.ID, b.ID) })
	return all
}

// How long notes are kept that only bound what is sent, and how often the old
// ones are looked for.
const (
	keepNotes = 120 * 24 * time.Hour
	tidyEvery = 24 * time.Hour
)

// forgetOld forgets, once a day, what is too old to be of use: notes of answers and
// bounces, and the raw mails where the configuration says for how long they are
// kept.
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
