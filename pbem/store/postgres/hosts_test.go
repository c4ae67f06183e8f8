package postgres_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"starpost/pbem/fault"
	"starpost/pbem/store"
	"starpost/pbem/store/postgres"
	"starpost/pbem/testkit/postgrestest"
)

// A mailbox belongs to one host at a time, until the host's lease expires or it releases the mailbox. Each new holder gets a new fence,
// and learns when the mailbox was last read.
func TestPostgresMailboxHasOneHost(t *testing.T) {
	s, at := open(t)
	read := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	owner := ""
	for i, step := range []struct {
		by     string
		before func() error
		looked time.Time
		has    string
		fence  int64
		read   time.Time
	}{
		{by: "alpha", has: "alpha", fence: 1},
		{by: "beta", has: "alpha", fence: 1},
		{by: "alpha", looked: read, has: "alpha", fence: 1, read: read},
		{by: "beta", looked: read.Add(time.Hour), has: "alpha", fence: 1, read: read}, // looked of a host without the lease is ignored
		{by: "beta", before: func() error { return postgrestest.Exec(t.Context(), at, "UPDATE mailboxes SET until = now()") }, has: "beta", fence: 2, read: read},
		{by: "alpha", has: "beta", fence: 2, read: read},
		{by: "alpha", before: func() error { return s.Release(t.Context(), "Robot@example.org", "alpha") }, has: "beta", fence: 2, read: read},
		{by: "alpha", before: func() error { return s.Release(t.Context(), "Robot@example.org", "beta") }, has: "alpha", fence: 3, read: read},
		{by: "alpha", before: func() error { return postgrestest.Exec(t.Context(), at, "UPDATE mailboxes SET until = now()") }, has: "alpha", fence: 3, read: read},
	} {
		if step.before != nil {
			if err := step.before(); err != nil {
				t.Fatal(err)
			}
		}
		got, err := s.Hold(t.Context(), "robot@Example.org", step.by, time.Hour, step.looked)
		if err != nil || got.Holder != step.has || got.Fence != step.fence || !got.Looked.Equal(step.read) {
			t.Errorf("step %d: %+v, %v; want %s with fence %d, read %v", i, got, err, step.has, step.fence, step.read)
		}
		if owner == "" {
			owner = got.Owner
		}
		if len(owner) < 20 || got.Owner != owner {
			t.Errorf("step %d: in marks they are called %q, and were %q", i, got.Owner, owner)
		}
	}
	all, err := s.Served(t.Context())
	if err != nil || len(all) != 1 || all[0].Mailbox != "robot@example.org" || all[0].Holder != "alpha" || all[0].Left < 59*time.Minute || !all[0].Looked.Equal(read) {
		t.Errorf("%+v, %v", all, err)
	}
	if err := s.Release(t.Context(), "robot@example.org", "alpha"); err != nil {
		t.Fatal(err)
	}
	if all, err := s.Served(t.Context()); err != nil || len(all) != 1 || all[0].Holder != "" {
		t.Errorf("%+v, %v", all, err)
	}
}

// A group that confirmed its holder ends before another host gets the mailbox, even if the lease has expired; afterwards
// groups of the former holder are told.
func TestPostgresMailboxIsHeldUntilTheCommit(t *testing.T) {
	s, at := open(t)
	other, err := postgres.Open(t.Context(), at)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := other.Close(); err != nil {
			t.Error(err)
		}
	}()
	const box = "robot@example.org"
	if h, err := s.Hold(t.Context(), box, "alpha", time.Microsecond, time.Time{}); err != nil || h.Holder != "alpha" {
		t.Fatalf("%+v, %v", h, err)
	}
	type answer struct {
		store.Holding
		err error
	}
	got := make(chan answer, 1)
	if err := s.Group(t.Context(), func(ctx context.Context) error {
		if held, err := s.HoldUntilCommit(ctx, box, "alpha", 1); err != nil || !held {
			t.Errorf("the holder: %t, %v", held, err)
		}
		waiting, early := context.WithCancel(t.Context())
		go func() {
			h, err := other.Hold(t.Context(), box, "beta", time.Hour, time.Time{})
			got <- answer{h, err}
			early()
		}()
		if err := postgrestest.AwaitBlocked(waiting, at); err != nil {
			t.Errorf("another host got the mailbox before the commit: %v", err)
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if a := <-got; a.err != nil || a.Holder != "beta" || a.Fence != 2 {
		t.Errorf("afterwards: %+v", a)
	}
	for holder, fence := range map[string]int64{"alpha": 1, "beta": 1} {
		if held, err := s.HoldUntilCommit(t.Context(), box, holder, fence); err != nil || held {
			t.Errorf("%s with fence %d: %t, %v", holder, fence, held, err)
		}
	}
	if err := other.Release(t.Context(), box, "beta"); err != nil {
		t.Fatal(err)
	}
	if held, err := s.HoldUntilCommit(t.Context(), box, "beta", 2); err != nil || held {
		t.Errorf("after its release: %t, %v", held, err)
	}
}

// Setup describes the server's durability, and reports a wrong clock.
func TestPostgresSetup(t *testing.T) {
	s, _ := open(t)
	if found, err := s.Setup(t.Context(), time.Now); err != nil || !strings.Contains(found, "no standby") {
		t.Errorf("%q, %v", found, err)
	}
	for _, off := range []time.Duration{-time.Hour, time.Hour} {
		_, err := s.Setup(t.Context(), func() time.Time { return time.Now().Add(off) })
		if err == nil || !strings.Contains(err.Error(), "1h0m0s apart") || !strings.Contains(fault.Hint(err), "NTP") {
			t.Errorf("a clock that is %s off: %v", off, err)
		}
	}
}
