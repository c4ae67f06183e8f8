package vault

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"starpost/pbem/disk"
)

// A game remembers every set that was in force for a turn, until the turn is over.
func TestHadOrders(t *testing.T) {
	for _, deferred := range []bool{false, true} {
		dir := create(t)
		g := open(t, dir)
		var b disk.Batch
		if deferred {
			g.Orders.Defer(&b)
			if err := g.Lock(); err != nil {
				t.Fatal(err)
			}
		}
		had := func(turn int, text string, but time.Time, want bool) {
			t.Helper()
			for _, g := range []*Game{g, open(t, dir)} {
				got, err := g.Orders.Had(Stage{Turn: turn}, "ada", text, but)
				if err != nil || got != want {
					t.Errorf("deferred %v, %q for turn %d: %v, %v", deferred, text, turn, got, err)
				}
			}
		}
		put := func(turn int, text string, received time.Time) {
			t.Helper()
			if err := g.Orders.Put(Stage{Turn: turn}, "Ada", []byte(text), received); err != nil {
				t.Fatal(err)
			}
		}
		none := time.Time{}
		had(1, "one", none, false)
		if some, err := g.Orders.HadAny(Stage{Turn: 1}, "Ada"); some || err != nil {
			t.Errorf("before there was any: %v, %v", some, err)
		}
		put(1, "one", day(1))
		for name, want := range map[string]bool{"ada": true, "Bea": false} {
			if some, err := g.Orders.HadAny(Stage{Turn: 1}, name); some != want || err != nil {
				t.Errorf("of %s: %v, %v", name, some, err)
			}
		}
		put(1, "two", day(2))
		put(1, "two", day(2))
		put(2, "ahead", day(2))
		had(1, "one", none, true)
		had(1, "one", day(1), false) // the set itself does not count
		had(1, "two", none, true)
		had(1, "two", day(2), false)
		had(1, "three", none, false)
		had(2, "ahead", none, true)
		had(2, "one", none, false)
		// Half a line, as after a power failure.
		path := filepath.Join(dir, "orders", "replaced.0001.jsonl")
		text, err := os.ReadFile(path)
		if err == nil {
			err = os.WriteFile(path, append(text, `{"set":"Ad`...), 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
		if err := g.Orders.Drop(At(1), "Ada"); err != nil {
			t.Fatal(err)
		}
		had(1, "one", none, true)
		had(1, "two", none, true)
		put(2, "after", day(3))
		had(2, "ahead", none, true)
		if deferred {
			if err := b.Sync(); err != nil {
				t.Fatal(err)
			}
			if err := g.Unlock(); err != nil {
				t.Fatal(err)
			}
			g.Orders.Defer(nil)
		}
		if err := commitNext(t, g); err != nil {
			t.Fatal(err)
		}
		had(2, "ahead", none, true) // it is due now
		had(2, "after", none, true)
		if _, err := os.Stat(path); !os.IsNotExist(err) {
			t.Errorf("the notes of the turn that is over: %v", err)
		}
	}
}
