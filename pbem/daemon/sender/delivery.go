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

// Delivered is what came of one round of sending.
type Delivered struct {
	Sent, Deferred, Failed int
}

// Deliver sends every mail of this mailbox that is due now. The error is about
// the server as a whole, or about the store: no mail is to blame, and none is
// counted as tried.
func (s *Sender) Deliver(ctx context.Context) (n Delivered, err error) {
	l := connection{worker: s}
	defer l.Close()
	err = s.deliverOn(ctx, &l, &n)
	return n, err
}

// deliverOn does so over a connection that may be there already, and counts.
func (s *Sender) deliverOn(ctx context.Context, line *connection, n *Delivered) error {
	if err := s.CheckState(); err != nil {
		return err
	}
	if err := s.recordUnrecorded(ctx); err != nil {
		return err
	}
	for {
		// What is retried later is no longer due, so this comes to an end.
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

// sendAll tries mails one after the other, and those that are due after them,
// until there is none. When it returns, what was sent is noted, or remembered as unrecorded.
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

// send tries one mail, unless it could not be read, and notes what came of it.
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
	var held error // why the server is not to have it
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

// DownWord begins the Message-IDs of mails that tell of a server in trouble.
const DownWord = "down."

// goesAnyway tells of a mail that goes out though the mailbox cannot be asked whether it is still ours:
// those that tell the operator of just that.
func (s *Sender) goesAnyway(l store.OutboxMessage, cause error) bool {
	return errors.Is(cause, watch.ErrUnproven) && s.Presence.Down.Load() && s.Config.Referee != "" && strings.EqualFold(l.To, s.Config.Referee) && strings.HasPrefix(l.MessageID, "<"+DownWord)
}

// AboutSender tells that the server refuses the sender, or how much he sends.
func AboutSender(err error) bool {
	e, ok := errors.AsType[*outgoing.Error](err)
	return ok && e.Sender
}

// stored gives the bytes of a mail of a turn: they lie in a file in turns of an older
// layout, and are drawn else. A game directory that was moved is found again by its name
// in the store.
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
	// A game is for one goroutine, and that of the one which is looked after is another.
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
func (s *Sender) retryAfter(tries int) time.Duration {
	b := s.Pauses(time.Minute, 4*time.Hour)
	var pause time.Duration
	for range min(tries, 20) {
		pause = b.Next()
	}
	return pause
}

// prefetcher is mails to send one after the other. While the server has
// one, the next ones are read from disk. At most two mails are held in memory in
// addition.
type prefetcher struct {
	worker  *Sender
	due     []store.OutboxMessage
	fetched []fetched // the first of due, and no more
}

// fetched is a mail as it goes out, or why it cannot.
type fetched struct {
	env outgoing.Envelope
	err error
}

// next takes the first mail. The error tells why its bytes cannot be read.
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

// fetch reads the first n mails, those that are not read yet.
func (p *prefetcher) fetch(n int) {
	for i := len(p.fetched); i < min(n, len(p.due)); i++ {
		env, err := p.worker.envelope(p.due[i])
		p.fetched = append(p.fetched, fetched{env, err})
	}
}

// envelope is a mail as it goes out.
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
	Unrecorded *unrecordedSend // sent and not noted; nil for none
	refusing   map[string]bool // whom the server refused since it took a mail last
	games      folders
	// recordRefusal is what New was handed for it.
	recordRefusal func(ctx context.Context, l store.OutboxMessage, attempt int, cause error) error
}

// folders tells where a game is kept now, by its name in the store.
type folders interface {
	TreeOf(key string) (tree record.Tree, known bool)
}

// New sends the mails of an account. What the server refuses for good at once, refused
// notes and tells the referee.
func New(p *process.Process, a *games.Account, f folders, refused func(ctx context.Context, l store.OutboxMessage, attempt int, cause error) error) *Sender {
	return &Sender{Process: p, Account: a, log: a.Log, refusing: map[string]bool{}, games: f, recordRefusal: refused}
}
