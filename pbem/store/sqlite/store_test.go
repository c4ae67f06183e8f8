package sqlite

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"starpost/pbem/store"
	"starpost/pbem/store/sqlstore"
)

// noon is a time that the store can represent exactly.
var noon = time.Date(2026, 3, 1, 12, 0, 0, 123456000, time.UTC)

// newPath returns a path with all characters that could be misread in a data source
// name.
func newPath(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "a b?c=d&e%20#f")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	return filepath.Join(dir, "ledger.db")
}

func openAt(t *testing.T, path string) *Store {
	t.Helper()
	l, err := Open(path)
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

func open(t *testing.T) *Store {
	t.Helper()
	return openAt(t, newPath(t))
}

func TestOpenSetsWhatDurabilityNeeds(t *testing.T) {
	path := newPath(t)
	l := openAt(t, path)
	for pragma, want := range map[string]string{"journal_mode": "wal", "synchronous": "2", "busy_timeout": "5000", "foreign_keys": "1", "user_version": "7"} {
		if got, err := sqlstore.Get[string](t.Context(), l.db, "look", "PRAGMA "+pragma); err != nil || got != want {
			t.Errorf("%s is %q, %v; want %q", pragma, got, err, want)
		}
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	if err := l.Check(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestReopenKeepsAll(t *testing.T) {
	path := newPath(t)
	ctx := t.Context()
	l, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := l.RecordEvent(ctx, store.Event{Game: "wolf", Turn: 1, Name: "grace", At: noon}); err != nil {
		t.Fatal(err)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	l = openAt(t, path)
	if e, ok, err := l.Event(ctx, "wolf", 1, "grace", ""); err != nil || !ok || !e.At.Equal(noon) {
		t.Errorf("%+v, %v, %v", e, ok, err)
	}
}

func TestTwoProcessesOpenOneStore(t *testing.T) {
	path := newPath(t)
	var all sync.WaitGroup
	for i := range 4 {
		all.Go(func() {
			l, err := Open(path)
			if err != nil {
				t.Error(err)
				return
			}
			if _, err := l.RecordEvent(t.Context(), store.Event{Game: "wolf", Turn: i, Name: "x", At: noon}); err != nil {
				t.Error(err)
			}
			if err := l.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
}

// While another process keeps the store locked, changes fail and nothing is lost.
func TestLockedStore(t *testing.T) {
	path := newPath(t)
	l, other := openAt(t, path), openAt(t, path)
	execute(t, l, "PRAGMA busy_timeout = 1") // instead of seconds
	if err := other.Group(t.Context(), func(ctx context.Context) error {
		if _, err := l.Queue(t.Context(), message("a@x")); !store.IsTrouble(err) || store.IsLost(err) {
			t.Errorf("error %v", err)
		}
		if n, err := l.Waiting(t.Context()); n != 0 || err != nil {
			t.Errorf("%d mails wait, %v", n, err)
		}
		_, err := other.Queue(ctx, message("b@x"))
		return err
	}); err != nil {
		t.Fatal(err)
	}
	queueAll(t, l, message("a@x"))
	if ids := due(t, other, noon); len(ids) != 2 {
		t.Errorf("due %v", ids)
	}
}

func TestOpenRefuses(t *testing.T) {
	t.Run("a newer store", func(t *testing.T) {
		path := newPath(t)
		l := openAt(t, path)
		execute(t, l, "PRAGMA user_version = 99")
		if _, err := Open(path); !errors.Is(err, store.ErrNewer) {
			t.Errorf("error %v", err)
		}
	})
	t.Run("a directory that is not there", func(t *testing.T) {
		if _, err := Open(filepath.Join(t.TempDir(), "none", "ledger.db")); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("error %v", err)
		}
	})
}

// A failed migration changes nothing.
func TestMigrationIsWhole(t *testing.T) {
	l := open(t)
	// As if an older version had made a table that the migration makes.
	execute(t, l, "DROP TABLE mails; DROP TABLE cursors; DROP TABLE answers; DROP TABLE outbox; PRAGMA user_version = 0")
	if err := l.migrate(t.Context()); err == nil {
		t.Fatal("migrated over a table that is there")
	}
	tables, err := sqlstore.Get[int](t.Context(), l.db, "count tables", "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name IN ('mails', 'cursors', 'outbox')")
	if err != nil || tables != 0 {
		t.Errorf("%d tables of a failed migration are left, %v", tables, err)
	}
}
