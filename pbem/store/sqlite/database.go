package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"slices"

	"modernc.org/sqlite" // also the driver "sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"starpost/pbem/disk"
	"starpost/pbem/fault"
	"starpost/pbem/store"
)

// database is one connection, which one at a time has: SQLite knows one writer,
// and reads the text of a statement once for each connection.
type database struct {
	pool *sql.DB
	conn *sql.Conn
	free chan struct{} // holds something while no one has the connection
	kept map[string]*sql.Stmt
}

// connect opens the database in a file, as the query of a data source name says.
func connect(ctx context.Context, path, how string) (*database, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	pool, err := sql.Open("sqlite", source(abs, how))
	if err != nil {
		return nil, err
	}
	conn, err := pool.Conn(ctx)
	if err != nil {
		return nil, errors.Join(failure(err), pool.Close())
	}
	d := &database{pool: pool, conn: conn, free: make(chan struct{}, 1), kept: map[string]*sql.Stmt{}}
	d.free <- struct{}{}
	return d, nil
}

// source is the data source name of a database in a file.
func source(path, how string) string {
	dsn := url.URL{Scheme: "file", Path: filepath.ToSlash(path), RawQuery: how}
	return dsn.String()
}

// Close closes the statements too.
func (d *database) Close() error {
	<-d.free
	var all []error
	for _, s := range d.kept {
		all = append(all, s.Close())
	}
	return errors.Join(append(all, d.conn.Close(), d.pool.Close())...)
}

// use has f use the connection; within a group it is there already.
func (d *database) use(ctx context.Context, f func() error) error {
	if d.group(ctx) != nil {
		return f()
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	select {
	case <-d.free:
		defer func() { d.free <- struct{}{} }()
		return f()
	case <-ctx.Done():
		return ctx.Err()
	}
}

// statement gives a statement, and keeps it. The connection must be taken.
func (d *database) statement(ctx context.Context, query string) (*sql.Stmt, error) {
	if s := d.kept[query]; s != nil {
		return s, nil
	}
	s, err := d.conn.PrepareContext(ctx, query)
	if err == nil {
		d.kept[query] = s
	}
	return s, err
}

// run carries out a statement on the connection, which must be taken. What ends a
// context does not end it: SQLite would undo what came before in its group, and
// commit what comes after.
func (d *database) run(ctx context.Context, query string, args ...any) (sql.Result, error) {
	ctx = context.WithoutCancel(ctx)
	s, err := d.statement(ctx, query)
	if err != nil {
		return nil, failure(err)
	}
	r, err := s.ExecContext(ctx, args...)
	return r, failure(err)
}

// failure makes an error of SQLite one that those who know no SQLite can tell from others.
func failure(err error) error {
	if _, ok := errors.AsType[*sqlite.Error](err); !ok {
		return err
	}
	return &store.Failure{Err: err, Damaged: hasCode(err, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT)}
}

// query hands over each row of a query.
func (d *database) query(ctx context.Context, row func(scanner) error, query string, args ...any) error {
	return d.use(ctx, func() (err error) {
		defer func() { err = failure(err) }()
		ctx := context.WithoutCancel(ctx)
		s, err := d.statement(ctx, query)
		if err != nil {
			return err
		}
		rows, err := s.QueryContext(ctx, args...)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, rows.Close()) }()
		for rows.Next() {
			if err := row(rows); err != nil {
				return err
			}
		}
		return rows.Err()
	})
}

// scanner is a row.
type scanner interface{ Scan(to ...any) error }

// collect gives all rows of a query.
func collect[T any](ctx context.Context, d *database, doing string, scan func(scanner) (T, error), query string, args ...any) (all []T, err error) {
	err = d.query(ctx, func(row scanner) error {
		one, err := scan(row)
		all = append(all, one)
		return err
	}, query, args...)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", doing, err)
	}
	return all, nil
}

// first gives the first row of a query, and false if there is none.
func first[T any](ctx context.Context, d *database, doing string, scan func(scanner) (T, error), query string, args ...any) (one T, found bool, err error) {
	all, err := collect(ctx, d, doing, scan, query, args...)
	if err != nil || len(all) == 0 {
		return one, false, err
	}
	return all[0], true, nil
}

// get gives the one value of a query.
func get[T any](ctx context.Context, d *database, doing, query string, args ...any) (value T, err error) {
	err = d.query(ctx, func(row scanner) error { return row.Scan(&value) }, query, args...)
	if err != nil {
		err = fmt.Errorf("%s: %w", doing, err)
	}
	return value, err
}

// exec carries out a statement that changes something, and tells how many rows.
func (l *handle) exec(ctx context.Context, doing, query string, args ...any) (rows int64, err error) {
	err = l.Group(ctx, func(ctx context.Context) error {
		r, err := l.db.run(ctx, query, args...)
		if err != nil {
			return err
		}
		rows, err = r.RowsAffected()
		return err
	})
	if err != nil {
		return 0, failed(doing, err)
	}
	return rows, nil
}

// failed says what could not be done. A process that is stopped in the middle of a write keeps all others from theirs.
func failed(doing string, err error) error {
	if hasCode(err, sqlite3.SQLITE_BUSY) {
		return &fault.Fault{
			Problem: fmt.Sprintf("%s: another process writes to the store, and does not come to an end", doing), Err: err,
			Way: "it may be stopped, or hang: let it go on, or kill it, and start again",
		}
	}
	return fmt.Errorf("%s: %w", doing, err)
}

// hasCode tells an error of SQLite that has one of these primary result codes.
func hasCode(err error, codes ...int) bool {
	e, ok := errors.AsType[*sqlite.Error](err)
	return ok && slices.Contains(codes, e.Code()&0xff)
}

// insert is exec for one row of a table whose key is a number: it gives that, 0 if
// there was such a row.
func (l *handle) insert(ctx context.Context, doing, query string, args ...any) (id int64, err error) {
	err = l.Group(ctx, func(ctx context.Context) error {
		r, err := l.db.run(ctx, query, args...)
		if err != nil {
			return err
		}
		if n, err := r.RowsAffected(); err != nil || n == 0 {
			return err
		}
		id, err = r.LastInsertId()
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("%s: %w", doing, err)
	}
	return id, nil
}

// group is what is done together.
type group struct {
	db     *database
	broken error    // why it cannot be committed any more
	queued []letter // what it put into the outbox
}

type groupKey struct{}

// group is the group that a context belongs to; nil for none.
func (d *database) group(ctx context.Context) *group {
	if g, ok := ctx.Value(groupKey{}).(*group); ok && g.db == d {
		return g
	}
	return nil
}

// Group runs f and commits all that f does to the store at once, or nothing
// of it: the methods of the store that are called with f's context belong
// together. That costs one wait for the disk instead of one for each.
//
// Until f returns no one else gets at the store, so f must not wait for anybody
// who wants to. After an error of one of the methods that change something
// nothing more can be done together: all others fail too, and so does Group.
//
// f's context does not end with ctx: what was done is worth keeping.
func (l *handle) Group(ctx context.Context, f func(context.Context) error) error {
	return l.GroupWith(ctx, &disk.Batch{}, f)
}

// GroupWith is Group for what rests on files that f writes: what is noted
// in soon by then is on stable storage before anything is committed.
func (l *handle) GroupWith(ctx context.Context, soon *disk.Batch, f func(context.Context) error) error {
	if g := l.db.group(ctx); g != nil {
		if g.broken != nil {
			return fmt.Errorf("the group failed before: %w", g.broken)
		}
		// After an error SQLite may have undone everything, and would commit what
		// follows by itself.
		err := f(ctx)
		if err == nil {
			err = g.broken
		}
		g.broken = err
		return err
	}
	return l.db.use(ctx, func() error {
		g := &group{db: l.db}
		err := l.transact(context.WithoutCancel(ctx), func(ctx context.Context) error {
			err := f(context.WithValue(ctx, groupKey{}, g))
			if err == nil {
				err = g.broken
			}
			if err != nil {
				return err
			}
			if err := soon.Sync(); err != nil {
				return fmt.Errorf("wait for the disk: %w", err)
			}
			return nil
		})
		if err == nil {
			l.remember(g.queued)
		}
		return err
	})
}

// transact runs f in a transaction and commits it if f returns no error. The
// connection must be taken.
func (l *handle) transact(ctx context.Context, f func(context.Context) error) (err error) {
	ended := false
	defer func() {
		if !ended { // f panics; the connection must be free for anyone who goes on
			_ = l.db.rollback(ctx)
		}
	}()
	// SQLite waits here for other processes; anyone who is told to end does not.
	if _, err = l.db.run(ctx, "BEGIN IMMEDIATE"); err == nil {
		err = f(ctx)
	}
	if err == nil {
		_, err = l.db.run(ctx, "UPDATE commits SET n = n + 1")
	}
	if err == nil {
		if _, err = l.db.run(ctx, "COMMIT"); err != nil {
			l.copy.lose() // what was written of it would pass for committed
		}
	}
	ended = true
	if err != nil {
		return errors.Join(err, l.db.rollback(ctx))
	}
	l.copy.follow(ctx)
	return nil
}

// rollback undoes a transaction, if there is one: SQLite ends it by itself after
// some errors.
func (d *database) rollback(ctx context.Context) error {
	_, err := d.run(ctx, "ROLLBACK")
	if e, ok := errors.AsType[*sqlite.Error](err); ok && e.Code() == sqlite3.SQLITE_ERROR {
		return nil
	}
	return err
}
