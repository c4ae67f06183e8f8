package disk_test

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"starpost/pbem/disk"
)

// Reading gives the same bytes and the same kind of error as package os.
func TestReadFile(t *testing.T) {
	dir := t.TempDir()
	for _, size := range []int{0, 1, 511, 512, 4096, 1 << 20} {
		path := filepath.Join(dir, "file")
		want := bytes.Repeat([]byte("x"), size)
		if err := os.WriteFile(path, want, 0o600); err != nil {
			t.Fatal(err)
		}
		if got, err := disk.ReadFile(path); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%d bytes: got %d, %v", size, len(got), err)
		}
	}
	for _, path := range []string{filepath.Join(dir, "missing"), dir, filepath.Join(dir, "file", "below"), "nul\x00"} {
		_, want := os.ReadFile(path)
		_, err := disk.ReadFile(path)
		if p, ok := errors.AsType[*fs.PathError](err); !ok || p.Path != path || err.Error() != want.Error() {
			t.Errorf("%q: %v, want %v", path, err, want)
		}
	}
}

// A file whose size is not known before is read to its end.
func TestReadFileOfNoSize(t *testing.T) {
	const path = "/proc/self/status"
	if info, err := os.Stat(path); err != nil || info.Size() != 0 {
		t.Skip("there is none here")
	}
	if got, err := disk.ReadFile(path); err != nil || !bytes.Contains(got, []byte("\nnonvoluntary_ctxt_switches:")) {
		t.Errorf("%q, %v", got, err)
	}
}

func TestOpenFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	for i, want := range []string{"one\n", "one\ntwo\n"} {
		f, err := disk.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o640)
		if err != nil {
			t.Fatal(err)
		}
		_, err = f.WriteString([]string{"one\n", "two\n"}[i])
		if err := errors.Join(err, f.Sync(), f.Close()); err != nil || f.Name() != path {
			t.Fatal(f.Name(), err)
		}
		if got, err := os.ReadFile(path); err != nil || string(got) != want {
			t.Errorf("%q, %v, want %q", got, err, want)
		}
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm()&^0o640 != 0 {
		t.Error(info.Mode(), err)
	}
	if _, err := disk.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600); !errors.Is(err, fs.ErrExist) {
		t.Error(err)
	}
}
