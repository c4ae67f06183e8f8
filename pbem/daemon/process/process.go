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

// Process is the state that all parts of a daemon share.
type Process struct {
	Options Options
	Config  *config.Config
	Clock   clock.Clock
	Log     *slog.Logger
	State   StateDir
	Store   Store // nil when it was lost and cannot be opened again
	Hosts   Hosts // the hosts that share the store; nil if there is only one
	Started time.Time

	Shortened atomic.Pointer[Shortener]   // see listPaths
	Stopped   atomic.Pointer[fault.Fault] // the error of Options.Before

	WakeSender func(from string) // called after a mail from that address was queued
}

// Nudge sends to c unless a value is already waiting.
func Nudge(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// Mutex is a lock like sync.Mutex. A goroutine that waits for it is durably blocked in the sense of testing/synctest,
// so a simulation (package simulate) can stop the holder at any step.
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

// TryLock takes the lock if it is free, and reports whether it did.
func (m *Mutex) TryLock() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	was := m.held
	m.held = true
	return !was
}

// Unlock releases the lock. It panics if the lock is not held.
func (m *Mutex) Unlock() {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.held {
		panic("unlock of an unlocked lock")
	}
	m.held = false
	m.free.Signal()
}

// Emit passes an event to Options.Watch.
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

// errStopped is wrapped by errors of Options.Before, which end the daemon.
var errStopped = errors.New("the daemon was stopped")

// Before reports by its error whether the step may be taken.
func (d *Process) Before(step string) error {
	if d.Options.Before == nil {
		return nil
	}
	if stopped := d.Stopped.Load(); stopped != nil {
		return stopped // nothing continues after a kill
	}
	if err := d.Options.Before(step); err != nil {
		stopped := &fault.Fault{Problem: err.Error(), Err: errors.Join(err, errStopped)}
		d.Stopped.Store(stopped)
		return stopped
	}
	return nil
}

// Fatal reports whether an error ends the daemon instead of being logged.
func Fatal(ctx context.Context, err error) bool { return Ends(err) || ctx.Err() != nil }

// Ends reports whether an error ends the daemon even if its context has not ended.
func Ends(err error) bool {
	return errors.Is(err, errStopped) || errors.Is(err, errStateGone) || errors.Is(err, ErrOtherDaemon) || store.IsLost(err)
}

// SideBySide calls f for each i below n, on as many goroutines as there are processors.
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

// Pauses are waits between tries. Each is twice as long as the one before, up to a maximum, with a jitter of 20%, so
// that tries that failed together do not come back together.
type Pauses struct {
	first, most, next time.Duration
	chance            func() float64
}

// Pauses returns pauses that start with first.
func (d *Process) Pauses(first, most time.Duration) *Pauses {
	return &Pauses{first, most, first, d.Chance}
}

// Next returns the next pause.
func (p *Pauses) Next() time.Duration {
	pause := time.Duration(float64(p.next) * (0.8 + 0.4*p.chance()))
	p.next = min(2*p.next, p.most)
	return pause
}

// Reset starts again with the first pause.
func (p *Pauses) Reset() { p.next = p.first }

// Chance returns a random number in [0, 1).
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

// ErrPanic is wrapped by the errors of Recovered.
var ErrPanic = errors.New("the program broke one of its own rules")

// The errors about another daemon at the same mailbox.
var (
	ErrOtherDaemon = errors.New("another daemon reads the mailbox")
	ErrUndecided   = errors.New("another daemon may be reading the mailbox")
)

// LogPanic logs a panic, which ends the process: its standard error may not be kept, the log is. It must be deferred.
func (d *Process) LogPanic() {
	if p := recover(); p != nil {
		d.Log.Error("daemon crashed", "err", fmt.Sprint(p))
		panic(p)
	}
}

// IgnoreEnd returns err, or nil if err is only the end of ctx.
func IgnoreEnd(ctx context.Context, err error) error {
	if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		return nil
	}
	return err
}

// Unless returns t, or zero if yes is true.
func Unless(yes bool, t time.Time) time.Time {
	if yes {
		return time.Time{}
	}
	return t
}

// Earlier returns the earlier of two moments. Zero means never.
func Earlier(a, b time.Time) time.Time {
	if b.IsZero() || !a.IsZero() && a.Before(b) {
		return a
	}
	return b
}

// CheckState returns an error unless the state directory and the store in it are still the ones that were opened.
func (d *Process) CheckState() error {
	if err := d.State.Check(); err != nil {
		return err
	}
	if f, ok := d.Store.(FileStore); ok {
		return f.CheckFiles()
	}
	return nil
}

// VaultStep is the prefix of steps within a game directory.
const VaultStep = "vault "

// steps are the points at which the daemon may be interrupted, roughly in order. Each comes before the change that it
// names.
var steps = []string{
	"start",    // the starting point of a mailbox is recorded
	"record",   // a mail is stored
	"cursor",   // ... and the position where reading continues
	"store",    // a mail's order set is stored or dropped
	"queue",    // an answer or notice is put into the outbox
	"acted",    // a mail is recorded as acted on
	"answered", // ... and as answered
	"move",     // mails are moved on the server
	"moved",    // ... and that is recorded
	"queue turn",
	"close",  // the orders of a turn with public dice are closed
	"closed", // ... which the journal has; nothing else has been done yet
	"resolve",
	"resolved", // it is committed; nothing else has been done yet
	"begin",    // a game's clock starts
	"cancel",   // ... or the game is cancelled because seats were free
	"grace",    // the grace period starts
	"pause",    // a game is paused after an outage
	"resume",   // ... and resumes by itself
	"beat",     // the heartbeat is written
	"send",     // a mail is handed to the server
	"sent",     // ... which has answered; nothing is recorded yet
	"bounce",   // a bounce is recorded
}

// Steps returns the name of every step that Options.Before is asked about: each point before a durable change. A
// process may end at any of them without losing anything or doing it twice.
func Steps() []string {
	all := append([]string(nil), steps...)
	for _, s := range vault.Steps {
		all = append(all, VaultStep+s)
	}
	return all
}
