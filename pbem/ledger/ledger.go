package ledger

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	_ "modernc.org/sqlite" // the driver "sqlite"

	"starpost/pbem/disk"
)

// Ledger is an open ledger. It is safe for use by many goroutines; all of them
// share one connection. Two processes may open one ledger, but the daemon's
// lock on its state directory is what keeps them from doing the same work.
//
// Beside the database, in a directory of its name with the ending .d, lie a
// journal of what was done and the mails that wait and are in no other file: a
// database that was removed or damaged is rebuilt from them.
type Ledger struct {
	db       *database
	path     string
	files    *opened
	journal  *journal
	segments segments
	spare    []byte // memory for the next segment, for anyone who has the database
	recovery Recovery
}

// ErrNewer is returned by Open for a ledger that a later version has written.
var ErrNewer = errors.New("the ledger was written by a newer version of starpost")

// Open opens the ledger in the file path and creates or migrates it as needed. A
// damaged one is moved aside and, like one that is missing, rebuilt from what
// lies beside it; see Recovered. Its directory must exist.
func Open(path string) (*Ledger, error) {
	var l *Ledger
	err := condemned(path)
	for try := 0; err == nil; try++ {
		if l, err = openOrCreate(path); err == nil || try == 5 {
			break
		}
		// Someone may have removed it just now, or be about to make it: SQLite
		// does not wait for another process that changes the journal's mode.
		if _, serr := os.Lstat(path); !errors.Is(serr, fs.ErrNotExist) && !isBusy(err) {
			break
		}
		err = nil
	}
	if err == nil || !isDamaged(err) {
		return l, hinted(path, err)
	}
	aside, merr := setAside(path)
	if merr != nil {
		return nil, errors.Join(err, merr)
	}
	l, aerr := openOrCreate(path)
	if aerr != nil {
		return nil, hinted(path, aerr)
	}
	l.recovery.Aside, l.recovery.Why = aside, err
	if err := removed(os.Remove(condemnation(path))); err != nil {
		return nil, errors.Join(fmt.Errorf("open ledger %s: %w", path, err), l.Close())
	}
	return l, nil
}

// condemnation is the file that says that a database is not to be used again.
func condemnation(path string) string { return filepath.Join(sideDir(path), "condemned") }

// condemned tells, by an error, whether a database was condemned.
func condemned(path string) error {
	_, err := os.Stat(condemnation(path))
	if err == nil {
		return fmt.Errorf("open ledger %s: %w: the damage was found while it was in use", path, errCheck)
	}
	return removed(err)
}

// MarkDamaged has the next Open set the database aside: it was found damaged while
// it was used, which not every look at it shows.
func (l *Ledger) MarkDamaged() error {
	if err := os.WriteFile(condemnation(l.path), nil, 0o600); err != nil {
		return fmt.Errorf("mark ledger %s as damaged: %w", l.path, err)
	}
	return nil
}

func openOrCreate(path string) (l *Ledger, err error) {
	dir := sideDir(path)
	messages := segmentsDir(path)
	for _, d := range []string{dir, messages} {
		err := os.Mkdir(d, 0o700)
		if err == nil {
			err = disk.SyncDir(filepath.Dir(d)) // what is going to lie there must not be lost with it
		}
		if err != nil && !errors.Is(err, fs.ErrExist) {
			return nil, fmt.Errorf("open ledger: %w", err)
		}
	}
	// The file is made first, so that no one else can read it: it holds
	// addresses.
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("open ledger: %w", err)
	}
	info, err := f.Stat()
	if err = errors.Join(err, f.Close()); err != nil {
		return nil, fmt.Errorf("open ledger %s: %w", path, err)
	}
	db, err := connect(context.Background(), path, "_pragma=busy_timeout(5000)&_pragma=journal_mode(WAL)&_pragma=synchronous(FULL)"+
		"&_pragma=foreign_keys(1)&_pragma=cache_size(-8192)")
	if err != nil {
		return nil, fmt.Errorf("open ledger %s: %w", path, err)
	}
	l = &Ledger{db: db, path: path, segments: segments{dir: messages}}
	if l.journal, err = openJournal(filepath.Join(dir, "trail.jsonl")); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	if err := l.begin(context.Background(), info.Size()); err != nil {
		return nil, errors.Join(fmt.Errorf("open ledger %s: %w", path, err), l.Close())
	}
	if l.files, err = lookAt(path, info); err != nil {
		return nil, errors.Join(fmt.Errorf("open ledger %s: %w", path, err), l.Close())
	}
	return l, nil
}

// maxCheck is the largest database that is looked through whenever it is opened;
// it takes a tenth of a second.
const maxCheck = 64 << 20

// begin checks, migrates and fills the database.
func (l *Ledger) begin(ctx context.Context, size int64) error {
	if size > 0 && size <= maxCheck {
		if err := l.Check(ctx); err != nil {
			return err
		}
	}
	if err := l.migrate(ctx, func(tx *transaction) error { return l.rebuild(ctx, tx) }); err != nil {
		return err
	}
	if err := l.gather(ctx); err != nil {
		return err
	}
	// An earlier version left no journal.
	if l.journal.size == 0 && !l.recovery.New || l.journal.size >= maxJournal {
		return l.retrace(ctx)
	}
	return nil
}

// sideDir is the directory that belongs to a database.
func sideDir(path string) string { return strings.TrimSuffix(path, filepath.Ext(path)) + ".d" }

// segmentsDir is where mails lie that are in no other file.
func segmentsDir(path string) string { return filepath.Join(sideDir(path), "letters") }

// setAside renames a damaged database.
func setAside(path string) (string, error) {
	for n := 1; ; n++ {
		aside := fmt.Sprintf("%s.damaged-%d", path, n)
		if _, err := os.Lstat(aside); !errors.Is(err, fs.ErrNotExist) {
			if err != nil {
				return "", fmt.Errorf("move the damaged ledger aside: %w", err)
			}
			continue
		}
		for _, ending := range []string{"-wal", "-shm", ""} {
			if err := removed(os.Rename(path+ending, aside+ending)); err != nil {
				return "", fmt.Errorf("move the damaged ledger aside: %w", err)
			}
		}
		return aside, nil
	}
}

// Close closes the ledger.
func (l *Ledger) Close() error {
	if err := errors.Join(l.db.Close(), l.journal.close()); err != nil {
		return fmt.Errorf("close ledger: %w", err)
	}
	return nil
}

// Times are stored as microseconds since 1970 in UTC, and zero as zero.

func stamp(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMicro()
}

func unstamp(n int64) time.Time {
	if n == 0 {
		return time.Time{}
	}
	return time.UnixMicro(n).UTC()
}

// micros is a time that is scanned.
type micros time.Time

// Scan implements sql.Scanner.
func (m *micros) Scan(from any) error {
	n, ok := from.(int64)
	if !ok {
		return fmt.Errorf("a time is stored as %T", from)
	}
	*m = micros(unstamp(n))
	return nil
}

// inserted reports whether an INSERT ... ON CONFLICT DO NOTHING made a row.
func inserted(r sql.Result, err error) (bool, error) {
	if err != nil {
		return false, err
	}
	n, err := r.RowsAffected()
	return n > 0, err
}
