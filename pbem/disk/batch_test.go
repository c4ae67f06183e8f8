package disk_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"starpost/pbem/disk"
)

func TestWriteReplacesWhole(t *testing.T) {
	dir := t.TempDir()
	halves := filepath.Join(dir, "new")
	if err := os.Mkdir(halves, 0o700); err != nil {
		t.Fatal(err)
	}
	at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	var b disk.Batch
	for _, many := range []int{1, 50} { // synced one by one, and all at once
		for i := range many {
			path := filepath.Join(dir, strings.Repeat("x", i+1))
			for _, text := range []string{"first", "second"} {
				if err := b.Write(path, halves, []byte(text), 0o640, at); err != nil {
					t.Fatal(err)
				}
			}
			got, err := os.ReadFile(path)
			if err != nil || string(got) != "second" {
				t.Fatalf("read %q, %v", got, err)
			}
			info, err := os.Stat(path)
			if err != nil || !info.ModTime().Equal(at) || info.Mode().Perm() != 0o640 {
				t.Errorf("time %v, mode %v, %v", info.ModTime(), info.Mode(), err)
			}
		}
		if err := b.Sync(); err != nil {
			t.Error(err)
		}
		if err := b.Sync(); err != nil {
			t.Errorf("nothing to settle: %v", err)
		}
	}
	if left, err := os.ReadDir(halves); err != nil || len(left) != 0 {
		t.Errorf("left half-written: %v, %v", left, err)
	}
}

func TestWriteFails(t *testing.T) {
	dir := t.TempDir()
	var b disk.Batch
	if err := b.Write(filepath.Join(dir, "none", "x"), dir, []byte("text"), 0o600, time.Time{}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no directory: %v", err)
	}
	if err := b.Write(filepath.Join(dir, "x"), filepath.Join(dir, "none"), []byte("text"), 0o600, time.Time{}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no directory for halves: %v", err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 0 {
		t.Errorf("left: %v, %v", left, err)
	}
}

// TestSyncOfRemovedFiles: removed files need no sync.
func TestSyncOfRemovedFiles(t *testing.T) {
	for _, many := range []int{1, 20} {
		dir := filepath.Join(t.TempDir(), "shelf")
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		var b disk.Batch
		for i := range many {
			if err := b.Write(filepath.Join(dir, strings.Repeat("x", i+1)), dir, []byte("text"), 0o600, time.Time{}); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.RemoveAll(dir); err != nil {
			t.Fatal(err)
		}
		if err := b.Sync(); err != nil {
			t.Errorf("%d files: %v", many, err)
		}
	}
}

func TestSyncTree(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "x"), []byte("text"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(disk.SyncTree(dir), disk.SyncDir(dir)); err != nil {
		t.Error(err)
	}
	if disk.SyncTree(filepath.Join(dir, "none")) == nil || disk.SyncDir(filepath.Join(dir, "none")) == nil {
		t.Error("what is not there was synced")
	}
}
