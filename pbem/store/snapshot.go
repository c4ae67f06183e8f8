package store

import (
	"context"
	"errors"
	"fmt"
	"os"
)

// Snapshot copies the store in the file from, as it is at one moment, to a new
// file, and tells how many mails that came are in it. A daemon may use it meanwhile. Its
// leases are left out: who has the copy is no one of those who hold them.
func Snapshot(ctx context.Context, from, to string) (mails int, err error) {
	if _, err := os.Stat(from); err != nil {
		return 0, fmt.Errorf("copy the store: %w", err)
	}
	db, err := connect(ctx, from, "mode=ro&_pragma=busy_timeout(5000)")
	if err == nil {
		err = db.use(ctx, func() error {
			_, err := db.run(ctx, "VACUUM INTO ?", to)
			return errors.Join(err, os.Chmod(to, 0o600))
		})
		if err = errors.Join(err, db.Close()); err == nil {
			err = dropLeases(ctx, to)
		}
	}
	if err != nil {
		return 0, hinted(from, fmt.Errorf("copy the store %s: %w", from, err))
	}
	return mails, View(ctx, to, func(l *Store) error {
		mails, err = get[int](ctx, l, "count mails", "SELECT count(*) FROM raws")
		return err
	})
}

// dropLeases takes the leases out of a copy; an older store has none.
func dropLeases(ctx context.Context, path string) (err error) {
	db, err := connect(ctx, path, "mode=rw")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	l := &Store{db: db}
	if n, err := get[int](ctx, l, "look for leases", "SELECT count(*) FROM sqlite_master WHERE name = 'leases'"); err != nil || n == 0 {
		return err
	}
	return db.use(ctx, func() error {
		_, err := db.run(ctx, "DELETE FROM leases")
		return err
	})
}
