package archive

import (
	"archive/zip"
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestContainer alters the ZIP file around its content, byte by byte: its headers, its central
// directory and its end. Every change is found, although the content is the same.
func TestContainer(t *testing.T) {
	dir, g := world(t)
	path, _ := makeArchive(t, dir, g, "a.zip")
	good, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	r, err := open(path)
	if err != nil {
		t.Fatal(err)
	}
	packed := make([]bool, len(good)) // bytes of the members' data
	var order []string
	for _, f := range r.zip.File {
		at, err := f.DataOffset()
		if err != nil {
			t.Fatal(err)
		}
		for i := range f.CompressedSize64 {
			packed[uint64(at)+i] = true
		}
		if strings.HasPrefix(f.Name, gameDir+"/") {
			order = append(order, f.Name)
		}
	}
	if differs, err := r.container(order); differs != -1 || err != nil {
		t.Fatalf("byte %d of the archive itself is wrong: %v", differs, err)
	}
	if err := r.close(); err != nil {
		t.Fatal(err)
	}
	found := func(data []byte) bool {
		to := filepath.Join(dir, "x.zip")
		if err := os.WriteFile(to, data, 0o600); err != nil {
			t.Fatal(err)
		}
		x, err := open(to)
		if err != nil {
			return true // it is refused
		}
		defer x.close() //nolint:errcheck // it was only read
		differs, err := x.container(order)
		return err != nil || differs >= 0
	}
	tried := 0
	for i := range good {
		if packed[i] || i%23 > 0 && i < len(good)-200 {
			continue
		}
		tried++
		data := bytes.Clone(good)
		data[i] ^= byte(1 + i%255)
		if !found(data) {
			t.Errorf("byte %d of %d: %#x instead of %#x is not found", i, len(good), data[i], good[i])
		}
	}
	if tried < 200 {
		t.Errorf("only %d bytes were tried", tried)
	}
	if !found(append([]byte("x"), good...)) || !found(append(bytes.Clone(good), 'x')) {
		t.Error("what was added at the beginning or the end is not found")
	}
	// The same files, packed again.
	var again bytes.Buffer
	z := zip.NewWriter(&again)
	for name, text := range unzip(t, path) {
		w, err := z.Create(name)
		if err == nil {
			_, err = w.Write([]byte(text))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	to := filepath.Join(dir, "again.zip")
	if err := os.WriteFile(to, again.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	v, err := Verify(t.Context(), to, VerifyOptions{Catalogue: catalogue()})
	if err != nil || len(v.Findings) != 1 || !strings.Contains(v.Findings[0].Problem, "repacked") {
		t.Errorf("%v, %v", v, err)
	}
}
