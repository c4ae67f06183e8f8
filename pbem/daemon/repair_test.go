package daemon_test

import (
	"bytes"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"starpost/engine/testkit/enginetest"
	"starpost/pbem/daemon"
	"starpost/pbem/daemon/process"
	"starpost/pbem/daemon/watch"
	"starpost/pbem/disk"
	"starpost/pbem/fault"
	"starpost/pbem/store"
	"starpost/pbem/store/sqlite"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
)

// loseStore removes the database; its copy stays.
func (w *world) loseStore() {
	w.t.Helper()
	path := filepath.Join(w.cfg.State, "ledger.db")
	if err := errors.Join(os.Remove(path), os.RemoveAll(path+"-wal"), os.RemoveAll(path+"-shm")); err != nil {
		w.t.Fatal(err)
	}
}

// inStore reads the store.
func (w *world) inStore(see func(*sqlite.Store) error) {
	w.t.Helper()
	if err := sqlite.View(w.t.Context(), filepath.Join(w.cfg.State, "ledger.db"), see); err != nil {
		w.t.Error(err)
	}
}

// execute runs a query on the store and its copy behind the daemon's back.
func (w *world) execute(query string) {
	w.t.Helper()
	w.executeIn(query, "ledger.db", "ledger.db.copy")
}

// executeIn runs a query on databases in the state directory.
func (w *world) executeIn(query string, names ...string) {
	w.t.Helper()
	for _, name := range names {
		db, err := sql.Open("sqlite", filepath.Join(w.cfg.State, name))
		if err != nil {
			w.t.Fatal(err)
		}
		if _, err := db.ExecContext(w.t.Context(), query); err != nil {
			w.t.Error(err)
		}
		if err := db.Close(); err != nil {
			w.t.Error(err)
		}
	}
}

// onTurn makes the captains send final orders, and the turn run.
func (w *world) onTurn(g *vault.Game) sentMails {
	w.t.Helper()
	before := g.Turn()
	w.box.put(w.order(g, "Kirk", "final"))
	w.box.put(w.order(g, "Kor", "final"))
	sent := w.run()
	if w.turnOf(g) != before+1 {
		w.t.Fatalf("turn %d", g.Turn())
	}
	return sent
}

// A lost store is rebuilt, and nothing is sent again.
func TestLostStore(t *testing.T) {
	for name, harm := range map[string]func(w *world){
		"removed": func(w *world) { w.loseStore() },
		"damaged": func(w *world) {
			path := filepath.Join(w.cfg.State, "ledger.db")
			if err := os.WriteFile(path, bytes.Repeat([]byte("junk"), 3000), 0o600); err != nil {
				w.t.Fatal(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			g := w.game("wolf", schedule())
			w.run()
			w.onTurn(g)
			harm(w)
			if sent := w.run(); len(sent) != 0 {
				t.Errorf("sent again:\n%s", sent)
			}
			if sent := w.onTurn(g); len(sent) != 4 {
				t.Errorf("then:\n%s", sent)
			}
		})
	}
}

// If the whole state directory is lost, only the last turn's reports are sent again, under the same
// Message-IDs.
func TestLostState(t *testing.T) {
	w := newWorld(t)
	g := w.game("wolf", schedule())
	w.run()
	w.onTurn(g)
	last := w.onTurn(g)
	if err := os.RemoveAll(w.cfg.State); err != nil {
		t.Fatal(err)
	}
	again := w.run()
	if len(again) != 2 {
		t.Fatalf("sent:\n%s", again)
	}
	for _, m := range again {
		same := last.to(m.to, m.Subject)
		if len(same) != 1 || same[0].raw != m.raw {
			t.Errorf("another mail than before: %s", m.Subject)
		}
	}
	if sent := w.run(); len(sent) != 0 {
		t.Errorf("sent again:\n%s", sent)
	}
	w.onTurn(g)
}

// The same holds if the daemon is killed repeatedly meanwhile.
func TestLostStateKilledAtEachStep(t *testing.T) {
	enginetest.Sequential(t)
	w := watchedWorld(t)
	games := []*vault.Game{w.game("wolf", schedule()), w.game("bear", schedule())}
	w.run()
	for range 3 {
		for _, g := range games {
			w.onTurn(g)
		}
	}
	for name, lose := range map[string]func(){
		"state": func() {
			if err := os.RemoveAll(w.cfg.State); err != nil {
				t.Fatal(err)
			}
		},
		"store": w.loseStore,
	} {
		lose()
		ids := map[string]bool{}
		for kill := 0; ; kill++ {
			n := 0
			w.before = func(string) error {
				if n++; n > kill {
					return errKill
				}
				return nil
			}
			_, err := w.once()
			for _, m := range w.delivered() {
				if !strings.Contains(m.Subject, "Turn 3: report") {
					t.Errorf("%s: sent again: %s", name, m.Subject)
				}
				ids[m.MessageID] = true
			}
			if err == nil {
				break
			}
			if !errors.Is(err, errKill) {
				t.Fatal(err)
			}
		}
		w.before = nil
		if want := map[string]int{"state": 4, "store": 0}[name]; len(ids) != want {
			t.Errorf("%s: %d mails were sent again, want %d", name, len(ids), want)
		}
	}
}

// A mail that was acted on before the store was lost, and is still in the inbox, gets the same
// outcome, even if its turn is over.
func TestStoreLostBetweenActAndMove(t *testing.T) {
	w := watchedWorld(t)
	g := w.game("wolf", schedule())
	w.run()
	w.before = func(step string) error {
		if step == "move" {
			return errKill
		}
		return nil
	}
	w.box.put(w.order(g, "Kirk", "power", "  shields 2:4"))
	bad := w.order(g, "Kor", "bogus")
	w.box.put(bad)
	if _, err := w.once(); !errors.Is(err, errKill) {
		t.Fatal(err)
	}
	if sent := w.delivered(); len(sent) != 0 {
		t.Fatalf("sent:\n%s", sent)
	}
	w.before = nil
	if _, err := turn.Resolve(g, turn.Options{Missing: vault.PolicyStanding, Now: w.clock.Now()}); err != nil {
		t.Fatal(err)
	}
	w.loseStore()
	sent := w.run()
	if len(sent.to(kirk, "orders for Hood accepted")) != 1 || len(sent.to(kor, "not accepted")) != 1 || len(sent) != 4 {
		t.Errorf("sent:\n%s", sent)
	}
	if w.box.left() != 0 || len(w.box.folders["Starpost/Done"]) != 1 || len(w.box.folders["Starpost/Refused"]) != 1 {
		t.Errorf("folders %v", w.box.folders)
	}
	// Nor does one that came by two routes.
	w.box.put("Received: by another way\r\n" + w.box.folders["Starpost/Done"][0])
	if sent := w.run(); len(sent) != 0 {
		t.Errorf("sent:\n%s", sent)
	}
}

// Mails that were waiting are sent, whatever their turn.
func TestLostStoreKeepsWaitingMails(t *testing.T) {
	w := newWorld(t)
	g := w.game("wolf", schedule())
	w.run()
	gone := errors.New("nothing answers")
	w.out.down = gone
	w.box.put(w.order(g, "Kirk", "final"))
	w.box.put(w.order(g, "Kor", "final"))
	for range 2 {
		if _, err := w.once(); !errors.Is(err, gone) {
			t.Fatal(err)
		}
		w.loseStore()
		w.box.put(w.order(g, "Kirk", "final"))
		w.box.put(w.order(g, "Kor", "final"))
	}
	if w.turnOf(g) != 2 {
		t.Fatalf("turn %d", g.Turn())
	}
	w.out.down = nil
	sent := w.run()
	for _, want := range []string{"Turn 1: orders", "Turn 2: orders", "Turn 3: orders", "Turn 1: report", "Turn 2: report", "Turn 3: report"} {
		if n := len(sent.to(kirk, want)); n != 1 {
			t.Errorf("%d times %q to Kirk", n, want)
		}
	}
	if len(sent) != 12 {
		t.Errorf("sent:\n%s", sent)
	}
}

// repair runs Repair and returns its checks by first word.
func (w *world) repair() map[string]watch.Check {
	w.t.Helper()
	said := map[string]watch.Check{}
	if err := daemon.Repair(w.t.Context(), process.Options{Config: w.cfg, Catalogue: w.cat, Clock: w.clock}, func(c watch.Check) {
		what, _, _ := strings.Cut(c.What, " ")
		said[what] = c
		if !c.OK() {
			w.t.Errorf("%+v", c)
		}
	}); err != nil {
		w.t.Fatal(err)
	}
	return said
}

func TestRepair(t *testing.T) {
	w := newWorld(t)
	g := w.game("wolf", schedule())
	w.run()
	w.onTurn(g)
	if got := w.repair(); got["store"].Found != "whole" || got["mails"].Found != "2 mails, all intact" ||
		got["game"].Found != "wolf, turn 1 played; waiting mails: 0" {
		t.Errorf("of what is whole: %v", got)
	}
	w.loseStore()
	half := filepath.Join(g.Dir(), "orders", ".Hood.txt1234567")
	if err := os.WriteFile(half, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	got := w.repair()
	if !strings.HasPrefix(got["store"].Found, "restored from its copy") || got["mails"].Found != "2 mails, all intact" {
		t.Errorf("of what is not: %v", got)
	}
	if _, err := os.Stat(half); err == nil {
		t.Error("a half order set is left")
	}
	w.execute("UPDATE raws SET bytes = x'00' WHERE id = (SELECT min(id) FROM raws)")
	if got := w.repair(); got["store"].Found != "whole" || !strings.HasPrefix(got["mails"].Found, "1 mails intact; damaged") {
		t.Errorf("again: %v", got)
	}
	if sent := w.run(); len(sent) != 0 {
		t.Errorf("sent:\n%s", sent)
	}

	d := w.open()
	err := daemon.Repair(t.Context(), process.Options{Config: w.cfg, Catalogue: w.cat}, func(c watch.Check) { t.Errorf("%+v", c) })
	if !errors.Is(err, disk.ErrLocked) || !strings.Contains(fault.Hint(err), "stop that one") || !strings.Contains(err.Error(), "pid ") {
		t.Errorf("while a daemon runs: %v", err)
	}
	if err := d.Close(); err != nil {
		t.Error(err)
	}
}

// A mail with damaged bytes is fetched again.
func TestAlteredMails(t *testing.T) {
	w := watchedWorld(t)
	w.before = func(step string) error {
		if step == "store" {
			return errKill
		}
		return nil
	}
	w.campaign()
	if _, err := w.once(); !errors.Is(err, errKill) {
		t.Fatal(err)
	}
	w.execute("UPDATE raws SET bytes = zeroblob(100 * id)")
	w.before = nil
	w.run()
	if g := w.load("wolf"); g.Turn() != 1 || w.box.left() != 0 {
		t.Errorf("turn %d, %d mails left", g.Turn(), w.box.left())
	}
	w.inStore(func(l *sqlite.Store) error {
		whole, damaged, err := l.VerifyRaws(t.Context())
		if whole != 3 || len(damaged) != 0 {
			t.Errorf("%d mails are whole, %q are not stored again", whole, damaged)
		}
		return err
	})
}

// If the database is removed under the daemon, the run ends, and the next one rebuilds it.
func TestStoreRemovedWhileOpen(t *testing.T) {
	w := newWorld(t)
	g := w.game("wolf", schedule())
	d := w.open()
	if _, err := d.Once(t.Context()); err != nil {
		t.Fatal(err)
	}
	w.delivered()
	w.loseStore()
	w.box.put(w.order(g, "Kirk", "final"))
	if _, err := d.Once(t.Context()); !errors.Is(err, store.ErrLost) {
		t.Errorf("error %v", err)
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	if sent := w.run(); len(sent) != 1 || len(sent.to(kirk, "accepted")) != 1 {
		t.Errorf("sent:\n%s", sent)
	}
}
