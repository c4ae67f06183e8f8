package daemon_test

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"starpost/pbem/clock"
	"starpost/pbem/config"
	"starpost/pbem/daemon"
	"starpost/pbem/daemon/process"
	"starpost/pbem/store/postgres"
	"starpost/pbem/store/sqlite"
	"starpost/pbem/testkit/postgrestest"
	"starpost/pbem/vault"
)

// shared are the stores that several daemons may share. Each function returns how to open one.
var shared = map[string]func(t *testing.T) func() (process.Store, error){
	"sqlite": func(t *testing.T) func() (process.Store, error) {
		t.Helper()
		path := filepath.Join(t.TempDir(), "shared.db")
		return func() (process.Store, error) { return sqlite.Open(path) }
	},
	"postgres": func(t *testing.T) func() (process.Store, error) {
		t.Helper()
		at := postgrestest.Place(t)
		if _, err := postgres.Init(t.Context(), at); err != nil {
			t.Fatal(err)
		}
		return func() (process.Store, error) { return postgres.Open(context.WithoutCancel(t.Context()), at) }
	},
}

// Two daemons share a store, each with its own state directory. The one that has changed a game has it alone until it
// stops or its lease ends. Meanwhile the other's mails for the game wait.
func TestTwoDaemonsLeaseGames(t *testing.T) {
	for kind, store := range shared {
		t.Run(kind, func(t *testing.T) { testLeases(t, store) })
	}
}

func testLeases(t *testing.T, store func(t *testing.T) func() (process.Store, error)) {
	t.Helper()
	for name, end := range map[string]func(w *world, first *daemon.Daemon) error{
		"the first stops":   func(_ *world, first *daemon.Daemon) error { return first.Close() },
		"its lease ends":    func(w *world, _ *daemon.Daemon) error { w.clock.Set(w.clock.Now().Add(11 * time.Minute)); return nil },
		"the first is idle": nil,
	} {
		t.Run(name, func(t *testing.T) {
			openStore := store(t)
			w := newWorld(t)
			g := w.game("wolf", schedule())
			open := func(state string) *daemon.Daemon {
				cfg := *w.cfg
				cfg.State = filepath.Join(w.dir, state)
				d, err := daemon.Open(process.Options{
					Config: &cfg, Catalogue: w.cat, Clock: w.clock, Log: w.log, Inbox: w.box.open, Sender: w.out.open,
					Store: openStore,
				})
				if err != nil {
					t.Fatal(err)
				}
				return d
			}
			once := func(d *daemon.Daemon) {
				t.Helper()
				if _, err := d.Once(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			first := open("first")
			w.box.put(w.order(g, "Kirk", "power", "  shields 1:1"))
			once(first)
			second := open("second")
			w.box.put(w.order(g, "Kor", "power", "  shields 1:1"))
			once(second)
			if files, err := g.Orders.For(vault.At(1)); err != nil || len(files) != 1 || w.box.left() != 1 {
				t.Errorf("while the first has the game: %v %v, %d mails left", files, err, w.box.left())
			}
			if end == nil { // it changes its own game as before
				once(first)
			} else {
				if err := end(w, first); err != nil {
					t.Fatal(err)
				}
				once(second)
			}
			if files, err := g.Orders.For(vault.At(1)); err != nil || len(files) != 2 || w.box.left() != 0 {
				t.Errorf("afterwards: %v %v, %d mails left", files, err, w.box.left())
			}
			if name != "the first stops" {
				if err := first.Close(); err != nil {
					t.Error(err)
				}
			}
			if err := second.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}

// A lease that ends later than any daemon's, for example because a clock is ahead, is reported with its date. Mails
// wait until it is released.
func TestLeaseOfTheFuture(t *testing.T) {
	w := watchedWorld(t)
	g := w.game("wolf", schedule())
	path := filepath.Join(w.dir, "shared.db")
	l, err := sqlite.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := l.Lease(t.Context(), "wolf."+g.SharedSettings().SecretSHA256[:8], "there", w.clock.Now(), time.Date(2200, 1, 1, 0, 0, 0, 0, time.UTC)); err != nil {
		t.Fatal(err)
	}
	var log bytes.Buffer
	d, err := daemon.Open(process.Options{
		Config: w.cfg, Catalogue: w.cat, Clock: w.clock, Log: slog.New(slog.NewTextHandler(&log, nil)), Inbox: w.box.open, Sender: w.out.open,
		Store: func() (process.Store, error) { return l, nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	w.box.put(w.order(g, "Kirk", "power", "  shields 1:1"))
	for _, want := range []int{0, 1} {
		if _, err := d.Once(t.Context()); err != nil {
			t.Fatal(err)
		}
		if files, err := g.Orders.For(vault.At(1)); err != nil || len(files) != want || w.box.left() != 1-want {
			t.Errorf("%d sets, %v, %d mails left; want %d sets", len(files), err, w.box.left(), want)
		}
		if err := l.EndLeases(t.Context(), "there"); err != nil {
			t.Fatal(err)
		}
	}
	if said := log.String(); !strings.Contains(said, "(there) holds the game until 2200-01-01 00:00:00 UTC") || !strings.Contains(said, "a clock is wrong") {
		t.Errorf("the log says\n%s", said)
	}
	if err := d.Close(); err != nil {
		t.Error(err)
	}
}

// A killed daemon has its games at once when it starts again.
func TestKilledDaemonKeepsItsLeases(t *testing.T) {
	w := watchedWorld(t)
	g := w.game("wolf", schedule())
	w.before = func(step string) error {
		if step == "move" {
			return errKill
		}
		return nil
	}
	w.box.put(w.order(g, "Kirk", "power", "  shields 1:1"))
	if _, err := w.once(); err == nil {
		t.Fatal("it was not killed")
	}
	w.before = nil
	w.box.put(w.order(g, "Kor", "power", "  shields 1:1"))
	w.run()
	if files, err := g.Orders.For(vault.At(1)); err != nil || len(files) != 2 || w.box.left() != 0 {
		t.Errorf("orders %v %v, %d mails left", files, err, w.box.left())
	}
}

// A daemon on a backup, or on a state directory that was moved while it held leases, has its games at once: no one
// holds leases there.
func TestRestoredDaemonTakesMailsAtOnce(t *testing.T) {
	for name, bring := range map[string]func(w *world, to string) error{
		"from a backup": func(w *world, to string) error {
			if err := os.Mkdir(to, 0o700); err != nil {
				return err
			}
			_, err := sqlite.Snapshot(w.t.Context(), filepath.Join(w.cfg.State, "ledger.db"), filepath.Join(to, "ledger.db"))
			return err
		},
		"moved": func(w *world, to string) error { return os.Rename(w.cfg.State, to) },
	} {
		t.Run(name, func(t *testing.T) {
			w := watchedWorld(t)
			g := w.game("wolf", schedule())
			w.before = func(step string) error {
				if step == "move" {
					return errKill
				}
				return nil
			}
			w.box.put(w.order(g, "Kirk", "power", "  shields 1:1"))
			if _, err := w.once(); err == nil {
				t.Fatal("it was not killed")
			}
			w.before = nil
			to := filepath.Join(w.dir, "restored")
			if err := bring(w, to); err != nil {
				t.Fatal(err)
			}
			w.cfg.State = to
			w.box.put(w.order(g, "Kor", "power", "  shields 1:1"))
			w.run()
			if files, err := g.Orders.For(vault.At(1)); err != nil || len(files) != 2 || w.box.left() != 0 {
				t.Errorf("orders %v %v, %d mails left", files, err, w.box.left())
			}
		})
	}
}

// Leftovers of a process that was killed while it restored or copied the store are cleared at the start.
func TestLeftoversOfARestoreAreCleared(t *testing.T) {
	w := newWorld(t)
	w.game("wolf", schedule())
	w.run()
	left := []string{".ledger.db-wal123456", ".ledger.db987", "ledger.db.copy.new", ".heartbeat.json77"}
	for _, name := range left {
		if err := os.WriteFile(filepath.Join(w.cfg.State, name), []byte("half"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	w.run()
	for _, name := range left {
		if _, err := os.Lstat(filepath.Join(w.cfg.State, name)); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s is there: %v", name, err)
		}
	}
}

// A host with a database as store plays as on a file, also across restarts.
func TestPostgresHoldsAHost(t *testing.T) {
	at := postgrestest.Place(t)
	if _, err := postgres.Init(t.Context(), at); err != nil {
		t.Fatal(err)
	}
	w := watchedWorld(t)
	w.cfg.Store = &config.Store{URL: at.URL, Lease: clock.Span(time.Minute)}
	g := w.game("wolf", schedule())
	w.box.put(w.order(g, "Kirk", "power", "  shields 1:1"))
	first := len(w.run())
	w.box.put(w.order(g, "Kor", "power", "  shields 1:1"))
	if second, third := len(w.run()), len(w.run()); first != 3 || second != 1 || third != 0 {
		t.Errorf("%d, %d and %d mails went out", first, second, third)
	}
	if files, err := g.Orders.For(vault.At(1)); err != nil || len(files) != 2 || w.box.left() != 0 {
		t.Errorf("orders %v %v, %d mails left", files, err, w.box.left())
	}
	if _, err := os.Stat(filepath.Join(w.cfg.State, "ledger.db")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("there is a file of SQLite, too: %v", err)
	}
}
