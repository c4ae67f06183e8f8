package simulate_test

import (
	"context"
	"errors"
	"hash/fnv"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"starpost/pbem/clock"
	"starpost/pbem/config"
	"starpost/pbem/daemon"
	"starpost/pbem/daemon/process"
)

// host is a machine on which a daemon runs, dies, and is restarted.
type host struct {
	w     *world
	name  string
	state string // directory
	clock *hostClock
	life  atomic.Pointer[life]
	trap  atomic.Pointer[trap]
	cut   atomic.Pointer[cut]
	owner atomic.Pointer[string] // its name in marks
	gone  chan struct{}          // closed when it is not restarted any more
}

// life is a daemon from its start to its end. After it is killed, nothing that its goroutines do has an effect.
type life struct {
	host   *host
	began  time.Time
	steps  atomic.Int64 // operations that it performed
	killed atomic.Bool
	frozen atomic.Int64 // until when it is or was stopped, as by SIGSTOP, in nanoseconds since 1970
	pause  atomic.Int64 // how long the host is down after a kill, in nanoseconds
	stop   context.CancelFunc

	unsynced map[string]string // order sets on disk, by file, while newer ones are not synced yet; otherwise nil
	since    time.Time         // when the first of the newer ones was written
}

// trap waits for a daemon at a step.
type trap struct {
	op    string
	kill  bool // kill it; otherwise stop it
	pause time.Duration
}

// cut is what a host cannot reach for a while: "imap", "smtp" or "store".
type cut struct {
	from  string
	until time.Time
}

// isCut reports whether the host cannot reach the target of an operation, named by its first word.
func (h *host) isCut(op string) bool {
	c := h.cut.Load()
	return c != nil && time.Now().Before(c.until) && strings.HasPrefix(op, c.from)
}

// hostClock is the clock of a machine, which can be set.
type hostClock struct {
	off   atomic.Int64 // its error in nanoseconds
	began time.Time
}

func (c *hostClock) Now() time.Time         { return time.Now().Add(time.Duration(c.off.Load())) }
func (c *hostClock) Elapsed() time.Duration { return time.Since(c.began) }
func (c *hostClock) After(d time.Duration) <-chan time.Time {
	return time.After(d)
}

func newHost(w *world, name string) *host {
	return &host{w: w, name: name, state: filepath.Join(w.dir, "state-"+name), clock: &hostClock{began: time.Now()}, gone: make(chan struct{})}
}

// errKilled is returned by every operation of a killed daemon.
var errKilled = errors.New("the process was killed")

// mostSteps is more operations than any life needs, unless it loops.
const mostSteps = 30_000

// pace is where a goroutine of a daemon waits for its turn, until a time drawn from the seed.
func (l *life) pace(op string, most time.Duration) error {
	if l.killed.Load() {
		return errKilled
	}
	if l.steps.Add(1) == mostSteps {
		l.host.w.broke("host %s took %d steps since %s", l.host.name, mostSteps, l.began.Sub(l.host.w.began))
		l.host.kill(0)
	}
	time.Sleep(l.host.w.within(l.host.name+" "+op+" "+caller(), most))
	if t := l.host.trap.Load(); t != nil && t.op == op && l.host.trap.CompareAndSwap(t, nil) {
		l.host.w.note(l.host.name, "is trapped at", op)
		if t.kill {
			l.host.kill(t.pause)
		} else {
			l.host.freeze(t.pause)
		}
	}
	if *fine {
		l.host.w.note(l.host.name, "  ", op)
	}
	for left := time.Until(time.Unix(0, l.frozen.Load())); left > 0 && !l.killed.Load(); left = time.Until(time.Unix(0, l.frozen.Load())) {
		time.Sleep(left + l.host.w.within(l.host.name+" thaws "+op+" "+caller(), most)) // not all at once
	}
	if l.killed.Load() {
		return errKilled
	}
	return nil
}

// ways caches a hash of the functions on a stack, by its program counters.
var ways sync.Map

// caller identifies the code path that led here. Two goroutines of a daemon may do the same at the same time, in
// either order: each draws from a stream of its own.
func caller() string {
	var at [32]uintptr
	n := runtime.Callers(3, at[:])
	if way, ok := ways.Load(at); ok {
		return way.(string)
	}
	h := fnv.New64a()
	for frames := runtime.CallersFrames(at[:n]); ; {
		f, more := frames.Next()
		_, _ = h.Write([]byte(f.Function + "\n")) // never fails
		if !more {
			break
		}
	}
	way := strconv.FormatUint(h.Sum64(), 36)
	ways.Store(at, way)
	return way
}

// run starts the daemon, and restarts it whenever it ends, until the world ends. The daemon ends by itself if another
// one serves the mailbox.
func (h *host) run() {
	defer close(h.gone)
	w := h.w
	for !w.ending.Load() {
		l, err := h.live()
		if err != nil && !errors.Is(err, process.ErrOtherDaemon) && !l.killed.Load() {
			w.broke("host %s: %w", h.name, err)
			return
		}
		switch {
		case l.killed.Load():
			w.note(h.name, "is dead")
		case errors.Is(err, process.ErrOtherDaemon): // the error contains a process number
			w.note(h.name, "ends: another one serves the mailbox")
		default:
			w.note(h.name, "ends")
		}
		if !w.ending.Load() {
			time.Sleep(time.Duration(l.pause.Load()) + w.within(h.name+" is started again", shortly))
		}
	}
}

// live runs one life of the daemon.
func (h *host) live() (*life, error) {
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	l := &life{host: h, began: time.Now(), stop: stop}
	h.life.Store(l)
	box := config.Server{Host: "mail." + domain, User: robot}
	d, err := daemon.Open(process.Options{
		Config: &config.Config{
			Address: robot, Name: "Starpost", Referee: referee, State: h.state, Games: []string{filepath.Join(h.w.dir, "games", "*")},
			Poll: clock.Span(5 * time.Minute), Strangers: config.StrangersAnswer, Limits: config.Limits{AnswersPerHour: 100, SetAnswersPerHour: 100, StrangersPerDay: 100},
			Plus: true, IMAP: &config.IMAP{Server: box, Inbox: "INBOX", Folders: "Starpost"}, SMTP: box,
			Guard: config.Guard{Outage: clock.Span(20 * time.Minute), Skew: clock.Span(2 * time.Minute), ResumeAfter: config.ResumeAfter(10 * time.Minute)},
		},
		Catalogue: catalogue(), Clock: h.clock, Chance: func() float64 { return float64(h.w.draw(h.name+" chance")%1000) / 1000 },
		Inbox: func(context.Context, config.Mailbox) (process.Inbox, error) {
			s, err := h.w.post.open(l)
			if err != nil { // a nil *session in an interface is not nil
				return nil, err
			}
			return s, nil
		},
		Sender: func(context.Context, config.Mailbox) (process.Sender, error) {
			if err := wire(l, "smtp login", func() {}); err != nil {
				return nil, err
			}
			return &submission{l}, nil
		},
		Store:  func() (process.Store, error) { return openStore(l) },
		Before: func(step string) error { return l.before(step) },
	})
	if err != nil {
		return l, err
	}
	h.w.note(h.name, "starts")
	err = d.Serve(ctx)
	if l.killed.Load() {
		l.losePower()
	}
	return l, errors.Join(err, d.Close())
}

// before is called before each durable step.
func (l *life) before(step string) error {
	if err := l.pace(step, 10*time.Millisecond); err != nil {
		return err
	}
	if step == process.VaultStep+"rename" {
		l.unsynced = nil // a turn also makes its orders durable
	}
	if step != "beat" {
		l.host.w.note(l.host.name, step)
	}
	return nil
}

// end stops the daemon properly, for good.
func (h *host) end() {
	h.life.Load().stop()
	<-h.gone
}

// kill kills the daemon at once, wherever it is, and keeps the host down for a while.
func (h *host) kill(pause time.Duration) {
	h.w.note(h.name, "is killed")
	l := h.life.Load()
	l.pause.Store(int64(pause))
	l.killed.Store(true)
	l.stop()
}

// freeze stops the daemon, wherever it is, for a while.
func (h *host) freeze(pause time.Duration) {
	h.w.note(h.name, "is stopped for", pause)
	l, until := h.life.Load(), time.Now().Add(pause).UnixNano()
	l.frozen.Store(max(l.frozen.Load(), until)) // it may be stopped already
}

// trapped are steps at which a daemon is killed or stopped, in addition to random times.
var trapped = append(process.Steps(), "imap look", "imap fetch", "imap move", "smtp rcpt", "smtp end", "smtp rcpt", "smtp end", "Group", "Due", "MarkSent", "RecordMoved", "QueueTurn")

// How often a host is disturbed, and for how long it is then down or stopped.
const (
	disturbedEvery = 20 * time.Minute
	shortly        = 3 * time.Minute
	long           = 45 * time.Minute
)

// disturb disturbs a host, during the time of faults, as power failures, people and kernels do.
func (h *host) disturb() {
	w := h.w
	draw := func(what string) uint64 { return w.draw(h.name + " " + what) }
	for {
		time.Sleep(w.within(h.name+" is well", disturbedEvery))
		if !w.happens(h.name+" disturbed", 1000) {
			break
		}
		most := shortly
		if draw("for long")%4 == 0 {
			most = long
		}
		pause := w.within(h.name+" is ill", most)
		switch draw("what") % 10 {
		case 0, 1:
			h.kill(pause)
		case 2:
			h.freeze(pause)
			time.Sleep(pause)
		case 3:
			if draw("back")%2 == 0 {
				pause = -pause
			}
			w.note(h.name, "has its clock set by", pause)
			h.clock.off.Add(int64(pause))
		case 4, 5:
			from := []string{"imap", "smtp", "store"}[draw("from")%3]
			w.note(h.name, "is cut off from", from, "for", pause)
			h.cut.Store(&cut{from, time.Now().Add(pause)})
		default:
			h.trap.Store(&trap{trapped[draw("where")%uint64(len(trapped))], draw("kill")%2 == 0, w.within(h.name+" is trapped", long)})
		}
	}
	h.trap.Store(nil)
	h.cut.Store(nil)
	w.note(h.name, "is left alone")
	h.clock.off.Store(0)
}
