package sqlite

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"starpost/pbem/disk"
	"starpost/pbem/store"
)

// hintOf returns the advice in an error.
func hintOf(err error) string {
	e, ok := errors.AsType[*Error](err)
	if !ok {
		return ""
	}
	return e.Hint()
}

func TestInspectCountsWhatWaits(t *testing.T) {
	path := newPath(t)
	l := openAt(t, path)
	if n, err := Inspect(t.Context(), path); err != nil || n.Waiting != 0 {
		t.Errorf("%d mails wait in a new store, %v", n.Waiting, err)
	}
	if _, err := l.Queue(t.Context(),
		store.OutboxMessage{Game: "g", Kind: store.Report, MessageID: "<1@x>", From: "a@x", To: "b@x", Bytes: []byte("x"), QueuedAt: noon},
		store.OutboxMessage{Game: "g", Kind: store.Report, MessageID: "<2@x>", From: "a@x", To: "c@x", Bytes: []byte("x"), QueuedAt: noon}); err != nil {
		t.Fatal(err)
	}
	if n, err := Inspect(t.Context(), path); err != nil || n.Waiting != 2 {
		t.Errorf("%d mails wait, %v; want 2", n.Waiting, err)
	}
	execute(t, l, "PRAGMA user_version = 999")
	if _, err := Inspect(t.Context(), path); !errors.Is(err, store.ErrNewer) || hintOf(err) == "" {
		t.Errorf("of a newer store: %v, hint %q", err, hintOf(err))
	}
}

// An error about any kind of damage has advice, and inspecting the file changes
// nothing.
func TestDamageHasAHint(t *testing.T) {
	good := newPath(t)
	l, err := Open(good)
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(good)
	if err != nil {
		t.Fatal(err)
	}
	torn := bytes.Clone(data)
	copy(torn[4096:], bytes.Repeat([]byte{0xa5}, len(torn)-4096))
	for name, text := range map[string][]byte{
		"no database": bytes.Repeat([]byte("junk"), 2000), "overwritten": torn, "cut short": data[:len(data)/2],
	} {
		t.Run(name, func(t *testing.T) {
			path := newPath(t)
			if err := os.WriteFile(path, text, 0o600); err != nil {
				t.Fatal(err)
			}
			_, err := Inspect(t.Context(), path)
			if err == nil || !strings.Contains(hintOf(err), "moves "+path+" aside") {
				t.Errorf("error %v, hint %q", err, hintOf(err))
			}
			if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, text) {
				t.Errorf("looking changed the file, %v", err)
			}
			l := openAt(t, path)
			if r, lost := l.Recovered(); !lost || r.Why == nil {
				t.Errorf("opening: %+v", r)
			} else if got, err := os.ReadFile(r.Aside); err != nil || !bytes.Equal(got, text) {
				t.Errorf("the damaged file was not kept, %v", err)
			}
		})
	}
}

func TestLockedHasAHint(t *testing.T) {
	dir := t.TempDir()
	release, err := disk.Lock(dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := disk.Lock(dir); !errors.Is(err, disk.ErrLocked) || !strings.Contains(hintOf(err), "stop that one") {
		t.Errorf("error %v, hint %q", err, hintOf(err))
	}
	if err := release(); err != nil {
		t.Fatal(err)
	}
	if _, err := Inspect(t.Context(), filepath.Join(dir, "none.db")); err == nil {
		t.Error("a store that is not there was looked at")
	}
	if _, err := os.Stat(filepath.Join(dir, "none.db")); err == nil {
		t.Error("looking made a store")
	}
}
