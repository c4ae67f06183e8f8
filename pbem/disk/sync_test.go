package disk_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"starpost/pbem/disk"
)

func TestMakeDir(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "b", "c")
	for range 2 {
		if err := disk.MakeDir(dir, 0o750); err != nil {
			t.Fatal(err)
		}
	}
	if info, err := os.Stat(filepath.Dir(dir)); err != nil || info.Mode().Perm() != 0o750 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := disk.MakeDir(file, 0o750); !errors.Is(err, fs.ErrExist) {
		t.Errorf("in the place of a file: %v", err)
	}
}
