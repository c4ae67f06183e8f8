package ledger

import (
	"path/filepath"
	"testing"
	"time"
)

var day = time.Date(2026, 3, 1, 12, 0, 0, 123456000, time.UTC)

func open(t *testing.T) *Ledger {
	t.Helper()
	l, err := Open(filepath.Join(t.TempDir(), "ledger ?%20.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := l.Close(); err != nil {
			t.Error(err)
		}
	})
	return l
}

func TestMailMovesForward(t *testing.T) {
	l, ctx := open(t), t.Context()
	ref := Ref{"INBOX", 7, 42}
	if _, ok, err := l.SeenRef(ctx, ref); ok || err != nil {
		t.Fatalf("a new ledger knows mail: %v %v", ok, err)
	}
	in := Mail{Ref: ref, SHA256: Name([]byte("x")), MessageID: "1@example.org", ReceivedAt: day}
	got, err := l.RecordStored(ctx, in)
	if err != nil {
		t.Fatal(err)
	}
	in.State = Stored
	if got != in {
		t.Errorf("stored %+v, want %+v", got, in)
	}
}
