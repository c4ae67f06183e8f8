package sqlite

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"starpost/pbem/store"
)

// The start of a mailbox survives the loss of the store.
func TestStarts(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ledger.db")
	l, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, known, err := l.Start(t.Context(), "box"); known || err != nil {
		t.Errorf("known %v, %v", known, err)
	}
	want := store.Start{Since: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC), UIDValidity: 7, UID: 50000, Left: 49999}
	for _, s := range []store.Start{{UIDValidity: 6}, want} {
		if err := l.SetStart(t.Context(), "box", s); err != nil {
			t.Fatal(err)
		}
	}
	for _, lose := range []func() error{
		func() error { return nil },
		func() error { return os.Remove(path) },
	} {
		if got, known, err := l.Start(t.Context(), "box"); got != want || !known || err != nil {
			t.Errorf("%+v, known %v, %v", got, known, err)
		}
		if err := lose(); err != nil {
			t.Fatal(err)
		}
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
		if l, err = Open(path); err != nil {
			t.Fatal(err)
		}
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestArrived(t *testing.T) {
	l := openAt(t, filepath.Join(t.TempDir(), "ledger.db"))
	want := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	ref := store.Ref{Mailbox: "box", UIDValidity: 1, UID: 2}
	if _, err := l.RecordStored(t.Context(), store.Mail{Ref: ref, SHA256: "x", ReceivedAt: want.Add(time.Hour), Arrived: want}, nil); err != nil {
		t.Fatal(err)
	}
	if m, _, err := l.SeenRef(t.Context(), ref); !m.Arrived.Equal(want) || err != nil {
		t.Errorf("%v, %v", m.Arrived, err)
	}
}
