package relay

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"starpost/pbem/beacon"
	"starpost/pbem/beacon/fakerelay"
)

// day is the time of these tests; round 1 of the chain was an hour before it.
var day = time.Date(2031, 5, 6, 12, 0, 0, 0, time.UTC)

func clock() time.Time { return day }

const due = 1190 // due is a past round.

// pair returns a key and two relays of its chain, with a client that does not wait long.
func pair(t *testing.T) (*fakerelay.Key, *fakerelay.Relay, *fakerelay.Relay, *Client) {
	t.Helper()
	key, err := fakerelay.NewKey(t.Name(), day.Add(-time.Hour))
	if err != nil {
		t.Fatal(err)
	}
	one, two := fakerelay.Start(key, clock), fakerelay.Start(key, clock)
	t.Cleanup(one.Close)
	t.Cleanup(two.Close)
	return key, one, two, client(t, key.Chain, time.Minute, one.URL, two.URL)
}

func client(t *testing.T, c beacon.Chain, wait time.Duration, relays ...string) *Client {
	t.Helper()
	made, err := New(c, relays, wait)
	if err != nil {
		t.Fatal(err)
	}
	return made
}

func TestTheFirstThatHoldsIsTaken(t *testing.T) {
	key, one, two, c := pair(t)
	got, err := c.Fetch(t.Context(), due)
	if err != nil {
		t.Fatal(err)
	}
	if "http://"+got.Relay != one.URL || len(got.Refused) != 0 || two.Asked() != 0 || one.Asked() != 1 {
		t.Errorf("%+v, the other was asked %d times", got, two.Asked())
	}
	if err := key.Verify(got.Beacon, due); err != nil {
		t.Error(err)
	}
}

// TestBadRelaysAreLeft has a first relay with each bad behaviour, and a second that is honest.
func TestBadRelaysAreLeft(t *testing.T) {
	for _, test := range []struct {
		mode fakerelay.Mode
		want string
	}{
		{fakerelay.BadSignature, "signature does not hold"},
		{fakerelay.OtherRound, "beacon of another round: 1191, want 1190"},
		{fakerelay.OldRound, "beacon of another round: 1, want 1190"},
		{fakerelay.OtherChain, "signature does not hold"},
		{fakerelay.Infinity, "point at infinity"},
		{fakerelay.Huge, "more than 4096 bytes"},
		{fakerelay.Redirecting, "is not followed"},
		{fakerelay.Broken, "read the answer"},
	} {
		t.Run(test.want, func(t *testing.T) {
			key, one, two, c := pair(t)
			one.Set(test.mode, 0)
			got, err := c.Fetch(t.Context(), due)
			if err != nil {
				t.Fatal(err)
			}
			if "http://"+got.Relay != two.URL || key.Verify(got.Beacon, due) != nil {
				t.Errorf("got %+v", got)
			}
			if len(got.Refused) != 1 || !strings.Contains(got.Refused[0].Error(), test.want) || !strings.Contains(got.Refused[0].Error(), strings.TrimPrefix(one.URL, "http://")) {
				t.Errorf("refused %v, want %q", got.Refused, test.want)
			}
			two.Set(test.mode, 0)
			if _, err := c.Fetch(t.Context(), due); err == nil || strings.Count(err.Error(), test.want) != 2 {
				t.Errorf("both bad: %v", err)
			}
			if asked := one.Asked(); asked != 2 {
				t.Errorf("the first was asked %d times: it is asked once for a round, and where it leads to is not", asked)
			}
		})
	}
}

func TestDeadRelaysAreLeft(t *testing.T) {
	_, one, two, c := pair(t)
	one.Close()
	got, err := c.Fetch(t.Context(), due)
	if err != nil || "http://"+got.Relay != two.URL || len(got.Refused) != 1 {
		t.Errorf("got %+v, %v", got, err)
	}
	two.Close()
	if _, err := c.Fetch(t.Context(), due); err == nil || strings.Count(err.Error(), "relay 127.0.0.1:") != 2 {
		t.Errorf("all dead: %v", err)
	}
}

// TestLateRelaysAreLeft: the first relay never answers, and gets its time.
func TestLateRelaysAreLeft(t *testing.T) {
	key, one, two, _ := pair(t)
	one.Set(fakerelay.Late, 0)
	brief := client(t, key.Chain, 50*time.Millisecond, one.URL, two.URL)
	_, err := brief.fetch(t.Context(), brief.relays[0], due)
	if err == nil || !strings.Contains(err.Error(), "no answer within 50ms") {
		t.Errorf("got %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	patient := client(t, key.Chain, time.Hour, one.URL, two.URL)
	if _, err := patient.Fetch(ctx, due); !errors.Is(err, context.Canceled) || two.Asked() != 0 {
		t.Errorf("given up on: %v; the second was asked %d times", err, two.Asked())
	}
}

func TestARoundThatHasNotComeIsNotThere(t *testing.T) {
	key, _, _, c := pair(t)
	next := key.FirstRound(day.Add(1))
	if _, err := c.Fetch(t.Context(), next); err == nil || strings.Count(err.Error(), "404 Not Found") != 2 {
		t.Errorf("round %d at %v: %v", next, key.RoundAt(day), err)
	}
}

func TestAddressesOfRelays(t *testing.T) {
	c := beacon.Quicknet()
	for _, test := range []struct {
		relays []string
		want   string
	}{
		{nil, "two or more"},
		{[]string{"https://a.example"}, "two or more"},
		{[]string{"https://a.example", "https://a.example/"}, "twice"},
		{[]string{"https://a.example", "ftp://b.example"}, "want an address"},
		{[]string{"https://a.example", "b.example"}, "want an address"},
		{[]string{"https://a.example", "https://x:secret@b.example"}, "want an address"},
		{[]string{"https://a.example", "https://b.example/?x=1"}, "want an address"},
		{[]string{"https://a.example", "https://b.example/#x"}, "want an address"},
		{[]string{"https://a.example", "https://b example"}, "invalid"},
	} {
		if _, err := New(c, test.relays, time.Second); err == nil || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%q: %v, want %q", test.relays, err, test.want)
		}
	}
	made, err := New(c, []string{"https://a.example", "https://b.example/drand/"}, time.Second)
	if err != nil {
		t.Fatal(err)
	}
	if got := made.relays[1].JoinPath(c.Hash, "public", "7").String(); got != "https://b.example/drand/"+c.Hash+"/public/7" {
		t.Errorf("asks for %s", got)
	}
}

// TestTheClock: our clock is wrong by an hour, or the relays' clocks are.
func TestTheClock(t *testing.T) {
	for _, test := range []struct {
		what             string
		ours, one, other time.Duration
		wrong            bool
	}{
		{"all right", 0, 0, 0, false},
		{"within the bound", 8 * time.Second, 0, 0, false},
		{"ours an hour ahead", time.Hour, 0, 0, true},
		{"ours an hour behind", -time.Hour, 0, 0, true},
		{"one relay's wrong", 0, time.Hour, 0, false},
		{"both wrong, each otherwise", 0, time.Hour, -time.Minute, false},
		{"both wrong, as is ours", time.Hour, time.Hour, time.Hour, false},
	} {
		t.Run(test.what, func(t *testing.T) {
			_, one, two, c := pair(t)
			one.Set(fakerelay.Honest, test.one)
			two.Set(fakerelay.Honest, test.other)
			offsets, err := c.Offsets(t.Context(), func() time.Time { return day.Add(test.ours) })
			if err != nil || len(offsets) != 2 {
				t.Fatal(offsets, err)
			}
			for i, shift := range []time.Duration{test.one, test.other} {
				if off := offsets[i].Ahead - test.ours + shift; off.Abs() > time.Second {
					t.Errorf("relay %d: ours is ahead by %v, %v wrong", i, offsets[i].Ahead, off)
				}
			}
			err = CheckClock(offsets, 10*time.Second)
			var wrong *ClockError
			if errors.As(err, &wrong) != test.wrong || (err != nil) != test.wrong {
				t.Errorf("got %v", err)
			}
			if test.wrong && (len(wrong.Offsets) != 2 || strings.Count(err.Error(), "1h0m") != 2 || strings.Contains(err.Error(), "ahead") != (test.ours > 0)) {
				t.Errorf("it says %v", err)
			}
		})
	}
}

func TestTheClockOfOneRelayIsNoWord(t *testing.T) {
	_, one, two, c := pair(t)
	two.Close()
	offsets, err := c.Offsets(t.Context(), func() time.Time { return day.Add(time.Hour) })
	if err == nil || len(offsets) != 1 || "http://"+offsets[0].Relay != one.URL {
		t.Errorf("%v, %v", offsets, err)
	}
	if err := CheckClock(offsets, time.Minute); err != nil {
		t.Error(err)
	}
}

// TestCachesKeepDates: an answer from a cache is as old as it says.
func TestCachesKeepDates(t *testing.T) {
	for age, want := range map[string]string{"": "", "90": "", "x": "age", "-1": "age"} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			date := day
			if age == "90" {
				date = date.Add(-90 * time.Second)
			}
			w.Header().Set("Date", date.Format(http.TimeFormat))
			if age != "" {
				w.Header().Set("Age", age)
			}
			if _, err := fmt.Fprint(w, "{}"); err != nil {
				t.Error(err)
			}
		}))
		c := client(t, beacon.Quicknet(), time.Minute, server.URL, "https://b.example")
		ahead, err := c.ahead(t.Context(), c.relays[0], clock)
		if want == "" && (err != nil || ahead.Abs() > time.Second) || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("age %q: %v, %v", age, ahead, err)
		}
		server.Close()
	}
}

func FuzzParse(f *testing.F) {
	key, err := fakerelay.NewKey("fuzz", day)
	if err != nil {
		f.Fatal(err)
	}
	b := key.Sign(3)
	f.Add(fmt.Appendf(nil, `{"round":3,"randomness":%q,"signature":"%x"}`, b.Randomness(), b.Signature))
	f.Add(fmt.Appendf(nil, `{"round":3,"signature":"%x","previous_signature":""}`, b.Signature))
	f.Add([]byte(`{"round":3,"signature":"c0"}`))
	f.Add([]byte(`[]`))
	f.Fuzz(func(t *testing.T, data []byte) {
		got, err := Parse(key.Hash, data)
		if err != nil {
			return
		}
		if got.Round == 0 || got.Round > beacon.MaxRound || got.Chain != key.Hash {
			t.Errorf("%q is read as %v", data, got)
		}
		filed, err := got.Encode()
		if err != nil {
			t.Fatal(err)
		}
		if back, err := beacon.Decode(filed); err != nil || back.Randomness() != got.Randomness() || back.Round != got.Round {
			t.Errorf("%q is written as %s and read as %v, %v", data, filed, back, err)
		}
	})
}
