package ledger

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"
)

func openSpool(t interface {
	Helper()
	Fatal(...any)
}, dir string,
) *Spool {
	t.Helper()
	s, err := OpenSpool(dir)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestSpoolRoundTrip(t *testing.T) {
	s := openSpool(t, filepath.Join(t.TempDir(), "a", "spool"))
	rapid.Check(t, func(t *rapid.T) {
		raw := rapid.SliceOf(rapid.Byte()).Draw(t, "raw")
		for range 2 {
			sha, err := s.Store(raw)
			if err != nil || sha != ContentHash(raw) {
				t.Fatalf("stored as %q, %v", sha, err)
			}
			got, err := s.Load(sha)
			if err != nil || !bytes.Equal(got, raw) {
				t.Fatalf("loaded %q, %v; want %q", got, err, raw)
			}
		}
	})
}

func TestSpoolLayout(t *testing.T) {
	dir := t.TempDir()
	s := openSpool(t, dir)
	sha, err := s.Store([]byte("abc"))
	if err != nil {
		t.Fatal(err)
	}
	const want = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
	if sha != want || s.Path(sha) != filepath.Join(dir, "ba", want+".eml") {
		t.Errorf("stored as %s in %s", sha, s.Path(sha))
	}
	var found []string
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			info, statErr := d.Info()
			if statErr != nil || info.Mode().Perm() != 0o600 {
				t.Errorf("%s has mode %v, %v", path, info.Mode(), statErr)
			}
			found = append(found, path)
		}
		return err
	})
	if err != nil || len(found) != 1 {
		t.Errorf("files %v, %v", found, err)
	}
}

func TestSpoolReplacesDamagedMails(t *testing.T) {
	s := openSpool(t, t.TempDir())
	sha, err := s.Store([]byte("a mail"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(s.Path(sha), []byte("a ma"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Load(sha); !errors.Is(err, ErrDamaged) || !strings.Contains(err.Error(), s.Path(sha)) {
		t.Errorf("error %v", err)
	}
	if _, err := s.Store([]byte("a mail")); err != nil {
		t.Fatal(err)
	}
	if got, err := s.Load(sha); err != nil || string(got) != "a mail" {
		t.Errorf("loaded %q, %v", got, err)
	}
}

func TestSpoolNames(t *testing.T) {
	dir := t.TempDir()
	s := openSpool(t, filepath.Join(dir, "spool"))
	if err := os.WriteFile(filepath.Join(dir, "secret.eml"), []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"", "x", "../secret", ContentHash([]byte("none")), strings.ToUpper(ContentHash([]byte("none")))} {
		if _, err := s.Load(name); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%q: error %v", name, err)
		}
	}
}

func TestSpoolStoresConcurrently(t *testing.T) {
	s := openSpool(t, t.TempDir())
	raw := bytes.Repeat([]byte("x"), 100000)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			sha, err := s.Store(raw)
			if err != nil {
				t.Error(err)
				return
			}
			if got, err := s.Load(sha); err != nil || !bytes.Equal(got, raw) {
				t.Errorf("loaded %d bytes, %v", len(got), err)
			}
		})
	}
	all.Wait()
}

func TestSpoolFails(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenSpool(filepath.Join(file, "spool")); err == nil {
		t.Error("a spool in a file")
	}
	s := openSpool(t, filepath.Join(dir, "spool"))
	if err := os.WriteFile(filepath.Join(dir, "spool", ContentHash(nil)[:2]), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if sha, err := s.Store(nil); err == nil || sha != "" {
		t.Errorf("stored as %q where a file is in the way", sha)
	}
}
