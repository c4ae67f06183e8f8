package sqlite

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"starpost/pbem/disk"
	"starpost/pbem/store"
	"starpost/pbem/store/sqlstore"

	sqlite3 "modernc.org/sqlite/lib"
)

// Store is an open store. Several processes may open one store; only the daemon's
// lock on its state directory keeps them from doing the same work.
type Store struct {
	*sqlstore.Store
	db       *sqlstore.Database
	link     *link
	path     string
	files    *opened
	recovery store.Recovery
}

// storeOf returns the store in the file path, which is open as l.
func storeOf(l *link, path string) *Store {
	s := &Store{db: sqlstore.NewDatabase(l), link: l, path: path}
	s.Store = sqlstore.New(s.db, func(ctx context.Context, sha string) (raw []byte, err error) {
		err = look(ctx, copyOf(path), readOnly, func(other *Store, _ int) error {
			raw, err = other.LoadRaw(ctx, sha)
			return err
		})
		return raw, err
	})
	return s
}

// Recovered reports whether the store was lost or damaged, with the details.
func (l *Store) Recovered() (store.Recovery, bool) {
	return l.recovery, l.recovery.Aside != "" || l.recovery.Restored
}

// busyTimeout is how many milliseconds SQLite waits for another process.
const busyTimeout = 5000

// Open opens the store in the file path, and creates or migrates it as needed. The
// directory must exist. A damaged store is moved aside. A damaged or missing store
// is restored from its copy, if there is one; see Recovered.
func Open(path string) (l *Store, err error) {
	var r store.Recovery
	for range 6 {
		if l, err = openOrCreate(path, &r); err == nil {
			break
		}
		// Another process may be removing the file, which can fail any of SQLite's steps, or
		// creating it: SQLite does not wait for a process that is changing the journal mode.
		if errors.Is(err, fs.ErrNotExist) || hasCode(err, sqlite3.SQLITE_BUSY, sqlite3.SQLITE_IOERR) {
			continue
		}
		if !store.IsDamaged(err) {
			break
		}
		aside, merr := setAside(path)
		if merr != nil {
			return nil, errors.Join(err, merr)
		}
		if r.Aside == "" {
			r.Aside, r.Why = aside, err
			continue
		}
		if err := removed(os.Remove(copyOf(path))); err != nil { // the copy is damaged too
			return nil, err
		}
	}
	if err != nil {
		return nil, hinted(path, err)
	}
	l.recovery = r
	return l, nil
}

// condemnation returns the name of the file that marks a database as damaged.
func condemnation(path string) string { return path + ".condemned" }

// MarkDamaged makes the next Open move the database aside. It is for damage found
// while the database was in use, which the check in Open may not find.
func (l *Store) MarkDamaged() error {
	if err := os.WriteFile(condemnation(l.path), nil, 0o600); err != nil {
		return fmt.Errorf("mark store %s as damaged: %w", l.path, err)
	}
	return nil
}

func openOrCreate(path string, r *store.Recovery) (l *Store, err error) {
	if _, err := os.Stat(condemnation(path)); err == nil {
		return nil, fmt.Errorf("open store %s: %w: the damage was found while it was in use", path, errCheck)
	}
	if isNew(path) {
		// Processes that open a new store at the same time would remove each other's files.
		unlock, lerr := disk.LockFile(path)
		if lerr != nil {
			return nil, fmt.Errorf("open store: %w", lerr)
		}
		defer func() { err = errors.Join(err, unlock()) }()
	}
	if r.New = isNew(path); r.New {
		if r.Restored, err = restore(path); err != nil {
			return nil, fmt.Errorf("restore store %s from its copy: %w", path, err)
		}
		r.New = !r.Restored
	}
	// Create the file before SQLite does, so that only its owner can read it: it
	// holds addresses.
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("open store: %w", err)
	}
	info, err := f.Stat()
	if err = errors.Join(err, f.Close()); err != nil {
		return nil, fmt.Errorf("open store %s: %w", path, err)
	}
	if path, err = filepath.Abs(path); err != nil {
		return nil, fmt.Errorf("open store: %w", err)
	}
	link, err := connect(context.Background(), path, fmt.Sprintf("_pragma=busy_timeout(%d)", busyTimeout)+
		"&_pragma=journal_mode(WAL)&_pragma=synchronous(FULL)&_pragma=foreign_keys(1)&_pragma=cache_size(-8192)&_pragma=cache_spill(0)&_pragma=wal_autocheckpoint(0)")
	if err != nil {
		return nil, fmt.Errorf("open store %s: %w", path, err)
	}
	l = storeOf(link, path)
	if err := link.Failure(l.begin(context.Background(), info)); err != nil { // files removed meanwhile may look like damage
		return nil, errors.Join(fmt.Errorf("open store %s: %w", path, err), l.Close())
	}
	return l, nil
}

// isNew reports whether a database is missing or empty.
func isNew(path string) bool {
	info, err := os.Stat(path)
	return err != nil || info.Size() == 0
}

// maxCheck is the size of the largest database that is fully checked on opening.
// Checking one of that size takes a tenth of a second.
const maxCheck = 64 << 20

// begin checks and migrates the database, takes over the data of earlier versions, and starts the copy.
func (l *Store) begin(ctx context.Context, info fs.FileInfo) (err error) {
	if info.Size() > 0 && info.Size() <= maxCheck {
		if err := l.Check(ctx); err != nil {
			return err
		}
	}
	if err := l.migrate(ctx); err != nil {
		return err
	}
	if l.files, err = lookAt(l.path, info); err != nil {
		return err
	}
	if err := l.takeOver(ctx); err != nil {
		return err
	}
	return l.followCopy(ctx)
}

// setAside renames a damaged database and returns its new name.
func setAside(path string) (string, error) {
	for n := 1; ; n++ {
		aside := fmt.Sprintf("%s.damaged-%d", path, n)
		if _, err := os.Lstat(aside); !errors.Is(err, fs.ErrNotExist) {
			if err != nil {
				return "", fmt.Errorf("move the damaged store aside: %w", err)
			}
			continue
		}
		for _, ending := range []string{"-wal", "-shm", ""} {
			if err := removed(os.Rename(path+ending, aside+ending)); err != nil {
				return "", fmt.Errorf("move the damaged store aside: %w", err)
			}
		}
		return aside, removed(os.Remove(condemnation(path)))
	}
}

// Close closes the store.
func (l *Store) Close() error {
	if err := l.db.Close(); err != nil {
		return fmt.Errorf("close store: %w", err)
	}
	return nil
}

// removed returns nil for an error that says that a file does not exist, and other errors unchanged.
func removed(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
