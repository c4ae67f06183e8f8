package daemon

import (
	"starpost/pbem/desk"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"starpost/engine/family"
	"starpost/pbem/beacon/relay"
	"starpost/pbem/clock"
	"starpost/pbem/config"
	"starpost/pbem/connect"
	"starpost/pbem/disk"
	"starpost/pbem/incoming"
	"starpost/pbem/lobby"
	"starpost/pbem/mailbox"
	"starpost/pbem/outgoing"
	"starpost/pbem/store"
	"starpost/pbem/store/sqlite"
	"starpost/pbem/vault"
)

// Options are what a daemon is made of.
type Options struct {
	Config    *config.Config
	Catalogue vault.Catalogue
	Library   *lobby.Library     // the texts that people may ask for; nil for none
	Allocate  []family.Allocator // what captains may have damage allocated by
	Clock     clock.Clock        // nil: the machine's
	Log       *slog.Logger       // nil: nothing is logged
	// Inbox and Sender open the connections; nil: IMAP and SMTP as configured.
	Inbox  func(ctx context.Context, box config.Mailbox) (Inbox, error)
	Sender func(ctx context.Context, box config.Mailbox) (Sender, error)
	// Beacons gives rounds of public beacons; nil: no one is asked.
	Beacons relay.Source
	// Store opens the store; nil: the one in the state directory.
	Store func() (Store, error)
	// Watch is told of what happened, by several goroutines at once; it must not
	// block. May be nil.
	Watch func(Event)
	// From has mails taken in that came since then and before the first start; zero:
	// they stay where they are.
	From time.Time
	// TakeOver has the daemon remove other daemons' marks from its mailboxes.
	TakeOver bool
	Version  string // of the program, for the heartbeat
	Composer string // address of the page on which orders are composed; "" for none
	// Digest makes the mail that tells the host of all games; nil for none.
	Digest func(ctx context.Context, now time.Time) (subject, text string, err error)
	// Before is asked before each step that changes something; an error stops
	// the daemon there, as a kill would. Nil: nothing is asked.
	Before func(step string) error
}

// Inbox is the mailbox as the daemon needs it. But for Wake it belongs to one
// goroutine; an error ends its use, a new one is then opened.
type Inbox interface {
	// Look gives validity and the UIDs above after, which counts only under
	// the same validity.
	Look(ctx context.Context, validity, after uint32) (now uint32, uids []uint32, err error)
	// Infos tells of each mail that still exists when the server got it, and whether
	// someone has read it.
	Infos(ctx context.Context, uids []uint32) (map[uint32]mailbox.Info, error)
	// Fetch hands over each mail that still exists.
	Fetch(ctx context.Context, uids []uint32, take func(mailbox.Mail) error) error
	// Move puts mails into a folder; vanished ones are no error.
	Move(ctx context.Context, uids []uint32, folder string) error
	Waiter
}

// Waiter rings when mail comes.
type Waiter interface {
	// Wait returns nil when mail may have come, after most, or after Wake; an
	// error when ctx ends.
	Wait(ctx context.Context, most time.Duration) error
	// Wake ends the Wait that is under way, or the next one. Any goroutine may
	// call it.
	Wake()
	Close()
}

// Sender is where mails go out. It asks Last of each before the mail can go out.
type Sender interface {
	Send(ctx context.Context, env outgoing.Envelope) (outgoing.Outcome, error)
	Close()
}

// What an Event is about.
const (
	Handled  = "handled"  // a mail was acted on; Outcome is what it was taken for, Detail why
	Resolved = "resolved" // a turn was resolved; Detail is empty
	Over     = "over"     // ... and with it the game ended
	Sent     = "sent"     // a mail was delivered; Detail is its recipient
	Unsent   = "unsent"   // an attempt to send a mail failed; Outcome is how the server took it, Detail its recipient
	Looked   = "looked"   // a mailbox was read
	Down     = "down"     // a server is in trouble; Outcome is the kind of it, Detail is why
	Trouble  = "trouble"  // a game or a mail cannot go on by itself; Detail is why
	Idle     = "idle"     // nothing to do before At, unless mail comes
)

// Event is one thing that the daemon did.
type Event struct {
	Kind    string
	Mailbox string // the address, if it is about one
	Game    string // id, if it is about one
	Turn    int
	Outcome string
	Detail  string
	At      time.Time
}

// process is what all parts of a daemon share.
type process struct {
	o       Options
	cfg     *config.Config
	clock   clock.Clock
	log     *slog.Logger
	state   stateDir
	store   Store // nil when it was lost and cannot be opened again
	started time.Time

	shortened atomic.Pointer[shortener] // see listPaths
	stopped   atomic.Pointer[stopError] // what Options.Before said

	wakeSender func(from string) // a mail from that address was queued
}

// account is one mailbox as all parts know it: what its mails mean, and when its games must be looked at.
type account struct {
	box      config.Mailbox
	log      *slog.Logger // the daemon's, with the mailbox
	desk     *desk.Desk
	presence *presence
	handed   *incoming.Box // the folder of mails that the mail server hands over; nil for none

	// With keeper.mu held:
	agenda agenda // of its games
	// silentSince is since when nothing was heard from the mailbox before the last
	// look, if that was longer than usual but no outage; else zero.
	silentSince time.Time

	wake    chan struct{} // cap 1: look at the mailbox now
	queued  chan struct{} // cap 1: something was queued
	asked   chan struct{} // cap 1: the mailbox was asked whether it is ours
	sendNow chan struct{} // cap 1: so much was queued that Once sends it right away
}

// teller queues the mails by which captains and referees learn what happened in a game.
type teller struct{ *process }

// stepper takes one decision after the other about a game.
type stepper struct {
	*teller
	relays *relay.Asker // for public dice
	waking func(*game)  // has a game looked at soon; no lock of a game may be held
}

// keeper keeps the games: which there are, when each must be looked at, and who may change it.
type keeper struct {
	*process
	steps    *stepper
	guard    *guard
	accounts []*account

	mu    sync.Mutex // held while a mail is acted on, and while games are looked at
	games *gameSet

	holder string      // see lease
	leased atomic.Bool // this process has taken one

	conditionsSum string // see conditions; "": not made yet

	board board // for Status
}

// Daemon runs games by mail. Serve and Once belong to one goroutine; Wake may
// be called from any.
type Daemon struct {
	*process
	guard   *guard
	keeper  *keeper
	workers []*worker // one for each mailbox of the configuration
	unlock  func() error

	reopened time.Time // when the store was lost last
	forgotAt time.Time // when what is old was forgotten last
	digested time.Time // what the last digest was for; the first mailbox's worker has it

	waitingMails atomic.Int64 // to be sent, for Status
}

// Open takes the state directory, which is made if it is missing, for this
// process alone. The error is disk.ErrLocked when another daemon has it.
func Open(o Options) (d *Daemon, err error) {
	d = &Daemon{process: &process{o: o, cfg: o.Config, clock: o.Clock, log: o.Log}}
	if t := d.cfg.Templates; t != nil {
		t.Warn = func(err error) { d.log.Error("template failed, the one built in is used", "err", err) }
	}
	if d.clock == nil {
		d.clock = clock.Real{}
	}
	if d.o.Store == nil {
		d.o.Store = d.ownStore
	}
	d.started = d.clock.Now()
	if d.log == nil {
		d.log = slog.New(slog.DiscardHandler)
	}
	if err := disk.MakeDir(d.cfg.State, 0o700); err != nil {
		return nil, fmt.Errorf("make the state directory: %w", err)
	}
	if d.state, err = openState(d.cfg.State); err != nil {
		return nil, err
	}
	holder, err := d.state.holder()
	if err != nil {
		return nil, err
	}
	if d.unlock, err = disk.Lock(d.cfg.State); err != nil {
		return nil, err
	}
	if err := d.openStores(); err != nil {
		return nil, errors.Join(err, d.unlock())
	}
	d.guard = newGuard(d.process)
	d.keeper = newKeeper(d.process, d.guard, holder)
	d.wakeSender = func(from string) { nudge(d.keeper.workerOf(from).queued) }
	for _, box := range d.cfg.Mailboxes() {
		s := newWorker(d, box)
		d.workers = append(d.workers, s)
		d.keeper.accounts = append(d.keeper.accounts, s.account)
		if box.LMTP == nil {
			continue
		}
		if s.handed, err = incoming.Open(d.cfg.State, box.Address); err != nil {
			return nil, errors.Join(err, d.Close())
		}
		if box.IMAP == nil { // the folder is ours as the state directory is
			s.presence.assume()
		}
	}
	if err := d.openHosting(); err != nil {
		return nil, errors.Join(err, d.Close())
	}
	// The address may have changed since a mail was queued.
	if err := d.store.Readdress(context.Background(), d.keeper.addresses()...); err != nil {
		return nil, errors.Join(err, d.Close())
	}
	wires, byIMAP := connect.New(d.log), d.o.Inbox
	d.o.Inbox = func(ctx context.Context, box config.Mailbox) (Inbox, error) {
		switch {
		case box.IMAP == nil:
			return incoming.Open(d.cfg.State, box.Address)
		case byIMAP != nil:
			return byIMAP(ctx, box)
		}
		in, err := wires.Inbox(ctx, box)
		if err != nil { // a nil *connect.Inbox in an interface is not nil
			return nil, err
		}
		return in, nil
	}
	if d.o.Sender == nil {
		d.o.Sender = func(ctx context.Context, box config.Mailbox) (Sender, error) {
			out, err := wires.Sender(ctx, box)
			if err != nil {
				return nil, err
			}
			return out, nil
		}
	}
	return d, nil
}

func (d *Daemon) openStores() (err error) {
	if err := removePartial(d.cfg.State, "."+HeartbeatFile); err != nil {
		return err
	}
	return d.openStore()
}

// ownStore opens the store in the state directory, which is for this process alone. So leases in it are of
// no one: they come with a directory that was copied or moved.
func (d *Daemon) ownStore() (Store, error) {
	path := filepath.Join(d.cfg.State, "ledger.db")
	if err := sqlite.ClearLeftovers(path); err != nil {
		return nil, err
	}
	l, err := sqlite.Open(path)
	if err != nil {
		return nil, err
	}
	if err := l.ForgetLeases(context.Background()); err != nil {
		return nil, errors.Join(err, l.Close())
	}
	return l, nil
}

// Close gives the state directory back. Serve and Once must have returned.
func (d *Daemon) Close() error {
	if d.store == nil {
		return d.unlock()
	}
	return errors.Join(d.keeper.endLeases(), d.store.Close(), d.unlock())
}

// Wake has Serve look at the mailboxes at once, as when a mail is known to have
// come.
func (d *Daemon) Wake() {
	for _, s := range d.workers {
		nudge(s.wake)
	}
}

func nudge(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

func (d *process) emit(e Event) {
	if d.o.Watch != nil {
		e.At = later(e.At, d.clock.Now())
		d.o.Watch(e)
	}
}

func later(a, b time.Time) time.Time {
	if a.IsZero() {
		return b
	}
	return a
}

// stopError is the error of Options.Before: it ends the daemon.
type stopError struct{ err error }

func (e *stopError) Error() string { return e.err.Error() }
func (e *stopError) Unwrap() error { return e.err }

// before asks whether the step may be taken.
func (d *process) before(step string) error {
	if d.o.Before == nil {
		return nil
	}
	if stopped := d.stopped.Load(); stopped != nil {
		return stopped // nothing goes on after a kill
	}
	if err := d.o.Before(step); err != nil {
		stopped := &stopError{err}
		d.stopped.Store(stopped)
		return stopped
	}
	return nil
}

// fatal tells whether an error ends the daemon instead of being logged.
func fatal(ctx context.Context, err error) bool { return over(err) || ctx.Err() != nil }

// over tells whether an error ends the daemon whether or not it was to end.
func over(err error) bool {
	_, stop := errors.AsType[*stopError](err)
	return stop || errors.Is(err, errStateGone) || errors.Is(err, errOtherDaemon) || store.IsLost(err)
}

// sideBySide calls f for each number below n, for as many at once as there are processors.
func (d *process) sideBySide(n int, f func(i int)) {
	var group sync.WaitGroup
	var begun atomic.Int64
	for range min(runtime.GOMAXPROCS(0), n) {
		group.Go(func() {
			defer d.logPanic()
			for i := int(begun.Add(1)) - 1; i < n; i = int(begun.Add(1)) - 1 {
				f(i)
			}
		})
	}
	group.Wait()
}
