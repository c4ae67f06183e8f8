package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"net/url"
	"path/filepath"
	"slices"

	"modernc.org/sqlite" // also the driver "sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"starpost/pbem/fault"
	"starpost/pbem/store"
	"starpost/pbem/store/sqlstore"
)

// link is the sqlstore.Conn of a file. It is a single connection, because SQLite allows one writer and prepares
// statements for each connection.
type link struct {
	pool *sql.DB
	conn *sql.Conn
	kept map[string]*sql.Stmt
	copy *copied // nil for a read-only connection, and if another process maintains the copy
}

// connect opens the database in a file; how is the query part of the data source name.
func connect(ctx context.Context, path, how string) (*link, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	pool, err := sql.Open("sqlite", source(abs, how))
	if err != nil {
		return nil, err
	}
	l := &link{pool: pool, kept: map[string]*sql.Stmt{}}
	if l.conn, err = pool.Conn(ctx); err != nil {
		return nil, errors.Join(l.Failure(err), pool.Close())
	}
	return l, nil
}

// source returns the data source name of a database in a file.
func source(path, how string) string {
	dsn := url.URL{Scheme: "file", Path: filepath.ToSlash(path), RawQuery: how}
	if filepath.VolumeName(path) != "" { // C: would be taken for a host
		dsn.Path = "/" + dsn.Path
	}
	return dsn.String()
}

// Close closes the connection, with its statements and its copy.
func (l *link) Close() error {
	var all []error
	for _, s := range l.kept {
		all = append(all, s.Close())
	}
	return errors.Join(append(all, l.conn.Close(), l.pool.Close(), l.copy.close())...)
}

// statement returns a prepared statement, and keeps it for the next time.
func (l *link) statement(ctx context.Context, query string) (*sql.Stmt, error) {
	if s := l.kept[query]; s != nil {
		return s, nil
	}
	s, err := l.conn.PrepareContext(ctx, query)
	if err == nil {
		l.kept[query] = s
	}
	return s, err
}

// Exec runs a statement, even if ctx is cancelled: otherwise SQLite would undo
// the earlier statements of its group, and commit the later ones.
func (l *link) Exec(ctx context.Context, query string, args ...any) (rows int64, err error) {
	ctx = context.WithoutCancel(ctx)
	s, err := l.statement(ctx, query)
	if err != nil {
		return 0, err
	}
	r, err := s.ExecContext(ctx, args...)
	if err != nil {
		return 0, err
	}
	return r.RowsAffected()
}

// Send runs a statement as Exec does.
func (l *link) Send(ctx context.Context, query string, args ...any) error {
	_, err := l.Exec(ctx, query, args...)
	return err
}

// Autocommits returns false: Commit also updates the copy.
func (*link) Autocommits() bool { return false }

// Query runs a query and calls each for every row.
func (l *link) Query(ctx context.Context, each func(sqlstore.Row) error, query string, args ...any) error {
	ctx = context.WithoutCancel(ctx)
	s, err := l.statement(ctx, query)
	if err != nil {
		return err
	}
	rows, err := s.QueryContext(ctx, args...)
	if err != nil {
		return err
	}
	for rows.Next() {
		if err := each(rows); err != nil {
			return errors.Join(err, rows.Close())
		}
	}
	return errors.Join(rows.Err(), rows.Close())
}

// Begin begins a transaction. It waits up to busyTimeout for other processes to end theirs.
func (l *link) Begin(ctx context.Context) error {
	_, err := l.Exec(ctx, "BEGIN IMMEDIATE")
	return err
}

// Commit commits the transaction and updates the copy.
func (l *link) Commit(ctx context.Context) error {
	if _, err := l.Exec(ctx, "UPDATE commits SET n = n + 1"); err != nil {
		return err
	}
	if _, err := l.Exec(ctx, "COMMIT"); err != nil {
		l.copy.lose() // it would take a partly written transaction for a committed one
		return err
	}
	l.copy.follow(ctx)
	return nil
}

// Rollback undoes the transaction. After some errors SQLite has already done so; that is no error.
func (l *link) Rollback(ctx context.Context) error {
	_, err := l.Exec(ctx, "ROLLBACK")
	if e, ok := errors.AsType[*sqlite.Error](err); ok && e.Code() == sqlite3.SQLITE_ERROR {
		return nil
	}
	return err
}

// Failure wraps an error of SQLite in a store.Failure that says whether the database is damaged. It adds advice if another
// process blocks the database: one that is suspended while writing blocks all other writers.
func (l *link) Failure(err error) error {
	if _, ok := errors.AsType[*sqlite.Error](err); !ok {
		return err
	}
	err = &store.Failure{Err: err, Damaged: hasCode(err, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT)}
	if hasCode(err, sqlite3.SQLITE_BUSY) {
		return &fault.Fault{
			Problem: "another process has been writing to the store for too long", Err: err,
			Way: "it may be suspended or hang: resume or kill it, and start again",
		}
	}
	return err
}

// hasCode reports whether err is an error of SQLite with one of these primary result codes.
func hasCode(err error, codes ...int) bool {
	e, ok := errors.AsType[*sqlite.Error](err)
	return ok && slices.Contains(codes, e.Code()&0xff)
}
