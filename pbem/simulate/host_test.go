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
		fmt.Fprintln(h, f.Function)
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
			Guard: config.Guard{Outage: clock.Span(time.Hour), Skew: clock.Span(2 * time.Minute)},
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
