//go:build linux

package clock

import (
	"time"

	"golang.org/x/sys/unix"
)

// elapsed returns the time since the machine started, including sleep: after a sleep it must agree
// with the wall clock.
func elapsed() time.Duration {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_BOOTTIME, &t); err != nil {
		return sinceStart() // the kernel does not have it
	}
	return time.Duration(t.Nano())
}
