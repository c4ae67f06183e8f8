package ledger

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// database is one connection with its statements: SQLite reads the text of each
// once, which else costs as much as carrying it out. It is taken by one at a
// time, by an own lock: the pool of package sql starts a goroutine for whatever
// is done in a transaction of its own.
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
	dsn := url.URL{Scheme: "file", Path: filepath.ToSlash(abs), RawQuery: how}
	pool, err := sql.Open("sqlite", dsn.String())
	if err != nil {
		return nil, err
	}
	pool.SetMaxOpenConns(1)
	conn, err := pool.Conn(ctx)
	if err != nil {
		return nil, errors.Join(err, pool.Close())
	}
	d := &database{pool: pool, conn: conn, free: make(chan struct{}, 1), kept: map[string]*sql.Stmt{}}
	d.free <- struct{}{}
	return d, nil
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

// take waits for the connection; give must be called once. Within what belongs
// together it is there already.
func (d *database) take(ctx context.Context) (give func(), err error) {
	if d.together(ctx) != nil {
		return func() {}, nil
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	select {
	case <-d.free:
		return d.give, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (d *database) give() { d.free <- struct{}{} }

// statement gives a statement, and keeps it. The connection must be taken.
func (d *database) statement(ctx context.Context, query string) (*sql.Stmt, error) {
	if s := d.kept[query]; s != nil {
		return s, nil
	}
	s, err := d.conn.PrepareContext(ctx, query)
	if err != nil {
		return nil, err
	}
	d.kept[query] = s
	return s, nil
}

func (d *database) exec(ctx context.Context, query string, args ...any) (sql.Result, error) {
	s, err := d.statement(ctx, query)
	if err != nil {
		return nil, err
	}
	return s.ExecContext(ctx, args...)
}

func (d *database) query(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	s, err := d.statement(ctx, query)
	if err != nil {
		return nil, err
	}
	return s.QueryContext(ctx, args...)
}

// ExecContext is that of sql.DB.
func (d *database) ExecContext(ctx context.Context, query string, args ...any) (r sql.Result, err error) {
	if g := d.together(ctx); g != nil {
		err = g.run(func(tx *transaction) error {
			r, err = tx.ExecContext(ctx, query, args...)
			return err
		})
		return r, err
	}
	give, err := d.take(ctx)
	if err != nil {
		return nil, err
	}
	defer give()
	return d.exec(ctx, query, args...)
}

// QueryContext is that of sql.DB. No one else gets at the database until the
// rows are closed.
func (d *database) QueryContext(ctx context.Context, query string, args ...any) (*rows, error) {
	give, err := d.take(ctx)
	if err != nil {
		return nil, err
	}
	r, err := d.query(ctx, query, args...)
	if err != nil {
		give()
		return nil, err
	}
	return &rows{Rows: r, give: give}, nil
}

// QueryRowContext is that of sql.DB. No one else gets at the database until the
// row is scanned.
func (d *database) QueryRowContext(ctx context.Context, query string, args ...any) row {
	r, err := d.QueryContext(ctx, query, args...)
	return row{r, err}
}

// rows are sql.Rows that give the connection back.
type rows struct {
	*sql.Rows
	give func() // nil when it was given back
}

// Close is that of sql.Rows.
func (r *rows) Close() error {
	err := r.Rows.Close()
	if r.give != nil {
		r.give()
		r.give = nil
	}
	return err
}

// end closes the rows at the end of a function that returns err.
func (r *rows) end(err *error) {
	if cerr := r.Close(); *err == nil {
		*err = cerr
	}
}

// row is a sql.Row that gives the connection back.
type row struct {
	rows *rows
	err  error
}

// Scan is that of sql.Row.
func (r row) Scan(to ...any) (err error) {
	if r.err != nil {
		return r.err
	}
	defer r.rows.end(&err)
	if !r.rows.Next() {
		if err := r.rows.Err(); err != nil {
			return err
		}
		return sql.ErrNoRows
	}
	return r.rows.Scan(to...)
}

// transaction is what belongs together on a connection that is taken. What ends
// a context does not end its statements: SQLite would undo what came before and
// commit what comes after.
type transaction struct{ db *database }

// ExecContext is that of sql.Tx.
func (t *transaction) ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error) {
	return t.db.exec(context.WithoutCancel(ctx), query, args...)
}

// QueryContext is that of sql.Tx.
func (t *transaction) QueryContext(ctx context.Context, query string, args ...any) (*rows, error) {
	r, err := t.db.query(context.WithoutCancel(ctx), query, args...)
	if err != nil {
		return nil, err
	}
	return &rows{Rows: r}, nil
}

// QueryRowContext is that of sql.Tx.
func (t *transaction) QueryRowContext(ctx context.Context, query string, args ...any) row {
	r, err := t.QueryContext(ctx, query, args...)
	return row{r, err}
}

// script carries out several statements that are not needed again.
func (t *transaction) script(ctx context.Context, text string) error {
	_, err := t.db.conn.ExecContext(context.WithoutCancel(ctx), text)
	return err
}

// within runs f in a transaction and commits it if f returns no error. What
// belongs together (see Group) is committed together.
func (l *Ledger) within(ctx context.Context, f func(*transaction) error) error {
	if g := l.db.together(ctx); g != nil {
		return g.run(f)
	}
	give, err := l.db.take(ctx)
	if err != nil {
		return err
	}
	defer give()
	ended := false
	defer func() {
		if !ended { // f panics; the connection must be free for anyone who goes on
			_ = l.db.rollback(ctx)
		}
	}()
	// SQLite waits here for other processes; anyone who is told to end does not.
	if _, err = l.db.exec(ctx, "BEGIN IMMEDIATE"); err == nil {
		err = f(&transaction{l.db})
	}
	if err == nil {
		err = ctx.Err()
	}
	if err == nil {
		_, err = l.db.exec(context.WithoutCancel(ctx), "COMMIT")
	}
	ended = true
	if err != nil {
		return errors.Join(err, l.db.rollback(ctx))
	}
	return nil
}

// rollback undoes a transaction, if there is one: SQLite ends it by itself after
// some errors.
func (d *database) rollback(ctx context.Context) error {
	_, err := d.exec(context.WithoutCancel(ctx), "ROLLBACK")
	if e, ok := errors.AsType[*sqlite.Error](err); ok && e.Code() == sqlite3.SQLITE_ERROR {
		return nil
	}
	return err
}

// scanner is a row.
type scanner interface{ Scan(to ...any) error }

// querier is the database, or a transaction on it.
type querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*rows, error)
}

// collect gives all rows of a query.
func collect[T any](ctx context.Context, from querier, doing string, scan func(scanner) (T, error), query string, args ...any) (all []T, err error) {
	defer func() {
		if err != nil {
			all, err = nil, fmt.Errorf("%s: %w", doing, err)
		}
	}()
	rows, err := from.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.end(&err)
	for rows.Next() {
		one, err := scan(rows)
		if err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	return all, rows.Err()
}

// get gives the one value of a query.
func get[T any](ctx context.Context, l *Ledger, doing, query string, args ...any) (value T, err error) {
	if err = l.db.QueryRowContext(ctx, query, args...).Scan(&value); err != nil {
		err = fmt.Errorf("%s: %w", doing, err)
	}
	return value, err
}

// exec carries out one statement.
func (l *Ledger) exec(ctx context.Context, doing, query string, args ...any) error {
	if _, err := l.db.ExecContext(ctx, query, args...); err != nil {
		return fmt.Errorf("%s: %w", doing, err)
	}
	return nil
}
