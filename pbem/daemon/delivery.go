package daemon

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/cenkalti/backoff/v5"

	"starpost/pbem/outgoing"
	"starpost/pbem/record/directory"
	"starpost/pbem/store"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
)

// batch is how many mails are read from the outbox at a time.
const batch = 100

// giveUp is after how many tries a mail that is put off again and again
// counts as refused: some five days, as RFC 5321, 4.5.4.1 has it.
const giveUp = 40

// The server refuses the sender when it says so of that many mails and takes none:
// then no further one is tried for a while. A mail of which it says so waits alone
// otherwise, however often: it is not to blame.
const (
	fewRefused   = 3
	refusedPause = time.Hour
)

// delivered is what came of one round of sending.
type delivered struct {
	sent, deferred, failed int
}

// deliver sends every mail of this mailbox that is due now. The error is about
// the server as a whole, or about the store: no mail is to blame, and none is
// counted as tried.
func (s *sender) deliver(ctx context.Context) (n delivered, err error) {
	l := connection{worker: s}
	defer l.close()
	err = s.deliverOn(ctx, &l, &n)
	return n, err
}

// deliverOn does so over a connection that may be there already, and counts.
func (s *sender) deliverOn(ctx context.Context, line *connection, n *delivered) error {
	if err := s.checkState(); err != nil {
		return err
	}
	if err := s.recordUnrecorded(ctx); err != nil {
		return err
	}
	for {
		// What is retried later is no longer due, so this comes to an end.
		due, err := s.store.Due(ctx, s.clock.Now(), batch, s.box.Address)
		if err != nil || len(due) == 0 {
			return err
		}
		if err := s.presence.mayAct(ctx); err != nil {
			if due = slices.DeleteFunc(due, func(l store.OutboxMessage) bool { return !s.goesAnyway(l, err) }); len(due) == 0 {
				return err
			}
		}
		out, err := line.open(ctx)
		if err != nil {
			return err
		}
		if err := s.sendAll(ctx, out, due, n); err != nil {
			return err
		}
	}
}

// sendAll tries mails one after the other, and those that are due after them,
// until there is none. When it returns, what was sent is noted, or remembered as unrecorded.
func (s *sender) sendAll(ctx context.Context, out Sender, due []store.OutboxMessage, n *delivered) (err error) {
	m := &sendRecorder{worker: s}
	r := &refusals{worker: s, refused: map[int64]bool{}, n: n}
	defer func() {
		err = errors.Join(err, m.settle())
		if err != nil && over(err) {
			return // they are tried again
		}
		if rerr := r.settle(context.WithoutCancel(ctx)); rerr != nil && (err == nil || over(rerr)) {
			err = errors.Join(err, rerr)
		}
	}()
	for len(due) > 0 {
		p := &prefetcher{worker: s, due: due}
		for range due {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			l, env, unread := p.next()
			if err := s.send(ctx, out, l, env, unread, m, r); err != nil {
				return err
			}
		}
		if err = m.settle(); err != nil {
			return err
		}
		if due, err = s.store.Due(ctx, s.clock.Now(), batch, s.box.Address); err != nil {
			return err
		}
		due = slices.DeleteFunc(due, func(l store.OutboxMessage) bool { return r.refused[l.ID] })
	}
	return nil
}

// send tries one mail, unless it could not be read, and notes what came of it.
func (s *sender) send(ctx context.Context, out Sender, l store.OutboxMessage, env outgoing.Envelope, unread error, m *sendRecorder, r *refusals) error {
	n, attempt := r.n, l.Attempts+1
	began := s.clock.Now()
	retry := func() time.Time { return began.Add(retryAfter(attempt)) }
	if unread != nil {
		s.log.Error("reading a stored mail failed, will retry", "message_id", l.MessageID, "err", unread)
		n.deferred++
		return s.store.MarkRetry(ctx, l.ID, attempt, retry(), unread.Error())
	}
	if err := s.before("send"); err != nil {
		return err
	}
	var held error // why the server is not to have it
	env.Last = func() error {
		if held = m.settle(); held == nil {
			if held = s.presence.mayAct(ctx); s.goesAnyway(l, held) {
				held = nil
			}
		}
		return held
	}
	outcome, err := out.Send(ctx, env)
	if held != nil {
		return held
	}
	ofSender := aboutSender(err)
	if outcome == outgoing.TemporaryFailure && attempt >= giveUp && !aboutServer(err) && !ofSender {
		outcome, err = outgoing.PermanentFailure, fmt.Errorf("put off %d times, and not tried again: %w", attempt, err)
	}
	if ctx.Err() != nil && outcome != outgoing.Delivered {
		return ctx.Err() // not the mail's fault; it is due again at the next start
	}
	if berr := s.before("sent"); berr != nil {
		return berr
	}
	// What the server said must be recorded even if the daemon is stopping.
	ctx = context.WithoutCancel(ctx)
	if outcome == outgoing.Delivered {
		s.log.Info("mail sent", "message_id", l.MessageID, "kind", l.Kind, "attempt", attempt)
		n.sent++
		l.Bytes = nil
		r.taken = true
		m.sent(ctx, unrecordedSend{l, attempt, s.clock.Now()})
		return nil
	}
	retryAt, log := retry(), s.log.With("message_id", l.MessageID, "kind", l.Kind, "attempt", attempt)
	s.emit(Event{Kind: Unsent, Mailbox: s.box.Address, Outcome: outcome.String(), Detail: l.To})
	switch outcome {
	case outgoing.Ambiguous:
		log.Warn("delivery uncertain, mail will be sent again", "err", err, "at", retryAt)
		n.deferred++
		return s.store.MarkAmbiguous(ctx, l.ID, attempt, retryAt, err.Error())
	case outgoing.PermanentFailure:
		l.Bytes = nil
		return r.add(ctx, refusedMail{l, attempt, err})
	case outgoing.TemporaryFailure, outgoing.Delivered:
	}
	if aboutServer(err) {
		return err
	}
	if ofSender {
		n.deferred++
		return r.ofSender(ctx, l, err)
	}
	log.Warn("delivery deferred", "err", err, "at", retryAt)
	n.deferred++
	return s.store.MarkRetry(ctx, l.ID, attempt, retryAt, err.Error())
}

// downWord begins the Message-IDs of mails that tell of a server in trouble.
const downWord = "down."

// goesAnyway tells of a mail that goes out though the mailbox cannot be asked whether it is still ours:
// those that tell the operator of just that.
func (s *sender) goesAnyway(l store.OutboxMessage, cause error) bool {
	return errors.Is(cause, errUnproven) && s.presence.down.Load() && s.cfg.Referee != "" && strings.EqualFold(l.To, s.cfg.Referee) && strings.HasPrefix(l.MessageID, "<"+downWord)
}

// aboutSender tells that the server refuses the sender, or how much he sends.
func aboutSender(err error) bool {
	e, ok := errors.AsType[*outgoing.Error](err)
	return ok && e.Sender
}

// stored gives the bytes of a mail of a turn: they lie in a file in turns of an older
// layout, and are drawn else. A game directory that was moved is found again by its name
// in the store.
func (s *sender) stored(l store.OutboxMessage) ([]byte, error) {
	data, err := os.ReadFile(l.Path)
	if !errors.Is(err, fs.ErrNotExist) {
		return data, err
	}
	// DIR/turns/0003/outbox/kirk.eml
	turns, name := filepath.Dir(filepath.Dir(l.Path)), filepath.Base(l.Path)
	at, ok := vault.StageOf(filepath.Base(turns))
	if !ok {
		return nil, err
	}
	dir := filepath.Dir(filepath.Dir(turns))
	if now, known := s.games.DirOf(l.Game); known {
		dir = now
	}
	// A game is for one goroutine, and that of the one which is looked after is another.
	g, err := vault.Open(directory.At(dir), s.o.Catalogue)
	if err != nil {
		return nil, err
	}
	d, err := turn.Draw(g, at)
	if err != nil {
		return nil, err
	}
	d.Templates, d.Foot, d.Composer = s.cfg.Templates, s.foot(store.Report, g.SharedSettings()), s.o.Composer
	return s.drawMail(d, name, l.MessageID)
}

// DirOf is where a game lies now, by its name in the store.
func (s *keeper) DirOf(key string) (dir string, known bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if g := s.games.withKey(key); g != nil {
		return g.vault.Dir(), true
	}
	return "", false
}

// drawMail draws a mail of a turn, without its page if need be.
func (d *process) drawMail(of *turn.Drawing, name, id string) ([]byte, error) {
	raw, without, err := of.Mail(name)
	if without != nil {
		d.log.Warn("mail goes out without its page", "message_id", id, "err", without)
	}
	return raw, err
}

// aboutServer tells that the server could not be talked to at all.
func aboutServer(err error) bool {
	var e *outgoing.Error
	if !errors.As(err, &e) {
		return false
	}
	switch e.Stage {
	case outgoing.StageConfig, outgoing.StageDial, outgoing.StageTLS, outgoing.StageGreeting, outgoing.StageHello, outgoing.StageAuth:
		return true
	case outgoing.StageEnvelope, outgoing.StageMail, outgoing.StageRcpt, outgoing.StageData, outgoing.StageBody, outgoing.StageEnd:
	}
	return false
}

// retryAfter is the pause after the given number of tries: a minute, then
// longer and longer up to four hours, each with some jitter so that mails
// that failed together do not come back together.
func retryAfter(tries int) time.Duration {
	b := pauses(time.Minute, 4*time.Hour)
	var pause time.Duration
	for range min(tries, 20) {
		pause = b.NextBackOff()
	}
	return pause
}

// pauses grow from first to most by half as much again, with jitter.
func pauses(first, most time.Duration) *backoff.ExponentialBackOff {
	b := backoff.NewExponentialBackOff()
	b.InitialInterval, b.MaxInterval, b.Multiplier, b.RandomizationFactor = first, most, 2, 0.2
	b.Reset()
	return b
}
