package crash_test

import (
	"errors"
	"io/fs"
	"os"
	"slices"
	"sync"
	"syscall"
	"testing"
	"time"

	"starpost/pbem/daemon/process"
	"starpost/pbem/record"
	"starpost/pbem/testkit/postgrestest"
)

// disturbances returns what can happen to hosts, by name. Each returns false if the battles ended before it happened.
func disturbances() map[string]func(w *sharedWorld) bool {
	return map[string]func(w *sharedWorld) bool{
		"kill": func(w *sharedWorld) bool { return w.kill() },
		"stop": func(w *sharedWorld) bool { return w.stop() },
		// The server ends the hosts' connections.
		"drop": func(w *sharedWorld) bool { return w.drop() },
		// The server ends as in a crash, and starts again.
		"restart": func(w *sharedWorld) bool { return w.restart() },
		// A host cannot reach the database for less than a lease.
		"cut": func(w *sharedWorld) bool { return w.partition(w.any().database, w.upTo(lease)) },
		// The same for more than two leases. It can still reach the mail server.
		"no database": func(w *sharedWorld) bool { return w.partition(w.any().database, 2*lease+w.upTo(lease)) },
		// A host cannot reach the mail server for more than two leases. It can still reach the database.
		"no mail": func(w *sharedWorld) bool { return w.partition(w.any().mail, 2*lease+w.upTo(lease)) },
		"delay": func(w *sharedWorld) bool {
			by := 20*time.Millisecond + w.upTo(200*time.Millisecond)
			return w.impair(w.any().database, lease+w.upTo(lease), delayed(by, by/2))
		},
		"slow": func(w *sharedWorld) bool {
			return w.impair(w.any().database, lease+w.upTo(lease), slowed(2+w.luck.IntN(50)))
		},
		// No data reaches the database (stall) or the host (no answers), and connections stay open.
		"stall":      func(w *sharedWorld) bool { return w.impair(w.any().database, w.upTo(3*lease), held(up)) },
		"no answers": func(w *sharedWorld) bool { return w.impair(w.any().database, w.upTo(3*lease), held(down)) },
		// The primary ends as in a crash and stays down; its standby takes its place, and gets a new standby.
		"promote": func(w *sharedWorld) bool { return w.promote() },
		// A host is stopped before a named step, for more than two leases and until another one serves.
		"stop at a step": func(w *sharedWorld) bool { return w.stopAtStep() },
		"no mail answers": func(w *sharedWorld) bool {
			return w.impair(w.any().mail, w.upTo(3*lease), held(down))
		},
	}
}

func (w *sharedWorld) upTo(d time.Duration) time.Duration {
	return time.Duration(w.luck.Int64N(int64(d)))
}

// any returns a random host, most often the one that serves.
func (w *sharedWorld) any() *aHost {
	if w.luck.IntN(3) > 0 {
		return w.serving()
	}
	return w.hosts[w.luck.IntN(len(w.hosts))]
}

func (w *sharedWorld) kill() bool {
	h := w.any()
	if err := h.cmd.Process.Kill(); err != nil {
		w.t.Fatalf("%v: it had ended\n%s", err, tail(h.log.String(), 8000))
	}
	if err := <-h.ended; err == nil {
		w.t.Error("it ended in order, though it was killed")
	}
	time.Sleep(w.upTo(2 * lease))
	h.start(w.t)
	return true
}

// signal sends a signal to a running host.
func (w *sharedWorld) signal(h *aHost, s syscall.Signal) {
	w.t.Helper()
	if err := h.cmd.Process.Signal(s); err != nil {
		w.t.Fatalf("%v: %v\n%s", s, err, tail(h.log.String(), 8000))
	}
}

func (w *sharedWorld) stop() bool {
	h := w.any()
	w.signal(h, syscall.SIGSTOP)
	time.Sleep(2*lease + w.upTo(lease))
	w.signal(h, syscall.SIGCONT)
	return true
}

func (w *sharedWorld) drop() bool {
	if err := postgrestest.Exec(w.t.Context(), w.at, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = current_setting('application_name') AND pid <> pg_backend_pid()"); err != nil {
		w.t.Fatal(err)
	}
	return true
}

func (w *sharedWorld) restart() bool {
	w.servers.primary.Crash()
	time.Sleep(w.upTo(lease))
	if err := w.servers.primary.Restart(w.t.Context()); err != nil {
		w.t.Fatal(err)
	}
	return true
}

// partition cuts lines for a time.
func (w *sharedWorld) partition(lines []*line, long time.Duration) bool {
	for _, l := range lines {
		l.Stop()
	}
	time.Sleep(long)
	for _, l := range lines {
		l.again(w.t)
	}
	return true
}

// impair disturbs the traffic on lines for a time.
func (w *sharedWorld) impair(lines []*line, long time.Duration, by []toxic) bool {
	for _, l := range lines {
		l.add(w.t, by...)
	}
	time.Sleep(long)
	for _, l := range lines {
		l.clear(w.t)
	}
	return true
}

func (w *sharedWorld) promote() bool {
	s := w.servers
	s.primary.Crash()
	time.Sleep(w.upTo(lease))
	if err := s.standby.Promote(w.t.Context()); err != nil {
		w.t.Fatal(err)
	}
	s.primary, s.standby = s.standby, s.primary
	time.Sleep(w.upTo(lease)) // without a standby
	if err := s.standby.Follow(w.t.Context(), s.primary); err != nil {
		w.t.Fatal(err)
	}
	return true
}

// stopAtStep stops the serving host before the next of the steps, and lets it go on when another host has taken over.
func (w *sharedWorld) stopAtStep() bool {
	step, h := w.early, w.hosts[0]
	if w.early = ""; step != "" {
		until(w.t, "the stop", func() bool { return h.isStopped(w.t) }, h.served)
	} else {
		step = w.steps.next()
		h = w.stopBefore(step)
	}
	if h == nil {
		return false
	}
	time.Sleep(2*lease + w.upTo(lease))
	until(w.t, "another host that serves", func() bool { return w.serving() != h || w.isOver() })
	w.signal(h, syscall.SIGCONT)
	w.steps.count(step)
	return true
}

// stopBefore has the serving host stop itself before a step, and returns it; nil if the battles ended before that.
func (w *sharedWorld) stopBefore(step string) (stopped *aHost) {
	told := w.serving()
	tell := func() { told.stopBefore(w.t, step) }
	tell()
	w.allow(1)
	for began := time.Now(); ; time.Sleep(10 * time.Millisecond) {
		now := w.serving()
		if now == told && !w.isOver() {
			if told.isStopped(w.t) {
				return told
			}
			if time.Since(began) > lease { // nothing happens: give it more to do
				w.allow(1)
				began = time.Now()
			}
			continue
		}
		// If the host has removed the file, it stops; if we remove it, it does not.
		switch err := os.Remove(told.stopFile); {
		case errors.Is(err, fs.ErrNotExist):
			until(w.t, "the stop", func() bool { return told.isStopped(w.t) }, told.served)
			return told
		case err != nil:
			w.t.Fatal(err)
		}
		if w.isOver() {
			return nil
		}
		told = now
		tell()
	}
}

// stopBefore has a host stop itself before a step.
func (h *aHost) stopBefore(t *testing.T, step string) {
	t.Helper()
	draft := h.stopFile + ".new" // the host sees a whole file or none
	if err := errors.Join(os.WriteFile(draft, []byte(step), 0o600), os.Rename(draft, h.stopFile)); err != nil {
		t.Fatal(err)
	}
}

// firstStep is the step that all hosts together take only once.
const firstStep = "start"

// stepsLeft hands out to all worlds the steps before which hosts are stopped.
type stepsLeft struct {
	sync.Mutex
	queue []string
	did   map[string]int
}

// newStepsLeft returns all steps that occur in battles of hosts that share a database. It leaves out those of game
// directories, of the beginning of games, of public dice, of passing time, and of referees.
func newStepsLeft() *stepsLeft {
	none := slices.Concat(timely, refereed, opening, dicing, []string{firstStep})
	for _, s := range record.Steps {
		none = append(none, process.VaultStep+s)
	}
	all := slices.DeleteFunc(process.Steps(), func(s string) bool { return slices.Contains(none, s) })
	return &stepsLeft{queue: append(all, "beat"), did: map[string]int{}}
}

// next returns the next step, going round in a circle.
func (s *stepsLeft) next() string {
	s.Lock()
	defer s.Unlock()
	step := s.queue[0]
	s.queue = append(s.queue[1:], step)
	return step
}

func (s *stepsLeft) count(step string) {
	s.Lock()
	defer s.Unlock()
	s.did[step]++
}
