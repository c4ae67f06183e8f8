package ledger

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"starpost/pbem/disk"
)

// What packs look like: see Spool.pack.
const (
	packs      = "packs" // the directory for them
	packEnding = ".mails"
	packHead   = "mails %d\n"
	packLine   = "%s %d\n"
	maxPacked  = 1 << 16 // mails in one
)

// packed is where a mail lies in a pack.
type packed struct {
	sha            string
	path           string
	offset, length int64
}

// errPack tells of a pack whose head is not what it should be.
var errPack = errors.New("the file of stored mails is damaged")

// readPack reads which mails lie in a pack, in their order.
func readPack(path string) (all []packed, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	lines := bufio.NewReaderSize(f, 16<<10)
	at := int64(0)
	line := func(format string, to ...any) error {
		text, err := lines.ReadString('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		if _, serr := fmt.Sscanf(text, format, to...); err != nil || serr != nil {
			return errPack
		}
		at += int64(len(text))
		return nil
	}
	n := 0
	if err := line(packHead, &n); err != nil || n < 1 || n > maxPacked {
		return nil, errors.Join(errPack, err)
	}
	for range n {
		one := packed{path: path}
		if err := line(packLine, &one.sha, &one.length); err != nil || one.length < 0 || !IsContentHash(one.sha) {
			return nil, errors.Join(errPack, err)
		}
		all = append(all, one)
	}
	for i := range all {
		all[i].offset = at
		at += all[i].length
	}
	return all, nil
}

// load reads a mail from its pack.
func (p packed) load() (raw []byte, err error) {
	f, err := os.Open(p.path)
	if err != nil {
		return nil, fmt.Errorf("load mail: %w", err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	info, err := f.Stat()
	if err != nil {
		return nil, fmt.Errorf("load mail: %w", err)
	}
	if p.length <= info.Size() {
		raw = make([]byte, p.length)
		if _, err := f.ReadAt(raw, p.offset); err != nil && !errors.Is(err, io.EOF) {
			return nil, fmt.Errorf("load mail: %w", err)
		}
	}
	if ContentHash(raw) != p.sha {
		return nil, fmt.Errorf("load mail %s in %s: %w", p.sha, p.path, ErrDamaged)
	}
	return raw, nil
}

// listPacks lists the files of all packs.
func (s *Spool) listPacks() ([]string, error) {
	entries, err := os.ReadDir(filepath.Join(s.dir, packs))
	if err != nil {
		return nil, removed(err)
	}
	var all []string
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), packEnding) {
			all = append(all, filepath.Join(s.dir, packs, e.Name()))
		}
	}
	return all, nil
}

// find looks for a mail in the packs; ok is false when none has it. What lies in
// a pack is read once.
func (s *Spool) find(sha string) (at packed, ok bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if at, ok := s.packed[sha]; ok {
		return at, true, nil
	}
	paths, err := s.listPacks()
	if err != nil {
		return packed{}, false, err
	}
	if s.packed == nil {
		s.packed, s.known = map[string]packed{}, map[string]bool{}
	}
	for _, path := range paths {
		if s.known[path] {
			continue
		}
		all, err := readPack(path)
		if err != nil && !errors.Is(err, errPack) && removed(err) != nil {
			return packed{}, false, err
		}
		s.known[path] = true
		for _, one := range all {
			s.packed[one.sha] = one
		}
	}
	at, ok = s.packed[sha]
	return at, ok, nil
}

// unpack loads a mail from the pack that has it. An error that is fs.ErrNotExist
// means that none has.
func (s *Spool) unpack(sha string) ([]byte, error) {
	at, ok, err := s.find(sha)
	if err != nil {
		return nil, fmt.Errorf("load mail: %w", err)
	}
	if !ok {
		return nil, fmt.Errorf("load mail %s: %w", sha, fs.ErrNotExist)
	}
	raw, err := at.load()
	if errors.Is(err, fs.ErrNotExist) {
		s.forgetPacks()
	}
	return raw, err
}

// forgetPacks has packs be read again: one was removed or replaced.
func (s *Spool) forgetPacks() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.packed, s.known = nil, nil
}

// examinePack reads every mail in a pack. If any is not what its name says, the
// pack is put aside, and the others are put into another one. aside names what is
// lost: mails, or a pack that cannot be read at all.
func (s *Spool) examinePack(path string) (whole int, aside []string, err error) {
	all, err := readPack(path)
	if errors.Is(err, errPack) {
		return 0, []string{filepath.Base(path)}, s.setAside(path)
	}
	if err != nil {
		return 0, nil, err
	}
	var names []string
	var mails [][]byte
	for _, one := range all {
		raw, err := one.load()
		switch {
		case err == nil:
			names, mails = append(names, one.sha), append(mails, raw)
		case errors.Is(err, ErrDamaged):
			aside = append(aside, one.sha+".eml")
		default:
			return 0, nil, err
		}
	}
	if len(aside) == 0 {
		return len(names), nil, nil
	}
	defer s.forgetPacks()
	if len(names) > 0 {
		var b disk.Batch
		if err := s.pack(&b, names, mails); err != nil {
			return 0, nil, err
		}
		if err := b.Sync(); err != nil {
			return 0, nil, fmt.Errorf("spool %d mails: %w", len(names), err)
		}
	}
	return len(names), aside, s.setAside(path)
}

// forgetPack removes a pack that was stored before a moment if done says of each
// of its mails that nothing is left to do with it. It gives how many these are.
func (s *Spool) forgetPack(path string, before time.Time, done func(sha string) (bool, error)) (gone int, err error) {
	info, err := os.Stat(path)
	if err != nil || !info.ModTime().Before(before) {
		return 0, err
	}
	all, err := readPack(path)
	if errors.Is(err, errPack) {
		return 0, nil // that is for Verify
	}
	if err != nil {
		return 0, err
	}
	for _, one := range all {
		if yes, err := done(one.sha); err != nil || !yes {
			return 0, err
		}
	}
	defer s.forgetPacks()
	return len(all), os.Remove(path)
}

// CountMails counts the mails in the spool in dir, which need not be there.
func CountMails(dir string) (n int, err error) {
	s := Spool{dir: dir}
	files, err := s.files()
	if err != nil {
		return 0, removed(err)
	}
	paths, err := s.listPacks()
	if err != nil {
		return 0, fmt.Errorf("count mails: %w", err)
	}
	n = len(files)
	for _, path := range paths {
		all, err := readPack(path)
		if err != nil && !errors.Is(err, errPack) {
			return 0, fmt.Errorf("count mails: %w", err)
		}
		n += len(all)
	}
	return n, nil
}
