package vault

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"starpost/pbem/record"
	"starpost/pbem/record/directory"
	"starpost/pbem/vault/journal"
)

// If a lock does not keep another process out, its changes survive: nothing is written from outdated knowledge, and the
// game is read again.
func TestStaleGameIsNotWritten(t *testing.T) {
	acts := map[string]func(t *testing.T, g *Game) error{
		"an entry": func(_ *testing.T, g *Game) error { return pause(g, "tea") },
		"a set":    func(_ *testing.T, g *Game) error { return g.Orders.Put(At(1), "Ada", []byte("mine"), time.Time{}) },
		"no set":   func(_ *testing.T, g *Game) error { return g.Orders.Drop(At(1), "Ada") },
		"a turn":   commitOn,
	}
	for theirs, they := range map[string]func(t *testing.T, g *Game) error{
		"an entry": func(_ *testing.T, g *Game) error { return pause(g, "dinner") },
		"a turn":   commitOn,
	} {
		for mine, act := range acts {
			if theirs == "a turn" && mine == "an entry" {
				continue // in the journal its place is also after the turn
			}
			t.Run(theirs+", then "+mine, func(t *testing.T) {
				dir := create(t)
				g, other := open(t, dir), open(t, dir)
				if err := errors.Join(g.Orders.Put(At(1), "Ada", []byte("first"), time.Time{}), pause(g, "before"), g.Lock()); err != nil {
					t.Fatal(err)
				}
				// As on a file system where each machine has its own locks.
				if err := os.Remove(filepath.Join(dir, ".lock")); err != nil {
					t.Fatal(err)
				}
				if err := they(t, other); err != nil {
					t.Fatal(err)
				}
				before := onDisk(t, dir)
				if err := act(t, g); !errors.Is(err, ErrStale) || !errors.Is(err, ErrFenced) {
					t.Errorf("got %v", err)
				}
				if now := onDisk(t, dir); now != before {
					t.Errorf("it was\n%s\nis\n%s", before, now)
				}
				if err := g.Unlock(); err != nil {
					t.Fatal(err)
				}
				// Once read again, it may be changed again.
				if err := pause(g, "after"); err != nil {
					t.Error(err)
				}
				if entries, err := open(t, dir).Journal.Entries(); err != nil || len(entries) < 2 {
					t.Errorf("%d entries, %v", len(entries), err)
				}
			})
		}
	}
}

// If not even the fence distinguishes two processes, because a copy of the directory was restored under them, a write is
// checked against what was read.
func TestChangeRestsOnWhatWasRead(t *testing.T) {
	acts := map[string]func(t *testing.T, g *Game) error{
		"an entry": func(_ *testing.T, g *Game) error { return pause(g, "tea") },
		"a set":    func(_ *testing.T, g *Game) error { return g.Orders.Put(At(1), "Ada", []byte("mine"), time.Time{}) },
		"a turn":   commitOn,
	}
	for theirs, they := range acts {
		for mine, act := range acts {
			if theirs == "a set" || theirs == "a turn" && mine == "an entry" {
				continue // neither interferes with what follows
			}
			t.Run(theirs+", then "+mine, func(t *testing.T) {
				dir := create(t)
				g, other := open(t, dir), open(t, dir)
				if err := errors.Join(g.Orders.Put(At(1), "Ada", []byte("first"), time.Time{}), g.Lock(), other.Refresh()); err != nil {
					t.Fatal(err)
				}
				other.tree, other.fence, other.holds = g.tree, g.fence, 1
				if theirs == "an entry" {
					they = func(_ *testing.T, g *Game) error { return pause(g, "dinner") }
				}
				if err := they(t, other); err != nil {
					t.Fatal(err)
				}
				before := onDisk(t, dir)
				if err := act(t, g); !errors.Is(err, ErrStale) || errors.Is(err, ErrFenced) {
					t.Errorf("got %v", err)
				}
				if now := onDisk(t, dir); now != before {
					t.Errorf("it was\n%s\nis\n%s", before, now)
				}
			})
		}
	}
}

// deaf is a record that loses answers.
type deaf struct {
	record.Tree
	lost int
}

var errLost = errors.New("the connection was lost")

func (d *deaf) Commit(f record.Fence, base *record.Version, c record.Change) error {
	if err := d.Tree.Commit(f, base, c); err != nil || d.lost == 0 {
		return err
	}
	d.lost--
	return errLost
}

// If the answer to a change is lost, repeating the change reports or finds that it was made, and does not make it twice.
func TestLostAnswer(t *testing.T) {
	for name, act := range map[string]func(g *Game) error{
		"an entry": func(g *Game) error { return pause(g, "tea") },
		"a set":    func(g *Game) error { return g.Orders.Put(At(1), "Ada", []byte("mine"), time.Time{}) },
		"no set":   func(g *Game) error { return g.Orders.Drop(At(1), "Ada") },
		"a turn":   func(g *Game) error { return commitNext(t, g) },
	} {
		t.Run(name, func(t *testing.T) {
			want, dir := create(t), create(t)
			for _, d := range []string{want, dir} {
				if err := open(t, d).Orders.Put(Stage{Turn: 1}, "Ada", []byte("first"), day(1)); err != nil {
					t.Fatal(err)
				}
			}
			if err := act(open(t, want)); err != nil {
				t.Fatal(err)
			}
			tree := &deaf{Tree: directory.At(dir), lost: 1}
			g := openTree(t, tree)
			if err := act(g); !errors.Is(err, errLost) {
				t.Errorf("the first time: %v", err)
			}
			if name == "a turn" {
				g = open(t, dir) // the next turn would be made; taking the lock cleans up
				if err := errors.Join(g.Lock(), g.Unlock()); err != nil || g.Turn() != 1 {
					t.Errorf("turn %d, %v", g.Turn(), err)
				}
			} else if err := act(g); err != nil {
				t.Errorf("again: %v", err)
			}
			if got, want := strings.ReplaceAll(onDisk(t, dir), dir, ""), strings.ReplaceAll(onDisk(t, want), want, ""); got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}

// busy is a record in which a person writes a file while it is read.
type busy struct {
	record.Tree
	file   string
	writes int // number of writes
}

func (b *busy) ReadFile(name string) ([]byte, error) {
	data, err := b.Tree.ReadFile(name)
	if name == record.Orders+"/Ada.txt" && b.writes > 0 && err == nil {
		b.writes--
		return data[:len(data)/2], os.WriteFile(b.file, append(data, '\n'), 0o600)
	}
	return data, err
}

// An order file that changes while it is read is read again, because half of it is not a set. One that keeps changing
// is an error that names it.
func TestOrderFileChangesWhileItIsRead(t *testing.T) {
	for writes, fine := range map[int]bool{0: true, 1: true, tries - 1: true, tries: false, 1000: false} {
		dir := create(t)
		file := filepath.Join(dir, "orders", "Ada.txt")
		if err := os.WriteFile(file, []byte("all of it"), 0o600); err != nil {
			t.Fatal(err)
		}
		g := openTree(t, &busy{directory.At(dir), file, writes})
		files, err := g.Orders.For(At(1))
		switch {
		case fine && (err != nil || len(files) != 1 || string(files[0].Text) != "all of it"+strings.Repeat("\n", writes)):
			t.Errorf("%d times: %v, %v", writes, files, err)
		case !fine && (err == nil || !strings.Contains(err.Error(), file+": the file is changing") || hinted(err) == ""):
			t.Errorf("%d times: %v, %v", writes, files, err)
		}
	}
}

// pause records a pause with a cause.
func pause(g *Game, why string) error {
	e := journal.NewEntry(journal.Pause, "Rita", day(0), journal.PauseData{})
	e.Cause = why
	_, err := g.Append(e)
	return err
}

func commitOn(t *testing.T, g *Game) error {
	t.Helper()
	return commitNext(t, g)
}

// onDisk summarizes the files of a game directory, without locks and unfinished files.
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

// The OnChange check runs before a game is locked, and again before each write.
func TestChangeIsAskedForEachTime(t *testing.T) {
	dir := create(t)
	g := open(t, dir)
	no := errors.New("not any more")
	var answer error
	g.OnChange(func() error { return answer })
	if err := errors.Join(g.Orders.Put(At(1), "Ada", []byte("first"), time.Time{}), g.Lock()); err != nil {
		t.Fatal(err)
	}
	answer = no
	before := onDisk(t, dir)
	for name, act := range map[string]func() error{
		"an entry": func() error {
			_, err := g.Append(journal.NewEntry(journal.Pause, "Rita", day(0), journal.PauseData{}))
			return err
		},
		"a set":  func() error { return g.Orders.Put(At(1), "Ada", []byte("mine"), time.Time{}) },
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
