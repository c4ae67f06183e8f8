package crash_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
	"time"
)

// built is the directory of the programs; TestMain creates it.
var built string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "starpost-crash-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	built = dir
	code := m.Run()
	if err := os.RemoveAll(dir); err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

// plain builds the program as it is shipped, fragile one that can be told to
// kill itself at a named step.
var (
	plain   = sync.OnceValues(func() (string, error) { return build("starpost") })
	fragile = sync.OnceValues(func() (string, error) { return build("starpost-crash", "-tags=crash") })
)

func build(name string, flags ...string) (string, error) {
	path := filepath.Join(built, name)
	cmd := exec.Command("go", append(append([]string{"build", "-trimpath", "-buildvcs=false", "-o", path}, flags...), "starpost/cmd/starpost")...)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0") // as it is shipped, and as the examples build it, so nothing is compiled twice
	out, err := cmd.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%v: %w\n%s", cmd.Args, err, out)
	}
	return path, nil
}

func must(t *testing.T, program func() (string, error)) string {
	t.Helper()
	path, err := program()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// life is one process of the daemon, from its start to its end.
type life struct {
	program string
	once    bool          // serve --once
	env     []string      // in addition to the password
	after   time.Duration // when it is killed; 0 for never
	during  func()        // called while it lives, if not nil
	at      time.Duration // when during is called
}

// How a life ended.
type ending uint8

const (
	born    ending = iota // before the first life
	killed                // by the test, or by itself at a named step
	over                  // by itself, with success
	stopped               // on request, after the battle
	failed
)

// live runs the program once and returns when the process has ended. When done
// is closed, it asks the process to end.
func live(l life, config string, done <-chan struct{}, log *bytes.Buffer) (ending, error) {
	args := []string{"serve", "--config", config}
	if l.once {
		args = append(args, "--once")
	}
	cmd := exec.Command(l.program, args...)
	cmd.Env = append(append(os.Environ(), passwordEnv+"="+password), l.env...)
	cmd.Stderr = log
	fmt.Fprintf(log, "-- start %v %v\n", args, l.env)
	if err := cmd.Start(); err != nil {
		return failed, err
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	var kill <-chan time.Time
	if l.after > 0 {
		timer := time.NewTimer(l.after)
		defer timer.Stop()
		kill = timer.C
	}
	var harm <-chan time.Time
	if l.during != nil {
		timer := time.NewTimer(l.at)
		defer timer.Stop()
		harm = timer.C
	}
	asked := false
	for {
		select {
		case <-harm:
			l.during()
		case <-kill:
			kill = nil
			if err := cmd.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
				return failed, err
			}
		case <-done:
			done, asked = nil, true
			if err := cmd.Process.Signal(syscall.SIGTERM); err != nil && !errors.Is(err, os.ErrProcessDone) {
				return failed, err
			}
		case err := <-ended:
			return how(err, asked, l.once)
		}
	}
}

func how(err error, asked, once bool) (ending, error) {
	if err == nil {
		if asked {
			return stopped, nil
		}
		return over, nil
	}
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		ws, _ := exit.Sys().(syscall.WaitStatus)
		switch {
		case ws.Signaled() && ws.Signal() == syscall.SIGKILL:
			return killed, nil
		case ws.Signaled() && ws.Signal() == syscall.SIGTERM && asked:
			return stopped, nil // it had no signal handler yet
		case ws.ExitStatus() == 1 && asked && once:
			return stopped, nil // it says that it was interrupted
		}
	}
	return failed, err
}
