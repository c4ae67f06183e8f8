package ledger

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"starpost/pbem/disk"
)

// batch stores mails together and gives their names.
func addBatch(t *testing.T, s *Spool, mails ...[]byte) (names []string) {
	t.Helper()
	var b disk.Batch
	p := s.Batch(&b)
	for _, raw := range mails {
		sha, err := p.Add(raw)
		if err != nil || sha != ContentHash(raw) {
			t.Fatalf("added as %q, %v", sha, err)
		}
		names = append(names, sha)
	}
	if err := errors.Join(p.Close(), b.Sync()); err != nil {
		t.Fatal(err)
	}
	return names
}

// several makes mails.
func several(from, n int) (mails [][]byte) {
	for i := range n {
		mails = append(mails, fmt.Appendf(nil, "mail %d%s", from+i, bytes.Repeat([]byte{'x'}, i)))
	}
	return mails
}

func packsOf(t *testing.T, s *Spool) []string {
	t.Helper()
	paths, err := s.listPacks()
	if err != nil {
		t.Fatal(err)
	}
	return paths
}

func holds(t *testing.T, s *Spool, mails ...[]byte) {
	t.Helper()
	for _, raw := range mails {
		if got, err := s.Load(ContentHash(raw)); err != nil || !bytes.Equal(got, raw) {
			t.Errorf("loaded %.40q, %v; want %.40q", got, err, raw)
		}
	}
}

// Few mails are files of their own, many lie in one, and either are found, by
// others too.
func TestBatchRoundTrip(t *testing.T) {
	dir := t.TempDir()
	s, other := openSpool(t, dir), openSpool(t, dir)
	few, many, more := several(0, fewMails), several(100, fewMails+1), several(200, 50)
	large := bytes.Repeat([]byte("large"), largeMail/5+1)
	addBatch(t, s, few...)
	if files, err := s.files(); err != nil || len(files) != fewMails || len(packsOf(t, s)) != 0 {
		t.Errorf("files %v, packs %v, %v", files, packsOf(t, s), err)
	}
	holds(t, other, few...)
	if _, err := other.Load(ContentHash(many[0])); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("error %v", err)
	}
	addBatch(t, s, append(slices.Concat(many, many), large)...)
	if files, err := s.files(); err != nil || len(files) != fewMails+1 || len(packsOf(t, s)) != 1 {
		t.Errorf("files %v, packs %v, %v", files, packsOf(t, s), err)
	}
	holds(t, other, many...)
	addBatch(t, s, more...)
	for _, one := range []*Spool{s, other, openSpool(t, dir)} {
		holds(t, one, slices.Concat(few, many, more, [][]byte{large})...)
	}
	if n, err := CountMails(dir); err != nil || n != len(few)+len(many)+len(more)+1 {
		t.Errorf("counted %d, %v", n, err)
	}
	for _, path := range packsOf(t, s) {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%v, %v", info.Mode(), err)
		}
	}
	if left, err := os.ReadDir(filepath.Join(dir, halves)); err != nil || len(left) != 0 {
		t.Errorf("left half-written: %v, %v", left, err)
	}
	if n, err := CountMails(filepath.Join(dir, "none")); err != nil || n != 0 {
		t.Errorf("counted %d, %v", n, err)
	}
}

// Mails that are many bytes do not wait in memory for the end.
func TestBatchIsBounded(t *testing.T) {
	s := openSpool(t, t.TempDir())
	var mails [][]byte
	for i := range 30 {
		mails = append(mails, bytes.Repeat([]byte{byte(i)}, 100<<10))
	}
	addBatch(t, s, mails...)
	if n := len(packsOf(t, s)); n != 2 { // and the last few by themselves
		t.Errorf("%d packs", n)
	}
	holds(t, s, mails...)
}

// A mail that is damaged in its pack is not loaded, can be stored again, and is
// moved aside without the others.
func TestDamagedPack(t *testing.T) {
	s := openSpool(t, t.TempDir())
	mails := several(0, 20)
	addBatch(t, s, mails...)
	path := packsOf(t, s)[0]
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	text[bytes.Index(text, mails[7])] ^= 1
	if err := os.WriteFile(path, text[:len(text)-1], 0o600); err != nil { // and the last one is cut
		t.Fatal(err)
	}
	holds(t, s, slices.Concat(mails[:7], mails[8:19])...)
	for _, i := range []int{7, 19} {
		if _, err := s.Load(ContentHash(mails[i])); !errors.Is(err, ErrDamaged) {
			t.Errorf("mail %d: %v", i, err)
		}
	}
	if _, err := s.Store(mails[7]); err != nil {
		t.Fatal(err)
	}
	holds(t, s, mails[7])
	for i, want := range [][]string{{ContentHash(mails[7]) + ".eml", ContentHash(mails[19]) + ".eml"}, nil} {
		whole, aside, err := s.Verify(t.Context())
		if err != nil || whole != 19 || !slices.Equal(aside, want) {
			t.Errorf("time %d: %d whole, aside %v, %v", i, whole, aside, err)
		}
	}
	holds(t, s, mails[:19]...)
	if _, err := s.Load(ContentHash(mails[19])); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("error %v", err)
	}
	if got, err := os.ReadFile(filepath.Join(s.dir, "damaged", filepath.Base(path))); err != nil || !bytes.Equal(got, text[:len(text)-1]) {
		t.Errorf("not put aside: %v", err)
	}
}

// A pack whose head is broken hinders no one and is moved aside.
func TestPackWithoutAHead(t *testing.T) {
	for name, head := range map[string]string{
		"nothing": "", "no count": "mails x\n", "no mails": "mails 0\n", "too many": "mails 99999999\n", "cut short": "mails 2\n", "no name": "mails 1\n../x 3\n",
		"a length below zero": "mails 1\n" + ContentHash(nil) + " -1\n",
	} {
		s := openSpool(t, t.TempDir())
		mails := several(0, 20)
		addBatch(t, s, mails...)
		broken := filepath.Join(s.dir, packs, "00"+packEnding)
		if err := os.WriteFile(broken, []byte(head), 0o600); err != nil {
			t.Fatal(err)
		}
		holds(t, s, mails...)
		if _, err := s.Load(ContentHash([]byte("none"))); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: error %v", name, err)
		}
		if whole, aside, err := s.Verify(t.Context()); err != nil || whole != 20 || !slices.Equal(aside, []string{"00" + packEnding}) {
			t.Errorf("%s: %d whole, aside %v, %v", name, whole, aside, err)
		}
		if n := len(packsOf(t, s)); n != 1 {
			t.Errorf("%s: %d packs", name, n)
		}
	}
}

// A pack is forgotten when all its mails are old and done.
func TestExpiredPacksAreDeleted(t *testing.T) {
	dir := t.TempDir()
	s, other := openSpool(t, dir), openSpool(t, dir)
	mails := several(0, 20)
	addBatch(t, s, mails...)
	holds(t, other, mails...)
	open := map[string]bool{ContentHash(mails[3]): true}
	forget := func(before time.Time) int {
		n, err := s.DeleteExpired(t.Context(), before, func(sha string) (bool, error) { return !open[sha], nil })
		if err != nil {
			t.Error(err)
		}
		return n
	}
	later := time.Now().Add(time.Hour)
	if n := forget(later); n != 0 {
		t.Errorf("%d of a pack with a mail that is not done", n)
	}
	clear(open)
	if n := forget(time.Now().Add(-time.Hour)); n != 0 {
		t.Errorf("%d that are not old", n)
	}
	holds(t, s, mails...)
	if n := forget(later); n != 20 || len(packsOf(t, s)) != 0 {
		t.Errorf("%d, %v", n, packsOf(t, s))
	}
	for _, one := range []*Spool{s, other} {
		for range 2 {
			if _, err := one.Load(ContentHash(mails[0])); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("error %v", err)
			}
		}
	}
}
