package daemon

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"starpost/pbem/auth"
	"starpost/pbem/config"
	"starpost/pbem/console"
	"starpost/pbem/daemon/games"
	"starpost/pbem/daemon/intake"
	"starpost/pbem/daemon/process"
	"starpost/pbem/daemon/sender"
	"starpost/pbem/daemon/watch"
	"starpost/pbem/desk"
	"starpost/pbem/desk/command"
	"starpost/pbem/desk/effect"
	"starpost/pbem/desk/identity"
	"starpost/pbem/fault"
	"starpost/pbem/feed"
	"starpost/pbem/pgp"
	"starpost/pbem/referee"
	"starpost/pbem/rehearse"
	"starpost/pbem/store"
	"starpost/templates"
)

// worker serves one mailbox: its mails in and out, and the games whose robot has its address. Each worker receives
// and sends in goroutines of its own, so that a server that is down or slow stops no other. Only one worker at a
// time acts on mails (Keeper.Mu); turns of games resolve concurrently.
type worker struct {
	*process.Process
	*games.Account
	daemon *Daemon
	log    *slog.Logger // the daemon's, with the mailbox
	guard  *watch.Guard
	keeper *games.Keeper
	intake *intake.Intake
	sender *sender.Sender
}

func newWorker(d *Daemon, box config.Mailbox) *worker {
	log := d.Log.With("mailbox", box.Address)
	a := &games.Account{
		Box: box, Log: log, Desk: newDesk(d.Options, box), Community: identity.NewCommunity(d.Config.For(box).Apart()),
		Wake: make(chan struct{}, 1), Queued: make(chan struct{}, 1), Asked: make(chan struct{}, 1), SendNow: make(chan struct{}, 1),
	}
	a.Presence = watch.NewPresence(d.Process, d.guard, box, log, a.Wake, a.Asked)
	in := intake.New(d.Process, d.guard, d.keeper, a)
	return &worker{Process: d.Process, Account: a, daemon: d, log: log, guard: d.guard, keeper: d.keeper, intake: in, sender: sender.New(d.Process, a, d.keeper, in.RecordRefusal)}
}

// newDesk returns the desk of a mailbox, without its games and without the hosting that creates new ones.
func newDesk(o process.Options, box config.Mailbox) *desk.Desk {
	cfg := o.Config.For(box)
	var feeds *feed.Feeds
	if cfg.Site != nil {
		f := feed.In(cfg.Own())
		feeds = &f
	}
	var others []string
	for _, o := range o.Config.Mailboxes() {
		if o.Address != box.Address {
			others = append(others, o.Address)
		}
	}
	texts := o.Library
	if texts != nil && o.Ratings != nil {
		own := *texts
		own.Book, texts = o.Ratings(cfg), &own
	}
	return &desk.Desk{
		Robot: effect.Robot{
			Address: box.Address, Others: others, Name: box.Name, NoPlus: !box.Plus, Referee: cfg.Referee, Templates: cfg.Templates, Site: cfg.SiteURL(), Composer: o.Composer,
		},
		Registry:  identity.Registry{Senders: new(identity.Index), Border: auth.TrustBoundary{IDs: cfg.Trust.AuthservIDs, Hops: cfg.Trust.Hops}, Signatures: pgp.Checker{}},
		Services:  command.Services{Allocate: o.Allocate, Library: texts, Lobby: cfg.Lobby != nil, Club: cfg.ClubOf(), Feeds: feeds, Rehearsals: new(rehearse.Limit)},
		Strangers: cfg.Strangers == config.StrangersAnswer, Ways: new(desk.Ways),
		Console: console.Console{Bag: referee.Postbag{Host: cfg}, Templates: cfg.Templates},
	}
}

// intakeLoop reads mail and runs turns until ctx ends.
func (s *worker) intakeLoop(ctx context.Context) error {
	var in process.Inbox
	defer func() {
		if in != nil {
			in.Close()
		}
	}()
	trouble := watch.NewRetry(s.Process, false)
	var full, retry time.Time // when to check every game, and when to reconnect
	for ctx.Err() == nil {
		now := s.Clock.Now()
		if s.guard.Jumped() {
			full, retry = time.Time{}, time.Time{} // they were set by the clock before the jump
		}
		again, fresh := false, false
		all := !now.Before(full)
		if all {
			ago, more := s.keeper.RefreshGames(false)
			if more { // no mail can be acted on yet, but reports may be waiting
				if err := s.intake.QueueReports(ctx); err != nil && process.Fatal(ctx, err) {
					return process.IgnoreEnd(ctx, err)
				}
				continue
			}
			full = now.Add(s.Config.Poll.Duration() - ago)
			if err := s.daemon.forgetOld(ctx); err != nil {
				if process.Fatal(ctx, err) {
					return process.IgnoreEnd(ctx, err)
				}
				s.log.Error("deleting expired records failed, will retry", "err", err)
			}
		}
		if in == nil && !now.Before(retry) {
			// Do not ask the server for mails that cannot be stored.
			err := s.checkStorage(trouble)
			if err == nil {
				in, err = s.Options.Inbox(ctx, s.Box)
			}
			if err != nil {
				in = nil
				if ctx.Err() != nil {
					return nil
				}
				if retry, err = s.handleDown(ctx, trouble, "opening the mailbox failed", err); err != nil {
					return process.IgnoreEnd(ctx, err)
				}
			}
		}
		if in != nil {
			var err error
			if again, err = s.intake.ReadMailbox(ctx, in); err != nil {
				if process.Fatal(ctx, err) {
					return process.IgnoreEnd(ctx, err)
				}
				in.Close()
				in = nil
				if retry, err = s.handleDown(ctx, trouble, "reading the mailbox failed", err); err != nil {
					return process.IgnoreEnd(ctx, err)
				}
			} else {
				fresh = true
				s.guard.NoteRead(s.Box.Address)
				s.guard.SetProblem(s.Box.Address, false, s.intake.Problem)
				s.Emit(process.Event{Kind: process.Looked, Mailbox: s.Box.Address})
				if trouble.Worked(s.Clock.Now(), watch.Steady) {
					s.log.Info("mailbox works again")
				}
			}
		}
		next, err := s.tick(ctx, false, fresh)
		if err != nil {
			return process.IgnoreEnd(ctx, err)
		}
		if s == s.daemon.workers[0] && s.daemon.newGames {
			s.daemon.newGames, full = false, time.Time{}
		}
		until := full
		if full.IsZero() {
			until = s.Clock.Now()
		}
		if again {
			until = process.Earlier(until, s.Clock.Now().Add(games.RetryLocked))
		}
		until = process.Earlier(process.Earlier(until, next), process.Unless(in != nil, retry))
		if err := s.nudgeSender(ctx); store.IsLost(err) {
			return err
		} else if err != nil {
			s.log.Debug("counting waiting mails failed", "err", err)
		}
		if err := s.guard.Beat(until, false); err != nil {
			return process.IgnoreEnd(ctx, err)
		}
		s.Emit(process.Event{Kind: process.Idle, At: until})
		if err := s.sleep(ctx, in, until); err != nil {
			in.Close()
			in = nil
			if ctx.Err() != nil {
				return nil
			}
			if retry, err = s.handleDown(ctx, trouble, "mailbox connection lost", err); err != nil {
				return process.IgnoreEnd(ctx, err)
			}
		}
	}
	return nil
}

// tick does everything that is due for games of the mailbox. The first mailbox also sends the daily digest and the
// mails of cups. An error is fatal.
func (s *worker) tick(ctx context.Context, all, fresh bool) (next time.Time, err error) {
	if s == s.daemon.workers[0] {
		if err := errors.Join(s.daemon.mailDigest(ctx), s.daemon.mailCups(ctx)); err != nil {
			if process.Fatal(ctx, err) {
				return next, err
			}
			s.log.Error("queuing the digest or mails of cups failed, will retry", "err", err)
		}
	}
	return s.keeper.Tick(ctx, s.Account, all, fresh)
}

// drained receives from a channel without blocking, and reports whether it got a value or the channel is closed.
func drained(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// sleep waits until the given time, for mail, for Wake, or for the end of ctx. An error is from the mailbox, and
// its connection can no longer be used.
func (s *worker) sleep(ctx context.Context, in process.Inbox, until time.Time) error {
	left := until.Sub(s.Clock.Now())
	if left <= 0 || drained(s.Wake) {
		return nil
	}
	if in == nil {
		s.waitUntil(until, ctx.Done())
		return nil
	}
	over, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer s.LogPanic()
		defer close(ended)
		if s.waitUntil(until, over) {
			in.Wake()
		}
	}()
	// The clock's timer should end the wait. The mailbox's own timeout comes later: if both fired, the second
	// would be mistaken for new mail.
	err := in.Wait(ctx, left+time.Minute)
	close(over)
	// What waitUntil received from Wake is not lost: the caller reads the mailbox next.
	<-ended
	return err
}

// waitUntil waits until the given time or for Wake, writing heartbeats meanwhile. It returns false if over ends
// the wait. It returns early when the clock jumps, because every game must then be checked again.
func (s *worker) waitUntil(until time.Time, over <-chan struct{}) bool {
	begun := s.Clock.Now() // with a monotonic reading
	all := until.Sub(begun)
	for {
		if drained(over) {
			return false // whatever else has happened by now
		}
		left := all - s.Clock.Now().Sub(begun)
		select {
		case <-s.Clock.After(min(left, watch.BeatEvery)):
		case <-s.Wake:
			return true
		case <-over:
			return false
		}
		if left <= watch.BeatEvery || s.guard.Jumped() || s.guard.Beat(until, false) != nil {
			return true
		}
	}
}

// handleDown handles trouble with a server. It logs each kind of trouble once, also tells the referee if a person
// must act, and returns when to try again. An error is fatal.
func (s *worker) handleDown(ctx context.Context, r *watch.Retry, what string, cause error) (at time.Time, err error) {
	now := s.Clock.Now()
	at, news := r.Failed(now, cause)
	if s.guard.SetProblem(s.Box.Address, r.Sending, cause); !r.Sending {
		s.Presence.Down.Store(true)
		process.Nudge(s.Asked)
	}
	s.Emit(process.Event{Kind: process.Down, Mailbox: s.Box.Address, Outcome: r.Kind, Detail: cause.Error()})
	level := slog.LevelDebug
	switch {
	case !news: // already logged
	case r.Own || watch.Lasting(cause):
		level = slog.LevelError
	default:
		level = slog.LevelWarn
	}
	log := s.log.With("problem", what, "err", cause, "hint", fault.Hint(cause), "kind", r.Kind, "at", at)
	switch {
	case r.Own && s.Config.Store != nil && store.IsTrouble(cause):
		log.Log(ctx, level, "database failed, will retry")
	case r.Own:
		log.Log(ctx, level, "disk or store failed, will retry")
	default:
		log.Log(ctx, level, "server failed, will retry")
	}
	if level != slog.LevelError || sender.AboutSender(cause) { // sender.tellRefused tells the referee about refused senders
		return at, nil
	}
	if err := s.tellDown(ctx, r.Kind, now, cause); err != nil {
		if process.Fatal(ctx, err) {
			return at, err
		}
		s.log.Error("notice to the referee failed", "err", err)
	}
	return at, nil
}

// deliverLoop sends what is queued until ctx ends.
func (s *worker) deliverLoop(ctx context.Context) error {
	trouble := watch.NewRetry(s.Process, true)
	for ctx.Err() == nil {
		next, wait := time.Time{}, false
		drained(s.Queued) // mails queued by now go out in this round
		var asked <-chan struct{}
		n, err := s.sender.Deliver(ctx)
		if err == nil {
			next, _, err = s.nextDue(ctx) // none is due at once
		}
		switch {
		case err == nil:
			if (n.Sent > 0 || trouble.Own) && trouble.Worked(s.Clock.Now(), 0) {
				s.log.Info("sending works again")
				s.guard.SetProblem(s.Box.Address, true, nil)
				if err := s.guard.BeatAgain(); err != nil { // the reader may sleep for a minute
					return process.IgnoreEnd(ctx, err)
				}
			}
		case process.Fatal(ctx, err):
			return process.IgnoreEnd(ctx, err)
		case errors.Is(err, watch.ErrUnproven): // logged where the mailbox is read
			asked, wait = s.Asked, true
		default:
			if next, err = s.handleDown(ctx, trouble, "sending mail failed", err); err != nil {
				return process.IgnoreEnd(ctx, err)
			}
			wait = true
		}
		var timer <-chan time.Time
		if !next.IsZero() {
			timer = s.Clock.After(next.Sub(s.Clock.Now()))
		}
		queued := s.Queued
		if wait {
			queued = nil // new mail does not bring the server back
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

// checkStorage returns an error if trouble of our own is not over yet.
func (s *worker) checkStorage(r *watch.Retry) error {
	if !r.Own {
		return nil
	}
	if err := s.CheckState(); err != nil {
		return err
	}
	return s.Store.Probe(context.Background())
}

// tellDown tells the referee about trouble that a person must fix, at most once a day for each kind of trouble. If
// this mailbox cannot send, another one does, if there is one.
func (s *worker) tellDown(ctx context.Context, kind string, now time.Time, cause error) error {
	if s.Config.Referee == "" {
		return nil
	}
	by := s.Box
	if strings.HasPrefix(kind, "smtp") {
		by = s.OtherSender(s.Box)
	}
	n := templates.Notice{
		Kind: templates.Trouble, Reason: "A mail server refuses to serve " + s.Box.Address + ". Please fix this.",
		Text: []string{cause.Error()},
	}
	if watch.IsOwn(cause) {
		n.Reason = "The robot cannot write to its store, so mails to " + s.Box.Address + " wait. It tries again every few seconds."
	}
	if hint := fault.Hint(cause); hint != "" {
		n.Text = append(n.Text, hint)
	}
	local, _, _ := strings.Cut(s.Box.Address, "@")
	word := fmt.Sprintf(sender.DownWord+"%s.%s.%s", strings.ReplaceAll(kind, " ", "-"), now.UTC().Format(time.DateOnly), local)
	return s.MailOperator(ctx, s.Box, by, "", word, "Trouble with the mailbox "+s.Box.Address, n, "")
}

// readOnce handles the mails in the mailbox.
func (s *worker) readOnce(ctx context.Context) error {
	in, err := s.Options.Inbox(ctx, s.Box)
	if err != nil {
		return err
	}
	defer in.Close()
	if _, err = s.intake.ReadMailbox(ctx, in); err == nil {
		s.guard.NoteRead(s.Box.Address)
	}
	return err
}

// nudgeSender wakes the sender for due mails that another process queued, see Resend.
func (s *worker) nudgeSender(ctx context.Context) error {
	next, waits, err := s.nextDue(ctx)
	if err == nil && waits && !next.After(s.Clock.Now()) {
		process.Nudge(s.Queued)
	}
	return err
}

// nextDue counts the waiting mails, and reports whether any of the mailbox is among them and when the first is due; zero
// is at once.
func (s *worker) nextDue(ctx context.Context) (next time.Time, waits bool, err error) {
	if n, err := s.daemon.countWaiting(ctx); n == 0 || err != nil {
		return next, false, err
	}
	return s.Store.NextDue(ctx, s.Box.Address)
}
