package postgres_test

import (
	"database/sql"
	"errors"
	"path"
	"slices"
	"testing"

	"starpost/pbem/record"
	"starpost/pbem/record/postgres"
	store "starpost/pbem/store/postgres"
	"starpost/pbem/testkit/postgrestest"
)

// A host sees the games of its mailboxes and those with an unknown mailbox, and each change once, even if the change was made by a
// transaction that began before the host looked and ended afterwards.
func TestPostgresFindsWhatChanged(t *testing.T) {
	at := newPlace(t)
	own, other, all := open(t, at), open(t, at), open(t, at)
	tree := func(name string) *postgres.Tree {
		tree, err := other.At(name)
		if err != nil {
			t.Fatal(err)
		}
		return tree
	}
	change := func(name, file string) func() error {
		return func() error {
			f, err := tree(name).Lock()
			if err != nil {
				return err
			}
			return errors.Join(tree(name).Commit(f, nil, record.Change{Put: []record.File{{Name: file, Data: []byte("x")}}}), tree(name).Unlock(f, false))
		}
	}
	create := func(name string, files ...string) func() error {
		return func() error {
			var all []record.File
			for _, f := range files {
				all = append(all, record.File{Name: f, Data: []byte("x")})
			}
			return tree(name).Create(all)
		}
	}
	note := func(name, mailbox string) func() error {
		return func() error { return own.NoteMailboxes(t.Context(), map[string]string{tree(name).Place(""): mailbox}) }
	}
	db, err := sql.Open("pgx", at.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	}()
	var late *sql.Tx
	for i, step := range []struct {
		do      func() error
		listed  []string // what Find returns for the host's mailboxes
		others  bool
		changed []string
		all     int
	}{
		{others: true},
		{do: create("bear", "game.toml"), listed: []string{"bear"}, others: true, changed: []string{"bear"}, all: 1},
		{do: create("ant", "orders/x"), listed: []string{"bear"}, all: 1}, // it has no settings yet
		{do: change("ant", "game.toml"), listed: []string{"ant", "bear"}, others: true, changed: []string{"ant"}, all: 2},
		{do: note("ant", "Ann@example.org"), listed: []string{"ant", "bear"}, all: 2},
		{do: note("bear", "bob@example.org"), listed: []string{"ant"}, others: true, all: 2},
		{do: change("bear", "orders/x"), listed: []string{"ant"}, all: 2},
		{do: change("bear", "game.toml"), listed: []string{"ant", "bear"}, others: true, changed: []string{"bear"}, all: 2},
		{do: note("bear", "ann@Example.org"), listed: []string{"ant", "bear"}, all: 2},
		{do: func() (err error) {
			if late, err = db.BeginTx(t.Context(), nil); err == nil {
				_, err = late.ExecContext(t.Context(), "UPDATE records SET version = version + 1, changed = pg_current_xact_id() WHERE game = 'ant'")
			}
			return errors.Join(err, change("bear", "orders/x")())
		}, listed: []string{"ant", "bear"}, changed: []string{"bear"}, all: 2},
		{do: change("bear", "orders/y"), listed: []string{"ant", "bear"}, changed: []string{"bear"}, all: 2},
		{do: func() error { return late.Commit() }, listed: []string{"ant", "bear"}, changed: []string{"ant"}, all: 2},
		{listed: []string{"ant", "bear"}, all: 2},
		{do: func() error {
			f, err := tree("ant").Lock()
			return errors.Join(err, tree("ant").Erase(f))
		}, listed: []string{"bear"}, others: true, all: 1},
		{do: create("ant", "game.toml"), listed: []string{"ant", "bear"}, others: true, changed: []string{"ant"}, all: 2},
	} {
		if step.do != nil {
			if err := step.do(); err != nil {
				t.Fatal(i, err)
			}
		}
		places, others, err := own.Find(t.Context(), "ann@example.org", "Cid@example.org")
		if err != nil {
			t.Fatal(i, err)
		}
		if got := names(places); !slices.Equal(got, step.listed) || others != step.others {
			t.Errorf("step %d: it lists %v (others: %t), want %v (%t)", i, got, others, step.listed, step.others)
		}
		if got := names(own.Changed()); !slices.Equal(got, step.changed) {
			t.Errorf("step %d: %v changed, want %v", i, got, step.changed)
		}
		if places, _, err := all.Find(t.Context()); err != nil || len(places) != step.all {
			t.Errorf("step %d: all games are %v, %v; want %d", i, places, err, step.all)
		}
	}
}

// After a crash, or on a promoted standby, a new connection may see transaction numbers used again. A change with a number from
// before the last Find must still be seen.
func TestPostgresAsksForAllAfterReconnecting(t *testing.T) {
	at := newPlace(t)
	games := open(t, at)
	tree, err := games.At("wolf")
	if err != nil {
		t.Fatal(err)
	}
	if err := tree.Create([]record.File{{Name: "game.toml", Data: []byte("x")}}); err != nil {
		t.Fatal(err)
	}
	if _, _, err := games.Find(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := postgrestest.Exec(t.Context(), at, "UPDATE records SET version = version + 1, changed = '3' WHERE game = 'wolf'"); err != nil {
		t.Fatal(err)
	}
	if _, _, err := games.Find(t.Context()); err != nil || len(games.Changed()) != 0 {
		t.Fatalf("it saw %v, %v: the number is not from before the last look", games.Changed(), err)
	}
	if err := postgrestest.Exec(t.Context(), at, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = current_setting('application_name') AND pid <> pg_backend_pid()"); err != nil {
		t.Fatal(err)
	}
	for range 3 { // the lost connection is noticed by an error
		if _, _, err = games.Find(t.Context()); err == nil {
			break
		}
	}
	if got := names(games.Changed()); err != nil || !slices.Equal(got, []string{"wolf"}) {
		t.Errorf("%v changed, %v; want wolf", got, err)
	}
}

// newPlace makes an empty database with all tables.
func newPlace(t *testing.T) store.Place {
	t.Helper()
	at := postgrestest.Place(t)
	if _, err := store.Init(t.Context(), at); err != nil {
		t.Fatal(err)
	}
	return at
}

// open opens the games in a database.
func open(t *testing.T, at store.Place) *postgres.Games {
	t.Helper()
	games, err := postgres.Open(t.Context(), at)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := games.Close(); err != nil {
			t.Error(err)
		}
	})
	return games
}

func names(places []string) (out []string) {
	for _, p := range places {
		out = append(out, path.Base(p))
	}
	return out
}
