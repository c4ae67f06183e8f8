package clock

import (
	"testing"
	"time"
)

var (
	_ Clock = Real{}
	_ Clock = (*Fake)(nil)
)

func TestFakeRings(t *testing.T) {
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
	if f.Waiting() != 1 {
		t.Errorf("%d wait, want 1", f.Waiting())
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

func TestFakeAwait(t *testing.T) {
	f := NewFake(deadline)
	done := make(chan time.Time)
	go func() { done <- <-f.After(time.Hour) }()
	f.Await(1)
	f.Advance(time.Hour)
	if got := <-done; !got.Equal(deadline.Add(time.Hour)) {
		t.Errorf("rang at %v", got)
	}
}

func TestRealIsNow(t *testing.T) {
	then := time.Now()
	if got := (Real{}).Now(); got.Before(then) {
		t.Errorf("%v is before %v", got, then)
	}
	<-Real{}.After(0)
}
