package intake

import (
	"context"
	"errors"
	"fmt"
	"time"

	"starpost/pbem/daemon/process"
	"starpost/pbem/desk"
	"starpost/pbem/desk/identity"
	"starpost/pbem/mailbox"
	"starpost/pbem/mime"
	"starpost/pbem/store"
)

// largeMail is a mail that was not downloaded. Its header, if any, is kept as if it were the whole
// mail.
type largeMail struct {
	store.Mail
	head        []byte
	size, limit int64
	incoming    identity.Incoming // with the content of the header
}

// keepLarge keeps the header of a mail that was not downloaded, if there is one.
func keepLarge(rec store.Mail, m mailbox.Mail) largeMail {
	l := largeMail{Mail: rec, head: m.Head, size: m.Size, limit: m.Limit}
	if len(m.Head) == 0 {
		l.SHA256 = store.ContentHash(fmt.Appendf(nil, "not downloaded: %+v", rec.Ref))
		return l
	}
	l.SHA256 = store.ContentHash(m.Head)
	// Without a body Read returns an error; the header is all that is needed.
	l.incoming = identity.Incoming{SHA256: l.SHA256, Received: rec.ReceivedAt}
	l.incoming.Mail, l.incoming.Err = mime.Read(m.Head)
	l.MessageID = l.incoming.Mail.MessageID
	return l
}

// refuseLarge records mails that were not downloaded, all together, and answers known senders, so
// that they do not wait for a result.
func (s *Intake) refuseLarge(ctx context.Context, all []largeMail) error {
	if len(all) == 0 {
		return nil
	}
	s.keeper.Mu.Lock() // locked before the store: others hold it while they write there
	defer s.keeper.Mu.Unlock()
	return s.Store.Group(ctx, func(ctx context.Context) error {
		for _, l := range all {
			if err := s.recordLarge(ctx, l); err != nil {
				return err
			}
		}
		return nil
	})
}

// recordLarge records a mail that was not downloaded as handled. s.keeper.Mu is held.
func (s *Intake) recordLarge(ctx context.Context, l largeMail) error {
	if err := s.Before("record"); err != nil {
		return err
	}
	id, err := s.Store.RecordStored(ctx, l.Mail, l.head)
	if err != nil || id == 0 {
		return err
	}
	l.ID = id
	if err := s.answerLarge(ctx, l); err != nil {
		return err
	}
	s.log.Warn("mail refused", "uid", l.UID, "sha256", l.SHA256, "bytes", l.size, "reason", "too large")
	s.handled(desk.Refused, "too large")
	return s.Store.RecordAnswered(ctx, string(desk.Refused), l.Mail)
}

// answerLarge queues the answer to a mail that was not downloaded, if there is one.
func (s *Intake) answerLarge(ctx context.Context, l largeMail) (err error) {
	if l.incoming.SHA256 == "" {
		return nil
	}
	dk := *s.Desk
	b := &mailGames{games: s.keeper.Games, ctx: ctx, at: s}
	defer func() { err = errors.Join(err, b.release(err)) }()
	dk.Games, dk.Listings = s.Community.Of(b), b
	c := dk.TooLarge(l.incoming, l.size, l.limit)
	if err := checkAnswer(c, s.Clock.Now()); err != nil {
		// The error would recur, and must not block other mails.
		s.log.Error("answering the mail failed", "sha256", l.SHA256, "err", err)
		return nil
	}
	return s.queueAnswer(ctx, l.incoming, c, 0)
}

// checkAnswer returns an error if an answer cannot be rendered.
func checkAnswer(c *desk.Decision, now time.Time) (err error) {
	defer process.Recovered("an answer", &err)
	a, err := c.Answer(now)
	if err == nil && a != nil {
		err = a.WriteText()
	}
	return err
}
