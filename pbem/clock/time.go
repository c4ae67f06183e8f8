package clock

import (
	"sync"
	"time"
)

// Clock is time as the daemon sees it.
type Clock interface {
	Now() time.Time
	// Elapsed is the time since some moment in the past, by a clock that no one
	// sets: what Now goes on beside it is a jump.
	Elapsed() time.Duration
	// After delivers the time once, d from now; at once if d is not positive.
	After(d time.Duration) <-chan time.Time
}

// Real is the machine's clock.
type Real struct{}

// Now is the present time.
func (Real) Now() time.Time { return time.Now() }

// Elapsed is the time since the machine, or this program, was started.
func (Real) Elapsed() time.Duration { return elapsed() }

// sinceStart is the time since the first call, by the monotonic clock.
func sinceStart() time.Duration { return time.Since(firstCall()) }

var firstCall = sync.OnceValue(time.Now)

// After is time.After.
func (Real) After(d time.Duration) <-chan time.Time { return time.After(d) }
