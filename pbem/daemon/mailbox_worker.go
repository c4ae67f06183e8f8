package daemon

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"time"

	"starpost/pbem/auth"
	"starpost/pbem/config"
	"starpost/pbem/console"
	"starpost/pbem/desk"
	"starpost/pbem/desk/command"
	"starpost/pbem/desk/effect"
	"starpost/pbem/desk/identity"
	"starpost/pbem/disk"
	"starpost/pbem/fault"
	"starpost/pbem/incoming"
	"starpost/pbem/pgp"
	"starpost/pbem/referee"
	"starpost/pbem/rehearse"
	"starpost/pbem/store"
	"starpost/pbem/vault"
)

// worker is one mailbox of the daemon: where its mails come in and go out, and
// the games whose robot has its address. Each takes mails in and sends them in
// goroutines of its own, so that a server that is down or slow stops no other.
// What mails mean is for one at a time (keeper.mu); turns of games resolve meanwhile, side by side.
type worker struct {
	*process
	*account
	daemon *Daemon
	log    *slog.Logger // the daemon's, with the mailbox
	guard  *guard
	keeper *keeper
	intake *intake
	sender *sender
}

// intake takes the mails of a mailbox in, acts on them and answers them.
type intake struct {
	*process
	*account
	log    *slog.Logger // the daemon's, with the mailbox
	guard  *guard
	keeper *keeper
	name   string // what the store knows the mailbox by
	// waitReasons is what was last said about mails that cannot be handled yet.
	waitReasons map[string]string
	// problem is why some mail could not be handled when the mailbox was read last.
	problem error
	// blocked are the games that another process has, for as long as the mails
	// that are there are gone through once.
	blocked map[*game]error

	from time.Time // see Options.From; zero when it was heeded

	parsed    map[string]parsed // mails that were just taken in, by content
	group     context.Context   //nolint:containedctx // of what is committed together, see act; nil for nothing
	unsynced  disk.Batch        // what of it is not on the disk yet
	taken     []*game           // see take
	locked    []*game           // whose locks are held until it is
	answers   answerQueue       // of answers to what is put off
	committed []func()          // reports to make once the group is committed
}

// sender sends the mails of a mailbox.
type sender struct {
	*process
	*account
	log        *slog.Logger    // the daemon's, with the mailbox
	unrecorded *unrecordedSend // sent and not noted; nil for none
	refusing   map[string]bool // whom the server refused since it took a mail last
	games      folders
	// recordRefusal notes that the server refused a mail for good at once, and tells the
	// referee.
	recordRefusal func(ctx context.Context, l store.OutboxMessage, attempt int, cause error) error
}

// folders tells where a game lies now, by its name in the store.
type folders interface {
	DirOf(key string) (dir string, known bool)
}

func newWorker(d *Daemon, box config.Mailbox) *worker {
	log := d.log.With("mailbox", box.Address)
	a := &account{
		box: box, log: log, desk: newDesk(d.o, box),
		wake: make(chan struct{}, 1), queued: make(chan struct{}, 1), asked: make(chan struct{}, 1), sendNow: make(chan struct{}, 1),
	}
	a.presence = newPresence(d.process, d.guard, box, log, a.wake, a.asked)
	in := newIntake(d.process, d.guard, d.keeper, a)
	return &worker{process: d.process, account: a, daemon: d, log: log, guard: d.guard, keeper: d.keeper, intake: in, sender: newSender(d.process, a, d.keeper, in)}
}

// newPresence knows nothing of a mailbox yet. Wake and asked are those of its account.
func newPresence(p *process, w *guard, box config.Mailbox, log *slog.Logger, wake, asked chan struct{}) *presence {
	return &presence{process: p, guard: w, box: box, log: log, takeOver: p.o.TakeOver, wake: wake, asked: asked}
}

func newIntake(p *process, w *guard, k *keeper, a *account) *intake {
	return &intake{
		process: p, account: a, log: a.log, guard: w, keeper: k, name: storeKey(a.box), from: p.o.From,
		waitReasons: map[string]string{}, blocked: map[*game]error{}, parsed: map[string]parsed{},
	}
}

func newSender(p *process, a *account, k *keeper, in *intake) *sender {
	return &sender{process: p, account: a, log: a.log, refusing: map[string]bool{}, games: k, recordRefusal: in.recordRefusal}
}

// storeKey is what the store knows a mailbox by.
func storeKey(box config.Mailbox) string {
	if box.IMAP == nil {
		return incoming.Name(box.Address)
	}
	return box.IMAP.StoreKey()
}

// newDesk is the desk of a mailbox, without its games and the games that it may make.
func newDesk(o Options, box config.Mailbox) *desk.Desk {
	cfg := o.Config
	var others []string
	for _, o := range cfg.Mailboxes() {
		if o.Address != box.Address {
			others = append(others, o.Address)
		}
	}
	return &desk.Desk{
		Robot: effect.Robot{
			Address: box.Address, Others: others, Name: box.Name, NoPlus: !box.Plus, Referee: cfg.Referee, Templates: cfg.Templates, Site: cfg.SiteURL(), Composer: o.Composer,
		},
		Registry:  identity.Registry{Senders: new(identity.Index), Border: auth.TrustBoundary{IDs: cfg.Trust.AuthservIDs, Hops: cfg.Trust.Hops}, Signatures: pgp.Checker{}},
		Services:  command.Services{Allocate: o.Allocate, Library: o.Library, Lobby: cfg.Lobby != nil, Rehearsals: new(rehearse.Limit)},
		Strangers: cfg.Strangers == config.StrangersAnswer, Ways: new(desk.Ways),
		Console: console.Console{Bag: referee.Postbag{State: cfg.State}, Templates: cfg.Templates},
	}
}

// workerOf is the account that has an address; the first one if none has.
func (d *keeper) workerOf(address string) *account {
	for _, s := range d.accounts {
		if strings.EqualFold(s.box.Address, address) {
			return s
		}
	}
	return d.accounts[0]
}

// addresses are those of all accounts.
func (d *keeper) addresses() []string {
	out := make([]string, len(d.accounts))
	for i, s := range d.accounts {
		out[i] = s.box.Address
	}
	return out
}

// workerFor is the account that a game belongs to. A game whose captains have
// addresses must name one.
func (d *keeper) workerFor(v *vault.Game) (*account, error) {
	if err := SameRobot(v, d.addresses()...); err != nil {
		return nil, err
	}
	return d.workerOf(v.Settings().Mail.Robot), nil
}

// intakeLoop reads mail and runs turns until ctx ends.
func (s *worker) intakeLoop(ctx context.Context) error {
	var in Inbox
	defer func() {
		if in != nil {
			in.Close()
		}
	}()
	trouble := newRetry(false, s.cfg.Poll.Duration())
	var full, retry time.Time // when to look at every game, and to connect again
	for ctx.Err() == nil {
		now := s.clock.Now()
		if s.guard.jumped() {
			full, retry = time.Time{}, time.Time{} // they were set by another clock
		}
		again, fresh := false, false
		all := !now.Before(full)
		if all {
			full = now.Add(s.cfg.Poll.Duration() - s.keeper.refreshGames(false))
			if err := s.daemon.forgetOld(ctx); err != nil {
				if fatal(ctx, err) {
					return ignoreEnd(ctx, err)
				}
				s.log.Error("deleting expired records failed, will retry", "err", err)
			}
		}
		if in == nil && !now.Before(retry) {
			// The server is left alone while we could not store what it has.
			err := s.checkStorage(trouble)
			if err == nil {
				in, err = s.o.Inbox(ctx, s.box)
			}
			if err != nil {
				in = nil
				if ctx.Err() != nil {
					return nil
				}
				if retry, err = s.handleDown(ctx, trouble, "opening the mailbox failed", err); err != nil {
					return ignoreEnd(ctx, err)
				}
			}
		}
		if in != nil {
			var err error
			if again, err = s.intake.readMailbox(ctx, in); err != nil {
				if fatal(ctx, err) {
					return ignoreEnd(ctx, err)
				}
				in.Close()
				in = nil
				if retry, err = s.handleDown(ctx, trouble, "reading the mailbox failed", err); err != nil {
					return ignoreEnd(ctx, err)
				}
			} else {
				fresh = true
				s.guard.noteRead(s.box.Address)
				s.guard.setProblem(s.box.Address, false, s.intake.problem)
				s.emit(Event{Kind: Looked, Mailbox: s.box.Address})
				if trouble.worked(s.clock.Now(), steady) {
					s.log.Info("mailbox works again")
				}
			}
		}
		next, err := s.tick(ctx, false, fresh)
		if err != nil {
			return ignoreEnd(ctx, err)
		}
		until := full
		if again {
			until = earlier(until, s.clock.Now().Add(retryLocked))
		}
		until = earlier(earlier(until, next), unless(in != nil, retry))
		if err := errors.Join(s.daemon.countWaiting(ctx), s.nudgeSender(ctx)); store.IsLost(err) {
			return err
		} else if err != nil {
			s.log.Debug("counting waiting mails failed", "err", err)
		}
		if err := s.guard.beat(until, false); err != nil {
			return ignoreEnd(ctx, err)
		}
		s.emit(Event{Kind: Idle, At: until})
		if err := s.sleep(ctx, in, until); err != nil {
			in.Close()
			in = nil
			if ctx.Err() != nil {
				return nil
			}
			if retry, err = s.handleDown(ctx, trouble, "mailbox connection lost", err); err != nil {
				return ignoreEnd(ctx, err)
			}
		}
	}
	return nil
}

// tick does for games of the mailbox what is due, and sends the host the digest of the day.
func (s *worker) tick(ctx context.Context, all, fresh bool) (next time.Time, err error) {
	if s == s.daemon.workers[0] {
		if err := s.daemon.mailDigest(ctx); err != nil {
			return next, err
		}
	}
	return s.keeper.tick(ctx, s.account, all, fresh)
}

// sleep waits until then, for mail, for Wake, or for the end of ctx. The error
// is the mailbox's: its connection is of no more use.
func (s *worker) sleep(ctx context.Context, in Inbox, until time.Time) error {
	left := until.Sub(s.clock.Now())
	if left <= 0 {
		return nil
	}
	if in == nil {
		s.waitUntil(until, ctx.Done())
		return nil
	}
	over, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer s.logPanic()
		defer close(ended)
		if s.waitUntil(until, over) {
			in.Wake()
		}
	}()
	// The clock's timer is to end it; the mailbox's own comes after that, or
	// both would, and the second be taken for news.
	err := in.Wait(ctx, left+time.Minute)
	close(over)
	// What the waker took must not be lost: a call of Wake is served by the
	// look that follows.
	<-ended
	return err
}

// waitUntil waits until then, or for Wake, and beats meanwhile; it gives false when
// over ends it. When the clock jumps it ends early, as every game must be checked again.
func (s *worker) waitUntil(until time.Time, over <-chan struct{}) bool {
	begun := s.clock.Now() // with a monotonic reading
	all := until.Sub(begun)
	for {
		left := all - s.clock.Now().Sub(begun)
		select {
		case <-s.clock.After(min(left, beatEvery)):
		case <-s.wake:
			return true
		case <-over:
			return false
		}
		if left <= beatEvery || s.guard.jumped() || s.guard.beat(until, false) != nil {
			return true
		}
	}
}

// handleDown deals with trouble of a server: it is told once, to the referee too when
// a person must act, and gives when to try again. The error is fatal.
func (s *worker) handleDown(ctx context.Context, r *retry, what string, cause error) (at time.Time, err error) {
	now := s.clock.Now()
	at, news := r.failed(now, cause)
	if s.guard.setProblem(s.box.Address, r.sending, cause); !r.sending {
		s.presence.down.Store(true)
		nudge(s.asked)
	}
	s.emit(Event{Kind: Down, Mailbox: s.box.Address, Outcome: r.kind, Detail: cause.Error()})
	level := slog.LevelDebug
	switch {
	case !news: // it was told before
	case r.own || lasting(cause):
		level = slog.LevelError
	default:
		level = slog.LevelWarn
	}
	log := s.log.With("problem", what, "err", cause, "hint", fault.Hint(cause), "kind", r.kind, "at", at)
	if r.own {
		log.Log(ctx, level, "disk or store failed, will retry")
	} else {
		log.Log(ctx, level, "server failed, will retry")
	}
	if level != slog.LevelError || aboutSender(cause) { // of that he was told
		return at, nil
	}
	if err := s.tellDown(ctx, r.kind, now, cause); err != nil {
		if fatal(ctx, err) {
			return at, err
		}
		s.log.Error("notice to the referee failed", "err", err)
	}
	return at, nil
}

// deliverLoop sends what is queued until ctx ends.
func (s *worker) deliverLoop(ctx context.Context) error {
	trouble := newRetry(true, s.cfg.Poll.Duration())
	for ctx.Err() == nil {
		next, wait := time.Time{}, false
		var asked <-chan struct{}
		n, err := s.sender.deliver(ctx)
		if err == nil {
			err = s.daemon.countWaiting(ctx)
		}
		if err == nil {
			// Zero when none waits.
			next, _, err = s.store.NextDue(ctx, s.box.Address)
		}
		switch {
		case err == nil:
			if (n.sent > 0 || trouble.own) && trouble.worked(s.clock.Now(), 0) {
				s.log.Info("sending works again")
				s.guard.setProblem(s.box.Address, true, nil)
			}
		case fatal(ctx, err):
			return ignoreEnd(ctx, err)
		case errors.Is(err, errUnproven): // which is told where the mailbox is read
			asked, wait = s.asked, true
		default:
			if next, err = s.handleDown(ctx, trouble, "sending mail failed", err); err != nil {
				return ignoreEnd(ctx, err)
			}
			wait = true
		}
		var timer <-chan time.Time
		if !next.IsZero() {
			timer = s.clock.After(next.Sub(s.clock.Now()))
		}
		queued := s.queued
		if wait {
			queued = nil // more mail does not bring the server back
		}
		select {
		case <-timer:
		case <-queued:
		case <-asked:
		case <-ctx.Done():
		}
	}
	return nil
}

// checkStorage tells, after trouble of our own, by an error that it is not over.
func (s *worker) checkStorage(r *retry) error {
	if !r.own {
		return nil
	}
	if err := s.checkState(); err != nil {
		return err
	}
	return s.store.Probe(context.Background())
}
