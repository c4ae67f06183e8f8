package archive

import (
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"testing"
)

// TestRawBytes alters arbitrary bytes of the file: it is refused, or the alteration is reported, or
// the content is the same (a time, for example).
func TestRawBytes(t *testing.T) {
	dir, g := world(t)
	path, _ := makeArchive(t, dir, g, "a.zip")
	good, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	files := unzip(t, path)
	const step = 1499
	to := filepath.Join(dir, "x.zip")
	tried, refused, named := 0, 0, 0
	try := func(i int) {
		data := bytes.Clone(good)
		data[i] ^= byte(1 + i%255)
		if err := os.WriteFile(to, data, 0o600); err != nil {
			t.Fatal(err)
		}
		tried++
		v, err := Verify(t.Context(), to, VerifyOptions{Catalogue: catalogue()})
		switch {
		case err != nil && hinted(err) == "":
			t.Errorf("byte %d: no way out of %v", i, err)
		case err != nil:
			refused++
		case !v.Sound:
			named++
		case !maps.Equal(unzip(t, to), files):
			t.Errorf("byte %d is not found", i)
		}
	}
	for i := 0; i < len(good); i += step {
		try(i)
	}
	for i := len(good) - 400; i < len(good); i += step/100 + 1 { // the central directory
		try(i)
	}
	if refused == 0 {
		t.Error("nothing was refused")
	}
	t.Logf("%d bytes tried: %d files refused, %d findings", tried, refused, named)
}
