package clock

import (
	"testing"
	"time"
)

var _ Clock = Real{}

func TestRealIsNow(t *testing.T) {
	then := time.Now()
	machine := Real{}
	before := machine.Elapsed()
	if got := machine.Now(); got.Before(then) {
		t.Errorf("%v is before %v", got, then)
	}
	<-machine.After(time.Millisecond)
	if d := machine.Elapsed() - before; d < time.Millisecond {
		t.Errorf("%s elapsed in a millisecond", d)
	}
}
