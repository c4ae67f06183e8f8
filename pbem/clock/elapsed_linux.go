//go:build linux

package clock

import (
	"time"

	"golang.org/x/sys/unix"
)

// elapsed is the time since the machine was started, the time that it slept
// included: after a sleep the clock that people set must agree with it.
func elapsed() time.Duration {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_BOOTTIME, &t); err != nil {
		return sinceStart() // a kernel without it
	}
	return time.Duration(t.Nano())
}
