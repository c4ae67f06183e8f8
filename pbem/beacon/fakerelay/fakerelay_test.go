package fakerelay

import (
	"errors"
	"testing"
	"time"

	"starpost/pbem/beacon/relay"
)

// TestRelaysHaveAClock: relays have a round from its time on, by their clock, and report that time.
func TestRelaysHaveAClock(t *testing.T) {
	now := time.Date(2031, 5, 6, 12, 0, 0, 0, time.UTC)
	key, err := NewKey(t.Name(), now.Add(-time.Minute))
	if err != nil {
		t.Fatal(err)
	}
	ours := now
	one, two := Start(key, func() time.Time { return now }), Start(key, func() time.Time { return now })
	defer one.Close()
	defer two.Close()
	c, err := relay.New(key.Chain, []string{one.URL, two.URL}, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	next := key.FirstRound(now.Add(time.Second))
	if got, err := c.Fetch(t.Context(), next); err == nil {
		t.Errorf("round %d is there before its time: %+v", next, got)
	}
	now = key.TimeOf(next)
	if got, err := c.Fetch(t.Context(), next); err != nil || key.Verify(got.Beacon, next) != nil {
		t.Errorf("at its time: %+v, %v", got, err)
	}
	for _, ahead := range []time.Duration{0, time.Hour} {
		ours = now.Add(ahead)
		offsets, err := c.Offsets(t.Context(), func() time.Time { return ours })
		if err != nil {
			t.Fatal(err)
		}
		err = relay.CheckClock(offsets, time.Minute)
		if wrong := (*relay.ClockError)(nil); errors.As(err, &wrong) != (ahead != 0) {
			t.Errorf("ours is %v ahead: %v", ahead, err)
		}
	}
}

func TestAChainIsMadeOfItsName(t *testing.T) {
	one, err := NewKey("a", time.Unix(9, 0))
	if err != nil {
		t.Fatal(err)
	}
	again, err := NewKey("a", time.Unix(9, 0))
	if err != nil {
		t.Fatal(err)
	}
	other, err := NewKey("b", time.Unix(9, 0))
	if err != nil {
		t.Fatal(err)
	}
	if one.Chain != again.Chain || one.Chain.Hash == other.Chain.Hash || one.Chain.Key == other.Chain.Key {
		t.Errorf("%v, %v, %v", one.Chain, again.Chain, other.Chain)
	}
}
