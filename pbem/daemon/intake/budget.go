package intake

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"starpost/pbem/config"
	"starpost/pbem/desk"
	"starpost/pbem/desk/effect"
	"starpost/pbem/desk/identity"
	"starpost/pbem/report"
	"starpost/pbem/store"
	"starpost/pbem/vault"
)

// queueAnswer queues the answer to the sender, once, and within the limits. A sender who reaches a
// limit is warned in the last answer before it, and told about unanswered mails in the next answer
// after it. beside is how many mails were sent to them together with the answer.
func (s *Intake) queueAnswer(ctx context.Context, l identity.Incoming, c *desk.Decision, beside int) error {
	now := s.Clock.Now()
	a, err := c.Answer(now)
	if err == nil && a == nil && c.Silent != "" {
		return s.Store.RecordUnanswered(ctx, s.counted(c.Silent), store.Unanswered{Cause: l.SHA256, At: l.Received})
	}
	if err != nil || a == nil {
		return err
	}
	sender := s.counted(a.Message.To.Addr)
	b := s.budget(c, a.Kind, beside)
	h, err := s.history(ctx, sender, b, now)
	if err != nil {
		return err
	}
	if h.over == "" && b.stranger {
		if h.over, err = s.overStrangers(ctx, a.Kind, b.vouched, now); err != nil {
			return err
		}
	}
	if h.over != "" || h.missed || h.last != "" {
		if known, err := s.Store.InOutbox(ctx, a.Message.MessageID); err != nil || known {
			return err
		}
	}
	if h.over != "" {
		s.log.Warn("mail not answered", "sha256", l.SHA256, "reason", h.over)
		if b.stranger {
			return nil
		}
		return s.Store.RecordUnanswered(ctx, sender, store.Unanswered{Cause: l.SHA256, At: l.Received})
	}
	if h.last != "" {
		c.AddNotice(h.last)
	}
	if h.missed {
		missed, err := s.Store.Unanswered(ctx, sender)
		if err != nil {
			return err
		}
		c.AddNotice(unansweredWords(missed))
		if err := s.Store.ForgetUnanswered(ctx, sender, missed[len(missed)-1].At); err != nil {
			return err
		}
	}
	if h.last != "" || h.missed {
		if a, err = c.Answer(now); err != nil {
			return err
		}
	}
	kind := store.Ack
	if a.Kind != desk.KindAck {
		kind = store.Notice
	}
	// If some mails of a sender share one answer, it counts once.
	if _, err = s.Store.RecordAnswer(ctx, sender, b.kind, a.Message.MessageID, now); err != nil {
		return err
	}
	a.Sent()
	return s.queueWorded(a, func(raw []byte) error { return s.QueueRaw(ctx, kind, a.Game, a.Message, raw) })
}

// budget says against which limits an answer counts.
type budget struct {
	kind     string // how the answer is recorded
	among    string // kind of the answers that it is counted with; "" for all that belong to no seat
	beside   int    // how many of those are sent together with it
	limits   []limit
	always   bool // send it whatever the limits: something in the mail was refused
	stranger bool
	vouched  bool // our own mail server vouches for the sender
}

// counted returns the name under which a sender or a kind of answer is counted. Each club counts
// separately.
func (s *Intake) counted(who string) string {
	if club := s.settings().ClubOf(); club != nil {
		return who + " of the club " + club.Name
	}
	return who
}

// settings returns the configuration for the mailbox.
func (s *Intake) settings() *config.Config { return s.Config.For(s.Box) }

// limit is how many answers are allowed within some time.
type limit struct {
	most   int
	within time.Duration
}

// budget returns the limits for the answer to a mail. Answers to a captain's proven mails count
// against the seat: a battle at a fast pace needs many, and no forger can use them up.
func (s *Intake) budget(c *desk.Decision, kind string, beside int) budget {
	own := s.settings()
	b := budget{kind: kind, beside: beside, limits: []limit{{own.AnswersPerHour, time.Hour}}}
	if seat, refused := c.Seat(); seat != "" {
		b.kind = store.OfSeat + seat
		b.among, b.beside, b.always, b.limits[0].most = b.kind, 0, refused, own.SetAnswersPerHour
	}
	if b.stranger = kind == desk.KindStranger || kind == desk.KindText; b.stranger {
		if b.vouched = c.Vouched(); b.vouched {
			b.kind += vouchedFor
		}
		b.kind = s.counted(b.kind)
	}
	if kind == desk.KindText {
		day := limit{own.AnswersPerHour, 24 * time.Hour} // without a lobby: someone who has not answered a question is reminded
		if l := own.Lobby; l != nil {
			day.most = l.AnswersPerDay
		}
		b.limits = append(b.limits, day)
	}
	return b
}

// vouchedFor is appended to the kind of answers to strangers for whom our own mail server vouches.
const vouchedFor = " vouched"

// history is what earlier answers mean for the next one.
type history struct {
	over   string // why it must not be sent; "" if it may
	last   string // the warning that it is the last one for some time; "" if it is not
	missed bool   // there are unanswered mails of the sender
}

func (s *Intake) history(ctx context.Context, sender string, b budget, now time.Time) (h history, err error) {
	var until time.Time
	for _, m := range b.limits {
		past, err := s.Store.AnswerHistory(ctx, sender, b.among, now.Add(-m.within))
		if err != nil {
			return h, err
		}
		h.missed = past.Missed
		if past.Lately-b.beside >= m.most {
			if !b.always {
				h.over = fmt.Sprintf("limit of %d answers to this sender in %s reached", m.most, hours(m.within))
			}
			continue
		}
		if free := cmp.Or(past.Oldest, now).Add(m.within); past.Lately+1 >= m.most && free.After(until) {
			until = free
			h.last = b.last(m, until)
		}
	}
	return h, nil
}

// last is the warning in the last answer before a limit.
func (b budget) last(m limit, until time.Time) string {
	when := report.FormatTime(until, time.UTC)
	if b.among != "" {
		return fmt.Sprintf("This is the last acknowledgement until %s: one seat gets at most %d in %s. Until then your orders still count, and you hear only about refusals.", when, m.most, hours(m.within))
	}
	return fmt.Sprintf("This is the last answer until %s: one sender gets at most %d in %s. Until then your mails are read and still count.", when, m.most, hours(m.within))
}

func hours(d time.Duration) string {
	if d == time.Hour {
		return "an hour"
	}
	return report.Count(int(d/time.Hour), "hour")
}

// textsEach is how many texts strangers may get for each plain answer that they may get.
const textsEach = 4

// overStrangers limits what all strangers together get in a day: their addresses may be forged, and
// the answers then go to the real owners. Each hour has its share, so that a flood silences others
// for at most that hour. Half of it is reserved for senders for whom our own mail server vouches,
// if it vouches for any: a flood of forged addresses cannot use that.
func (s *Intake) overStrangers(ctx context.Context, kind string, vouched bool, now time.Time) (why string, err error) {
	day := s.settings().StrangersPerDay
	if kind == desk.KindText {
		day *= textsEach
	}
	for _, w := range []limit{{day, 24 * time.Hour}, {(day + 23) / 24, time.Hour}} {
		kept := 0
		if len(s.Config.Trust.AuthservIDs) > 0 && w.most > 0 {
			kept = max(1, w.most/2)
		}
		unknown, err := s.Store.AnswersOfKind(ctx, s.counted(kind), now.Add(-w.within))
		if err != nil {
			return "", err
		}
		known, err := s.Store.AnswersOfKind(ctx, s.counted(kind+vouchedFor), now.Add(-w.within))
		if err != nil {
			return "", err
		}
		over := unknown+known >= w.most || unknown >= max(1, w.most-kept)
		if vouched {
			over = unknown+known >= w.most && known >= kept
		}
		if over {
			return fmt.Sprintf("limit of %d answers (%s) to strangers in %s reached", w.most, kind, hours(w.within)), nil
		}
	}
	return "", nil
}

// maxMissed is how many unanswered mails are listed individually.
const maxMissed = 10

// unansweredWords tells a captain about mails that were handled without an answer.
func unansweredWords(missed []store.Unanswered) string {
	var when []string
	for _, u := range missed[:min(len(missed), maxMissed)] {
		when = append(when, report.FormatTime(u.At, time.UTC))
	}
	more := ""
	if len(missed) > maxMissed {
		more = fmt.Sprintf(" and %d more", len(missed)-maxMissed)
	}
	return fmt.Sprintf("Some of your mails were handled but not answered: answers are limited by the hour, and mails that look like list mail or absence notices get none. They were received %s%s. "+
		"Valid order sets in them counted as usual: the last valid set is in force. Commands in mails that look like list mail or absence notices were not carried out. Send them again in a plain mail.", strings.Join(when, "; "), more)
}

// queueCaused queues a mail that a command caused in addition to the answer, once, and within its
// limits. It returns false if a limit is reached.
func (s *Intake) queueCaused(ctx context.Context, l identity.Incoming, out effect.Outgoing) (sent bool, err error) {
	if known, err := s.Store.InOutbox(ctx, out.Message.MessageID); err != nil || known {
		return known, err
	}
	now, to := s.Clock.Now(), out.Message.To.Addr
	full := func(who, kind string, since time.Time, most int) (bool, error) {
		n, err := s.Store.Answers(ctx, who, kind, since)
		if err != nil || n < most {
			return false, err
		}
		s.log.Warn("mail not sent", "sha256", l.SHA256, "kind", out.Kind, "game", out.Game, "reason", "limit reached", "limit", most)
		return true, nil
	}
	if out.Answer {
		if over, err := full(s.counted(to), "", now.Add(-time.Hour), s.settings().AnswersPerHour); err != nil || over {
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
	if g := s.keeper.Games.WithID(out.Game); g != nil {
		of = g.Vault.SharedSettings()
	}
	if err := s.Queue(ctx, kind, s.keeper.StoreKey(out.Game), of, out.Message); err != nil {
		return false, err
	}
	if out.Answer {
		if _, err := s.Store.RecordAnswer(ctx, s.counted(to), out.Kind, out.Message.MessageID, now); err != nil {
			return false, err
		}
	}
	for _, b := range out.Limits {
		if _, err := s.Store.RecordAnswer(ctx, b.Who, out.Kind, out.Message.MessageID, now); err != nil {
			return false, err
		}
	}
	return true, nil
}
