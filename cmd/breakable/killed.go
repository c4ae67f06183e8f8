//go:build crash

package breakable

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"starpost/pbem/clock"
	"starpost/pbem/daemon/process"
	"starpost/pbem/store/sqlite"
)

// Apply changes a daemon as the environment says:
//
//	STARPOST_CRASH_AT=STEP:N     kill the process before the Nth STEP
//	STARPOST_CRASH_STOP=STEP:N   stop it there until SIGCONT
//	STARPOST_CRASH_STOP_FILE=F   stop it before the step that file F names, and remove F, which may come later
//	STARPOST_CRASH_STORE=FILE    its store, which another process may share
//	STARPOST_CRASH_CLOCK=SPAN    set its clock that much ahead ("-1h": behind)
func Apply(o *process.Options) error {
	for name, how := range map[string]syscall.Signal{"STARPOST_CRASH_AT": syscall.SIGKILL, "STARPOST_CRASH_STOP": syscall.SIGSTOP} {
		at := os.Getenv(name)
		if at == "" {
			continue
		}
		step, count, _ := strings.Cut(at, ":")
		n, err := strconv.ParseInt(count, 10, 64)
		if err != nil {
			return fmt.Errorf("%s=%q: %w", name, at, err)
		}
		var left atomic.Int64
		left.Store(n)
		halt := halter()
		o.Before = func(now string) error {
			if now != step || left.Add(-1) != 0 {
				return nil
			}
			return halt(how)
		}
	}
	if path := os.Getenv("STARPOST_CRASH_STOP_FILE"); path != "" {
		halt := halter()
		o.Before = func(now string) error {
			step, err := os.ReadFile(path)
			if err == nil && string(step) != now {
				return nil
			}
			if err == nil {
				err = os.Remove(path)
			}
			switch {
			case errors.Is(err, fs.ErrNotExist): // there is no request to stop, or another goroutine has taken it
				return nil
			case err != nil:
				return err
			}
			return halt(syscall.SIGSTOP)
		}
	}
	if path := os.Getenv("STARPOST_CRASH_STORE"); path != "" {
		o.Store = func() (process.Store, error) { return sqlite.Open(path) }
	}
	if ahead := os.Getenv("STARPOST_CRASH_CLOCK"); ahead != "" {
		d, err := time.ParseDuration(ahead)
		if err != nil {
			return fmt.Errorf("STARPOST_CRASH_CLOCK: %w", err)
		}
		o.Clock = shifted{by: d}
	}
	return nil
}

// halter returns a function that stops or kills this process.
func halter() func(how syscall.Signal) error {
	// The signal arrives a little after the call; wait meanwhile.
	goesOn := make(chan os.Signal, 1)
	signal.Notify(goesOn, syscall.SIGCONT)
	return func(how syscall.Signal) error {
		err := syscall.Kill(os.Getpid(), how)
		if err == nil {
			<-goesOn
		}
		return err
	}
}

// shifted is the machine's clock plus an offset.
type shifted struct {
	clock.Real
	by time.Duration
}

// Now returns the shifted time.
func (s shifted) Now() time.Time { return s.Real.Now().Add(s.by) }
