package sqlite

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"starpost/pbem/store"
)

func TestStateNames(t *testing.T) {
	for s, want := range map[store.State]string{store.Stored: "stored", store.Acted: "acted", store.Answered: "answered", store.Moved: "moved", 9: "state 9"} {
		if got := s.String(); got != want {
			t.Errorf("state is called %q, want %q", got, want)
		}
	}
}

// SpareRaws counts what DeleteRaws will delete, even while a daemon has the store open.
func TestSpareRaws(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ledger.db")
	l, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := l.Close(); err != nil {
			t.Error(err)
		}
	})
	at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	for i, came := range []time.Time{at, at, at.AddDate(0, 0, 10)} {
		raw := []byte(strings.Repeat("x", 10+i))
		m := store.Mail{Ref: store.Ref{Mailbox: "box", UIDValidity: 1, UID: uint32(i + 1)}, SHA256: store.ContentHash(raw), ReceivedAt: came}
		id, err := l.RecordStored(t.Context(), m, raw)
		if err != nil {
			t.Fatal(err)
		}
		if m.ID = id; i == 1 {
			continue // this mail stays unfinished
		}
		if err := l.RecordAnswered(t.Context(), "done", m); err != nil {
			t.Fatal(err)
		}
		if err := l.RecordMoved(t.Context(), m); err != nil {
			t.Fatal(err)
		}
	}
	before := at.AddDate(0, 0, 5)
	if n, bytes, err := l.SpareRaws(t.Context(), before); err != nil || n != 1 || bytes != 10 {
		t.Errorf("%d mails, %d bytes, %v", n, bytes, err)
	}
	if err := Change(t.Context(), path, func(other *Store) error {
		_, err := other.DeleteRaws(t.Context(), before)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	if n, bytes, err := l.SpareRaws(t.Context(), before); err != nil || n != 0 || bytes != 0 {
		t.Errorf("afterwards %d mails, %d bytes, %v", n, bytes, err)
	}
	if n, _, err := l.SpareRaws(t.Context(), at.AddDate(1, 0, 0)); err != nil || n != 1 {
		t.Errorf("%d later mails, %v", n, err)
	}
}
