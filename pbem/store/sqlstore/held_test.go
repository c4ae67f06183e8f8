package sqlstore_test

import (
	"context"
	"errors"
	"path/filepath"
	"testing"

	"starpost/pbem/store"
	"starpost/pbem/store/sqlite"
	"starpost/pbem/store/sqlstore"
)

// A mail is held in memory from the commit that queues it until its first try.
func TestMailsAreHeldUntilTheyWereTried(t *testing.T) {
	l, err := sqlite.Open(filepath.Join(t.TempDir(), "ledger.db"))
	must(t, err)
	t.Cleanup(func() { must(t, l.Close()) })
	ctx := t.Context()
	if err := l.Group(ctx, func(ctx context.Context) error {
		_, err := l.Queue(ctx, message("undone@x"))
		return errors.Join(err, errors.New("disk full"))
	}); err == nil {
		t.Error("no error")
	}
	if n, _ := sqlstore.Held(l.Store); n != 0 {
		t.Errorf("%d mails are held that were not committed", n)
	}
	queueAll(t, l, message("a@x"))
	_, err = l.Exec(ctx, "lose the bytes", "DELETE FROM letters")
	must(t, err)
	due := func() store.OutboxMessage {
		list, err := l.Due(ctx, noon, 10)
		if err != nil || len(list) != 1 {
			t.Fatal(list, err)
		}
		return list[0]
	}
	m := due()
	if string(m.Bytes) != string(message("a@x").Bytes) || m.Missing != nil {
		t.Errorf("%+v", m)
	}
	must(t, l.MarkRetry(ctx, m.ID, 1, noon, "greylisted"))
	m = due()
	if n, bytes := sqlstore.Held(l.Store); m.Bytes != nil || m.Missing == nil || n != 0 || bytes != 0 {
		t.Errorf("%+v; %d mails are held, %d bytes", m, n, bytes)
	}
}

// The bytes of sent mails are deleted, even if the process is killed right after sending. If MarkSent was rolled back, the
// bytes stay.
func TestBytesOfSentMailsGo(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ledger.db")
	l, err := sqlite.Open(path)
	must(t, err)
	ctx := t.Context()
	kept := func(want int) {
		t.Helper()
		if _, err := l.Due(ctx, noon, 0); err != nil {
			t.Fatal(err)
		}
		if n, err := l.Exec(ctx, "count", "UPDATE letters SET sum = sum"); err != nil || int(n) != want {
			t.Errorf("the bytes of %d mails are kept (%v), want %d", n, err, want)
		}
	}
	queueAll(t, l, message("a@x"), message("b@x"), message("c@x"))
	kept(3)
	must(t, l.MarkSent(ctx, find(t, l, "a@x").ID, 1, noon))
	b := find(t, l, "b@x").ID
	if err := l.Group(ctx, func(ctx context.Context) error {
		return errors.Join(l.MarkSent(ctx, b, 1, noon), errors.New("disk full"))
	}); err == nil {
		t.Error("no error")
	}
	kept(2)
	must(t, l.MarkSent(ctx, b, 1, noon))
	must(t, l.Close())
	l, err = sqlite.Open(path)
	must(t, err)
	t.Cleanup(func() { must(t, l.Close()) })
	kept(1)
}
