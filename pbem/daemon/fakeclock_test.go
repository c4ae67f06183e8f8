package daemon_test

import (
	"sync"
	"testing"
	"time"
)

// fakeClock is a clock that only moves when told to. It is safe for concurrent use. Make one with
// newClock.
type fakeClock struct {
	mu      sync.Mutex
	moved   *sync.Cond // a timer was added or the time changed
	now     time.Time
	elapsed time.Duration
	waiting []alarm
}

type alarm struct {
	at time.Duration // in elapsed time
	ch chan time.Time
}

// newClock returns a clock that is set to now.
func newClock(now time.Time) *fakeClock {
	f := &fakeClock{now: now}
	f.moved = sync.NewCond(&f.mu)
	return f
}

// Now returns the clock's time.
func (f *fakeClock) Now() time.Time {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.now
}

// Elapsed returns how far the clock was advanced, without jumps.
func (f *fakeClock) Elapsed() time.Duration {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.elapsed
}

// After delivers the time once the clock was advanced by d or more.
func (f *fakeClock) After(d time.Duration) <-chan time.Time {
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

// Advance advances the clock by d, which must not be negative, and fires the timers that are due.
func (f *fakeClock) Advance(d time.Duration) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.set(f.now.Add(d), d)
}

// Set sets the clock to now: like Advance or, to an earlier time, like Jump.
func (f *fakeClock) Set(now time.Time) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.set(now, now.Sub(f.now))
}

// Jump sets the clock forward or back, as an operator would: no time elapses, and no timer fires.
func (f *fakeClock) Jump(d time.Duration) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.set(f.now.Add(d), 0)
}

func (f *fakeClock) set(now time.Time, d time.Duration) {
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

// Timers returns how many calls of After have not fired yet.
func (f *fakeClock) Timers() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.waiting)
}

// AwaitTimers blocks until at least n calls of After have not fired yet. Then a test can move the
// clock without racing the code under test.
func (f *fakeClock) AwaitTimers(n int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for len(f.waiting) < n {
		f.moved.Wait()
	}
}

func TestFakeClockTimersFire(t *testing.T) {
	f := newClock(began)
	now := f.After(0)
	one, two := f.After(time.Minute), f.After(2*time.Minute)
	if got := <-now; !got.Equal(began) {
		t.Errorf("at once: %v", got)
	}
	f.Advance(59 * time.Second)
	select {
	case <-one:
		t.Fatal("rang early")
	default:
	}
	f.Advance(time.Second)
	if got := <-one; !got.Equal(f.Now()) {
		t.Errorf("rang with %v at %v", got, f.Now())
	}
	if f.Timers() != 1 {
		t.Errorf("%d wait, want 1", f.Timers())
	}
	f.Set(began) // back in time: no timer fires
	select {
	case <-two:
		t.Fatal("rang when time went back")
	default:
	}
	f.Advance(time.Hour)
	<-two
}

func TestFakeClockAwaitTimers(t *testing.T) {
	f := newClock(began)
	done := make(chan time.Time)
	go func() { done <- <-f.After(time.Hour) }()
	f.AwaitTimers(1)
	f.Advance(time.Hour)
	if got := <-done; !got.Equal(began.Add(time.Hour)) {
		t.Errorf("rang at %v", got)
	}
}

// Setting the clock elapses no time.
func TestFakeClockJumps(t *testing.T) {
	f := newClock(began)
	ring := f.After(time.Minute)
	f.Jump(time.Hour)
	f.Jump(-30 * time.Minute)
	select {
	case <-ring:
		t.Fatal("rang when the clock was set")
	default:
	}
	if got := f.Now().Sub(began); got != 30*time.Minute || f.Elapsed() != 0 {
		t.Errorf("the clock went on %s, and %s elapsed", got, f.Elapsed())
	}
	f.Advance(time.Minute)
	<-ring
	if f.Elapsed() != time.Minute {
		t.Errorf("%s elapsed", f.Elapsed())
	}
}
