package crash_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// served is a daemon that runs until it ends by itself or on request.
type served struct {
	cmd   *exec.Cmd
	log   safeText
	ended chan error
}

// safeText is a log that one goroutine can read while another writes it.
type safeText struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (s *safeText) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.Write(p)
}

func (s *safeText) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.String()
}

// serve starts a daemon. It is killed at the end of the test if it still runs.
func serve(t *testing.T, env []string, args ...string) *served {
	t.Helper()
	s := &served{cmd: exec.Command(must(t, fragile), append([]string{"serve"}, args...)...), ended: make(chan error, 1)}
	s.cmd.Env = append(append(os.Environ(), passwordEnv+"="+password), env...)
	s.cmd.Stderr = &s.log
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() { s.ended <- s.cmd.Wait(); close(s.ended) }()
	t.Cleanup(func() {
		if err := s.cmd.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
			t.Error(err)
		}
		for range s.ended { // until it is closed
			continue
		}
	})
	return s
}

// isStopped reports whether the process is stopped by a signal.
func (s *served) isStopped(t *testing.T) bool {
	t.Helper()
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", s.cmd.Process.Pid))
	if errors.Is(err, os.ErrNotExist) || errors.Is(err, syscall.ESRCH) {
		return false // it has ended
	}
	if err != nil {
		t.Fatal(err)
	}
	_, state, _ := strings.Cut(string(data), ") ") // the name in parentheses may hold anything
	return strings.HasPrefix(state, "T")
}

// until waits until done returns true, at most until shortly before the deadline of all tests. It
// fails the test if one of the daemons alive ends meanwhile.
func until(t *testing.T, what string, done func() bool, alive ...*served) {
	t.Helper()
	late, bounded := t.Deadline()
	for !done() {
		for _, s := range alive {
			select {
			case err := <-s.ended:
				t.Fatalf("while %s was waited for, a daemon ended: %v\n%s", what, err, tail(s.log.String(), 8000))
			default:
			}
		}
		if bounded && time.Until(late) < 10*time.Second {
			var logs []string
			for _, s := range alive {
				logs = append(logs, tail(s.log.String(), 8000))
			}
			t.Fatalf("never came: %s\n%s", what, strings.Join(logs, "\n--\n"))
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// TestStoppedAndReplaced stops a daemon (SIGSTOP), starts a second one in its place, on the same store or on a copy of
// its state, and lets the first go on (SIGCONT) when the second serves. The first must end and say what to do, the
// battles must be the undisturbed ones, and no turn may be resolved twice. At most one mail goes out twice: the one that
// the server had, or was getting, at the stop. It must go out twice if the server had it and the store had not recorded
// that. If the first stopped in the middle of a write, SQLite keeps the store locked: the second must say so and end, and
// the first finishes alone. If the first was about to write to a game whose lock does not work, it must not write.
//
// It waits for real polls, so it belongs to "make crash".
func TestStoppedAndReplaced(t *testing.T) {
	if !*stops {
		t.Skip("runs with -stops")
	}
	want := undisturbed(t, 1)
	for how, steps := range map[string][]string{
		lockless:         {"vault rename:1", "vault journal write:1", "vault journal open:2", "vault sweep:1"},
		"the same store": {"send:9", "sent:3", "resolve:1", "queue turn:2", "move:2", "store:2"},
		"a copy":         {"send:2", "sent:3", "resolve:1", "vault rename:1", "move:2", "store:2", "answered:3"},
	} {
		for _, at := range steps {
			t.Run(how+"/"+at, func(t *testing.T) {
				t.Parallel() // most of it is waiting
				stopAndReplace(t, want, how, at)
			})
		}
	}
}

// lockless is the same store with game locks that do not work, as on some network file systems.
const lockless = "no locks"

func stopAndReplace(t *testing.T, want history, how, at string) {
	t.Helper()
	w, copied := newWorld(t, 1), how == "a copy"
	first := serve(t, []string{"STARPOST_CRASH_STOP=" + at}, "--config", w.config)
	until(t, "the stop", func() bool { return first.isStopped(t) }, first)
	stopped := time.Now()

	one, other := w.state, filepath.Join(w.dir, "state2")
	var env []string
	there := w.place()
	there.state = other
	args := []string{"--config", w.configureFor(there, other+".toml")}
	if copied {
		if err := os.CopyFS(other, os.DirFS(one)); err != nil {
			t.Fatal(err)
		}
		w.state = other
	} else {
		// Its clock is past the end of the first one's lease.
		env = []string{"STARPOST_CRASH_STORE=" + filepath.Join(one, "ledger.db"), "STARPOST_CRASH_CLOCK=11m"}
		args = append(args, "--take-over")
	}
	if how == lockless {
		for _, b := range w.games {
			if err := os.Remove(filepath.Join(b.dir, ".lock")); err != nil && !errors.Is(err, os.ErrNotExist) {
				t.Fatal(err)
			}
		}
	}
	second := serve(t, env, args...)
	kept := false // the first one keeps the store locked
	until(t, "the second daemon at work", func() bool {
		kept = !copied && len(second.ended) > 0 && strings.Contains(second.log.String(), "another process has been writing to the store")
		if !kept && len(second.ended) > 0 {
			t.Fatalf("the second one ended with %v\n%s", <-second.ended, tail(second.log.String(), 8000))
		}
		return kept || strings.Contains(second.log.String(), "mail sent") || w.isOver()
	})
	if kept {
		if err := errors.Join(<-second.ended, first.cmd.Process.Signal(syscall.SIGCONT)); !strings.Contains(fmt.Sprint(err), "exit status 1") || !strings.Contains(second.log.String(), "kill it") {
			t.Errorf("the second one ended with %v\n%s", err, second.log.String())
		}
		second, env, args = first, nil, args[:2:2]
		args[1] = w.config
	} else {
		awaken(t, first, second, stopped)
	}
	until(t, "the end of the battles", w.isOver, second)
	asked := time.Now()
	last := w.end(t, second, env, args)
	w.check(want, false)

	logs := "the first:\n" + first.log.String()
	if second != first {
		logs += "\nthe second:\n" + second.log.String()
	}
	logs += "\nthe last:\n" + last.log.String()
	again := 0
	for id, copies := range w.copies {
		if len(copies) == 1 {
			continue
		}
		again += len(copies) - 1
		t.Logf("%d times: %s, %q to %s", len(copies), id, copies[0].Subject, copies[0].to)
		for _, c := range copies {
			t.Logf("... %s after the stop, %s after the end was asked for", c.at.Sub(stopped), c.at.Sub(asked))
		}
		t.Logf("... of which the logs tell:\n%s", telling(logs, id))
	}
	if noted := kept || !strings.HasPrefix(at, "sent:"); again > 1 || again == 0 && !noted {
		t.Errorf("%d mails too many", again)
	}
	resolved := map[string]int{}
	for _, turn := range regexp.MustCompile(`msg="turn resolved" .*game=\S+ turn=\d+`).FindAllString(logs, -1) {
		if resolved[turn]++; resolved[turn] > 1 {
			t.Errorf("twice: %s", turn)
		}
	}
	if len(resolved) == 0 {
		t.Error("no turn was resolved, as the logs have it")
	}
	if t.Failed() {
		t.Log(tail(logs, 60000))
	}
}

// telling returns the log lines that contain a mail's id, and the headings that name a process.
func telling(logs, id string) string {
	var lines []string
	for line := range strings.Lines(logs) {
		if strings.Contains(line, id) || strings.HasPrefix(line, "the ") {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "")
}

// awaken lets the first daemon go on once it was stopped for long enough, and waits until it ends.
func awaken(t *testing.T, first, second *served, stopped time.Time) {
	t.Helper()
	const twoPolls = 10 * time.Second // a shorter stop may go unnoticed
	time.Sleep(time.Until(stopped.Add(twoPolls + time.Second)))
	if err := first.cmd.Process.Signal(syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
	until(t, "the end of the first daemon", func() bool { return len(first.ended) > 0 }, second)
	exit, ok := errors.AsType[*exec.ExitError](<-first.ended)
	if said := first.log.String(); !ok || exit.ExitCode() != 3 || !strings.Contains(said, "another daemon serves the mailbox") || !strings.Contains(said, "--take-over") {
		t.Errorf("the first one ended with %v\n%s", exit, tail(said, 8000))
	}
}

// end stops a daemon and returns another one, which has finished what was left: moves, marks.
func (w *world) end(t *testing.T, s *served, env, args []string) (last *served) {
	t.Helper()
	if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := <-s.ended; err != nil {
		t.Errorf("it ended with %v\n%s", err, tail(s.log.String(), 8000))
	}
	last = serve(t, env, append(args, "--once")...)
	if err := <-last.ended; err != nil {
		t.Errorf("the last run: %v\n%s", err, tail(last.log.String(), 8000))
	}
	w.rest()
	return last
}
