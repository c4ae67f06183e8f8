package sqlite

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"starpost/pbem/fault"
	"starpost/pbem/store"
	"starpost/pbem/store/sqlstore"
)

// Error is a problem with the store that a person can fix.
type Error = fault.Fault

// hinted adds advice to an error about the store in the file path, if there
// is any.
func hinted(path string, err error) error {
	if errors.Is(err, store.ErrNewer) {
		return &Error{Way: "use the version of starpost that wrote it, or a later one", Err: err}
	}
	if store.IsDamaged(err) {
		return damaged(path, err)
	}
	return err
}

func damaged(path string, err error) error {
	return &Error{
		Way: fmt.Sprintf("start the daemon again, or run `starpost doctor --repair`: either moves %s aside and restores it from its copy", path),
		Err: err,
	}
}

// errCheck is wrapped by errors about damage found by SQLite's check or in use.
var errCheck = &store.Failure{Damaged: true, Err: errors.New("the store is damaged")}

// Check makes SQLite check the whole file and returns the first damage found.
func (l *Store) Check(ctx context.Context) error {
	word, err := sqlstore.Get[string](ctx, l.db, "check store", "PRAGMA quick_check(1)")
	if err != nil {
		return err
	}
	if word != "ok" {
		return fmt.Errorf("check store: %w: %s", errCheck, word)
	}
	return nil
}

// Inspect checks and summarizes a store without changing it, even while a daemon
// uses it. Errors about damage include advice (Error). If there is no store yet, the
// error is fs.ErrNotExist.
func Inspect(ctx context.Context, path string) (o sqlstore.Overview, err error) {
	if _, err := os.Stat(path); err != nil {
		return o, fmt.Errorf("open store: %w", err)
	}
	err = look(ctx, path, readOnly, func(l *Store, version int) error {
		if err := l.Check(ctx); err != nil {
			return hinted(path, fmt.Errorf("%s: %w", path, err))
		}
		if version == 0 {
			return nil // created, but not written yet
		}
		if version < 2 {
			o.Waiting, err = l.Waiting(ctx)
			return err
		}
		o, err = l.Overview(ctx, time.Now())
		return err
	})
	return o, err
}

// View calls see with a read-only store, even while a daemon uses it. It does not
// call see if there is no store, or one in an earlier format, which only a daemon
// migrates.
func View(ctx context.Context, path string, see func(*Store) error) error {
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return look(ctx, path, readOnly, func(l *Store, version int) error {
		if version < len(migrations) {
			return nil // the daemon has not migrated it yet
		}
		return see(l)
	})
}

// readOnly is the data source query for a store that is only read.
const readOnly = "mode=ro&_pragma=busy_timeout(5000)&_pragma=query_only(1)"

// look opens a store that a daemon may be using, calls see, and closes the store.
func look(ctx context.Context, path, how string, see func(l *Store, version int) error) (err error) {
	link, err := connect(ctx, path, how)
	if err != nil {
		return hinted(path, fmt.Errorf("open store %s: %w", path, err))
	}
	l := storeOf(link, path)
	defer func() { err = errors.Join(err, l.Close()) }()
	version, err := sqlstore.Get[int](ctx, l.db, "look into the store", "PRAGMA user_version")
	if err != nil {
		return hinted(path, fmt.Errorf("%s: %w", path, err))
	}
	if version > len(migrations) {
		return hinted(path, fmt.Errorf("%s: %w", path, store.ErrNewer))
	}
	return see(l, version)
}

// writing is the data source query for changing a store that a daemon may be using.
const writing = "mode=rw&_pragma=busy_timeout(5000)&_pragma=synchronous(FULL)&_pragma=wal_autocheckpoint(0)"

// Change is like View, but do may change the store. A missing store, or one in an earlier format, is an error.
func Change(ctx context.Context, path string, do func(*Store) error) error {
	return look(ctx, path, writing, func(l *Store, version int) error {
		if version < len(migrations) {
			return &Error{Way: "start the daemon once", Err: fmt.Errorf("an earlier version of starpost wrote %s", path)}
		}
		return do(l)
	})
}

// Snapshot copies the store in the file from, as it is at one moment, to a new
// file, and returns the number of incoming mails in it. A daemon may use the store meanwhile.
// Leases are left out, since no daemon that holds one uses the copy.
func Snapshot(ctx context.Context, from, to string) (mails int, err error) {
	if _, err := os.Stat(from); err != nil {
		return 0, fmt.Errorf("copy the store: %w", err)
	}
	link, err := connect(ctx, from, "mode=ro&_pragma=busy_timeout(5000)")
	if err == nil {
		_, err = link.Exec(ctx, "VACUUM INTO ?", to)
		if err = errors.Join(link.Failure(err), os.Chmod(to, 0o600), link.Close()); err == nil {
			err = dropLeases(ctx, to)
		}
	}
	if err != nil {
		return 0, hinted(from, fmt.Errorf("copy the store %s: %w", from, err))
	}
	return mails, View(ctx, to, func(l *Store) error {
		mails, err = sqlstore.Get[int](ctx, l.db, "count mails", "SELECT count(*) FROM raws")
		return err
	})
}

// dropLeases deletes the leases from a copy; older formats have none.
func dropLeases(ctx context.Context, path string) (err error) {
	link, err := connect(ctx, path, "mode=rw")
	if err != nil {
		return err
	}
	l := storeOf(link, path)
	defer func() { err = errors.Join(err, l.Close()) }()
	if n, err := sqlstore.Get[int](ctx, l.db, "look for leases", "SELECT count(*) FROM sqlite_master WHERE name = 'leases'"); err != nil || n == 0 {
		return err
	}
	_, err = link.Exec(ctx, "DELETE FROM leases")
	return err
}
