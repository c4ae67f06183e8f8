package daemon

import (
	"starpost/pbem/vault"
	"context"
	"time"

	"starpost/pbem/desk/effect"
	"starpost/pbem/desk/identity"
	"starpost/pbem/store"
)

// queueCaused queues a mail that a command caused in addition to the answer, once, and
// within its limits; false for one past them.
func (s *intake) queueCaused(ctx context.Context, l identity.Incoming, out effect.Outgoing) (sent bool, err error) {
	if known, err := s.store.InOutbox(ctx, out.Message.MessageID); err != nil || known {
		return known, err
	}
	now, to := s.clock.Now(), out.Message.To.Addr
	full := func(who, kind string, since time.Time, most int) (bool, error) {
		n, err := s.store.Answers(ctx, who, kind, since)
		if err != nil || n < most {
			return false, err
		}
		s.log.Warn("mail not sent", "sha256", l.SHA256, "kind", out.Kind, "game", out.Game, "reason", "limit reached", "limit", most)
		return true, nil
	}
	if out.Answer {
		if over, err := full(to, "", now.Add(-time.Hour), s.cfg.AnswersPerHour); err != nil || over {
			return false, err
		}
	}
	for _, b := range out.Limits {
		if over, err := full(b.Who, out.Kind, now.Add(-24*time.Hour), b.PerDay); err != nil || over {
			return false, err
		}
	}
	kind := store.Notice
	if out.Kind == effect.KindReport {
		kind = store.Report
	}
	var of *vault.Settings
	if g := s.keeper.games.withID(out.Game); g != nil {
		of = g.vault.SharedSettings()
	}
	if err := s.queue(ctx, kind, s.keeper.storeKey(out.Game), of, out.Message); err != nil {
		return false, err
	}
	if out.Answer {
		if _, err := s.store.RecordAnswer(ctx, to, out.Kind, out.Message.MessageID, now); err != nil {
			return false, err
		}
	}
	for _, b := range out.Limits {
		if _, err := s.store.RecordAnswer(ctx, b.Who, out.Kind, out.Message.MessageID, now); err != nil {
			return false, err
		}
	}
	return true, nil
}

// storeKey names a game in the store; "" for none.
func (d *keeper) storeKey(id string) string {
	if g := d.games.withID(id); g != nil {
		return g.key
	}
	return id
}
