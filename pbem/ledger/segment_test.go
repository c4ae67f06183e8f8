package ledger

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// Whatever mails are, a segment gives them back, and one that was torn gives
// those before the tear.
func TestSegmentRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var text []byte
		var all []OutboxMessage
		var ends []int
		for i := range rapid.IntRange(1, 5).Draw(t, "messages") {
			m := OutboxMessage{
				Game: rapid.String().Draw(t, "game"), Kind: Ack, MessageID: fmt.Sprintf("<%d@x>", i), From: "a@x", To: rapid.StringMatching(`[a-z"\\]+@x`).Draw(t, "to"),
				Bytes: rapid.SliceOfN(rapid.Byte(), 1, 300).Draw(t, "bytes"), QueuedAt: noon,
			}
			var err error
			if text, err = appendRecord(text, m); err != nil {
				t.Fatal(err)
			}
			all, ends = append(all, m), append(ends, len(text))
		}
		cut := rapid.IntRange(0, len(text)).Draw(t, "cut")
		torn := slices.Concat(text[:cut], make([]byte, rapid.IntRange(0, 200).Draw(t, "zeros")))
		at, found := 0, 0
		for ; ; found++ {
			m, n, ok := parseRecord(torn[at:])
			if !ok {
				break
			}
			if want := all[found]; m.MessageID != want.MessageID || m.Game != want.Game || m.To != want.To || !bytes.Equal(m.Bytes, want.Bytes) || !m.QueuedAt.Equal(noon) {
				t.Fatalf("mail %d is %+v, want %+v", found, m, want)
			}
			at += n
		}
		want := 0
		for _, end := range ends {
			if end <= cut {
				want++
			}
		}
		if found != want {
			t.Fatalf("%d mails before the tear at %d, want %d", found, cut, want)
		}
	})
}

func segmentsOf(t *testing.T, l *Ledger) []int64 {
	t.Helper()
	numbers, err := l.segments.numbers()
	if err != nil {
		t.Fatal(err)
	}
	return numbers
}

// A segment goes when its last mail is settled, also after a restart between.
func TestSegmentIsRemovedWithItsLastMail(t *testing.T) {
	path := newPath(t)
	l, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	ctx := t.Context()
	queueAll(t, l, message("a@x"), message("b@x"), message("c@x"))
	queueAll(t, l, message("d@x"))
	if got := segmentsOf(t, l); !slices.Equal(got, []int64{1, 2}) {
		t.Errorf("segments %v", got)
	}
	if err := errors.Join(l.MarkSent(ctx, 1, 1, noon), l.MarkRetry(ctx, 2, 1, noon, "busy"), l.MarkSent(ctx, 4, 1, noon), l.Close()); err != nil {
		t.Fatal(err)
	}
	l = openAt(t, path)
	if got := segmentsOf(t, l); !slices.Equal(got, []int64{1}) {
		t.Errorf("segments %v", got)
	}
	if got := due(t, l, noon); !slices.Equal(got, []string{"c@x", "b@x"}) {
		t.Errorf("due %v", got)
	}
	queueAll(t, l, message("e@x"))
	if err := errors.Join(l.MarkFailed(ctx, 2, 2, noon, "no such user"), l.MarkFailed(ctx, 2, 2, noon, "no such user"), l.MarkSent(ctx, 3, 1, noon)); err != nil {
		t.Fatal(err)
	}
	if got := segmentsOf(t, l); !slices.Equal(got, []int64{3}) {
		t.Errorf("segments %v", got)
	}
	if m := find(t, l, "b@x"); string(m.Bytes) != "mail b@x" {
		t.Errorf("a mail that was refused: %+v", m)
	}
}

// A mail whose bytes are lost says so, and keeps no other from being sent.
func TestMissingMailBlocksNoOther(t *testing.T) {
	l := open(t)
	queueAll(t, l, message("a@x"), message("b@x"), message("c@x"))
	queueAll(t, l, message("d@x"))
	path := l.segments.path(1)
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	text[len(text)/2] ^= 1
	if err := errors.Join(os.WriteFile(path, text, 0o600), os.Remove(l.segments.path(2))); err != nil {
		t.Fatal(err)
	}
	list, err := l.Due(t.Context(), noon, 100)
	if err != nil || len(list) != 4 {
		t.Fatalf("%d due, %v", len(list), err)
	}
	for i, m := range list {
		if missing := i == 1 || i == 3; missing != (m.Missing != nil) || missing != (len(m.Bytes) == 0) {
			t.Errorf("%s: %q, %v", m.MessageID, m.Bytes, m.Missing)
		}
	}
	// They can be given up.
	if err := errors.Join(l.MarkFailed(t.Context(), 2, 1, noon, "lost"), l.MarkFailed(t.Context(), 4, 1, noon, "lost")); err != nil {
		t.Error(err)
	}
}

// What a crash left of mails that were not committed: a whole segment is known
// again, as it always was, half a mail is not, and nothing lies about.
func TestSegmentOfACrash(t *testing.T) {
	path := newPath(t)
	l, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	queueAll(t, l, message("a@x"))
	text, err := appendRecord(nil, message("whole@x"))
	if err != nil {
		t.Fatal(err)
	}
	half, err := appendRecord(nil, message("half@x"))
	if err != nil {
		t.Fatal(err)
	}
	text = append(text, half[:len(half)-3]...)
	if err := errors.Join(l.Close(), os.WriteFile(l.segments.path(7), text, 0o600), os.WriteFile(l.segments.path(8), half[:40], 0o600), os.WriteFile(l.segments.path(9), nil, 0o600)); err != nil {
		t.Fatal(err)
	}
	l = openAt(t, path)
	if got := segmentsOf(t, l); !slices.Equal(got, []int64{1, 7}) {
		t.Errorf("segments %v", got)
	}
	if got := due(t, l, noon); !slices.Equal(got, []string{"a@x", "whole@x"}) {
		t.Errorf("due %v", got)
	}
	queueAll(t, l, message("b@x"))
	if got := segmentsOf(t, l); !slices.Equal(got, []int64{1, 7, 10}) {
		t.Errorf("segments %v", got)
	}
}

// The copies of mails of an earlier version are taken over.
func TestOlderCopiesAreMigrated(t *testing.T) {
	path := newPath(t)
	l, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	queueAll(t, l, message("sent@x"), message("waits@x"))
	if err := errors.Join(l.MarkSent(t.Context(), 1, 1, noon), l.Close()); err != nil {
		t.Fatal(err)
	}
	trail, err := os.ReadFile(l.journal.path)
	if err != nil {
		t.Fatal(err)
	}
	older(t, path)
	dir := segmentsDir(path)
	if err := errors.Join(os.MkdirAll(dir, 0o700), os.WriteFile(l.journal.path, trail, 0o600), os.WriteFile(filepath.Join(dir, "0123456789abcdef0123456789abcdef"), []byte("torn"), 0o600)); err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"sent@x", "waits@x", "unknown@x"} {
		m := message(id)
		head, err := json.Marshal(envelope{m.Game, m.Kind, m.MessageID, m.From, m.To, stamp(m.QueuedAt)})
		if err != nil {
			t.Fatal(err)
		}
		text := slices.Concat(head, []byte("\n"), m.Bytes)
		name := sha256.Sum256([]byte(id))
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%x", name[:16])), fmt.Appendf(nil, "%x\n%s", sha256.Sum256(text), text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 {
		l, err := Open(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, id := range []string{"waits@x", "unknown@x"} {
			if m := find(t, l, id); m.State != Queued || string(m.Bytes) != "mail "+id {
				t.Errorf("%+v", m)
			}
		}
		if m := find(t, l, "sent@x"); m.State != Sent {
			t.Errorf("%+v", m)
		}
		files, err := os.ReadDir(dir)
		if err != nil || len(files) != 1 || segmentNumber(files[0].Name()) == 0 {
			t.Errorf("left: %v, %v", files, err)
		}
		var inside int
		if err := l.db.QueryRowContext(t.Context(), "SELECT count(bytes) FROM outbox").Scan(&inside); err != nil || inside != 0 {
			t.Errorf("%d mails are still in the database, %v", inside, err)
		}
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// A snapshot holds the mails that wait; one that is lost in the ledger itself
// keeps no other out.
func TestSnapshotHoldsWaitingMails(t *testing.T) {
	l := open(t)
	queueAll(t, l, message("sent@x"), message("a@x"), message("b@x"))
	queueAll(t, l, message("lost@x"))
	if err := errors.Join(l.MarkSent(t.Context(), 1, 1, noon), os.Remove(l.segments.path(2))); err != nil {
		t.Fatal(err)
	}
	to := filepath.Join(t.TempDir(), "ledger.db")
	if err := Snapshot(t.Context(), l.path, to); err != nil {
		t.Fatal(err)
	}
	if files, err := filepath.Glob(to + "*"); err != nil || len(files) != 1 {
		t.Errorf("files %v, %v", files, err)
	}
	if info, err := os.Stat(to); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	other := openAt(t, to)
	list, err := other.Due(t.Context(), noon, 10)
	if err != nil || len(list) != 3 || string(list[0].Bytes) != "mail a@x" || string(list[1].Bytes) != "mail b@x" || list[2].Missing == nil {
		t.Errorf("%+v, %v", list, err)
	}
	if m := find(t, other, "sent@x"); m.State != Sent {
		t.Errorf("%+v", m)
	}
}

// Numbers are not taken twice by two processes with the ledger open.
func TestSegmentNumbersAreUniqueAcrossProcesses(t *testing.T) {
	path := newPath(t)
	one, other := openAt(t, path), openAt(t, path)
	for i := range 3 {
		queueAll(t, one, message(fmt.Sprintf("one%d@x", i)))
		queueAll(t, other, message(fmt.Sprintf("other%d@x", i)))
	}
	list, err := one.Due(t.Context(), noon.Add(time.Hour), 10)
	if err != nil || len(list) != 6 {
		t.Fatalf("%d due, %v", len(list), err)
	}
	for _, m := range list {
		if string(m.Bytes) != "mail "+m.MessageID || m.Missing != nil {
			t.Errorf("%s: %q, %v", m.MessageID, m.Bytes, m.Missing)
		}
	}
}
