package directory_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"starpost/pbem/fault"
	"starpost/pbem/record"
	"starpost/pbem/record/directory"
)

func file(name, text string) record.File { return record.File{Name: name, Data: []byte(text)} }

// made creates a record and returns its directory.
func made(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "wolf")
	if err := directory.At(dir).Create([]record.File{file("secret", "s"), file("turns/0000/state.json", "{}"), file("game.toml", "id")}); err != nil {
		t.Fatal(err)
	}
	return dir
}

func locked(t *testing.T, tree *directory.Tree) record.Fence {
	t.Helper()
	f, err := tree.Lock()
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// all lists everything in a directory, with the contents of files.
func all(t *testing.T, dir string) string {
	t.Helper()
	var out []string
	if err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.Name() == ".lock" {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err != nil || e.IsDir() {
			out = append(out, name+"/")
			return err
		}
		data, err := os.ReadFile(path)
		out = append(out, fmt.Sprintf("%s: %q", name, data))
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return strings.Join(out, "\n")
}

// A change that is interrupted at any step is made completely or not at all, and no reader sees half of it.
// The next holder of the lock can make it.
func TestTornCommitLeavesNothing(t *testing.T) {
	base := &record.Version{}
	for name, c := range map[string]record.Change{
		"a folder":  {Dir: "turns/0001", Put: []record.File{file("turns/0001/state.json", "{1}"), file("turns/0001/orders/Hood.txt", "fire")}},
		"a closing": {Dir: "closing", Put: []record.File{file("closing/closing.json", "{}")}},
		"a line":    {Add: []record.File{file(record.Journal, "{}\n")}},
		"removal":   {Remove: []string{"secret"}},
	} {
		t.Run(name, func(t *testing.T) {
			dir := made(t)
			tree := directory.At(dir)
			f := locked(t, tree)
			if err := tree.Commit(f, base, c); err != nil {
				t.Fatal(err)
			}
			before, after := all(t, made(t)), all(t, dir)
			for steps, stop := 0, 0; steps == stop; stop++ {
				dir := made(t)
				tree := directory.At(dir)
				steps = 0
				tree.OnStep(func(step string) error {
					if !slices.Contains(record.Steps, step) {
						t.Errorf("step %q is not listed", step)
					}
					if steps == stop {
						return record.ErrStopped
					}
					steps++
					return nil
				})
				f := locked(t, tree)
				if err := tree.Commit(f, base, c); (err == nil) != (steps != stop) {
					t.Fatalf("stopped before step %d: %v", stop, err)
				}
				if err := tree.Unlock(f, false); err != nil {
					t.Fatal(err)
				}
				next := directory.At(dir)
				f = locked(t, next)
				if now := all(t, dir); now != before && now != after && name != "a line" { // a torn line does not count
					t.Errorf("stopped before step %d, it is\n%s", stop, now)
				}
				if name == "a line" && all(t, dir) != before {
					continue // the next writer would have to read the journal first
				}
				if err := next.Commit(f, base, c); err != nil {
					t.Errorf("stopped before step %d, then made again: %v", stop, err)
				}
				if now := all(t, dir); now != after {
					t.Errorf("stopped before step %d and made again, it is\n%s", stop, now)
				}
			}
		})
	}
}

// Whatever is in the lock file, the game can be locked, unless the fence there is unreadable or the largest number.
func TestLockFile(t *testing.T) {
	for text, want := range map[string]record.Fence{
		"": 1, "starpost serve, pid 1 on mars\n": 1, "starpost serve, pid 1 on mars\nfence 41\n": 42, "x\nfence 18446744073709551614\n": 18446744073709551615,
		strings.Repeat("junk\n", 1000): 1, "x\nfence \n": 0, "x\nfence -1\n": 0, "x\nfence 18446744073709551615\n": 0, "x\nfence 99999999999999999999\n": 0, "x\nfence 7 8\n": 0,
	} {
		dir := made(t)
		path := filepath.Join(dir, ".lock")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		f, err := directory.At(dir).Lock()
		switch {
		case want == 0:
			if !errors.Is(err, record.ErrLocked) || !strings.Contains(err.Error(), path+":2") || !strings.Contains(fault.Hint(err), "remove the file") {
				t.Errorf("%.40q: %v, %s", text, err, fault.Hint(err))
			}
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
			if f, err := directory.At(dir).Lock(); err != nil || f != 1 {
				t.Errorf("removed: fence %d, %v", f, err)
			}
		case err != nil || f != want:
			t.Errorf("%.40q: got fence %d, want %d, %v", text, f, want, err)
		}
	}
}

// If the file system does not enforce locks, another holder that writes into the lock file is noticed.
// Merely changing the file's time does not count as another holder.
func TestHolderOfTheSameFile(t *testing.T) {
	dir := made(t)
	tree := directory.At(dir)
	f := locked(t, tree)
	path := filepath.Join(dir, ".lock")
	put := record.Change{Put: []record.File{file("orders/Hood.txt", "fire")}}
	if err := os.Chtimes(path, time.Now(), time.Now().Add(48*time.Hour)); err != nil {
		t.Fatal(err)
	}
	if err := tree.Commit(f, nil, put); err != nil {
		t.Error(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(strings.Replace(string(text), "fence 1", "fence 2", 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	put.Put[0].Data = []byte("late")
	if err := tree.Commit(f, nil, put); !errors.Is(err, record.ErrFenced) {
		t.Errorf("got %v", err)
	}
	if data, err := os.ReadFile(filepath.Join(dir, "orders", "Hood.txt")); err != nil || string(data) != "fire" {
		t.Errorf("%q, %v", data, err)
	}
	if err := tree.Unlock(f, false); err != nil {
		t.Fatal(err)
	}
	if f := locked(t, tree); f != 3 {
		t.Errorf("got fence %d, want 3", f)
	}
}

// People may give files names of any bytes.
func TestHandMadeNames(t *testing.T) {
	dir := made(t)
	for _, name := range []string{"H\xfcter.txt", `Ho\od.txt`} {
		if err := os.WriteFile(filepath.Join(dir, "orders", name), []byte("fire"), 0o600); err != nil {
			t.Skip("the file system takes no such names: ", err)
		}
		if data, err := directory.At(dir).ReadFile("orders/" + name); err != nil || string(data) != "fire" {
			t.Errorf("%q: %q, %v", name, data, err)
		}
	}
}

// Leftovers of earlier versions are removed too.
func TestLeftovers(t *testing.T) {
	dir := made(t)
	before := all(t, dir)
	for _, name := range []string{"turns/.new/orders/x", "turns/.new.7/x", ".new.12/x", ".closing/x", "orders/.Hood.txt0", "orders/.Hood.txt.123", "orders/.Hood.txt4711"} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, nil, 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	locked(t, directory.At(dir))
	if now := all(t, dir); now != before {
		t.Errorf("it was\n%s\nis\n%s", before, now)
	}
}
