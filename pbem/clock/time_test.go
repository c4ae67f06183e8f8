package clock

import (
	"testing"
	"time"
)

var (
	_ Clock = Real{}
	_ Clock = (*Fake)(nil)
)

func TestFakeTimersFire(t *testing.T) {
	f := NewFake(deadline)
	now := f.After(0)
	one, two := f.After(time.Minute), f.After(2*time.Minute)
	if got := <-now; !got.Equal(deadline) {
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
	f.Set(deadline) // back in time: nothing rings
	select {
	case <-two:
		t.Fatal("rang when time went back")
	default:
	}
	f.Advance(time.Hour)
	<-two
}

func TestFakeAwaitTimers(t *testing.T) {
	f := NewFake(deadline)
	done := make(chan time.Time)
	go func() { done <- <-f.After(time.Hour) }()
	f.AwaitTimers(1)
	f.Advance(time.Hour)
	if got := <-done; !got.Equal(deadline.Add(time.Hour)) {
		t.Errorf("rang at %v", got)
	}
}

func TestRealIsNow(t *testing.T) {
	then := time.Now()
	machine := Real{}
	before := machine.Elapsed()
	if got := machine.Now(); got.Before(then) {
		t.Errorf("%v is before %v", got, then)
	}
	<-machine.After(time.Millisecond)
	if d := machine.Elapsed() - before; d < time.Millisecond || d > time.Minute {
		t.Errorf("%s elapsed in a millisecond", d)
	}
}

// Setting the clock makes no time elapse.
func TestFakeJumps(t *testing.T) {
	f := NewFake(deadline)
	ring := f.After(time.Minute)
	f.Jump(time.Hour)
	f.Jump(-30 * time.Minute)
	select {
	case <-ring:
		t.Fatal("rang when the clock was set")
	default:
	}
	if got := f.Now().Sub(deadline); got != 30*time.Minute || f.Elapsed() != 0 {
		t.Errorf("the clock went on %s, and %s elapsed", got, f.Elapsed())
	}
	f.Advance(time.Minute)
	<-ring
	if f.Elapsed() != time.Minute {
		t.Errorf("%s elapsed", f.Elapsed())
	}
}
