package vault

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"starpost/pbem/vault/journal"
)

// TestWatcherSeesChanges checks that any change by a person or another process is detected, most of
// them at each look, the rest by a thorough one.
func TestWatcherSeesChanges(t *testing.T) {
	write := func(path, text string) error { return os.WriteFile(path, []byte(text), 0o600) }
	for name, c := range map[string]struct {
		change   func(g *Game) error
		thorough bool
	}{
		"settings written in place, with the old time": {change: func(g *Game) error {
			path := g.tree.path("game.toml")
			info, err := os.Stat(path)
			if err != nil {
				return err
			}
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			return errors.Join(write(path, string(data)+"\n"), os.Chtimes(path, info.ModTime(), info.ModTime()))
		}},
		"settings replaced": {change: func(g *Game) error {
			return errors.Join(write(g.tree.path("new"), "x"), os.Rename(g.tree.path("new"), g.tree.path("game.toml")))
		}},
		"orders put by hand":           {change: func(g *Game) error { return write(g.tree.path("orders", "Riskadh.txt"), "x") }},
		"orders written in place":      {change: func(g *Game) error { return write(g.tree.path("orders", "Hood.txt"), "stay where you are") }},
		"orders removed":               {change: func(g *Game) error { return os.Remove(g.tree.path("orders", "Hood.txt")) }},
		"the folder of orders removed": {change: func(g *Game) error { return os.RemoveAll(g.tree.path("orders")) }},
		"an entry by another process": {change: func(g *Game) error {
			_, err := open(t, g.Dir()).Append(journal.NewEntry(journal.Pause, "referee", time.Unix(1e9, 0), journal.PauseData{}))
			return err
		}},
		"an entry by another process, where orders has no folder": {change: func(g *Game) error {
			if err := os.RemoveAll(g.tree.path("orders")); err != nil {
				return err
			}
			_, err := open(t, g.Dir()).Append(journal.NewEntry(journal.Pause, "referee", time.Unix(1e9, 0), journal.PauseData{}))
			return err
		}},
		"a journal put back by hand": {thorough: true, change: func(g *Game) error { return write(g.tree.path(JournalFile), "") }},
		"a turn put back by hand":    {thorough: true, change: func(g *Game) error { return os.Mkdir(g.tree.path("turns", "0001"), 0o700) }},
	} {
		t.Run(name, func(t *testing.T) {
			g := open(t, create(t))
			if err := g.Orders.Put(At(1), "Hood", []byte("hold"), time.Time{}); err != nil {
				t.Fatal(err)
			}
			if _, err := g.Orders.For(At(1)); err != nil {
				t.Fatal(err)
			}
			// The next change may happen in the same tick of the clock.
			err := filepath.WalkDir(g.Dir(), func(path string, _ fs.DirEntry, err error) error {
				return errors.Join(err, os.Chtimes(path, time.Unix(1e9, 0), time.Unix(1e9, 0)))
			})
			if err != nil {
				t.Fatal(err)
			}
			var w Watcher
			defer func() {
				if err := w.Close(); err != nil {
					t.Error(err)
				}
			}()
			look := func() (Mark, Mark) {
				m, err := w.Look(g)
				if err != nil {
					t.Fatal(err)
				}
				return m, w.Thorough(g)
			}
			mark, rest := look()
			if again, more := look(); again != mark || more != rest {
				t.Errorf("nothing changed, and the marks are %v and %v, then %v and %v", mark, rest, again, more)
			}
			if err := c.change(g); err != nil {
				t.Fatal(err)
			}
			now, more := look()
			if !c.thorough && now == mark {
				t.Error("a look does not see it")
			}
			if c.thorough && more == rest {
				t.Error("a thorough look does not see it")
			}
		})
	}
}

// TestWatcherOfAGameThatIsGone checks that the error says so.
func TestWatcherOfAGameThatIsGone(t *testing.T) {
	g := open(t, create(t))
	if err := os.RemoveAll(g.Dir()); err != nil {
		t.Fatal(err)
	}
	var w Watcher
	if _, err := w.Look(g); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the error is %v, want %v", err, fs.ErrNotExist)
	}
	if err := w.Close(); err != nil {
		t.Error(err)
	}
}

// TestQuietChangesAreNotSeen checks that a process that watches a game does not see its own
// changes.
func TestQuietChangesAreNotSeen(t *testing.T) {
	g := open(t, create(t))
	g.Quiet()
	var w Watcher
	before, err := w.Look(g)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := g.Append(journal.NewEntry(journal.Pause, "referee", time.Unix(1e9, 0), journal.PauseData{})); err != nil {
		t.Fatal(err)
	}
	if after, err := w.Look(g); err != nil || after != before {
		t.Errorf("the mark is %v after %v, %v", after, before, err)
	}
	if err := w.Close(); err != nil {
		t.Error(err)
	}
}

// TestMarksSettle checks that a file that has just changed is looked at again, because two changes
// in one tick of the clock give the same mark.
func TestMarksSettle(t *testing.T) {
	g := open(t, create(t))
	var w Watcher
	m, err := w.Look(g)
	if err := errors.Join(err, w.Close()); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(filepath.Join(g.Dir(), "game.toml"))
	if err != nil {
		t.Fatal(err)
	}
	if m.Settled(info.ModTime().Add(time.Second)) {
		t.Error("a second after a change the game counts as at rest")
	}
	if !m.Settled(info.ModTime().Add(time.Minute)) {
		t.Error("a minute after the last change the game does not count as at rest")
	}
}
