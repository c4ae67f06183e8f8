package daemon

import (
	"context"
	"fmt"
	"strings"
	"time"

	"starpost/pbem/desk"
	"starpost/pbem/report"
	"starpost/pbem/store"
)

// queueAnswer queues what the sender is told, once, and within the limits. Who gets
// no answer for now is told so in the next one.
func (s *mailboxWorker) queueAnswer(ctx context.Context, l desk.Incoming, c *desk.Decision) error {
	now := s.clock.Now()
	a, err := c.Answer(now)
	if err == nil && a == nil && c.Silent != "" {
		return s.store.RecordUnanswered(ctx, c.Silent, store.Unanswered{Cause: l.SHA256, At: l.Received})
	}
	if err != nil || a == nil {
		return err
	}
	sender := a.Message.To.Addr
	past, err := s.store.AnswerHistory(ctx, sender, now.Add(-time.Hour))
	if err != nil {
		return err
	}
	why, err := s.overBudget(ctx, sender, past.Lately, a.Kind, now)
	if err != nil {
		return err
	}
	if why != "" {
		if known, err := s.store.InOutbox(ctx, a.Message.MessageID); err != nil || known {
			return err
		}
		s.log.Warn("mail not answered", "sha256", l.SHA256, "reason", why)
		if a.Kind == desk.KindStranger || a.Kind == desk.KindText {
			return nil
		}
		return s.store.RecordUnanswered(ctx, sender, store.Unanswered{Cause: l.SHA256, At: l.Received})
	}
	if past.Missed {
		if known, err := s.store.InOutbox(ctx, a.Message.MessageID); err != nil || known {
			return err
		}
		missed, err := s.store.Unanswered(ctx, sender)
		if err != nil {
			return err
		}
		c.AddNotice(s.unansweredWords(missed))
		if a, err = c.Answer(now); err != nil {
			return err
		}
		if err := s.store.ForgetUnanswered(ctx, sender, missed[len(missed)-1].At); err != nil {
			return err
		}
	}
	kind := store.Ack
	if a.Kind != desk.KindAck {
		kind = store.Notice
	}
	// Some mails of a sender share one answer, and that one counts.
	if _, err = s.store.RecordAnswer(ctx, sender, a.Kind, a.Message.MessageID, now); err != nil {
		return err
	}
	a.Sent()
	return s.queueWorded(a, func(raw []byte) error { return s.queueRaw(ctx, kind, a.Game, a.Message, raw) })
}

// overBudget says why an answer must not be sent to whom so many were sent within
// the hour; "" for no reason. One sender gets only some in an hour, and all
// strangers together in a day: their addresses may be forged, and the answers go
// to whom they belong.
func (s *mailboxWorker) overBudget(ctx context.Context, sender string, lately int, kind string, now time.Time) (why string, err error) {
	if lately >= s.cfg.AnswersPerHour {
		return fmt.Sprintf("%d answers to this sender in an hour are enough", s.cfg.AnswersPerHour), nil
	}
	if kind == desk.KindText {
		return s.overTexts(ctx, sender, now)
	}
	if kind != desk.KindStranger {
		return "", nil
	}
	n, err := s.store.AnswersOfKind(ctx, kind, now.Add(-24*time.Hour))
	if err != nil {
		return "", err
	}
	if n >= s.cfg.StrangersPerDay {
		return fmt.Sprintf("%d answers to strangers in a day are enough", s.cfg.StrangersPerDay), nil
	}
	return "", nil
}

// overTexts bounds the texts that a stranger asks for in a day, and those of all strangers
// to twenty times the plain answers that they may get.
func (s *mailboxWorker) overTexts(ctx context.Context, sender string, now time.Time) (why string, err error) {
	past, err := s.store.AnswerHistory(ctx, sender, now.Add(-24*time.Hour))
	if err != nil || s.cfg.Lobby == nil {
		return "", err
	}
	if most := s.cfg.Lobby.AnswersPerDay; past.Lately >= most {
		return fmt.Sprintf("%d texts to this stranger in a day are enough", most), nil
	}
	n, err := s.store.AnswersOfKind(ctx, desk.KindText, now.Add(-24*time.Hour))
	if err != nil {
		return "", err
	}
	if most := 20 * s.cfg.StrangersPerDay; n >= most {
		return fmt.Sprintf("%d texts to strangers in a day are enough", most), nil
	}
	return "", nil
}

// maxMissed is how many mails without an answer are named one by one.
const maxMissed = 10

// unansweredWords tells a captain of mails that were dealt with in silence.
func (s *mailboxWorker) unansweredWords(missed []store.Unanswered) string {
	var when []string
	for _, u := range missed[:min(len(missed), maxMissed)] {
		when = append(when, report.FormatTime(u.At, time.UTC))
	}
	more := ""
	if len(missed) > maxMissed {
		more = fmt.Sprintf(" and %d more", len(missed)-maxMissed)
	}
	return fmt.Sprintf("Mails of yours were dealt with but not answered: one sender gets at most %d answers in an hour, and a mail with the marks of a mailing list or the subject of an absence notice gets none. They were received %s%s. "+
		"Order sets in them counted as always, if there was no mistake in them: the last valid set is in force. Commands in a mail with the marks of a mailing list or such a subject were not carried out; send them again without.", s.cfg.AnswersPerHour, strings.Join(when, "; "), more)
}
