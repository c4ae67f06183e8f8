package daemon_test

import (
	"maps"
	"os"
	"path/filepath"
	"testing"
	"time"

	"starpost/engine"
	"starpost/pbem/vault"
)

// explosive returns the catalogue with a rule set that panics in a game that has a table of its
// own, until defused is set.
func explosive(defused *bool) vault.Catalogue {
	c := maps.Clone(catalogue())
	plain := c["stcs-basic"]
	c["stcs-basic"] = func(files map[string][]byte) (*engine.Rules, error) {
		shared, err := plain(nil)
		if err != nil || len(files) == 0 {
			return shared, err
		}
		r := *shared
		r.Phases = append(r.Phases[:1:1], engine.Phase{Name: "bang", Step: "end", Run: func(*engine.Turn) {
			if !*defused {
				panic("bang")
			}
		}})
		return &r, nil
	}
	return c
}

func TestBrokenRulesHoldTheGame(t *testing.T) {
	w := newWorld(t)
	defused := false
	w.cat = explosive(&defused)
	bear, wolf := w.game("bear", schedule()), w.game("wolf", schedule())
	if err := os.Mkdir(filepath.Join(bear.Dir(), "ships"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(bear.Dir(), "ships", "x.toml"), []byte("# explosive\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	w.run()
	for _, g := range []*vault.Game{bear, wolf} {
		w.box.put(w.order(g, "Kirk", "final"))
		w.box.put(w.order(g, "Kor", "final"))
	}
	sent := w.run()
	if w.turnOf(wolf) != 1 || w.turnOf(bear) != 0 {
		t.Fatalf("wolf at turn %d, bear at turn %d", wolf.Turn(), bear.Turn())
	}
	if n := len(sent.to(refAddress, "[bear] Turn 1: trouble")); n != 1 {
		t.Errorf("the referee is told %d times:\n%s", n, sent)
	}
	if n := len(sent.to(kirk, "accepted")); n != 2 {
		t.Errorf("%d answers to Kirk:\n%s", n, sent)
	}
	w.clock.Advance(time.Hour)
	if sent := w.run(); len(sent) != 0 || w.turnOf(bear) != 0 {
		t.Errorf("told again:\n%s", sent)
	}
	defused = true
	if w.run(); w.turnOf(bear) != 1 {
		t.Error("it does not go on when the program was mended")
	}
}

// Within one run the broken turn is not tried repeatedly, but it is tried again after its files
// were touched.
func TestBrokenGameIsHeldUntilItsFilesChange(t *testing.T) {
	w := newWorld(t)
	defused := false
	w.cat = explosive(&defused)
	g := w.game("bear", schedule())
	if err := os.Mkdir(filepath.Join(g.Dir(), "ships"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(g.Dir(), "ships", "x.toml"), []byte("# explosive\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	w.box.put(w.order(g, "Kirk", "final"))
	w.box.put(w.order(g, "Kor", "final"))
	tries := 0
	w.before = func(step string) error {
		if step == "resolve" {
			tries++
		}
		return nil
	}
	d := w.open()
	defer func() {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	}()
	once := func() {
		t.Helper()
		if _, err := d.Once(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	once()
	defused = true
	once()
	if tries != 1 {
		t.Fatalf("%d tries", tries)
	}
	w.box.put(w.order(g, "Kirk", "power", "  shields 2:4", "final"))
	once()
	if tries != 2 || w.turnOf(g) != 1 {
		t.Errorf("%d tries, turn %d", tries, g.Turn())
	}
}
