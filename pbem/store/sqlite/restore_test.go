package sqlite

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"starpost/pbem/store"
)

// lived returns the path of a closed store with notes of all kinds.
func lived(t *testing.T) (path string) {
	t.Helper()
	path = newPath(t)
	l, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	ctx := t.Context()
	if _, lost := l.Recovered(); lost {
		t.Error("a new store was lost")
	}
	for i, m := range []store.Mail{
		{Ref: store.Ref{Mailbox: "box", UIDValidity: 1, UID: 1}, SHA256: "aa", MessageID: "a@x", ReceivedAt: noon},
		{Ref: store.Ref{Mailbox: "box", UIDValidity: 1, UID: 2}, SHA256: "bb", MessageID: "b@x", ReceivedAt: noon},
		{Ref: store.Ref{Mailbox: "box", UIDValidity: 1, UID: 3}, SHA256: "cc", MessageID: "c@x", ReceivedAt: noon},
	} {
		m, err := l.stored(ctx, m)
		if err != nil {
			t.Fatal(err)
		}
		if i < 2 {
			if err := l.RecordAnswered(ctx, []string{"done", "refused"}[i], m); err != nil {
				t.Fatal(err)
			}
		}
	}
	waits, sent, failed := message("waits@x"), message("sent@x"), message("failed@x")
	queueAll(t, l, waits, sent, failed)
	mark := func(id string, f func(context int64) error) {
		if err := f(find(t, l, id).ID); err != nil {
			t.Fatal(err)
		}
	}
	mark("sent@x", func(id int64) error { return l.MarkSent(ctx, id, 1, noon) })
	mark("failed@x", func(id int64) error { return l.MarkFailed(ctx, id, 1, noon, "no such user") })
	for turn := range 3 {
		if _, err := l.QueueTurn(ctx, "wolf.1", turn, report(turn, "ann"), report(turn, "bob")); err != nil {
			t.Fatal(err)
		}
	}
	for _, id := range []string{"0.ann@x", "0.bob@x", "1.ann@x", "2.bob@x"} {
		mark(id, func(id int64) error { return l.MarkSent(ctx, id, 1, noon) })
	}
	if _, err := l.RecordReminder(ctx, "wolf.1", 3, "Ann", "24h", noon); err != nil {
		t.Fatal(err)
	}
	if _, err := l.RecordAnswer(ctx, "Ann@x", "ack", "aa", noon); err != nil {
		t.Fatal(err)
	}
	if _, err := l.RecordEvent(ctx, store.Event{Game: "wolf.1", Turn: 3, Name: "halt", At: noon, Detail: "x"}); err != nil {
		t.Fatal(err)
	}
	if _, err := l.RecordBounce(ctx, store.Bounce{Cause: "dd", MessageID: "sent@x", Address: "ann@x", At: noon.Add(time.Hour), Permanent: true, Status: "5.1.1"}); err != nil {
		t.Fatal(err)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

func report(turn int, captain string) store.OutboxMessage {
	id := string(rune('0'+turn)) + "." + captain + "@x"
	return store.OutboxMessage{Game: "wolf.1", Kind: store.Report, MessageID: id, From: "battles@x", To: captain + "@x", Path: "turns/" + id, QueuedAt: noon}
}

// remembers checks that a restored store has what lived noted.
func remembers(t *testing.T, l *Store) {
	t.Helper()
	ctx := t.Context()
	for sha, want := range map[string]string{"aa": "done", "bb": "refused"} {
		m, err := l.stored(ctx, store.Mail{Ref: store.Ref{Mailbox: "box", UIDValidity: 1, UID: uint32(sha[0])}, SHA256: sha, ReceivedAt: noon})
		if err != nil || m.State < store.Acted || m.Outcome != want {
			t.Errorf("mail %s: %+v, %v", sha, m, err)
		}
	}
	if m, err := l.stored(ctx, store.Mail{Ref: store.Ref{Mailbox: "box", UIDValidity: 1, UID: 3}, SHA256: "cc", ReceivedAt: noon}); err != nil || m.State != store.Stored {
		t.Errorf("a mail that was not acted on: %+v, %v", m, err)
	}
	if same, err := l.SeenMessageID(ctx, "a@x"); err != nil || len(same) == 0 || same[0].SHA256 != "aa" {
		t.Errorf("by Message-ID: %v %v", same, err)
	}
	if m := find(t, l, "waits@x"); m.State != store.Queued || string(m.Bytes) != "mail waits@x" || m.To != "ann@example.org" || m.From != "battles@example.org" || m.Kind != store.Ack || m.Game != "wolf" || !m.QueuedAt.Equal(noon) {
		t.Errorf("a mail that waits: %+v", m)
	}
	if m := find(t, l, "sent@x"); m.State != store.Sent || !m.SettledAt.Equal(noon) || m.To != "ann@example.org" {
		t.Errorf("a mail that was sent: %+v", m)
	}
	if m := find(t, l, "failed@x"); m.State != store.Failed || m.LastError != "no such user" {
		t.Errorf("a mail that was refused: %+v", m)
	}
	// Queueing a mail again that was sent or failed has no effect.
	queueAll(t, l, message("sent@x"), message("failed@x"))
	if turn, known, err := l.QueuedTurn(ctx, "wolf.1"); err != nil || !known || turn != 2 {
		t.Errorf("turns up to %d, %v, %v", turn, known, err)
	}
	if first, err := l.RecordReminder(ctx, "wolf.1", 3, "Ann", "24h", noon); err != nil || first {
		t.Errorf("reminded again: %v", err)
	}
	if first, err := l.RecordAnswer(ctx, "ann@x", "ack", "aa", noon); err != nil || first {
		t.Errorf("answered again: %v", err)
	}
	if e, known, err := l.Event(ctx, "wolf.1", 3, "halt", ""); err != nil || !known || e.Detail != "x" || !e.At.Equal(noon) {
		t.Errorf("event %+v, %v", e, err)
	}
	if b, known, err := l.Bounces(ctx, "ann@x"); err != nil || !known || b.Mails != 1 || b.Why != "5.1.1" {
		t.Errorf("bounces %+v, %v", b, err)
	}
	for turn := range 3 {
		if err := l.RecordTurnSent(ctx, report(turn, "ann"), report(turn, "bob")); err != nil {
			t.Fatal(err)
		}
	}
	if got := due(t, l, noon); !slices.Equal(got, []string{"waits@x", "1.bob@x", "2.ann@x"}) {
		t.Errorf("still to be sent: %v", got)
	}
}

func TestLostStoreIsRestored(t *testing.T) {
	for name, harm := range map[string]func(path string) error{
		"removed":     os.Remove,
		"emptied":     func(path string) error { return os.Truncate(path, 0) },
		"cut short":   func(path string) error { return os.Truncate(path, 10000) },
		"no database": func(path string) error { return os.WriteFile(path, bytes.Repeat([]byte("junk"), 2000), 0o600) },
	} {
		t.Run(name, func(t *testing.T) {
			path := lived(t)
			if err := harm(path); err != nil {
				t.Fatal(err)
			}
			l := openAt(t, path)
			r, lost := l.Recovered()
			if !lost || !r.Restored || r.New {
				t.Errorf("restored: %+v", r)
			}
			if kept := r.Aside != ""; kept != (name == "cut short" || name == "no database") || kept != (r.Why != nil) {
				t.Errorf("set aside: %+v", r)
			}
			remembers(t, l)
		})
	}
}

// A store can be lost and restored any number of times.
func TestLostAgain(t *testing.T) {
	path := lived(t)
	for range 3 {
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		l, err := Open(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	remembers(t, openAt(t, path))
}

// Every commit is in the copy at once, however large it is, even if the copy was
// cut short, removed or behind before.
func TestCopyFollows(t *testing.T) {
	for name, harm := range map[string]func(path string) error{
		"whole":     func(string) error { return nil },
		"removed":   func(path string) error { return os.Remove(copyOf(path)) },
		"cut short": func(path string) error { return os.Truncate(copyOf(path), 5000) },
		"emptied":   func(path string) error { return os.Truncate(copyOf(path), 0) },
		"behind": func(path string) error {
			return Change(t.Context(), path, func(l *Store) error {
				_, err := l.Resend(t.Context(), noon)
				return err
			})
		},
	} {
		t.Run(name, func(t *testing.T) {
			path := lived(t)
			if err := harm(path); err != nil {
				t.Fatal(err)
			}
			l, err := Open(path)
			if err != nil {
				t.Fatal(err)
			}
			execute(t, l, "PRAGMA synchronous = OFF")
			for i := range 6 { // more than the log holds
				raw := bytes.Repeat([]byte{byte(i)}, 1<<20)
				m := store.Mail{Ref: store.Ref{Mailbox: "large", UIDValidity: 1, UID: uint32(i)}, SHA256: store.ContentHash(raw), ReceivedAt: noon}
				if _, err := l.RecordStored(t.Context(), m, raw); err != nil {
					t.Fatal(err)
				}
				if i > 0 && i < 4 {
					continue
				}
				want := dump(t, l)
				other := filepath.Join(t.TempDir(), "ledger.db")
				for _, ending := range []string{"", "-wal"} {
					if err := duplicate(copyOf(path)+ending, other+ending); err != nil {
						t.Fatal(err)
					}
				}
				twin := openAt(t, other)
				if got := dump(t, twin); got != want {
					t.Fatalf("after %d commits the copy has\n%s\nwant\n%s", i+1, got, want)
				}
				if err := twin.Check(t.Context()); err != nil {
					t.Error(err)
				}
				if got, err := twin.LoadRaw(t.Context(), m.SHA256); err != nil || !bytes.Equal(got, raw) {
					t.Errorf("the last mail: %v", err)
				}
			}
			if err := l.Close(); err != nil {
				t.Fatal(err)
			}
		})
	}
}

// Damaged bytes of an incoming mail are read from the copy; a damaged outgoing mail
// is not sent.
func TestDamagedBytes(t *testing.T) {
	path := newPath(t)
	l, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	raw := []byte("Subject: x\r\n\r\n")
	m := store.Mail{Ref: store.Ref{Mailbox: "box", UIDValidity: 1, UID: 1}, SHA256: store.ContentHash(raw), ReceivedAt: noon}
	if _, err := l.RecordStored(t.Context(), m, raw); err != nil {
		t.Fatal(err)
	}
	queueAll(t, l, message("a@x"))
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	file, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, was := range [][]byte{raw, []byte("mail a@x")} {
		if !bytes.Contains(file, was) {
			t.Fatalf("%q is not in the file", was)
		}
		file = bytes.ReplaceAll(file, was, bytes.Repeat([]byte{'?'}, len(was)))
	}
	if err := os.WriteFile(path, file, 0o600); err != nil {
		t.Fatal(err)
	}
	l = openAt(t, path)
	if got, err := l.LoadRaw(t.Context(), m.SHA256); err != nil || !bytes.Equal(got, raw) {
		t.Errorf("%q, %v", got, err)
	}
	if list, err := l.Due(t.Context(), noon, 1); err != nil || len(list) != 1 || list[0].Missing == nil || list[0].Bytes != nil {
		t.Errorf("%+v, %v", list, err)
	}
}

// CheckFiles notices if the database is removed while in use.
func TestCheckFiles(t *testing.T) {
	path := lived(t)
	l := openAt(t, path)
	if err := l.CheckFiles(); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := l.CheckFiles(); !errors.Is(err, store.ErrLost) {
		t.Errorf("removed: %v", err)
	}
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := l.CheckFiles(); !errors.Is(err, store.ErrLost) {
		t.Errorf("replaced: %v", err)
	}
}

// A database that was marked as damaged in use is not used again, even if it looks
// intact.
func TestMarkDamaged(t *testing.T) {
	path := lived(t)
	l, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(l.MarkDamaged(), l.Close()); err != nil {
		t.Fatal(err)
	}
	l = openAt(t, path)
	if r, lost := l.Recovered(); !lost || r.Aside == "" {
		t.Errorf("%+v", r)
	}
	remembers(t, l)
	if _, lost := openAt(t, path).Recovered(); lost {
		t.Error("condemned for ever")
	}
}

// Reports of turns played before the store knew the game count as sent.
func TestRecordTurnSentOfAnUnknownGame(t *testing.T) {
	l, ctx := open(t), t.Context()
	if _, known, err := l.QueuedTurn(ctx, "wolf.1"); err != nil || known {
		t.Fatalf("known, %v", err)
	}
	for range 2 {
		if err := l.RecordTurnSent(ctx, report(0, "ann")); err != nil {
			t.Error(err)
		}
		if _, known, err := l.QueuedTurn(ctx, "wolf.1"); err != nil || known {
			t.Errorf("known before it is passed, %v", err)
		}
	}
	for want := range []int{1, 0} {
		if n, err := l.QueueTurn(ctx, "wolf.1", 1, report(1, "ann")); err != nil || n != 1-want {
			t.Errorf("%d, %v", n, err)
		}
	}
	if turn, known, err := l.QueuedTurn(ctx, "wolf.1"); err != nil || !known || turn != 1 {
		t.Errorf("%d %v %v", turn, known, err)
	}
	if got := due(t, l, noon); !slices.Equal(got, []string{"1.ann@x"}) {
		t.Errorf("due %v", got)
	}
	if m := find(t, l, "0.ann@x"); m.State != store.Sent || m.To != "ann@x" {
		t.Errorf("%+v", m)
	}
}
