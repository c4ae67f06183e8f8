package store

import (
	"context"
	"errors"
	"fmt"
	"os"
)

// Snapshot copies the store in the file from, as it is at one moment, to a new
// file, and tells how many mails that came are in it. A daemon may use it meanwhile.
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
		err = errors.Join(err, db.Close())
	}
	if err != nil {
		return 0, hinted(from, fmt.Errorf("copy the store %s: %w", from, err))
	}
	return mails, View(ctx, to, func(l *Store) error {
		mails, err = get[int](ctx, l, "count mails", "SELECT count(*) FROM raws")
		return err
	})
}
