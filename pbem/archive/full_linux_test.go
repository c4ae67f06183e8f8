package archive

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// small mounts a small file system, if that is possible.
func small(t *testing.T, size string) string {
	t.Helper()
	disk := t.TempDir()
	if err := syscall.Mount("tmpfs", disk, "tmpfs", 0, "size="+size); err != nil {
		t.Skipf("no file system may be mounted: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(disk, 0); err != nil {
			t.Error(err)
		}
	})
	return disk
}

// TestArchiveOnAFullDisk checks that without space for an archive, or for unpacking it, no partial
// archive and no temporary files remain.
func TestArchiveOnAFullDisk(t *testing.T) {
	dir, g := world(t)
	path, _ := makeArchive(t, dir, g, "a.zip")
	disk := small(t, "8k")
	full := func(what string, err error, in string) {
		t.Helper()
		if !errors.Is(err, syscall.ENOSPC) || !strings.Contains(err.Error(), "disk is full") || hinted(err) == "" {
			t.Errorf("%s: %v (%s)", what, err, hinted(err))
		}
		if left, err := os.ReadDir(in); err != nil || len(left) > 0 {
			t.Errorf("%s leaves behind %v, %v", what, left, err)
		}
	}
	_, err := Make(t.Context(), Options{Game: g, To: filepath.Join(disk, "b.zip"), Catalogue: catalogue()})
	full("make", err, disk)
	t.Setenv("TMPDIR", disk)
	_, err = Verify(t.Context(), path, VerifyOptions{Catalogue: catalogue()})
	full("verify", err, disk)
	_, err = Make(t.Context(), Options{Game: g, To: filepath.Join(dir, "b.zip"), Catalogue: catalogue()})
	full("make without room to verify", err, disk)
	for _, name := range []string{"b.zip", ".b.zip.part"} {
		if _, err := os.Lstat(filepath.Join(dir, name)); err == nil {
			t.Errorf("%s was left", name)
		}
	}
}
