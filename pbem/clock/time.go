package clock

import (
	"sync"
	"time"
)

// Clock is time as the daemon sees it.
type Clock interface {
	Now() time.Time
	// After delivers the time once, d from now; at once if d is not positive.
	After(d time.Duration) <-chan time.Time
}

// Real is the machine's clock.
type Real struct{}

// Now is the present time.
func (Real) Now() time.Time { return time.Now() }

// After is time.After.
func (Real) After(d time.Duration) <-chan time.Time { return time.After(d) }

// Fake is a clock that stands until it is moved. It is safe for use by many
// goroutines. Make one with NewFake.
type Fake struct {
	mu      sync.Mutex
	moved   *sync.Cond // a timer was added or the time changed
	now     time.Time
	waiting []alarm
}

type alarm struct {
	at time.Time
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

// After delivers the time once the clock was moved by d or more.
func (f *Fake) After(d time.Duration) <-chan time.Time {
	f.mu.Lock()
	defer f.mu.Unlock()
	ch := make(chan time.Time, 1)
	if d <= 0 {
		ch <- f.now
		return ch
	}
	f.waiting = append(f.waiting, alarm{f.now.Add(d), ch})
	f.moved.Broadcast()
	return ch
}

// Advance moves the clock on and rings what has come due. A negative d moves
// it back, which rings nothing.
func (f *Fake) Advance(d time.Duration) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.set(f.now.Add(d))
}

// Set puts the clock to now, as Advance does.
func (f *Fake) Set(now time.Time) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.set(now)
}

func (f *Fake) set(now time.Time) {
	f.now = now
	rest := f.waiting[:0]
	for _, a := range f.waiting {
		if a.at.After(now) {
			rest = append(rest, a)
			continue
		}
		a.ch <- now // capacity one, sent once
	}
	f.waiting = rest
	f.moved.Broadcast()
}

// Waiting is how many calls of After have not rung yet.
func (f *Fake) Waiting() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.waiting)
}

// Await blocks until at least n calls of After have not rung yet: the moment
// at which a test may move the clock without racing the code under test.
func (f *Fake) Await(n int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for len(f.waiting) < n {
		f.moved.Wait()
	}
}
