package relay_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"starpost/pbem/beacon"
	"starpost/pbem/beacon/relay"
	"starpost/pbem/beacon/standin"
)

// net is relays of a beacon, at a moment at which round 100 is the newest.
type net struct {
	*standin.Source
	relays []*standin.Relay
	client *relay.Client
}

func now() time.Time { return time.Date(2026, 3, 1, 12, 4, 57, 0, time.UTC) }

func newNet(t *testing.T, modes ...string) net {
	t.Helper()
	n := net{Source: standin.New("relays", now().Add(-99*3*time.Second), 3)}
	var urls []string
	for _, mode := range modes {
		r := n.Relay(now, mode)
		t.Cleanup(r.Close)
		n.relays, urls = append(n.relays, r), append(urls, r.URL)
	}
	n.client = relay.New(urls)
	return n
}

// TestGet: one relay that tells the truth is enough, whatever the others do.
func TestGet(t *testing.T) {
	for _, bad := range []string{
		standin.Lying, standin.Stale, standin.Infinite, standin.Garbled, standin.Huge, standin.Moved, standin.Dead,
	} {
		t.Run(bad, func(t *testing.T) {
			t.Parallel()
			n := newNet(t, bad, bad, standin.Honest)
			b, err := n.client.Get(t.Context(), n.Chain, 100)
			if err != nil {
				t.Fatal(err)
			}
			if err := n.Verify(b); err != nil || b.Round != 100 {
				t.Errorf("round %d: %v", b.Round, err)
			}
			alone := newNet(t, bad)
			if b, err := alone.client.Get(t.Context(), alone.Chain, 100); err == nil {
				t.Errorf("%+v from a relay that is %s", b, bad)
			} else if !strings.Contains(err.Error(), alone.relays[0].URL) {
				t.Errorf("which relay is not said: %v", err)
			}
			if bad == standin.Moved && alone.relays[0].Asked() != 1 {
				t.Error("it was followed elsewhere")
			}
		})
	}
}

// TestGetWaits: one that is slow keeps no one waiting, and is not waited for longer than the caller does.
func TestGetWaits(t *testing.T) {
	n := newNet(t, standin.Slow, standin.Honest)
	if _, err := n.client.Get(t.Context(), n.Chain, 100); err != nil {
		t.Error(err)
	}
	alone := newNet(t, standin.Slow)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := alone.client.Get(ctx, alone.Chain, 100); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	if _, err := n.client.Get(t.Context(), n.Chain, 101); err == nil {
		t.Error("a round that is still to come")
	}
	if _, err := relay.New(nil).Get(t.Context(), n.Chain, 100); err == nil {
		t.Error("a beacon from no one")
	}
}

func TestCheckClock(t *testing.T) {
	for _, c := range []struct {
		name string
		offs []time.Duration // of the relays' clocks
		want time.Duration   // 0: nothing is wrong
	}{
		{"right", []time.Duration{0, time.Second}, 0},
		{"an hour slow", []time.Duration{time.Hour, time.Hour + time.Second}, -time.Hour},
		{"an hour fast", []time.Duration{-time.Hour, -time.Hour}, time.Hour},
		{"one relay is wrong", []time.Duration{time.Hour, 0}, 0},
		{"they do not agree", []time.Duration{time.Hour, -time.Hour}, 0},
		{"the only relay", []time.Duration{time.Hour}, -time.Hour},
	} {
		n := newNet(t, make([]string, len(c.offs))...)
		for i, off := range c.offs {
			n.relays[i].SetClock(off)
		}
		err := n.client.CheckClock(t.Context(), now)
		wrong, ok := errors.AsType[*beacon.ClockError](err)
		if ok != (c.want != 0) || ok && (wrong.Off-c.want).Abs() > 2*time.Second || !ok && err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	n := newNet(t, standin.Honest)
	n.relays[0].Close()
	if err := n.client.CheckClock(t.Context(), now); err == nil || isClock(err) {
		t.Errorf("no relay: %v", err)
	}
}

func isClock(err error) bool { _, ok := errors.AsType[*beacon.ClockError](err); return ok }
