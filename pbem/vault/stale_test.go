package vault

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"starpost/pbem/vault/journal"
)

// Where a lock does not keep another process out, what that one wrote stays: nothing is written at
// what is remembered, and the game is read again.
func TestStaleGameIsNotWritten(t *testing.T) {
	note := func(t *testing.T, g *Game, why string) error {
		t.Helper()
		e := journal.NewEntry(journal.Pause, "Rita", day(0), journal.PauseData{})
		e.Cause = why
		_, err := g.Append(e)
		return err
	}
	acts := map[string]func(t *testing.T, g *Game) error{
		"an entry": func(t *testing.T, g *Game) error { t.Helper(); return note(t, g, "tea") },
		"a set":    func(_ *testing.T, g *Game) error { return g.PutOrders(1, "Ada", []byte("mine")) },
		"no set":   func(_ *testing.T, g *Game) error { _, err := g.DropOrders(1, "Ada"); return err },
		"a turn":   commitOn,
	}
	for theirs, they := range map[string]func(t *testing.T, g *Game) error{
		"an entry": func(t *testing.T, g *Game) error { t.Helper(); return note(t, g, "dinner") },
		"a turn":   commitOn,
	} {
		for mine, act := range acts {
			if theirs == "a turn" && mine == "an entry" {
				continue // it stands in the journal as well after the turn
			}
			t.Run(theirs+", then "+mine, func(t *testing.T) {
				dir := create(t)
				g, other := open(t, dir), open(t, dir)
				if err := errors.Join(g.PutOrders(1, "Ada", []byte("first")), note(t, g, "before"), g.Lock()); err != nil {
					t.Fatal(err)
				}
				// As on a file system where each machine has locks of its own.
				if err := os.Remove(filepath.Join(dir, ".lock")); err != nil {
					t.Fatal(err)
				}
				if err := they(t, other); err != nil {
					t.Fatal(err)
				}
				before := onDisk(t, dir)
				if err := act(t, g); !errors.Is(err, ErrStale) {
					t.Errorf("got %v", err)
				}
				if now := onDisk(t, dir); now != before {
					t.Errorf("it was\n%s\nis\n%s", before, now)
				}
				if err := g.Unlock(); err != nil {
					t.Fatal(err)
				}
				// Read again, it may be changed again.
				if err := note(t, g, "after"); err != nil {
					t.Error(err)
				}
				if entries, err := open(t, dir).Journal(); err != nil || len(entries) < 2 {
					t.Errorf("%d entries, %v", len(entries), err)
				}
			})
		}
	}
}

func commitOn(t *testing.T, g *Game) error {
	t.Helper()
	return commitNext(t, g)
}

// onDisk sums up what lies in a game directory, but for locks and what is being built.
func onDisk(t *testing.T, dir string) string {
	t.Helper()
	var out []byte
	for _, pattern := range []string{JournalFile, "orders/*", "turns/0*/*"} {
		files, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			data, err := os.ReadFile(f)
			if err != nil {
				continue // a directory
			}
			out = append(out, f+" "+Hash(data)+"\n"...)
		}
	}
	return string(out)
}

// What may change a game is asked before it is locked, and again before each thing that is written.
func TestChangeIsAskedForEachTime(t *testing.T) {
	dir := create(t)
	g := open(t, dir)
	no := errors.New("not any more")
	var answer error
	g.OnChange(func() error { return answer })
	if err := errors.Join(g.PutOrders(1, "Ada", []byte("first")), g.Lock()); err != nil {
		t.Fatal(err)
	}
	answer = no
	before := onDisk(t, dir)
	for name, act := range map[string]func() error{
		"an entry": func() error {
			_, err := g.Append(journal.NewEntry(journal.Pause, "Rita", day(0), journal.PauseData{}))
			return err
		},
		"a set":  func() error { return g.PutOrders(1, "Ada", []byte("mine")) },
		"a turn": func() error { return commitNext(t, g) },
	} {
		if err := act(); !errors.Is(err, no) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if now := onDisk(t, dir); now != before {
		t.Errorf("it was\n%s\nis\n%s", before, now)
	}
	answer = nil
	if err := errors.Join(g.Unlock(), commitNext(t, g)); err != nil {
		t.Error(err)
	}
}
