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

// link is one connection, for SQLite knows one writer, and reads the text of a statement once for each connection. It is
// the sqlstore.Conn of a file.
type link struct {
	pool *sql.DB
	conn *sql.Conn
	kept map[string]*sql.Stmt
	copy *copied // nil for those who only look, and where another process keeps it
}

// connect opens the database in a file, as the query of a data source name says.
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

// source is the data source name of a database in a file.
func source(path, how string) string {
	dsn := url.URL{Scheme: "file", Path: filepath.ToSlash(path), RawQuery: how}
	if filepath.VolumeName(path) != "" { // C:/games would be a host
		dsn.Path = "/" + dsn.Path
	}
	return dsn.String()
}

// Close closes the statements too.
func (l *link) Close() error {
	var all []error
	for _, s := range l.kept {
		all = append(all, s.Close())
	}
	return errors.Join(append(all, l.conn.Close(), l.pool.Close(), l.copy.close())...)
}

// statement gives a statement, and keeps it.
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

// Exec carries out a statement. What ends a context does not end it: SQLite would undo
// what came before in its group, and commit what comes after.
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

// Query carries out a statement that gives rows.
func (l *link) Query(ctx context.Context, each func(sqlstore.Row) error, query string, args ...any) error {
	ctx = context.WithoutCancel(ctx)
	s, err := l.statement(ctx, query)
	if err != nil {
		return err
	}
	rows, err := s.QueryContext(ctx, args...)
	return sqlstore.Each(rows, err, each)
}

// Begin waits for other processes to end their transactions, for as long as busyTimeout says.
func (l *link) Begin(ctx context.Context) error {
	_, err := l.Exec(ctx, "BEGIN IMMEDIATE")
	return err
}

// Commit has the copy follow.
func (l *link) Commit(ctx context.Context) error {
	if _, err := l.Exec(ctx, "UPDATE commits SET n = n + 1"); err != nil {
		return err
	}
	if _, err := l.Exec(ctx, "COMMIT"); err != nil {
		l.copy.lose() // what was written of it would pass for committed
		return err
	}
	l.copy.follow(ctx)
	return nil
}

// Rollback takes into account that SQLite ends a transaction by itself after some errors.
func (l *link) Rollback(ctx context.Context) error {
	_, err := l.Exec(ctx, "ROLLBACK")
	if e, ok := errors.AsType[*sqlite.Error](err); ok && e.Code() == sqlite3.SQLITE_ERROR {
		return nil
	}
	return err
}

// Failure tells that a database is damaged, or that another process keeps it: one that is stopped in the middle of a write
// keeps all others from theirs.
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

// hasCode tells an error of SQLite that has one of these primary result codes.
func hasCode(err error, codes ...int) bool {
	e, ok := errors.AsType[*sqlite.Error](err)
	return ok && slices.Contains(codes, e.Code()&0xff)
}
