package daemon

import (
	"context"
	"time"

	"starpost/pbem/desk"
	"starpost/pbem/ledger"
)

// queueCaused queues a mail that a command caused in addition to the answer, once, and
// within its limits.
func (s *mailboxWorker) queueCaused(ctx context.Context, l desk.Incoming, out desk.Outgoing) error {
	if known, err := s.ledger.InOutbox(ctx, out.Message.MessageID); err != nil || known {
		return err
	}
	now, to := s.clock.Now(), out.Message.To.Addr
	full := func(who, kind string, since time.Time, most int) (bool, error) {
		n, err := s.ledger.Answers(ctx, who, kind, since)
		if err != nil || n < most {
			return false, err
		}
		s.log.Warn("mail not sent", "sha256", l.SHA256, "kind", out.Kind, "game", out.Game, "reason", "limit reached", "limit", most)
		return true, nil
	}
	if out.Answer {
		if over, err := full(to, "", now.Add(-time.Hour), s.cfg.AnswersPerHour); err != nil || over {
			return err
		}
	}
	for _, b := range out.Limits {
		if over, err := full(b.Who, out.Kind, now.Add(-24*time.Hour), b.PerDay); err != nil || over {
			return err
		}
	}
	kind := ledger.Notice
	if out.Kind == desk.KindReport {
		kind = ledger.Report
	}
	if err := s.queue(ctx, kind, s.ledgerKey(out.Game), out.Message); err != nil {
		return err
	}
	if out.Answer {
		if _, err := s.ledger.RecordAnswer(ctx, to, out.Kind, out.Message.MessageID, now); err != nil {
			return err
		}
	}
	for _, b := range out.Limits {
		if _, err := s.ledger.RecordAnswer(ctx, b.Who, out.Kind, out.Message.MessageID, now); err != nil {
			return err
		}
	}
	return nil
}

// ledgerKey names a game in the ledger; "" for none.
func (d *Daemon) ledgerKey(id string) string {
	if g := d.games.withID(id); g != nil {
		return g.key
	}
	return id
}
