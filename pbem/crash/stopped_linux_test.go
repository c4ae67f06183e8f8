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

// served is a daemon that runs until it ends by itself or is told to.
type served struct {
	cmd   *exec.Cmd
	log   safeText
	ended chan error
}

// safeText is a log that one goroutine reads while another writes it.
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

// serve starts a daemon. What is left of it at the end of the test is killed.
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

// isStopped tells whether the process is stopped by a signal.
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

// until waits for something as long as it takes; the deadline of all tests bounds it. A daemon that
// ends meanwhile ends the test.
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

// TestStoppedAndReplaced stops a daemon (SIGSTOP), starts a second one in its place, on the same store or on a copy of its
// state, and has the first go on (SIGCONT) when the second serves. The first ends and says what to do, the battles are
// what they are without all that, no turn is resolved twice, and of all mails one goes out twice at most: the one that
// the server had, or was getting, when the first was stopped; it does where it had it and nothing was noted. Where that was in the middle of a write, SQLite keeps the store for
// the first: the second says so and ends, and the first does all by itself. Where the first was about to write to a game whose
// lock keeps no one out, it writes nothing there.
//
// It waits for real polls to pass, so it belongs to "make crash".
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

// lockless is the same store, and locks of games that keep no one out, as on some file systems of several machines.
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
		// Its clock is past what the first one has leased.
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
	kept := false // the store is, for the first
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

// telling are the lines of a log that name a mail, and those that name a process.
func telling(logs, id string) string {
	var lines []string
	for line := range strings.Lines(logs) {
		if strings.Contains(line, id) || strings.HasPrefix(line, "the ") {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "")
}

// awaken has the first daemon go on, when it was stopped for long enough, and waits for its end.
func awaken(t *testing.T, first, second *served, stopped time.Time) {
	t.Helper()
	const twoPolls = 10 * time.Second // what is shorter may be over before it can be noticed
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

// end stops a daemon and has another one, which it gives, do what it could not finish: moves, marks.
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
