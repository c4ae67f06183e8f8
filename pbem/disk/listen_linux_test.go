package disk

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
)

// listener watches a folder, and returns a function for the names that have changed since its last call.
func listener(t *testing.T, dir string) (changes func() (names []string, missed bool)) {
	t.Helper()
	l, err := Listen()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := l.Close(); err != nil {
			t.Error(err)
		}
	})
	id, err := l.Add(dir)
	if errors.Is(err, ErrUnheard) || errors.Is(err, syscall.ENOSPC) {
		t.Skipf("temporary files lie where nothing can be heard: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	if again, err := l.Add(dir); err != nil || again != id {
		t.Fatalf("listened to again: %d, %v, want %d", again, err, id)
	}
	return func() ([]string, bool) {
		var names []string
		missed, err := l.Changes(func(folder int32, name string) {
			if folder != id {
				t.Errorf("folder %d changed, want %d", folder, id)
			}
			names = append(names, name)
		})
		if err != nil {
			t.Fatal(err)
		}
		return slices.Compact(names), missed
	}
}

// TestListenerHears: each way to change the content of a folder is reported, reading is not.
func TestListenerHears(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	changes := listener(t, dir)
	for _, c := range []struct {
		name   string
		change func() error
		want   []string
	}{
		{"nothing", func() error { return nil }, nil},
		{"a new file", func() error { return os.WriteFile(at("a"), []byte("x"), 0o600) }, []string{"a"}},
		{"one read", func() error { _, err := os.ReadFile(at("a")); return err }, nil},
		{"one written in place", func() error { return os.WriteFile(at("a"), []byte("y"), 0o600) }, []string{"a"}},
		{"one renamed", func() error { return os.Rename(at("a"), at("b")) }, []string{"a", "b"}},
		{"its mode", func() error { return os.Chmod(at("b"), 0o400) }, []string{"b"}},
		{"one removed", func() error { return os.Remove(at("b")) }, []string{"b"}},
		{"a folder", func() error { return os.Mkdir(at("c"), 0o700) }, []string{"c"}},
		{"the folder itself", func() error { return os.RemoveAll(dir) }, []string{"c", ""}},
	} {
		if err := c.change(); err != nil {
			t.Fatal(err)
		}
		if got, missed := changes(); missed || !slices.Equal(got, c.want) {
			t.Errorf("%s: heard of %q, missed %v, want %q", c.name, got, missed, c.want)
		}
	}
}

// TestListenerTellsWhatItMissed: more changes than the system queues are reported as missed, once.
func TestListenerTellsWhatItMissed(t *testing.T) {
	text, err := os.ReadFile("/proc/sys/fs/inotify/max_queued_events")
	if err != nil {
		t.Fatal(err)
	}
	var most int
	if _, err := fmt.Sscan(string(text), &most); err != nil || most > 1<<16 {
		t.Skipf("the system keeps %d changes, %v", most, err)
	}
	path := filepath.Join(t.TempDir(), "a")
	changes := listener(t, filepath.Dir(path))
	for range most/2 + 1 {
		if err := errors.Join(os.Mkdir(path, 0o700), os.Remove(path)); err != nil {
			t.Fatal(err)
		}
	}
	if _, missed := changes(); !missed {
		t.Error("nothing was missed")
	}
	if _, missed := changes(); missed {
		t.Error("nothing happened, and something was missed")
	}
}

// TestListenerRefuses: a file system without full notifications, and a missing folder, are refused.
func TestListenerRefuses(t *testing.T) {
	l, err := Listen()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := l.Add("/proc/self"); !errors.Is(err, ErrUnheard) {
		t.Errorf("a file system of the kernel's own: %v, want %v", err, ErrUnheard)
	}
	if _, err := l.Add(filepath.Join(t.TempDir(), "none")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no folder: %v, want %v", err, os.ErrNotExist)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	if missed, err := l.Changes(func(int32, string) {}); err == nil || !missed {
		t.Errorf("a listener that is broken: %v, missed %v", err, missed)
	}
}
