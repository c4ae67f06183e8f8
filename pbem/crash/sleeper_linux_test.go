package crash_test

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"starpost/engine"
	"starpost/pbem/record/directory"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
	"starpost/pbem/vault/journal"
)

var sleepers = flag.Int("sleepers", 8, "how often to stop a process that writes to a game, until another has its lock")

// sleeperEnv makes this test program such a process. Its lines are the game's directory, the key
// of writings, and the number of the step at which it stops itself.
const sleeperEnv = "STARPOST_CRASH_SLEEPER"

// Exit codes of such a process.
const (
	sleeperDone   = 0
	sleeperFailed = 1
	sleeperFenced = 4
)

// writings returns what it may do to a game. Acts that must not happen twice have a cause.
func writings() map[string]func(g *vault.Game, cause string) error {
	set := func(g *vault.Game, ship, cause string) []byte {
		return fmt.Appendf(nil, "#orders wolf turn %d ship %s\n; %s\nstanding\n  missing repeat\n#end\n", g.DueStage().Turn, ship, cause)
	}
	act := func(cause string) vault.Act { return vault.Act{By: "referee", Cause: cause, Now: time.Now()} }
	return map[string]func(g *vault.Game, cause string) error{
		"entry": func(g *vault.Game, cause string) error {
			e := journal.NewEntry(journal.Back, "referee", time.Now(), nil)
			e.Captain, e.Cause = "Hood", cause
			_, err := g.Append(e)
			return err
		},
		"set": func(g *vault.Game, cause string) error {
			return g.Orders.Put(vault.At(g.DueStage().Turn), "Hood", set(g, "Hood", cause), time.Time{})
		},
		"amend": func(g *vault.Game, cause string) error {
			_, err := vault.Amend(g, act(cause), "Riskadh", "Riskadh", set(g, "Riskadh", cause))
			return err
		},
		"turn": func(g *vault.Game, _ string) error {
			_, err := turn.Resolve(g, turn.Options{Missing: vault.Policies()[1], MissingOf: map[engine.Seat]string{}, Now: time.Now(), Workers: 1})
			return err
		},
	}
}

// sleep does the work of the process and returns its exit code.
func sleep(dir, what string, step int) int {
	g, err := vault.Open(directory.At(dir), catalogue())
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return sleeperFailed
	}
	g.OnStep(func(string) error {
		if step--; step != 0 {
			return nil
		}
		// Send the signal to this thread, so that it does nothing more. Another one might get it too late.
		runtime.LockOSThread()
		return syscall.Tgkill(os.Getpid(), syscall.Gettid(), syscall.SIGSTOP)
	})
	switch err := writings()[what](g, "sleeper "+strconv.Itoa(os.Getpid())); {
	case err == nil:
		return sleeperDone
	case errors.Is(err, vault.ErrFenced):
		return sleeperFenced
	default:
		fmt.Fprintln(os.Stderr, err)
		return sleeperFailed
	}
}

// TestSleeper is not a test, but the entry point of such a process.
func TestSleeper(t *testing.T) {
	dir, rest, is := strings.Cut(os.Getenv(sleeperEnv), "\n")
	if !is {
		t.Skip("for TestStoppedWriter")
	}
	what, at, _ := strings.Cut(rest, "\n")
	step, err := strconv.Atoi(at)
	if err != nil {
		t.Fatal(err)
	}
	code := sleep(dir, what, step)
	if err := os.RemoveAll(built); err != nil {
		t.Fatal(err)
	}
	os.Exit(code)
}

// TestStoppedWriter stops processes (SIGSTOP) at steps of writing to a game, takes the game over, as if locks did
// not work, and writes to it. Then it lets the processes go on (SIGCONT), and checks that they change nothing more
// and say so, unless they were done.
func TestStoppedWriter(t *testing.T) {
	luck := rand.New(rand.NewPCG(7, 8))
	acts := slices.Sorted(maps.Keys(writings()))
	most := map[string]int{} // number of steps of an act, once known
	ends := map[int]int{}
	dir := ""
	for stops := 0; stops < *sleepers; {
		if stops%8 == 0 {
			w := &world{t: t, dir: t.TempDir()}
			dir = w.game("wolf", uint64(stops), vault.DefaultMail()).dir
		}
		what := acts[luck.IntN(len(acts))]
		step := 1 + luck.IntN(20)
		if n := most[what]; n > 0 {
			step = 1 + luck.IntN(n)
		}
		stopped, code := stopWriter(t, dir, what, step)
		if !stopped {
			most[what] = step - 1
			continue
		}
		stops++
		ends[code]++
		if t.Failed() {
			t.Fatalf("stopped at step %d of %s", step, what)
		}
	}
	if ends[sleeperFenced] == 0 || *sleepers > 50 && ends[sleeperDone] == 0 {
		t.Errorf("of how they ended: %v", ends)
	}
	t.Logf("%d were stopped: %d were told that the game was taken over, %d had done it by then", *sleepers, ends[sleeperFenced], ends[sleeperDone])
}

// stopWriter reports whether a process came to the step at which it stops, and its exit code.
func stopWriter(t *testing.T, dir, what string, step int) (stopped bool, code int) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	s := &served{cmd: exec.Command(self, "-test.run=^TestSleeper$"), ended: make(chan error, 1)}
	s.cmd.Env = append(os.Environ(), sleeperEnv+"="+dir+"\n"+what+"\n"+strconv.Itoa(step))
	s.cmd.Stderr = &s.log
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() { s.ended <- s.cmd.Wait() }()
	until(t, "the stop", func() bool { return len(s.ended) > 0 || s.isStopped(t) })
	if len(s.ended) > 0 {
		if err := <-s.ended; err != nil {
			t.Fatalf("%s without a stop: %v\n%s", what, err, s.log.String())
		}
		return false, 0
	}
	if err := os.Remove(filepath.Join(dir, ".lock")); err != nil {
		t.Fatal(err)
	}
	g, err := vault.Open(directory.At(dir), catalogue())
	if err != nil {
		t.Fatal(err)
	}
	for _, other := range []string{"entry", "set"} {
		if err := writings()[other](g, fmt.Sprintf("other %d", s.cmd.Process.Pid)); err != nil {
			t.Fatal(err)
		}
	}
	before := filesOf(t, dir)
	if err := s.cmd.Process.Signal(syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
	err = <-s.ended
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		code = exit.ExitCode()
	}
	if err != nil && code != sleeperFenced {
		t.Errorf("it ended with %v\n%s", err, s.log.String())
	}
	if now := filesOf(t, dir); !maps.Equal(now, before) {
		for name := range now {
			if now[name] != before[name] {
				t.Errorf("%s was\n%s\nis\n%s", name, before[name], now[name])
			}
		}
		t.Errorf("there were %d files, are %d", len(before), len(now))
	}
	if again, err := vault.Open(directory.At(dir), catalogue()); err != nil {
		t.Error(err)
	} else if err := errors.Join(again.Lock(), again.Unlock()); err != nil {
		t.Error(err)
	}
	return true, code
}

// filesOf returns the content of all files of a game, except dot files.
func filesOf(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	if err := fs.WalkDir(os.DirFS(dir), ".", func(name string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case strings.HasPrefix(e.Name(), ".") && e.IsDir() && name != ".":
			return fs.SkipDir
		case e.IsDir() || strings.HasPrefix(e.Name(), "."):
			return nil
		}
		data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		out[name] = string(data)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return out
}
