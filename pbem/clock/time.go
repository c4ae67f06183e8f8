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

// Fake is a clock that stands until it is moved. It is safe for use by many
// goroutines. Make one with NewFake.
type Fake struct {
	mu      sync.Mutex
	moved   *sync.Cond // a timer was added or the time changed
	now     time.Time
	elapsed time.Duration
	waiting []alarm
}

type alarm struct {
	at time.Duration // by elapsed
	ch chan time.Time
}

// NewFake is a clock that stands at now.
func NewFake(now time.Time) *Fake {
	f := &Fake{now: now}
	f.moved = sync.NewCond(&f.mu)
	return f
}

// Now is the time at which the clock stands.
func (f *Fake) Now() time.Time {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.now
}

// Elapsed is how far the clock was moved on, jumps not counted.
func (f *Fake) Elapsed() time.Duration {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.elapsed
}

// After delivers the time once the clock was moved by d or more.
func (f *Fake) After(d time.Duration) <-chan time.Time {
	f.mu.Lock()
	defer f.mu.Unlock()
	ch := make(chan time.Time, 1)
	if d <= 0 {
		ch <- f.now
		return ch
	}
	f.waiting = append(f.waiting, alarm{f.elapsed + d, ch})
	f.moved.Broadcast()
	return ch
}

// Advance moves the clock on by d, which is not negative, and rings what has
// come due.
func (f *Fake) Advance(d time.Duration) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.set(f.now.Add(d), d)
}

// Set puts the clock to now: as Advance does, or, to an earlier time, as Jump.
func (f *Fake) Set(now time.Time) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.set(now, now.Sub(f.now))
}

// Jump sets the clock forward or back, as an operator would: no time
// elapses, and nothing rings.
func (f *Fake) Jump(d time.Duration) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.set(f.now.Add(d), 0)
}

func (f *Fake) set(now time.Time, d time.Duration) {
	f.now = now
	f.elapsed += max(d, 0)
	rest := f.waiting[:0]
	for _, a := range f.waiting {
		if a.at > f.elapsed {
			rest = append(rest, a)
			continue
		}
		a.ch <- now // capacity one, sent once
	}
	f.waiting = rest
	f.moved.Broadcast()
}

// Timers is how many calls of After have not rung yet.
func (f *Fake) Timers() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.waiting)
}

// AwaitTimers blocks until at least n calls of After have not rung yet: the moment
// at which a test may move the clock without racing the code under test.
func (f *Fake) AwaitTimers(n int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for len(f.waiting) < n {
		f.moved.Wait()
	}
}
