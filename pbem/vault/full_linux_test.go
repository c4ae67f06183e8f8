package vault

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestFullDisk plays on a file system of half a megabyte, if it can be mounted.
func TestFullDisk(t *testing.T) {
	disk := t.TempDir()
	if err := syscall.Mount("tmpfs", disk, "tmpfs", 0, "size=512k"); err != nil {
		t.Skipf("no file system may be mounted: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(disk, 0); err != nil {
			t.Error(err)
		}
	})
	dir := filepath.Join(disk, "pond")
	if err := os.CopyFS(dir, os.DirFS(create(t))); err != nil {
		t.Fatal(err)
	}
	g := open(t, dir)
	if err := g.Orders.Put(At(1), "Ada", []byte("first"), time.Time{}); err != nil {
		t.Fatal(err)
	}
	before := tree(t, dir)
	state, files := content(t, 1)
	files = append(files, File{"reports/big.txt", make([]byte, 1<<20)})
	full := func(what string, err error) {
		t.Helper()
		if !errors.Is(err, syscall.ENOSPC) || !strings.Contains(err.Error(), "disk is full") || hinted(err) == "" {
			t.Errorf("%s: %v (%s)", what, err, hinted(err))
		}
		if got := tree(t, dir); !maps.Equal(got, before) {
			t.Errorf("%s changed the game", what)
		}
	}
	full("commit", g.Commit(Manifest{Turn: 1}, Files(files...), state))
	full("put", g.Orders.Put(At(1), "Ada", make([]byte, 1<<20), time.Time{}))
	if err := commitNext(t, g); err != nil {
		t.Errorf("what fits is committed: %v", err)
	}
	// The same on a read-only medium.
	before = tree(t, dir)
	if err := syscall.Mount("", disk, "", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""); err != nil {
		t.Skipf("cannot be made read-only: %v", err)
	}
	for what, err := range map[string]error{"put": g.Orders.Put(At(2), "Ada", nil, time.Time{}), "commit": commitNext(t, g)} {
		if !errors.Is(err, syscall.EROFS) || !strings.Contains(err.Error(), "read-only") || hinted(err) == "" {
			t.Errorf("%s: %v", what, err)
		}
	}
	if got := tree(t, dir); !maps.Equal(got, before) {
		t.Error("the game was changed")
	}
	open(t, dir)
}
