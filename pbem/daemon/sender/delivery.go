package sender

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"starpost/pbem/daemon/games"
	"starpost/pbem/daemon/process"
	"starpost/pbem/daemon/watch"
	"starpost/pbem/outgoing"
	"starpost/pbem/record"
	"starpost/pbem/record/directory"
	"starpost/pbem/store"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
)

// batch is how many mails are read from the outbox at a time.
const batch = 100

// giveUp is the number of tries after which a deferred mail counts as refused: after about five days,
// as in RFC 5321, 4.5.4.1.
const giveUp = 40

// If the server refuses the sender in this many mails and accepts none, no other mail is tried for a
// while. Otherwise only the mail itself waits, however often this happens: it is not to blame.
const (
	fewRefused   = 3
	refusedPause = time.Hour
)

// Delivered counts the results of one round of sending.
type Delivered struct {
	Sent, Deferred, Failed int
}

// Deliver sends every mail of this mailbox that is due now. An error concerns the whole server or the
// store. No mail is to blame for it, and none counts as tried.
func (s *Sender) Deliver(ctx context.Context) (n Delivered, err error) {
	l := connection{worker: s}
	defer l.Close()
	err = s.deliverOn(ctx, &l, &n)
	return n, err
}

// deliverOn is Deliver over a connection that may already be open. It adds to n.
func (s *Sender) deliverOn(ctx context.Context, line *connection, n *Delivered) error {
	if err := s.CheckState(); err != nil {
		return err
	}
	if err := s.recordUnrecorded(ctx); err != nil {
		return err
	}
	for {
		// Mails to retry later are no longer due, so the loop ends.
		due, err := s.Store.Due(ctx, s.Clock.Now(), batch, s.Box.Address)
		if err != nil || len(due) == 0 {
			return err
		}
		if err := s.Presence.MayAct(ctx); err != nil {
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

// sendAll sends the given mails and those that become due meanwhile, one after the other. When it
// returns, each sent mail is recorded, or kept as Unrecorded.
func (s *Sender) sendAll(ctx context.Context, out process.Sender, due []store.OutboxMessage, n *Delivered) (err error) {
	m := &sendRecorder{worker: s}
	r := &refusals{worker: s, refused: map[int64]bool{}, n: n}
	defer func() {
		err = errors.Join(err, m.settle())
		if err != nil && process.Ends(err) {
			return // they are tried again
		}
		if rerr := r.settle(context.WithoutCancel(ctx)); rerr != nil && (err == nil || process.Ends(rerr)) {
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
		if due, err = s.Store.Due(ctx, s.Clock.Now(), batch, s.Box.Address); err != nil {
			return err
		}
		due = slices.DeleteFunc(due, func(l store.OutboxMessage) bool { return r.refused[l.ID] })
	}
	return nil
}

// send tries to send one mail, unless it could not be read, and records the result.
func (s *Sender) send(ctx context.Context, out process.Sender, l store.OutboxMessage, env outgoing.Envelope, unread error, m *sendRecorder, r *refusals) error {
	n, attempt := r.n, l.Attempts+1
	began := s.Clock.Now()
	retry := func() time.Time { return began.Add(s.retryAfter(attempt)) }
	if unread != nil {
		s.log.Error("reading a stored mail failed, will retry", "message_id", l.MessageID, "err", unread)
		n.Deferred++
		return s.Store.MarkRetry(ctx, l.ID, attempt, retry(), unread.Error())
	}
	if err := s.Before("send"); err != nil {
		return err
	}
	var held error // why the server must not get the mail
	env.Last = func() error {
		if held = m.settle(); held == nil {
			if held = s.Presence.MayAct(ctx); s.goesAnyway(l, held) {
				held = nil
			}
		}
		return held
	}
	outcome, err := out.Send(ctx, env)
	if held != nil {
		return held
	}
	ofSender := AboutSender(err)
	if outcome == outgoing.TemporaryFailure && attempt >= giveUp && !aboutServer(err) && !ofSender {
		outcome, err = outgoing.PermanentFailure, fmt.Errorf("deferred %d times, giving up: %w", attempt, err)
	}
	if ctx.Err() != nil && outcome != outgoing.Delivered {
		return ctx.Err() // not the mail's fault; it is due again at the next start
	}
	if berr := s.Before("sent"); berr != nil {
		return berr
	}
	// What the server said must be recorded even if the daemon is stopping.
	ctx = context.WithoutCancel(ctx)
	if outcome == outgoing.Delivered {
		s.log.Info("mail sent", "message_id", l.MessageID, "kind", l.Kind, "attempt", attempt)
		n.Sent++
		l.Bytes = nil
		r.taken = true
		m.sent(ctx, unrecordedSend{l, attempt, s.Clock.Now()})
		return nil
	}
	retryAt, log := retry(), s.log.With("message_id", l.MessageID, "kind", l.Kind, "attempt", attempt)
	s.Emit(process.Event{Kind: process.Unsent, Mailbox: s.Box.Address, Outcome: outcome.String(), Detail: l.To})
	switch outcome {
	case outgoing.Ambiguous:
		log.Warn("delivery uncertain, mail will be sent again", "err", err, "at", retryAt)
		n.Deferred++
		return s.Store.MarkAmbiguous(ctx, l.ID, attempt, retryAt, err.Error())
	case outgoing.PermanentFailure:
		l.Bytes = nil
		return r.add(ctx, refusedMail{l, attempt, err})
	case outgoing.TemporaryFailure, outgoing.Delivered:
	}
	if aboutServer(err) {
		return err
	}
	if ofSender {
		n.Deferred++
		return r.ofSender(ctx, l, err)
	}
	log.Warn("delivery deferred", "err", err, "at", retryAt)
	n.Deferred++
	return s.Store.MarkRetry(ctx, l.ID, attempt, retryAt, err.Error())
}

// DownWord is the start of Message-IDs of notices about a server in trouble.
const DownWord = "down."

// goesAnyway reports whether a mail is sent even though the mailbox cannot be asked whether it is still
// ours: only notices to the operator about that very trouble.
func (s *Sender) goesAnyway(l store.OutboxMessage, cause error) bool {
	return errors.Is(cause, watch.ErrUnproven) && s.Presence.Down.Load() && s.Config.Referee != "" && strings.EqualFold(l.To, s.Config.Referee) && strings.HasPrefix(l.MessageID, "<"+DownWord)
}

// AboutSender reports whether the server refuses the sender, or the amount that it sends.
func AboutSender(err error) bool {
	e, ok := errors.AsType[*outgoing.Error](err)
	return ok && e.Sender
}

// stored returns the bytes of a mail of a turn. Turns of an older layout keep them in a file; others
// draw them. If the game directory was moved, its key in the store finds it.
func (s *Sender) stored(l store.OutboxMessage) ([]byte, error) {
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
	var tree record.Tree = directory.At(filepath.Dir(filepath.Dir(turns)))
	if now, known := s.games.TreeOf(l.Game); known {
		tree = now
	}
	// A game must be used by one goroutine only, and the opened game belongs to another.
	g, err := vault.Open(tree, s.Options.Catalogue)
	if err != nil {
		return nil, err
	}
	d, err := turn.Draw(g, at)
	if err != nil {
		return nil, err
	}
	s.Dress(d, s.Box, g.SharedSettings())
	return s.DrawMail(d, name, l.MessageID)
}

// aboutServer reports whether the server could not be talked to at all.
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

// retryAfter returns the pause after the given number of tries: a minute at first, then longer up to
// four hours, with jitter so that mails that failed together do not come back together.
func (s *Sender) retryAfter(tries int) time.Duration {
	b := s.Pauses(time.Minute, 4*time.Hour)
	var pause time.Duration
	for range min(tries, 20) {
		pause = b.Next()
	}
	return pause
}

// prefetcher reads mails for sending one after the other. While the server has one, it reads the next
// ones from disk. It holds at most two additional mails in memory.
type prefetcher struct {
	worker  *Sender
	due     []store.OutboxMessage
	fetched []fetched // the first elements of due, read
}

// fetched is a mail ready for sending, or why it cannot be sent.
type fetched struct {
	env outgoing.Envelope
	err error
}

// next takes the first mail. The error says why its bytes cannot be read.
func (p *prefetcher) next() (store.OutboxMessage, outgoing.Envelope, error) {
	p.fetch(2)
	l, env, err := p.due[0], p.fetched[0].env, p.fetched[0].err
	p.due, p.fetched = p.due[1:], p.fetched[1:]
	if len(p.fetched) > 0 && p.fetched[0].err == nil {
		following := p.fetched[0].env
		env.Next = &following
	}
	env.Meanwhile = func() { p.fetch(2) }
	return l, env, err
}

// fetch reads those of the first n mails that have not been read yet.
func (p *prefetcher) fetch(n int) {
	for i := len(p.fetched); i < min(n, len(p.due)); i++ {
		env, err := p.worker.envelope(p.due[i])
		p.fetched = append(p.fetched, fetched{env, err})
	}
}

// envelope returns a mail ready for sending.
func (s *Sender) envelope(l store.OutboxMessage) (outgoing.Envelope, error) {
	data := l.Bytes
	if l.Missing != nil {
		return outgoing.Envelope{}, l.Missing
	}
	if len(data) == 0 {
		var err error
		if data, err = s.stored(l); err != nil {
			return outgoing.Envelope{}, err
		}
	}
	return outgoing.Envelope{From: s.Box.Address, To: l.To, Data: addressed(data, s.Box.Address, s.Box.Plus)}, nil
}

// Sender sends the mails of a mailbox.
type Sender struct {
	*process.Process
	*games.Account
	log        *slog.Logger    // the daemon's, with the mailbox
	Unrecorded *unrecordedSend // sent but not recorded; nil for none
	refusing   map[string]bool // recipients that the server has refused since it last took a mail
	games      folders
	// the argument of New
	recordRefusal func(ctx context.Context, l store.OutboxMessage, attempt int, cause error) error
}

// folders finds the current location of a game by its key in the store.
type folders interface {
	TreeOf(key string) (tree record.Tree, known bool)
}

// New returns a sender for the mails of an account. It calls refused for each mail that the server
// permanently refuses; refused records that and tells the referee.
func New(p *process.Process, a *games.Account, f folders, refused func(ctx context.Context, l store.OutboxMessage, attempt int, cause error) error) *Sender {
	return &Sender{Process: p, Account: a, log: a.Log, refusing: map[string]bool{}, games: f, recordRefusal: refused}
}
