package postgres_test

import (
	"errors"
	"io/fs"
	"testing"

	"starpost/pbem/record"
	"starpost/pbem/testkit/postgrestest"
)

// The holder of the lock reads each file or folder from the database once, until it changes it or releases the lock. Afterwards it
// sees what another holder wrote.
func TestPostgresRemembersWhileLocked(t *testing.T) {
	at := newPlace(t)
	games := open(t, at)
	tree, err := games.At("wolf")
	if err != nil {
		t.Fatal(err)
	}
	if err := tree.Create([]record.File{{Name: "orders/a", Data: []byte("1")}, {Name: "game.toml", Data: []byte("1")}}); err != nil {
		t.Fatal(err)
	}
	see := func(when, a, toml string, orders int, b bool) {
		t.Helper()
		for range 2 {
			for name, want := range map[string]string{"orders/a": a, "game.toml": toml} {
				data, err := tree.ReadFile(name)
				if err != nil || string(data) != want {
					t.Errorf("%s: %s is %q, %v; want %q", when, name, data, err, want)
				}
				data[0] = 'x' // a caller's change must not reach the cache
			}
			list, err := tree.ReadDir("orders")
			if err != nil || len(list) != orders {
				t.Errorf("%s: %d orders, %v; want %d", when, len(list), err, orders)
			}
			_, err = tree.Stat("orders/b")
			if err != nil && !errors.Is(err, fs.ErrNotExist) || (err == nil) != b {
				t.Errorf("%s: orders/b: %v; want it there: %t", when, err, b)
			}
		}
	}
	beside := func(value string) {
		t.Helper()
		if err := postgrestest.Exec(t.Context(), at, "UPDATE record_files SET data = '"+value+"'"); err != nil {
			t.Fatal(err)
		}
	}
	see("free", "1", "1", 1, false)
	beside("2")
	see("free still", "2", "2", 1, false)
	f, err := tree.Lock()
	if err != nil {
		t.Fatal(err)
	}
	see("locked", "2", "2", 1, false)
	beside("3")
	see("locked still", "2", "2", 1, false)
	if err := tree.Commit(f, nil, record.Change{Put: []record.File{{Name: "orders/b", Data: []byte("4")}}}); err != nil {
		t.Fatal(err)
	}
	see("after a change", "2", "2", 2, true)
	if err := tree.Commit(f, nil, record.Change{Put: []record.File{{Name: "orders/a", Data: []byte("4")}}, Remove: []string{"orders/b"}}); err != nil {
		t.Fatal(err)
	}
	see("after another", "4", "2", 1, false)
	if err := tree.Commit(f+1, nil, record.Change{Remove: []string{"orders/a"}}); !errors.Is(err, record.ErrFenced) {
		t.Error(err)
	}
	see("after one that was refused", "4", "3", 1, false)
	if err := tree.Unlock(f, false); err != nil {
		t.Fatal(err)
	}
	beside("5")
	see("free again", "5", "5", 1, false)
}
