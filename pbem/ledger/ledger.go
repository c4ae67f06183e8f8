package ledger

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"time"

	_ "modernc.org/sqlite" // the driver "sqlite"
)

// Ledger is an open ledger. It is safe for use by many goroutines; all of them
// share one connection. Two processes may open one ledger, but the daemon's
// lock on its state directory is what keeps them from doing the same work.
type Ledger struct {
	db *sql.DB
}

// ErrNewer is returned by Open for a ledger that a later version has written.
var ErrNewer = errors.New("the ledger was written by a newer version of starpost")

// Open opens the ledger in the file path and creates or migrates it as needed.
// Its directory must exist.
func Open(path string) (*Ledger, error) {
	// The file is made first, so that nobody else can read it: it holds
	// addresses.
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("open ledger: %w", err)
	}
	if err := f.Close(); err != nil {
		return nil, fmt.Errorf("open ledger %s: %w", path, err)
	}
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("open ledger %s: %w", path, err)
	}
	dsn := url.URL{Scheme: "file", Path: filepath.ToSlash(abs), RawQuery: "_pragma=busy_timeout(5000)" +
		"&_pragma=journal_mode(WAL)&_pragma=synchronous(FULL)&_pragma=foreign_keys(1)&_txlock=immediate"}
	db, err := sql.Open("sqlite", dsn.String())
	if err != nil {
		return nil, fmt.Errorf("open ledger %s: %w", path, err)
	}
	db.SetMaxOpenConns(1)
	l := &Ledger{db: db}
	if err := l.migrate(context.Background()); err != nil {
		return nil, errors.Join(hinted(path, fmt.Errorf("open ledger %s: %w", path, err)), db.Close())
	}
	return l, nil
}

// Close closes the ledger.
func (l *Ledger) Close() error {
	if err := l.db.Close(); err != nil {
		return fmt.Errorf("close ledger: %w", err)
	}
	return nil
}

// within runs f in a transaction and commits it if f returns no error.
func (l *Ledger) within(ctx context.Context, f func(*sql.Tx) error) error {
	tx, err := l.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	if err := f(tx); err != nil {
		// A transaction that ended by itself, as when ctx did, needs no undoing.
		if undo := tx.Rollback(); undo != nil && !errors.Is(undo, sql.ErrTxDone) {
			err = errors.Join(err, undo)
		}
		return err
	}
	return tx.Commit()
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

// inserted reports whether an INSERT ... ON CONFLICT DO NOTHING made a row.
func inserted(r sql.Result, err error) (bool, error) {
	if err != nil {
		return false, err
	}
	n, err := r.RowsAffected()
	return n > 0, err
}
