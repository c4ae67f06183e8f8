package crash_test

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// storeFiles returns the paths of the database and of the files that SQLite keeps beside it.
func (w *world) storeFiles() []string {
	path := filepath.Join(w.dir, "state", "ledger.db")
	return []string{path, path + "-wal", path + "-shm"}
}

// lose removes the store, as a person might.
func (w *world) lose() {
	for _, name := range w.storeFiles() {
		if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			w.t.Error(err)
		}
	}
}

// spoil overwrites a part of the store, as a bad disk might.
func (w *world) spoil(luck *rand.Rand) {
	name := w.storeFiles()[0]
	data, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) || len(data) == 0 {
		return
	}
	if err != nil {
		w.t.Error(err)
		return
	}
	at := luck.IntN(len(data))
	copy(data[at:min(len(data), at+5000)], bytes.Repeat([]byte{0xa5}, 5000))
	if at%3 == 0 {
		data = data[:at]
	}
	if err := os.WriteFile(name, data, 0o600); err != nil {
		w.t.Error(err)
	}
}

// TestStoreLost kills the program and removes or spoils its store, again and
// again, between two lives and in the middle of one.
func TestStoreLost(t *testing.T) {
	want := undisturbed(t, 1)
	luck := rand.New(rand.NewPCG(5, 6))
	kills, losses, battles := 0, 0, 0
	for ; kills < *howOften; battles++ {
		w := newWorld(t, 1)
		w.survive(func(last ending) (life, bool) {
			if last == killed {
				kills++
			}
			if kills >= *howOften {
				return life{}, false
			}
			l := life{program: must(t, plain), after: time.Duration(20+luck.IntN(150)) * time.Millisecond}
			switch luck.IntN(6) {
			case 0:
				w.lose()
				losses++
			case 1:
				w.spoil(luck)
				losses++
			case 2:
				l.during, l.at = w.lose, time.Duration(luck.IntN(100))*time.Millisecond
				losses++
			case 3:
				l.once = true
			}
			return l, true
		})
		w.check(want, true)
		if t.Failed() {
			break
		}
	}
	t.Logf("%d kills and %d losses of the store in %d times %d battles", kills, losses, battles, len(gameIDs))
}

// TestBackupKilled kills backups while they are made, and checks that the next one succeeds and that
// no partial ones are left.
func TestBackupKilled(t *testing.T) {
	w := newWorld(t, 1)
	defer w.rest()
	luck := rand.New(rand.NewPCG(7, 8))
	to := filepath.Join(t.TempDir(), "backups")
	if err := os.Mkdir(to, 0o700); err != nil {
		t.Fatal(err)
	}
	back := func(name string, after time.Duration) error {
		cmd := exec.CommandContext(t.Context(), must(t, plain), "backup", "--config", w.config, filepath.Join(to, name))
		if after == 0 {
			return cmd.Run()
		}
		if err := cmd.Start(); err != nil {
			return err
		}
		time.AfterFunc(after, func() { _ = cmd.Process.Kill() }) // it may have ended already
		return cmd.Wait()
	}
	must(t, plain)
	made := []string{"last"}
	for n := range 30 {
		if name := fmt.Sprint("b", n); back(name, time.Duration(5+luck.IntN(60))*time.Millisecond) == nil {
			made = append(made, name)
		}
	}
	if err := back("last", 0); err != nil {
		t.Fatal(err)
	}
	whole := files(t, filepath.Join(to, "last"))
	entries, err := os.ReadDir(to)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries { // also complete ones that were killed before they said so
		if strings.Contains(e.Name(), ".part") {
			t.Errorf("left over: %s", e.Name())
		}
		made = slices.DeleteFunc(made, func(name string) bool { return name == e.Name() })
		if got := files(t, filepath.Join(to, e.Name())); !maps.Equal(got, whole) {
			t.Errorf("%s is not whole: %v, want %v", e.Name(), slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(whole)))
		}
	}
	if len(made) > 0 {
		t.Errorf("these said that they were made, and are not there: %q", made)
	}
}

// files returns the hashes of the files below a directory, by path. It ignores the content of backup.json, which has a
// time in it.
func files(t *testing.T, dir string) map[string][sha256.Size]byte {
	t.Helper()
	out := map[string][sha256.Size]byte{}
	err := fs.WalkDir(os.DirFS(dir), ".", func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := os.ReadFile(filepath.Join(dir, path))
		if path == "backup.json" {
			data = nil
		}
		out[path] = sha256.Sum256(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}
