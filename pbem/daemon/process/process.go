package process

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"starpost/pbem/clock"
	"starpost/pbem/config"
	"starpost/pbem/fault"
	"starpost/pbem/store"
	"starpost/pbem/vault"
)

// Process is what all parts of a daemon share.
type Process struct {
	Options Options
	Config  *config.Config
	Clock   clock.Clock
	Log     *slog.Logger
	State   StateDir
	Store   Store // nil when it was lost and cannot be opened again
	Hosts   Hosts // who share the store; nil where there is one host
	Started time.Time

	Shortened atomic.Pointer[Shortener]   // see listPaths
	Stopped   atomic.Pointer[fault.Fault] // what Options.Before said

	WakeSender func(from string) // a mail from that address was queued
}

// Nudge sends unless something is waiting there already.
func Nudge(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// Mutex is a lock like sync.Mutex. A goroutine that waits for it is durably blocked in the sense of testing/synctest, so
// a simulation (package simulate) can stop the holder at any step.
type Mutex struct {
	mu   sync.Mutex // held for a moment only
	held bool
	free sync.Cond
}

// Lock waits for the lock and takes it.
func (m *Mutex) Lock() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.free.L = &m.mu
	for m.held {
		m.free.Wait()
	}
	m.held = true
}

// TryLock takes the lock if it is free, and tells whether it was.
func (m *Mutex) TryLock() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	was := m.held
	m.held = true
	return !was
}

// Unlock gives the lock back. It panics if no one has it.
func (m *Mutex) Unlock() {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.held {
		panic("unlock of an unlocked lock")
	}
	m.held = false
	m.free.Signal()
}

// Emit tells who watches the daemon.
func (d *Process) Emit(e Event) {
	if d.Options.Watch != nil {
		e.At = later(e.At, d.Clock.Now())
		d.Options.Watch(e)
	}
}

func later(a, b time.Time) time.Time {
	if a.IsZero() {
		return b
	}
	return a
}

// errStopped is the kind of the errors of Options.Before, which end the daemon.
var errStopped = errors.New("the daemon was stopped")

// Before asks whether the step may be taken.
func (d *Process) Before(step string) error {
	if d.Options.Before == nil {
		return nil
	}
	if stopped := d.Stopped.Load(); stopped != nil {
		return stopped // nothing goes on after a kill
	}
	if err := d.Options.Before(step); err != nil {
		stopped := &fault.Fault{Problem: err.Error(), Err: errors.Join(err, errStopped)}
		d.Stopped.Store(stopped)
		return stopped
	}
	return nil
}

// Fatal tells whether an error ends the daemon instead of being logged.
func Fatal(ctx context.Context, err error) bool { return Ends(err) || ctx.Err() != nil }

// Ends tells whether an error ends the daemon whether or not it was to end.
func Ends(err error) bool {
	return errors.Is(err, errStopped) || errors.Is(err, errStateGone) || errors.Is(err, ErrOtherDaemon) || store.IsLost(err)
}

// SideBySide calls f for each number below n, for as many at once as there are processors.
func (d *Process) SideBySide(n int, f func(i int)) {
	var group sync.WaitGroup
	var begun atomic.Int64
	for range min(runtime.GOMAXPROCS(0), n) {
		group.Go(func() {
			defer d.LogPanic()
			for i := int(begun.Add(1)) - 1; i < n; i = int(begun.Add(1)) - 1 {
				f(i)
			}
		})
	}
	group.Wait()
}

// Pauses are between tries: each twice as long as the one before, up to a longest one, and a fifth longer or shorter by
// chance, so that those who failed together do not come back together.
type Pauses struct {
	first, most, next time.Duration
	chance            func() float64
}

// Pauses begin with the first.
func (d *Process) Pauses(first, most time.Duration) *Pauses {
	return &Pauses{first, most, first, d.Chance}
}

// Next gives the next pause.
func (p *Pauses) Next() time.Duration {
	pause := time.Duration(float64(p.next) * (0.8 + 0.4*p.chance()))
	p.next = min(2*p.next, p.most)
	return pause
}

// Reset has the first pause come next.
func (p *Pauses) Reset() { p.next = p.first }

// Chance gives a number from 0 to 1, without 1.
func (d *Process) Chance() float64 {
	if d.Options.Chance == nil {
		return rand.Float64()
	}
	return d.Options.Chance()
}

// Recovered turns a panic into an error: a broken invariant of one game or mail
// must not stop the others.
func Recovered(what string, err *error) {
	if p := recover(); p != nil {
		*err = errors.Join(*err, fmt.Errorf("%s: %w: %v\n%s", what, ErrPanic, p, debug.Stack()))
	}
}

// ErrPanic is the kind of error of what broke an invariant, see Recovered.
var ErrPanic = errors.New("the program broke one of its own rules")

// The kinds of trouble with another daemon at the same mailbox.
var (
	ErrOtherDaemon = errors.New("another daemon reads the mailbox")
	ErrUndecided   = errors.New("another daemon may be reading the mailbox")
)

// LogPanic logs what ends a goroutine, and the process with it: the daemon's log may be
// where the last words of a process are not. To be deferred.
func (d *Process) LogPanic() {
	if p := recover(); p != nil {
		d.Log.Error("daemon crashed", "err", fmt.Sprint(p))
		panic(p)
	}
}

// IgnoreEnd gives no error for the end of ctx.
func IgnoreEnd(ctx context.Context, err error) error {
	if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		return nil
	}
	return err
}

// Unless is the moment, or zero.
func Unless(yes bool, t time.Time) time.Time {
	if yes {
		return time.Time{}
	}
	return t
}

// Earlier is the earlier of two moments, zero being never.
func Earlier(a, b time.Time) time.Time {
	if b.IsZero() || !a.IsZero() && a.Before(b) {
		return a
	}
	return b
}

// CheckState tells whether the state directory and the store in it are still what was
// opened.
func (d *Process) CheckState() error {
	if err := d.State.Check(); err != nil {
		return err
	}
	if f, ok := d.Store.(FileStore); ok {
		return f.CheckFiles()
	}
	return nil
}

// VaultStep begins the name of a step that is taken within a game directory.
const VaultStep = "vault "

// steps are the points at which the daemon may be cut short, each before what
// it is named for, roughly in the order of their coming.
var steps = []string{
	"start",    // where the reading of a mailbox begins is noted
	"record",   // a mail is stored
	"cursor",   // ... and where reading goes on
	"store",    // a mail's order set is stored or dropped
	"queue",    // an answer or notice is put into the outbox
	"acted",    // a mail is noted as acted on
	"answered", // ... and as answered
	"move",     // mails are moved on the server
	"moved",    // ... and that is noted
	"queue turn",
	"close",  // the orders of a turn with public dice are closed
	"closed", // ... which the journal has; nothing else is done yet
	"resolve",
	"resolved", // it is committed; nothing else is done yet
	"begin",    // the clock of a game begins to run
	"cancel",   // ... or the game is called off, since seats were free
	"grace",    // the grace period is opened
	"pause",    // a game is paused because time went by unseen
	"resume",   // ... and goes on by itself
	"beat",     // the heartbeat is written
	"send",     // a mail is handed to the server
	"sent",     // ... which has answered; nothing is noted yet
	"bounce",   // a mail that came back is noted
}

// Steps names every point at which something that lasts is about to change:
// what Options.Before is asked. A process may end at any of them and nothing is
// lost or done twice.
func Steps() []string {
	all := append([]string(nil), steps...)
	for _, s := range vault.Steps {
		all = append(all, VaultStep+s)
	}
	return all
}
