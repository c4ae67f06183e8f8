package sqlite

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"starpost/pbem/store"
)

// rawMail returns the bytes of an incoming mail in the state directory of the earlier version.
func rawMail(i int) string {
	return fmt.Sprintf("From: ann@x\r\nMessage-ID: <%d@x>\r\n\r\nmail %d\r\n", i, i)
}

// The first start takes over the state directory of an earlier version: all of its data
// is kept, and files that are no longer needed are removed.
func TestOlderStateIsTakenOver(t *testing.T) {
	path, ctx := older(t), t.Context()
	dir := filepath.Dir(path)
	for range 2 { // the first start, and the next one
		l, err := Open(path)
		if err != nil {
			t.Fatal(err)
		}
		if _, lost := l.Recovered(); lost {
			t.Error("it was not lost")
		}
		for i := 1; i < 14; i++ {
			sha := store.ContentHash([]byte(rawMail(i)))
			if raw, err := l.LoadRaw(ctx, sha); err != nil || string(raw) != rawMail(i) {
				t.Errorf("mail %d: %q, %v", i, raw, err)
			}
			want := store.Mail{
				ID: int64(i), Ref: store.Ref{Mailbox: "box", UIDValidity: 1, UID: uint32(i)}, SHA256: sha, MessageID: fmt.Sprintf("%d@x", i), ReceivedAt: noon, Arrived: noon.Add(-time.Minute),
				State: []store.State{store.Stored, store.Answered, store.Moved, store.Moved}[i%4], Outcome: []string{"", "done", "done", "done"}[i%4],
			}
			if m, known, err := l.SeenRef(ctx, want.Ref); err != nil || !known || m != want {
				t.Errorf("%+v, %v; want %+v", m, err, want)
			}
		}
		for id, want := range map[string]store.Delivery{"waits@x": store.Queued, "sent@x": store.Sent, "failed@x": store.Failed, "again@x": store.Ambiguous, "1.ann@x": store.Sent, "1.bob@x": store.Queued} {
			m := find(t, l, id)
			bytes := ""
			if want != store.Sent && m.Path == "" {
				bytes = "mail " + id
			}
			if m.State != want || string(m.Bytes) != bytes {
				t.Errorf("%s: %+v", id, m)
			}
		}
		if got := due(t, l, noon.Add(time.Hour)); !slices.Equal(got, []string{"waits@x", "1.bob@x", "2.ann@x", "again@x"}) {
			t.Errorf("still to be sent: %v", got)
		}
		if n, err := l.GivenUp(ctx, noon); err != nil || n != 1 {
			t.Errorf("%d mails can be sent again, %v", n, err)
		}
		if turn, known, err := l.QueuedTurn(ctx, "wolf.1"); err != nil || !known || turn != 2 {
			t.Errorf("turns up to %d, %v, %v", turn, known, err)
		}
		if got, err := l.Reminders(ctx, "wolf.1", 3); err != nil || !slices.Equal(got, []string{"24h"}) {
			t.Errorf("reminders %v, %v", got, err)
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
		if s, known, err := l.Start(ctx, "box"); err != nil || !known || s != (store.Start{Since: noon, UIDValidity: 1, UID: 3, Left: 2}) {
			t.Errorf("start %+v, %v", s, err)
		}
		if c, err := l.Cursor(ctx, "box"); err != nil || c != (store.Cursor{UIDValidity: 1, UID: 13}) {
			t.Errorf("cursor %v, %v", c, err)
		}
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
	}
	for _, old := range []string{"spool", "ledger.d"} {
		if _, err := os.Stat(filepath.Join(dir, old)); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s is left: %v", old, err)
		}
	}
}

// Damaged files of the earlier version are kept, and do not stop the takeover of others.
func TestDamagedOlderStateIsTakenOver(t *testing.T) {
	path := older(t)
	state := filepath.Dir(path)
	cut := func(name string) {
		t.Helper()
		found, err := filepath.Glob(filepath.Join(state, filepath.FromSlash(name)))
		if err != nil || len(found) == 0 {
			t.Fatal(found, err)
		}
		info, err := os.Stat(found[0])
		if err == nil {
			err = os.Truncate(found[0], info.Size()-20)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	cut("spool/07/*.eml")
	cut("spool/packs/*.mails")
	cut("ledger.d/letters/*")
	l := openAt(t, path)
	whole, damaged, err := l.VerifyRaws(t.Context())
	if err != nil || whole != 11 || len(damaged) != 0 {
		t.Errorf("%d mails whole, %v damaged, %v", whole, damaged, err)
	}
	if m := find(t, l, "waits@x"); string(m.Bytes) != "mail waits@x" {
		t.Errorf("a mail that waits: %+v", m)
	}
	if again, err := l.Due(t.Context(), noon.Add(time.Hour), 10); err != nil || len(again) != 4 || again[3].Missing == nil {
		t.Errorf("%+v, %v", again, err)
	}
	if left, err := filepath.Glob(filepath.Join(state, "spool.damaged", "*", "*")); err != nil || len(left) == 0 {
		t.Errorf("what was damaged is gone: %v, %v", left, err)
	}
}

// An interrupted takeover is repeated.
func TestTakeoverIsRepeated(t *testing.T) {
	path := older(t)
	state, again := filepath.Dir(path), older(t)
	l := openAt(t, path)
	want := dump(t, l)
	// As if the process had been killed before it could remove anything.
	for _, old := range []string{"spool", "ledger.d"} {
		if err := os.Rename(filepath.Join(filepath.Dir(again), old), filepath.Join(state, old)); err != nil {
			t.Fatal(err)
		}
	}
	if err := l.takeOver(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := dump(t, l); got != want {
		t.Errorf("taken over again:\n%s\nwant\n%s", got, want)
	}
}

// A store in any earlier format is migrated with the mail that waits in it, and a store in a later format is refused.
func TestStoresOfAllFormatsAreTakenOver(t *testing.T) {
	for format := 1; format <= Format()+1; format++ {
		path := newPath(t)
		db, err := connect(t.Context(), path, "mode=rwc")
		if err != nil {
			t.Fatal(err)
		}
		bytes := ", bytes"
		script := append([]string{}, migrations[:min(format, Format())]...)
		if strings.Contains(strings.Join(script, ""), "ALTER TABLE outbox DROP COLUMN bytes") {
			bytes = ""
		}
		script = append(script, fmt.Sprintf("PRAGMA user_version = %d", format), fmt.Sprintf(
			`INSERT INTO outbox (game, kind, message_id, sender, recipient, path%s, queued_at, attempts, next_try, state, settled_at, last_error)
			VALUES ('wolf.1', 'report', '1.ann@x', 'a@x', 'ann@x', 'p'%s, 0, 1, 0, 'queued', 0, '')`, bytes, strings.Replace(bytes, "bytes", "NULL", 1)))
		if _, err := db.conn.ExecContext(t.Context(), strings.Join(script, ";")); err != nil {
			t.Fatalf("format %d: %v", format, err)
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
		if format > Format() {
			if _, err := Open(path); !errors.Is(err, store.ErrNewer) {
				t.Errorf("format %d: %v", format, err)
			}
			continue
		}
		if list, err := openAt(t, path).Due(t.Context(), noon, 10); err != nil || len(list) != 1 || list[0].Path != "p" {
			t.Errorf("format %d: %+v, %v", format, list, err)
		}
	}
}

// A store in the first format is migrated to the present one.
func TestFirstStoreIsTakenOver(t *testing.T) {
	path := newPath(t)
	db, err := connect(t.Context(), path, "mode=rwc")
	if err != nil {
		t.Fatal(err)
	}
	script := strings.Join([]string{
		migrations[0], "PRAGMA user_version = 1",
		`INSERT INTO outbox (game, kind, message_id, sender, recipient, path, bytes, queued_at, attempts, next_try, state, settled_at, last_error) VALUES
			('wolf.1', 'report', '0.ann@x', 'a@x', 'ann@x', 'p', NULL, 0, 1, 0, 'sent', 0, ''), ('wolf.1', 'ack', 'w@x', 'a@x', 'ann@x', '', x'6162', 0, 1, 0, 'queued', 0, '')`,
		"INSERT INTO cursors VALUES ('box', 7, 9)",
	}, ";")
	if _, err := db.conn.ExecContext(t.Context(), script); err != nil {
		t.Fatal(err)
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
	// The old version read its mailbox from the beginning.
	if got, known, err := l.Start(t.Context(), "box"); !reflect.DeepEqual(got, store.Start{UIDValidity: 7}) || !known || err != nil {
		t.Errorf("%+v, known %v, %v", got, known, err)
	}
	if list, err := l.Due(t.Context(), noon, 10); err != nil || len(list) != 1 || string(list[0].Bytes) != "ab" {
		t.Errorf("%+v, %v", list, err)
	}
}
