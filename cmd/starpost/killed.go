//go:build crash

package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"starpost/pbem/clock"
	"starpost/pbem/daemon"
)

// breakable makes a daemon for the crash harness, which builds the program with
// the tag crash:
//
//	STARPOST_CRASH_AT=STEP:N     the process is killed before the Nth STEP
//	STARPOST_CRASH_CLOCK=SPAN    its clock is that much ahead ("-1h": behind)
func breakable(o *daemon.Options) error {
	if at := os.Getenv("STARPOST_CRASH_AT"); at != "" {
		step, count, _ := strings.Cut(at, ":")
		n, err := strconv.ParseInt(count, 10, 64)
		if err != nil {
			return fmt.Errorf("STARPOST_CRASH_AT=%q: %w", at, err)
		}
		var left atomic.Int64
		left.Store(n)
		o.Before = func(now string) error {
			if now == step && left.Add(-1) == 0 {
				return syscall.Kill(os.Getpid(), syscall.SIGKILL)
			}
			return nil
		}
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

// shifted is the machine's clock, set wrong.
type shifted struct {
	clock.Real
	by time.Duration
}

// Now is the wrong time.
func (s shifted) Now() time.Time { return s.Real.Now().Add(s.by) }
