package vault

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"starpost/pbem/record"

	"starpost/pbem/disk"
)

func TestOrders(t *testing.T) {
	t.Run("at once", func(t *testing.T) { testOrders(t, nil) })
	t.Run("put off", func(t *testing.T) { testOrders(t, new(disk.Batch)) })
}

func testOrders(t *testing.T, b *disk.Batch) {
	t.Helper()
	dir := create(t)
	g := open(t, dir)
	g.Orders.Defer(b)
	defer func() {
		if b != nil && b.Sync() != nil {
			t.Error("what was put off cannot be settled")
		}
	}()
	put := func(turn int, name, text string) {
		t.Helper()
		if err := g.Orders.Put(At(turn), name, []byte(text), time.Time{}); err != nil {
			t.Fatal(err)
		}
	}
	sets := func(turn int) map[string]string {
		t.Helper()
		files, err := g.Orders.For(At(turn))
		if err != nil {
			t.Fatal(err)
		}
		out := map[string]string{}
		for _, f := range files {
			out[f.Name] = string(f.Text)
			if f.Modified.IsZero() || f.Path == "" {
				t.Errorf("%+v", f)
			}
		}
		return out
	}
	put(1, "Ada", "one")
	put(1, "Ada", "two")
	put(1, "@Bob", "all")
	put(2, "Bea", "ahead")
	put(2, "Ada", "ahead too")
	if got := sets(1); !reflect.DeepEqual(got, map[string]string{"Ada": "two", "@Bob": "all"}) {
		t.Errorf("turn 1: %v", got)
	}
	if got := sets(2); !reflect.DeepEqual(got, map[string]string{"Ada": "ahead too", "Bea": "ahead"}) {
		t.Errorf("turn 2: %v", got)
	}
	for range 2 { // the second time there is nothing to drop
		if err := g.Orders.Drop(At(1), "@Bob"); err != nil {
			t.Error(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "orders", "aDA.txt"), []byte("by hand"), 0o644); err != nil {
		t.Fatal(err)
	}
	put(1, "Ada", "two")
	if got := sets(1); !reflect.DeepEqual(got, map[string]string{"Ada": "two"}) {
		t.Errorf("replaced in any case: %v", got)
	}
	if err := commitNext(t, g); err != nil {
		t.Fatal(err)
	}
	// Sets sent ahead are in force now; a set stored now takes precedence.
	put(2, "Ada", "now")
	if got := sets(2); !reflect.DeepEqual(got, map[string]string{"Ada": "now", "Bea": "ahead"}) {
		t.Errorf("turn 2, due: %v", got)
	}
	if err := commitNext(t, g); err != nil {
		t.Fatal(err)
	}
	if got := sets(3); len(got) > 0 {
		t.Errorf("left over: %v", got)
	}
	if err := g.Orders.Put(At(2), "Ada", nil, time.Time{}); !errors.Is(err, ErrCommitted) || hinted(err) != "turn 3 is due" {
		t.Errorf("a past turn: %v", err)
	}
	for _, bad := range []string{"", "@", "../x", "a/b", `a\b`, ".hidden", "a\x00b", strings.Repeat("x", 200)} {
		if err := g.Orders.Put(At(3), bad, nil, time.Time{}); err == nil {
			t.Errorf("%q is a name", bad)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "orders", "Bea.txt"), make([]byte, MaxOrders+1), 0o644); err != nil {
		t.Fatal(err)
	}
	files, err := g.Orders.For(At(3))
	if err != nil || len(files) != 1 || !files[0].TooLarge || files[0].Text != nil {
		t.Errorf("%d files, %v", len(files), err)
	}
}

func TestLock(t *testing.T) {
	dir := create(t)
	a, b := open(t, dir), open(t, dir)
	if err := a.Lock(); err != nil {
		t.Fatal(err)
	}
	if err := a.Lock(); err != nil { // locks are counted
		t.Fatal(err)
	}
	for what, err := range map[string]error{
		"lock": b.Lock(), "put": b.Orders.Put(At(1), "Ada", []byte("x"), time.Time{}), "commit": commitNext(t, b),
		"drop": b.Orders.Drop(At(1), "Ada"),
	} {
		if !errors.Is(err, ErrLocked) || hinted(err) == "" ||
			!strings.Contains(err.Error(), fmt.Sprintf("pid %d on ", os.Getpid())) || !strings.Contains(err.Error(), " since 20") {
			t.Errorf("%s: %v", what, err)
		}
	}
	if err := commitNext(t, a); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := a.Unlock(); err != nil {
			t.Fatal(err)
		}
	}
	if err := a.Unlock(); err != nil { // an extra unlock does no harm
		t.Fatal(err)
	}
	// The other process sees what was committed meanwhile.
	if err := b.Lock(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := b.Unlock(); err != nil {
			t.Error(err)
		}
	}()
	if b.Turn() != 1 {
		t.Errorf("turn %d", b.Turn())
	}
}

func TestCommitOnce(t *testing.T) {
	dir := create(t)
	a, b := open(t, dir), open(t, dir)
	if err := commitNext(t, a); err != nil {
		t.Fatal(err)
	}
	before := tree(t, dir)
	// b still assumes that turn 1 is due.
	if err := commitNext(t, b); !errors.Is(err, ErrCommitted) {
		t.Errorf("got %v", err)
	}
	if err := a.Commit(Manifest{Turn: 9}, Files(), nil); !errors.Is(err, ErrNoTurn) {
		t.Errorf("got %v", err)
	}
	for _, name := range []string{"", "../x", "/x", "a//b", ManifestFile, "state.json"} {
		files := []File{{"state.json", nil}, {name, []byte("x")}}
		if err := a.Commit(Manifest{Turn: 2}, Files(files...), nil); err == nil {
			t.Errorf("a file named %q was written", name)
		}
	}
	if got := tree(t, dir); !reflect.DeepEqual(got, before) {
		t.Errorf("the game was changed: %v", got)
	}
	m, err := a.Stages.Manifest(At(1))
	if err != nil || m.Previous != Hash([]byte(before["turns/0000/manifest.json"])) {
		t.Errorf("previous %q, %v", m.Previous, err)
	}
}

// steps returns the steps of a commit.
func steps(t *testing.T, g *Game) []string {
	t.Helper()
	if err := g.Lock(); err != nil {
		t.Fatal(err)
	}
	var names []string
	g.stopBy(func(name string) error { names = append(names, name); return nil })
	if err := commitNext(t, g); err != nil {
		t.Fatal(err)
	}
	g.stopBy(nil)
	if err := g.Unlock(); err != nil {
		t.Fatal(err)
	}
	return names
}

// prepared returns a game with orders for turn 1 and, ahead, for turn 2.
func prepared(t *testing.T) *Game {
	t.Helper()
	g := open(t, create(t))
	for _, o := range []struct {
		turn int
		name string
	}{{1, "Ada"}, {1, "Bea"}, {2, "Bea"}} {
		if err := g.Orders.Put(At(o.turn), o.name, fmt.Appendf(nil, "#orders pond turn %d ship %s\n#end\n", o.turn, o.name), time.Time{}); err != nil {
			t.Fatal(err)
		}
	}
	return g
}

// TestCrashBetweenAnyTwoSteps stops a commit at each of its steps, leaves everything as it is, and
// lets a new process continue: the turn exists completely or not at all, no order is lost, and in
// the end the directory is the same as without the crash.
func TestCrashBetweenAnyTwoSteps(t *testing.T) {
	sound := prepared(t).Dir()
	whole := open(t, copyOf(t, sound))
	names := steps(t, whole)
	want := tree(t, whole.Dir())
	if len(names) < 7 {
		t.Fatalf("only %v", names)
	}
	for i, name := range names {
		t.Run(fmt.Sprintf("%d %s", i, name), func(t *testing.T) {
			g := open(t, copyOf(t, sound))
			if err := g.Lock(); err != nil {
				t.Fatal(err)
			}
			n := 0
			g.stopBy(func(string) error {
				if n++; n > i {
					return record.ErrStopped
				}
				return nil
			})
			if err := commitNext(t, g); !errors.Is(err, record.ErrStopped) {
				t.Fatalf("got %v", err)
			}
			g.stopBy(nil)
			if err := g.Unlock(); err != nil { // the kernel does this when a process dies
				t.Fatal(err)
			}

			again := open(t, g.Dir())
			files, err := again.Orders.For(At(1))
			switch again.Turn() {
			case 0:
				if err != nil || len(files) != 2 {
					t.Fatalf("orders of a turn that is not committed: %v, %v", files, err)
				}
				if err := commitNext(t, again); err != nil {
					t.Fatal(err)
				}
			case 1:
				if _, err := again.Stages.State(At(1)); err != nil {
					t.Fatal(err)
				}
				if a, err := again.Stages.Audit(Stage{Turn: 1}); err != nil || a.Problem != "" || len(a.Damaged) > 0 {
					t.Fatalf("%v %v", a.Damaged, err)
				}
				if err := again.Lock(); err != nil { // the next writer cleans up
					t.Fatal(err)
				}
				if err := again.Unlock(); err != nil {
					t.Fatal(err)
				}
			}
			if got := tree(t, g.Dir()); !maps.Equal(got, want) {
				t.Errorf("got %v", got)
			}
			if files, err := again.Orders.For(At(2)); err != nil || len(files) != 1 {
				t.Errorf("sent ahead: %v, %v", files, err)
			}
		})
	}
}

// TestTroubleBeforeTheRename makes the disk fail at each step before the turn is committed: nothing
// is changed, and the same commit succeeds later.
func TestTroubleBeforeTheRename(t *testing.T) {
	sound := prepared(t).Dir()
	for _, name := range []string{"build", "file", "sync", "rename"} {
		t.Run(name, func(t *testing.T) {
			g := open(t, copyOf(t, sound))
			before := tree(t, g.Dir())
			g.stopBy(func(at string) error {
				if at == name {
					return system("write", "turns", syscall.ENOSPC)
				}
				return nil
			})
			err := commitNext(t, g)
			if !errors.Is(err, syscall.ENOSPC) || !strings.Contains(err.Error(), "disk is full") || !strings.Contains(hinted(err), "the game is unchanged") {
				t.Errorf("got %v (%s)", err, hinted(err))
			}
			if got := tree(t, g.Dir()); !maps.Equal(got, before) {
				t.Errorf("changed: %v", got)
			}
			g.stopBy(nil)
			if err := commitNext(t, g); err != nil || g.Turn() != 1 {
				t.Errorf("later: %v", err)
			}
		})
	}
}

// TestSetThatCameDuringTheTurn checks that such a set stays: the turn was not resolved with it.
func TestSetThatCameDuringTheTurn(t *testing.T) {
	g := prepared(t)
	g.stopBy(func(name string) error {
		if name == "sync" {
			return os.WriteFile(filepath.Join(g.Dir(), "orders", "Ada.txt"), []byte("changed by hand"), 0o644)
		}
		return nil
	})
	if err := commitNext(t, g); err != nil {
		t.Fatal(err)
	}
	g.stopBy(nil)
	files, err := g.Orders.For(At(2))
	if err != nil || len(files) != 2 || string(files[0].Text) != "changed by hand" {
		t.Errorf("%v, %v", files, err)
	}
}

func TestSystemErrorsHaveAWayOut(t *testing.T) {
	for _, tc := range []struct {
		err  error
		want string
	}{
		{syscall.ENOSPC, "the disk is full"},
		{syscall.EDQUOT, "the disk is full"},
		{syscall.EROFS, "the file system is read-only"},
		{syscall.EACCES, "permission denied"},
	} {
		err := system("write", "x", &os.PathError{Op: "open", Path: "x", Err: tc.err})
		if !errors.Is(err, tc.err) || !strings.Contains(err.Error(), tc.want) || hinted(err) == "" {
			t.Errorf("%v: %v (%s)", tc.err, err, hinted(err))
		}
	}
}

// TestReadOnly runs where permissions apply, that is not as root.
func TestReadOnly(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("root may write everywhere")
	}
	g := prepared(t)
	before := tree(t, g.Dir())
	for _, d := range []string{"turns", "orders", "."} {
		path := filepath.Join(g.Dir(), d)
		if err := os.Chmod(path, 0o555); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := os.Chmod(path, 0o755); err != nil {
				t.Error(err)
			}
		})
	}
	for what, err := range map[string]error{"put": g.Orders.Put(At(1), "Ada", []byte("x"), time.Time{}), "commit": commitNext(t, g)} {
		if !errors.Is(err, os.ErrPermission) || hinted(err) == "" {
			t.Errorf("%s: %v", what, err)
		}
	}
	if got := tree(t, g.Dir()); !maps.Equal(got, before) {
		t.Errorf("changed: %v", got)
	}
	open(t, g.Dir()) // reading still works
}

func BenchmarkCommit(b *testing.B) {
	g := open(b, create(b))
	var files []File
	state, small := content(b, 1)
	files = append(files, small[:2]...)
	for i := range 20 {
		for _, ext := range []string{"txt", "html", "json", "svg"} {
			files = append(files, File{fmt.Sprintf("reports/s%d.%s", i, ext), make([]byte, 30<<10)})
		}
		files = append(files, File{fmt.Sprintf("outbox/s%d.eml", i), make([]byte, 100<<10)})
	}
	b.ReportAllocs()
	for b.Loop() {
		if err := g.Commit(Manifest{Turn: g.Turn() + 1}, Files(files...), state); err != nil {
			b.Fatal(err)
		}
	}
}

// TestFill checks that a FileWriter may write from several goroutines, reuse its memory, and
// complete the manifest; its error leaves nothing behind.
func TestFill(t *testing.T) {
	g := prepared(t)
	state, files := content(t, 1)
	before := tree(t, g.Dir())
	late := errors.New("the ink is dry")
	err := g.Commit(Manifest{Turn: 1}, func(_ *Manifest, add func(File) error) error {
		return errors.Join(Files(files...)(nil, add), late)
	}, state)
	if !errors.Is(err, late) {
		t.Errorf("got %v", err)
	}
	if got := tree(t, g.Dir()); !maps.Equal(got, before) {
		t.Errorf("changed: %v", got)
	}
	const each = 20
	err = g.Commit(Manifest{Turn: 1}, func(m *Manifest, add func(File) error) error {
		m.Deadline = day(9)
		errs := make([]error, 4)
		var wait sync.WaitGroup
		for w := range errs {
			wait.Go(func() {
				var buf []byte
				for i := range each {
					buf = fmt.Appendf(buf[:0], "page %d of %d", i, w)
					errs[w] = errors.Join(errs[w], add(File{fmt.Sprintf("reports/%d-%d.txt", w, i), buf}))
				}
			})
		}
		wait.Wait()
		return errors.Join(append(errs, Files(files...)(m, add))...)
	}, state)
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range []*Game{g, open(t, g.Dir())} {
		m, err := g.Stages.Manifest(At(1))
		if err != nil || !m.Deadline.Equal(day(9)) || len(m.Files) != 4*each+len(files) {
			t.Errorf("%+v, %v", m, err)
		}
		for w := range 4 {
			data, err := g.Stages.File(At(1), fmt.Sprintf("reports/%d-%d.txt", w, each-1))
			if want := fmt.Sprintf("page %d of %d", each-1, w); err != nil || string(data) != want {
				t.Errorf("%q, %v", data, err)
			}
		}
	}
}
