package ledger

import (
	"bytes"
	"database/sql"
	"errors"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// lived is a ledger in which all kinds of things were noted, closed again.
func lived(t *testing.T) (path string) {
	t.Helper()
	path = newPath(t)
	l, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	ctx := t.Context()
	if _, lost := l.Recovered(); lost {
		t.Error("a new ledger was lost")
	}
	for i, m := range []Mail{
		{Ref: Ref{"box", 1, 1}, SHA256: "aa", MessageID: "a@x", ReceivedAt: noon},
		{Ref: Ref{"box", 1, 2}, SHA256: "bb", MessageID: "b@x", ReceivedAt: noon},
		{Ref: Ref{"box", 1, 3}, SHA256: "cc", MessageID: "c@x", ReceivedAt: noon},
	} {
		if err := l.RecordStored(ctx, m); err != nil {
			t.Fatal(err)
		}
		if i < 2 {
			if err := l.RecordActed(ctx, m.Ref, []string{"done", "refused"}[i]); err != nil {
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
	if _, err := l.RecordEvent(ctx, Event{Game: "wolf.1", Turn: 3, Name: "halt", At: noon, Detail: "x"}); err != nil {
		t.Fatal(err)
	}
	if _, err := l.RecordBounce(ctx, Bounce{Cause: "dd", MessageID: "sent@x", Address: "ann@x", At: noon.Add(time.Hour), Permanent: true, Status: "5.1.1"}); err != nil {
		t.Fatal(err)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

func report(turn int, captain string) OutboxMessage {
	id := string(rune('0'+turn)) + "." + captain + "@x"
	return OutboxMessage{Game: "wolf.1", Kind: Report, MessageID: id, From: "battles@x", To: captain + "@x", Path: "turns/" + id, QueuedAt: noon}
}

// remembers holds a ledger that was rebuilt against what lived noted.
func remembers(t *testing.T, l *Ledger) {
	t.Helper()
	ctx := t.Context()
	for sha, want := range map[string]string{"aa": "done", "bb": "refused"} {
		m, err := l.stored(ctx, Mail{Ref: Ref{"box", 1, uint32(sha[0])}, SHA256: sha, ReceivedAt: noon})
		if err != nil || m.State < Acted || m.Outcome != want {
			t.Errorf("mail %s: %+v, %v", sha, m, err)
		}
	}
	if m, err := l.stored(ctx, Mail{Ref: Ref{"box", 1, 3}, SHA256: "cc", ReceivedAt: noon}); err != nil || m.State != Stored {
		t.Errorf("a mail that was not acted on: %+v, %v", m, err)
	}
	if same, err := l.SeenMessageID(ctx, "a@x"); err != nil || len(same) == 0 || same[0].SHA256 != "aa" {
		t.Errorf("by Message-ID: %v %v", same, err)
	}
	if m := find(t, l, "waits@x"); m.State != Queued || string(m.Bytes) != "mail waits@x" || m.To != "ann@example.org" || m.From != "battles@example.org" || m.Kind != Ack || m.Game != "wolf" || !m.QueuedAt.Equal(noon) {
		t.Errorf("a mail that waits: %+v", m)
	}
	if m := find(t, l, "sent@x"); m.State != Sent || !m.SettledAt.Equal(noon) || m.To != "ann@example.org" {
		t.Errorf("a mail that was sent: %+v", m)
	}
	if m := find(t, l, "failed@x"); m.State != Failed || m.LastError != "no such user" {
		t.Errorf("a mail that was refused: %+v", m)
	}
	// Sent before, or asked for again: nothing comes of it.
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
	for range 2 { // the process may be killed before it is through
		for turn := range 3 {
			if _, err := l.RecordTurnSent(ctx, "wolf.1", turn, report(turn, "ann"), report(turn, "bob")); err != nil {
				t.Fatal(err)
			}
		}
	}
	if got := due(t, l, noon); !slices.Equal(got, []string{"waits@x", "1.bob@x", "2.ann@x"}) {
		t.Errorf("still to be sent: %v", got)
	}
}

func TestLostLedgerIsRebuilt(t *testing.T) {
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
			if !lost || r.Mails != 2 || r.Messages != 1 || r.Settled != 6 || r.Torn != 0 {
				t.Errorf("rebuilt: %+v", r)
			}
			if kept := r.Aside != ""; kept != (name == "cut short" || name == "no database") || kept != (r.Why != nil) {
				t.Errorf("set aside: %+v", r)
			}
			remembers(t, l)
		})
	}
}

// The journal outlives any number of losses, and being shortened.
func TestLostAgain(t *testing.T) {
	path := lived(t)
	for range 2 {
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		l, err := Open(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := l.retrace(t.Context()); err != nil {
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

// A ledger of a version that left no journal gets one.
func TestOlderLedgerGetsAJournal(t *testing.T) {
	path := lived(t)
	older(t, path)
	l, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, lost := l.Recovered(); lost {
		t.Error("it was not lost")
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	remembers(t, openAt(t, path))
}

// With a whole ledger, the journal has nothing to add.
func TestReplayOfAWholeLedger(t *testing.T) {
	l := openAt(t, lived(t))
	for range 2 {
		if r, err := l.Replay(t.Context()); err != nil || r != (Recovery{}) {
			t.Errorf("%+v, %v", r, err)
		}
	}
	if err := os.WriteFile(filepath.Join(sideDir(l.path), "trail.jsonl"), []byte(`{"mail":{"sha256":"ee","outcome":"done"`), 0o600); err != nil {
		t.Fatal(err)
	}
	if r, err := l.Replay(t.Context()); err != nil || r != (Recovery{Torn: 1}) {
		t.Errorf("%+v, %v", r, err)
	}
}

// What a crash tore is no hindrance, and does not spoil what comes after.
func TestTornJournalLineIsSkipped(t *testing.T) {
	path := lived(t)
	trail := filepath.Join(sideDir(path), "trail.jsonl")
	text, err := os.ReadFile(trail)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(string(text), "\n")
	if err := os.WriteFile(trail, []byte(strings.Join(lines[:2], "")+lines[2][:len(lines[2])/2]), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(sideDir(path), "letters", "half"), []byte("0123\n{"), 0o600); err != nil {
		t.Fatal(err)
	}
	l, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := l.RecordEvent(t.Context(), Event{Game: "bear.1", Turn: 1, Name: "halt", At: noon}); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(l.Close(), os.Remove(path)); err != nil {
		t.Fatal(err)
	}
	l = openAt(t, path)
	if _, known, err := l.Event(t.Context(), "bear.1", 1, "halt", ""); err != nil || !known {
		t.Errorf("the line after the torn one: %v", err)
	}
	if r, lost := l.Recovered(); !lost || r.Torn != 1 || r.Mails != 2 {
		t.Errorf("%+v", r)
	}
}

// A database that is removed under our hands is noticed.
func TestCheckFiles(t *testing.T) {
	path := lived(t)
	l := openAt(t, path)
	if err := l.CheckFiles(); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := l.CheckFiles(); !errors.Is(err, ErrLost) {
		t.Errorf("removed: %v", err)
	}
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := l.CheckFiles(); !errors.Is(err, ErrLost) {
		t.Errorf("replaced: %v", err)
	}
}

// A database that was found damaged in use is not used again, whatever it looks
// like.
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

// A game that the ledger does not know: what was played before counts as sent.
func TestRecordTurnSentOfAnUnknownGame(t *testing.T) {
	l, ctx := open(t), t.Context()
	if _, known, err := l.QueuedTurn(ctx, "wolf.1"); err != nil || known {
		t.Fatalf("known, %v", err)
	}
	for range 2 {
		if n, err := l.RecordTurnSent(ctx, "wolf.1", 0, report(0, "ann")); err != nil || n != 0 {
			t.Errorf("%d, %v", n, err)
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
	if m := find(t, l, "0.ann@x"); m.State != Sent || m.To != "ann@x" {
		t.Errorf("%+v", m)
	}
}

// The games of a ledger that knew no table of them are known.
func TestGamesOfAnOlderLedger(t *testing.T) {
	path := newPath(t)
	db, err := sql.Open("sqlite", "file:"+url.PathEscape(path))
	if err != nil {
		t.Fatal(err)
	}
	for _, query := range []string{
		migrations[0], "PRAGMA user_version = 1",
		`INSERT INTO outbox (game, kind, message_id, sender, recipient, path, bytes, queued_at, attempts, next_try, state, settled_at, last_error)
			VALUES ('wolf.1', 'report', '0.ann@x', 'a@x', 'ann@x', 'p', NULL, 0, 1, 0, 'sent', 0, '')`,
	} {
		if _, err := db.Exec(query); err != nil {
			t.Fatal(err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	l := openAt(t, path)
	if turn, known, err := l.QueuedTurn(t.Context(), "wolf.1"); err != nil || !known || turn != -1 {
		t.Errorf("%d, %v, %v", turn, known, err)
	}
	if _, known, err := l.QueuedTurn(t.Context(), "bear.1"); err != nil || known {
		t.Errorf("another game: %v, %v", known, err)
	}
}
