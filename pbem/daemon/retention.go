package daemon

import (
	"context"
	"time"
)

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
	d.keeper.mu.Lock()
	defer d.keeper.mu.Unlock()
	now := d.clock.Now()
	if since := now.Sub(d.forgotAt); !d.forgotAt.IsZero() && since >= 0 && since < tidyEvery {
		return nil
	}
	if err := d.store.DeleteExpired(ctx, now.Add(-keepNotes)); err != nil {
		return err
	}
	if d.cfg.KeepRaw > 0 {
		gone, err := d.store.DeleteRaws(ctx, now.Add(-d.cfg.KeepRaw.Duration()))
		if err != nil {
			return err
		}
		if gone > 0 {
			d.log.Info("deleted expired raw mails", "mails", gone, "older_than", d.cfg.KeepRaw)
		}
	}
	for _, s := range d.workers {
		if s.handed == nil {
			continue
		}
		if _, err := s.handed.Tidy(now, d.cfg.KeepRaw.Duration()); err != nil {
			return err
		}
	}
	d.forgotAt = now
	return nil
}
