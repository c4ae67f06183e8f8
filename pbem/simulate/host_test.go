package simulate_test

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"path/filepath"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"starpost/pbem/clock"
	"starpost/pbem/config"
	"starpost/pbem/daemon"
	"starpost/pbem/daemon/process"
)

// host is a machine on which a daemon runs, dies, and is started again.
type host struct {
	w     *world
	name  string
	state string // directory
	clock *hostClock
	life  *life
}

// life is a daemon from its start to its end. Once it is killed nothing that its goroutines do has an effect.
type life struct {
	host   *host
	daemon *daemon.Daemon
	killed atomic.Bool
	frozen atomic.Int64 // up to when it is stopped, as by SIGSTOP, in nanoseconds since 1970
	stop   context.CancelFunc
	ended  chan error
}

// hostClock is the clock of a machine, which someone may set.
type hostClock struct {
	off   atomic.Int64 // nanoseconds by which it is wrong
	began time.Time
}

func (c *hostClock) Now() time.Time         { return time.Now().Add(time.Duration(c.off.Load())) }
func (c *hostClock) Elapsed() time.Duration { return time.Since(c.began) }
func (c *hostClock) After(d time.Duration) <-chan time.Time {
	return time.After(d)
}

func newHost(w *world, name string) *host {
	return &host{w: w, name: name, state: filepath.Join(w.dir, "state-"+name), clock: &hostClock{began: time.Now()}}
}

// errKilled is what a killed daemon gets of everything.
var errKilled = errors.New("the process was killed")

// pace is where a goroutine of a daemon waits for its turn: until a moment that the seed tells.
func (l *life) pace(op string, most time.Duration) error {
	if l.killed.Load() {
		return errKilled
	}
	time.Sleep(l.host.w.within(l.host.name+" "+op+" "+caller(), most))
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

// ways are the names of the functions on a stack, by its program counters.
var ways sync.Map

// caller names the way that the code took here. Two goroutines of a daemon may come at one moment, in either order, and do the
// same: each draws from a stream of its own.
func caller() string {
	var at [32]uintptr
	n := runtime.Callers(3, at[:])
	if way, ok := ways.Load(at); ok {
		return way.(string)
	}
	h := fnv.New64a()
	for frames := runtime.CallersFrames(at[:n]); ; {
		f, more := frames.Next()
		_, _ = h.Write([]byte(f.Function + "\n")) // it never fails
		if !more {
			break
		}
	}
	way := strconv.FormatUint(h.Sum64(), 36)
	ways.Store(at, way)
	return way
}

// begin starts the daemon.
func (h *host) begin() error {
	l := &life{host: h, ended: make(chan error, 1)}
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
		return err
	}
	l.daemon, h.life = d, l
	ctx, stop := context.WithCancel(context.Background())
	l.stop = stop
	h.w.note(h.name, "starts")
	go func() { l.ended <- d.Serve(ctx) }()
	return nil
}

// before is where a step is taken that lasts.
func (l *life) before(step string) error {
	if err := l.pace(step, 10*time.Millisecond); err != nil {
		return err
	}
	if step != "beat" {
		l.host.w.note(l.host.name, step)
	}
	return nil
}

// end has the daemon end as people end it.
func (h *host) end() error {
	l := h.life
	l.stop()
	err := <-l.ended
	h.w.note(h.name, "ends")
	return errors.Join(err, l.daemon.Close())
}

// kill ends the daemon at once, wherever it is.
func (h *host) kill() {
	h.w.note(h.name, "is killed")
	l := h.life
	l.killed.Store(true)
	l.stop()
	if err := <-l.ended; err != nil && !errors.Is(err, errKilled) {
		h.w.broke("host %s: %w", h.name, err)
	}
	_ = l.daemon.Close() // it says that it was killed; what the kernel would close is closed
}

// How often a host is disturbed, and for how long it is down or stopped then.
const (
	disturbedEvery = 20 * time.Minute
	shortly        = 3 * time.Minute
	long           = 45 * time.Minute
)

// disturb does to a host, as long as there are faults, what power, people and kernels do to it.
func (h *host) disturb() error {
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
		switch draw("what") % 4 {
		case 0, 1:
			h.kill()
			time.Sleep(pause)
			if err := h.begin(); err != nil {
				return fmt.Errorf("start again: %w", err)
			}
		case 2:
			w.note(h.name, "is stopped for", pause)
			h.life.frozen.Store(time.Now().Add(pause).UnixNano())
			time.Sleep(pause)
		case 3:
			if draw("back")%2 == 0 {
				pause = -pause
			}
			w.note(h.name, "has its clock set by", pause)
			h.clock.off.Add(int64(pause))
		}
	}
	w.note(h.name, "is left alone")
	h.clock.off.Store(0)
	return nil
}
