package store

import (
	"errors"
	"reflect"
	"testing"
	"time"
)

func message(id string) OutboxMessage {
	return OutboxMessage{Game: "wolf", Kind: Ack, MessageID: id, From: "battles@example.org", To: "ann@example.org", Bytes: []byte("mail " + id), QueuedAt: noon}
}

func queueAll(t *testing.T, l *Store, messages ...OutboxMessage) {
	t.Helper()
	if _, err := l.Queue(t.Context(), messages...); err != nil {
		t.Fatal(err)
	}
}

func find(t *testing.T, l *Store, messageID string) OutboxMessage {
	t.Helper()
	m, ok, err := l.Message(t.Context(), messageID)
	if err != nil || !ok {
		t.Fatalf("mail %s: %v, %v", messageID, ok, err)
	}
	return full(t, l, m)[0]
}

func due(t *testing.T, l *Store, now time.Time) []string {
	t.Helper()
	list, err := l.Due(t.Context(), now, 100)
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, m := range list {
		ids = append(ids, m.MessageID)
	}
	return ids
}

func TestQueueOnce(t *testing.T) {
	l, ctx := open(t), t.Context()
	a := message("a@x")
	b := message("b@x")
	b.Bytes, b.Path, b.Kind, b.NextTry = nil, "turns/0001/outbox/b.eml", Report, noon.Add(time.Hour)
	if n, err := l.Queue(ctx, a, b, a); n != 2 || err != nil {
		t.Fatalf("queued %d, %v", n, err)
	}
	changed := a
	changed.Bytes = []byte("other")
	if n, err := l.Queue(ctx, changed); n != 0 || err != nil {
		t.Fatalf("queued again %d, %v", n, err)
	}
	a.ID, a.State = 1, Queued
	b.ID, b.State = 2, Queued
	if got, err := l.Outbox(ctx, "wolf"); err != nil || !reflect.DeepEqual(full(t, l, got...), []OutboxMessage{a, b}) {
		t.Errorf("outbox\n%+v\nwant\n%+v (%v)", got, []OutboxMessage{a, b}, err)
	}
	if got, err := l.Outbox(ctx, "bear"); err != nil || len(got) != 0 {
		t.Errorf("another game's outbox %+v, %v", got, err)
	}
	if _, ok, err := l.Message(ctx, "none@x"); ok || err != nil {
		t.Errorf("found what is not there, %v", err)
	}
	for id, want := range map[string]bool{"a@x": true, "b@x": true, "none@x": false} {
		if has, err := l.InOutbox(ctx, id); err != nil || has != want {
			t.Errorf("%s: %v, %v", id, has, err)
		}
	}
}

func TestQueueAllOrNone(t *testing.T) {
	l, ctx := open(t), t.Context()
	for name, bad := range map[string]func(*OutboxMessage){
		"no Message-ID": func(m *OutboxMessage) { m.MessageID = "" },
		"no recipient":  func(m *OutboxMessage) { m.To = "" },
		"nothing":       func(m *OutboxMessage) { m.Bytes = nil },
	} {
		m := message("b@x")
		bad(&m)
		if n, err := l.Queue(ctx, message("a@x"), m); n != 0 || !errors.Is(err, ErrIncomplete) {
			t.Errorf("%s: %d, %v", name, n, err)
		}
	}
	if ids := due(t, l, noon); len(ids) != 0 {
		t.Errorf("queued %v", ids)
	}
}

func TestDueInOrder(t *testing.T) {
	l, ctx := open(t), t.Context()
	if _, ok, err := l.NextDue(ctx); ok || err != nil {
		t.Errorf("an empty outbox has something due, %v", err)
	}
	later, now, soon := message("later@x"), message("now@x"), message("soon@x")
	later.NextTry, soon.NextTry = noon.Add(2*time.Hour), noon.Add(time.Hour)
	queueAll(t, l, later, now, soon)
	for _, c := range []struct {
		at   time.Time
		want []string
	}{
		{noon, []string{"now@x"}},
		{noon.Add(time.Hour), []string{"now@x", "soon@x"}},
		{noon.Add(3 * time.Hour), []string{"now@x", "soon@x", "later@x"}},
	} {
		if got := due(t, l, c.at); !reflect.DeepEqual(got, c.want) {
			t.Errorf("due at %v: %v, want %v", c.at, got, c.want)
		}
	}
	if list, err := l.Due(ctx, noon.Add(3*time.Hour), 2); err != nil || len(list) != 2 {
		t.Errorf("limited: %v, %v", list, err)
	}
	if err := l.MarkSent(ctx, find(t, l, "now@x").ID, 1, noon); err != nil {
		t.Fatal(err)
	}
	if at, ok, err := l.NextDue(ctx); err != nil || !ok || !at.Equal(noon.Add(time.Hour)) {
		t.Errorf("next due %v, %v, %v", at, ok, err)
	}
}

func TestMarks(t *testing.T) {
	l, ctx := open(t), t.Context()
	queueAll(t, l, message("a@x"), message("b@x"))
	a := find(t, l, "a@x")
	check := func(want OutboxMessage) {
		t.Helper()
		if got := find(t, l, want.MessageID); !reflect.DeepEqual(got, want) {
			t.Errorf("got\n%+v\nwant\n%+v", got, want)
		}
	}
	twice := func(mark func() error) {
		t.Helper()
		for range 2 {
			if err := mark(); err != nil {
				t.Error(err)
			}
		}
	}

	twice(func() error { return l.MarkRetry(ctx, a.ID, 1, noon.Add(time.Minute), "busy") })
	a.Attempts, a.NextTry, a.LastError = 1, noon.Add(time.Minute), "busy"
	check(a)

	twice(func() error { return l.MarkAmbiguous(ctx, a.ID, 2, noon.Add(time.Hour), "cut off") })
	a.Attempts, a.NextTry, a.LastError, a.State = 2, noon.Add(time.Hour), "cut off", Ambiguous
	check(a)

	// A mark that comes late changes nothing.
	twice(func() error { return l.MarkRetry(ctx, a.ID, 1, noon, "busy") })
	twice(func() error { return l.MarkSent(ctx, a.ID, 2, noon) })
	check(a)

	// That the server is away says nothing about the time before.
	twice(func() error { return l.MarkRetry(ctx, a.ID, 3, noon.Add(2*time.Hour), "refused") })
	a.Attempts, a.NextTry, a.LastError = 3, noon.Add(2*time.Hour), "refused"
	check(a)

	twice(func() error { return l.MarkSent(ctx, a.ID, 4, noon.Add(3*time.Hour)) })
	a.Attempts, a.NextTry, a.LastError, a.State, a.SettledAt = 4, time.Time{}, "", Sent, noon.Add(3*time.Hour)
	a.Bytes = nil // they are of no more use
	check(a)
	twice(func() error { return l.MarkRetry(ctx, a.ID, 5, noon, "x") })
	twice(func() error { return l.MarkFailed(ctx, a.ID, 6, noon, "x") })
	check(a)
	queueAll(t, l, message("a@x"))
	check(a)

	b := find(t, l, "b@x")
	twice(func() error { return l.MarkFailed(ctx, b.ID, 1, noon, "no such user") })
	b.Attempts, b.State, b.SettledAt, b.LastError = 1, Failed, noon, "no such user"
	check(b)
	if ids := due(t, l, noon.Add(1000*time.Hour)); len(ids) != 0 {
		t.Errorf("due %v", ids)
	}
	if err := l.MarkSent(ctx, 99, 1, noon); !errors.Is(err, ErrUnknownMessage) {
		t.Errorf("error %v", err)
	}
}
