package ledger

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"starpost/pbem/disk"
)

// Spool keeps raw mails as files named by their content:
// dir/ab/abcdef....eml for a mail whose SHA-256 begins with ab; of many that came
// together (see SpoolBatch), all in one file dir/packs/....mails. A file is complete or
// absent.
type Spool struct {
	dir string

	mu     sync.Mutex
	packed map[string]packed // the mails that are known to lie in packs
	known  map[string]bool   // the packs that were looked into
}

// halves is where files are that are being written.
const halves = "new"

// OpenSpool opens the spool in dir and makes the directory if it is missing.
func OpenSpool(dir string) (*Spool, error) {
	if err := disk.MakeDir(dir, 0o700); err != nil {
		return nil, fmt.Errorf("open spool: %w", err)
	}
	if err := disk.MakeDir(filepath.Join(dir, halves), 0o700); err != nil {
		return nil, fmt.Errorf("open spool: %w", err)
	}
	// Shelves that a killed process made may not be on the disk yet.
	if err := disk.SyncDir(dir); err != nil {
		return nil, fmt.Errorf("open spool: %w", err)
	}
	return &Spool{dir: dir}, nil
}

// ReadSpool gives the spool in dir for Load alone, also while a daemon uses it.
// Nothing is made if there is none.
func ReadSpool(dir string) *Spool { return &Spool{dir: dir} }

// RemovePartial removes what a crash left half-written. Only the process that holds the
// lock may call it, before it stores anything.
func (s *Spool) RemovePartial() error {
	dir := filepath.Join(s.dir, halves)
	entries, err := os.ReadDir(dir)
	if err != nil {
		return fmt.Errorf("clean up the spool: %w", err)
	}
	for _, e := range entries {
		if err := os.Remove(filepath.Join(dir, e.Name())); err != nil {
			return fmt.Errorf("clean up the spool: %w", err)
		}
	}
	return nil
}

// Store keeps raw and returns its name. When it returns without error the
// bytes are on the disk. Bytes that are there already are not written again.
func (s *Spool) Store(raw []byte) (sha string, err error) {
	var b disk.Batch
	if sha, err = s.StoreUnsynced(&b, raw); err != nil {
		return "", err
	}
	if err := b.Sync(); err != nil {
		return "", fmt.Errorf("spool %s: %w", sha, err)
	}
	return sha, nil
}

// StoreUnsynced is Store, but the bytes are on the disk only when b was settled.
func (s *Spool) StoreUnsynced(b *disk.Batch, raw []byte) (sha string, err error) {
	sha = ContentHash(raw)
	path := s.Path(sha)
	if _, err := loadFile(path, sha); err == nil {
		b.FileWritten(path) // perhaps by a process that was killed before it could wait
		return sha, nil
	}
	if err := s.write(b, path, raw); err != nil {
		return "", fmt.Errorf("spool %s: %w", sha, err)
	}
	return sha, nil
}

// write writes a file of the spool, and makes the directories for it that are not
// there: it may be the first of its folder, or someone removed the spool. What the
// spool lies in is never made: a disk may have been unmounted.
func (s *Spool) write(b *disk.Batch, path string, text []byte) error {
	write := func() error { return b.Write(path, filepath.Join(s.dir, halves), text, 0o600, time.Time{}) }
	err := write()
	if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	shelf := filepath.Dir(path)
	for _, dir := range []string{s.dir, filepath.Join(s.dir, halves), shelf} {
		err := os.Mkdir(dir, 0o700)
		if err != nil && !errors.Is(err, fs.ErrExist) {
			return err
		}
		// Another process may just have made the folder, and not have waited for the disk yet.
		if err == nil || dir == shelf {
			b.DirChanged(filepath.Dir(dir))
		}
	}
	return write()
}

// Probe tells by an error that no mail can be stored just now. It leaves nothing
// behind.
func (s *Spool) Probe() error {
	path := filepath.Join(s.dir, "probe")
	var b disk.Batch
	err := s.write(&b, path, make([]byte, 64<<10))
	if err == nil {
		err = errors.Join(b.Sync(), os.Remove(path))
	}
	if err != nil {
		return fmt.Errorf("try the spool: %w", err)
	}
	return nil
}

// Verify reads every mail in the spool. What is not what its name says is moved
// into the directory damaged, with the pack that it was in, and named.
func (s *Spool) Verify(ctx context.Context) (whole int, aside []string, err error) {
	files, err := s.files()
	if err != nil {
		return 0, nil, fmt.Errorf("examine the spool: %w", err)
	}
	for _, path := range files {
		if err := ctx.Err(); err != nil {
			return whole, aside, err
		}
		sha := strings.TrimSuffix(filepath.Base(path), ".eml")
		_, err := loadFile(path, sha)
		switch {
		case err == nil:
			whole++
		case errors.Is(err, ErrDamaged) || !IsContentHash(sha):
			if err := s.setAside(path); err != nil {
				return whole, aside, err
			}
			aside = append(aside, filepath.Base(path))
		default:
			return whole, aside, err
		}
	}
	paths, err := s.listPacks()
	if err != nil {
		return whole, aside, fmt.Errorf("examine the spool: %w", err)
	}
	for _, path := range paths {
		if err := ctx.Err(); err != nil {
			return whole, aside, err
		}
		n, damaged, err := s.examinePack(path)
		whole, aside = whole+n, append(aside, damaged...)
		if err != nil {
			return whole, aside, fmt.Errorf("examine the spool: %w", err)
		}
	}
	return whole, aside, nil
}

// files lists all that lies where mails are kept.
func (s *Spool) files() (all []string, err error) {
	shelves, err := os.ReadDir(s.dir)
	if err != nil {
		return nil, err
	}
	for _, shelf := range shelves {
		if len(shelf.Name()) != 2 || !shelf.IsDir() {
			continue
		}
		files, err := os.ReadDir(filepath.Join(s.dir, shelf.Name()))
		if err != nil {
			return nil, err
		}
		for _, f := range files {
			all = append(all, filepath.Join(s.dir, shelf.Name(), f.Name()))
		}
	}
	return all, nil
}

func (s *Spool) setAside(path string) error {
	to := filepath.Join(s.dir, "damaged")
	if err := os.MkdirAll(to, 0o700); err != nil {
		return fmt.Errorf("move a damaged mail aside: %w", err)
	}
	if err := os.Rename(path, filepath.Join(to, filepath.Base(path))); err != nil {
		return fmt.Errorf("move a damaged mail aside: %w", err)
	}
	return nil
}

// DeleteExpired removes the mails that were stored before a moment and of which done
// says that nothing is left to do with them; those of a pack when it says so of all
// of them. It gives how many.
func (s *Spool) DeleteExpired(ctx context.Context, before time.Time, done func(sha string) (bool, error)) (gone int, err error) {
	files, err := s.files()
	if err != nil {
		return 0, fmt.Errorf("find expired mails in the spool: %w", err)
	}
	for _, path := range files {
		if err := ctx.Err(); err != nil {
			return gone, err
		}
		info, err := os.Stat(path)
		if err != nil {
			return gone, fmt.Errorf("find expired mails in the spool: %w", err)
		}
		if !info.ModTime().Before(before) {
			continue
		}
		if yes, err := done(strings.TrimSuffix(filepath.Base(path), ".eml")); err != nil || !yes {
			if err != nil {
				return gone, err
			}
			continue
		}
		if err := os.Remove(path); err != nil {
			return gone, fmt.Errorf("remove an expired mail from the spool: %w", err)
		}
		gone++
	}
	paths, err := s.listPacks()
	if err != nil {
		return gone, fmt.Errorf("find expired mails in the spool: %w", err)
	}
	for _, path := range paths {
		if err := ctx.Err(); err != nil {
			return gone, err
		}
		n, err := s.forgetPack(path, before, done)
		if err != nil {
			return gone, fmt.Errorf("find expired mails in %s: %w", path, err)
		}
		gone += n
	}
	return gone, nil
}

// ErrDamaged is returned by Load for a file that does not hold what its name
// says.
var ErrDamaged = errors.New("the stored mail is damaged")

// Load returns the bytes of that name. A name that is not in the spool gives
// an error that is fs.ErrNotExist.
func (s *Spool) Load(sha string) ([]byte, error) {
	if !IsContentHash(sha) {
		return nil, fmt.Errorf("load mail %q: %w", sha, fs.ErrNotExist)
	}
	raw, err := loadFile(s.Path(sha), sha)
	if err == nil {
		return raw, nil
	}
	packed, perr := s.unpack(sha)
	if perr == nil {
		return packed, nil
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil, perr
	}
	return nil, err
}

// loadFile reads the file of a mail.
func loadFile(path, sha string) ([]byte, error) {
	raw, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("load mail: %w", err)
	}
	if ContentHash(raw) != sha {
		return nil, fmt.Errorf("load mail %s: %w", path, ErrDamaged)
	}
	return raw, nil
}

// Path is the file of that name, whether it is there or not, for a mail that does
// not lie in a pack.
func (s *Spool) Path(sha string) string {
	return filepath.Join(s.dir, sha[:min(2, len(sha))], sha+".eml")
}

// ContentHash is the name of raw in any spool: its SHA-256 in hexadecimal.
func ContentHash(raw []byte) string {
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:])
}

// IsContentHash tells whether a word is such a name; it keeps paths that are none out of
// the file system.
func IsContentHash(sha string) bool {
	b, err := hex.DecodeString(sha)
	return err == nil && len(b) == sha256.Size && hex.EncodeToString(b) == sha
}
