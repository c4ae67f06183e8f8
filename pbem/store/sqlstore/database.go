package sqlstore

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"starpost/pbem/disk"
	"starpost/pbem/store"
)

// Conn is a connection to a database, used by one goroutine at a time. Arguments of statements are written as ? or ?1.
// Cancelling a context does not stop a statement.
type Conn interface {
	Exec(ctx context.Context, query string, args ...any) (rows int64, err error)
	// Send is Exec without a result, in a transaction. The statement may be queued and run with the next one, which then returns its error.
	Send(ctx context.Context, query string, args ...any) error
	// Autocommits reports whether a statement outside of a transaction is committed by itself, with all that Commit does.
	Autocommits() bool
	// Query calls each for every row.
	Query(ctx context.Context, each func(Row) error, query string, args ...any) error
	// Begin begins a transaction. If the database allows only one writer, it waits for other transactions to end.
	Begin(ctx context.Context) error
	// Commit commits the transaction, and updates the copy if the database has one. After an error Rollback is called.
	Commit(ctx context.Context) error
	// Rollback undoes the transaction, if it is still open.
	Rollback(ctx context.Context) error
	// Failure wraps a database error from another method so that callers can recognize it without knowing the
	// database: see store.Failure.
	Failure(err error) error
	Close() error
}

// Database is a connection that goroutines share, one at a time.
type Database struct {
	conn Conn
	free chan struct{} // holds a value while the connection is free
}

// NewDatabase returns a Database that owns the connection.
func NewDatabase(c Conn) *Database {
	d := &Database{conn: c, free: make(chan struct{}, 1)}
	d.free <- struct{}{}
	return d
}

// Close waits until the connection is free.
func (d *Database) Close() error {
	<-d.free
	return d.conn.Close()
}

// Use runs f once the connection is free; within a group the connection is already taken, and f runs at once.
func (d *Database) Use(ctx context.Context, f func() error) error {
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

// failure wraps an error of a statement by Conn.Failure, unless it is wrapped already.
func (d *Database) failure(err error) error {
	if err == nil || store.IsTrouble(err) {
		return err
	}
	return d.conn.Failure(err)
}

// query calls each for every row of a query.
func (d *Database) query(ctx context.Context, each func(Row) error, query string, args ...any) error {
	return d.Use(ctx, func() error { return d.failure(d.conn.Query(ctx, each, query, args...)) })
}

// Row is a row of a query.
type Row interface{ Scan(to ...any) error }

// collect returns all rows of a query.
func collect[T any](ctx context.Context, d *Database, doing string, scan func(Row) (T, error), query string, args ...any) (all []T, err error) {
	err = d.query(ctx, func(row Row) error {
		one, err := scan(row)
		all = append(all, one)
		return err
	}, query, args...)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", doing, err)
	}
	return all, nil
}

// first returns the first row of a query; found is false if there is none.
func first[T any](ctx context.Context, d *Database, doing string, scan func(Row) (T, error), query string, args ...any) (one T, found bool, err error) {
	all, err := collect(ctx, d, doing, scan, query, args...)
	if err != nil || len(all) == 0 {
		return one, false, err
	}
	return all[0], true, nil
}

// Get returns the value of a query with one row and column.
func Get[T any](ctx context.Context, d *Database, doing, query string, args ...any) (value T, err error) {
	err = d.query(ctx, func(row Row) error { return row.Scan(&value) }, query, args...)
	if err != nil {
		err = fmt.Errorf("%s: %w", doing, err)
	}
	return value, err
}

// Query runs a query and calls each for every row.
func (h *handle) Query(ctx context.Context, doing string, each func(Row) error, query string, args ...any) error {
	if err := h.db.query(ctx, each, query, args...); err != nil {
		return fmt.Errorf("%s: %w", doing, err)
	}
	return nil
}

// Exec runs a statement that changes something, and returns the number of rows changed.
func (h *handle) Exec(ctx context.Context, doing, query string, args ...any) (rows int64, err error) {
	err = h.oneStatement(ctx, func(ctx context.Context) error {
		return h.db.Use(ctx, func() error {
			rows, err = h.db.conn.Exec(ctx, query, args...)
			return h.db.failure(err)
		})
	})
	if err != nil {
		return 0, fmt.Errorf("%s: %w", doing, err)
	}
	return rows, nil
}

// Send is Exec without a result. The statement may be queued: then its error is returned by a later call, or by Group.
func (h *handle) Send(ctx context.Context, doing, query string, args ...any) error {
	err := h.Group(ctx, func(ctx context.Context) error { return h.db.failure(h.db.conn.Send(ctx, query, args...)) })
	if err != nil {
		return fmt.Errorf("%s: %w", doing, err)
	}
	return nil
}

// oneStatement is Group for f that changes something by one statement. It begins no transaction if the database commits the
// statement by itself.
func (h *handle) oneStatement(ctx context.Context, f func(context.Context) error) error {
	if h.db.conn.Autocommits() && h.db.group(ctx) == nil {
		return f(ctx)
	}
	return h.Group(ctx, f)
}

// atOnce is how many rows a statement of execByID names.
const atOnce = 16

// execByID is Exec for the rows with these IDs, a few in each statement; query lacks this last condition. So that it is
// prepared once, the last statement repeats an ID.
func (h *handle) execByID(ctx context.Context, doing, query string, ids []int64, args ...any) (rows int64, err error) {
	query += " id IN (?" + strings.Repeat(", ?", atOnce-1) + ")"
	for some := range slices.Chunk(ids, atOnce) {
		all := slices.Clone(args)
		for i := range atOnce {
			all = append(all, some[min(i, len(some)-1)])
		}
		n, err := h.Exec(ctx, doing, query, all...)
		if rows += n; err != nil {
			return rows, err
		}
	}
	return rows, nil
}

// insert is Exec for a statement that inserts one row and returns its numeric key. It returns 0 if the row was there already.
func (h *handle) insert(ctx context.Context, doing, query string, args ...any) (id int64, err error) {
	err = h.Group(ctx, func(ctx context.Context) error {
		id, err = Get[int64](ctx, h.db, doing, query, args...)
		return err
	})
	return id, err
}

// group is a set of calls that are committed together.
type group struct {
	broken error    // why it can no longer be committed
	queued []letter // mails it put into the outbox
}

// groupKey is the context key of a database's group. A context may belong to groups of several databases.
type groupKey struct{ db *Database }

// group returns the group of this database that a context belongs to, or nil.
func (d *Database) group(ctx context.Context) *group {
	g, _ := ctx.Value(groupKey{d}).(*group)
	return g
}

// Group runs f and commits all of its changes to the store at once, or none of
// them. The changes are those of the store's methods called with f's context.
// A group waits for the disk only once.
//
// Until f returns, the rest of this process has no access to the store, so f must not wait for a
// goroutine that needs it. After an error of a method that changes something,
// the group is broken: all further changes fail, and so does Group.
//
// f's context does not end with ctx, so that finished work is kept.
func (h *handle) Group(ctx context.Context, f func(context.Context) error) error {
	return h.GroupWith(ctx, &disk.Batch{}, f)
}

// GroupWith is Group for changes that depend on files that f writes: the files and
// folders noted in soon are on stable storage before anything is committed.
func (h *handle) GroupWith(ctx context.Context, soon *disk.Batch, f func(context.Context) error) error {
	if g := h.db.group(ctx); g != nil {
		if g.broken != nil {
			return fmt.Errorf("the group failed before: %w", g.broken)
		}
		// After an error a database may have rolled back everything, and would commit each
		// later statement by itself.
		err := f(ctx)
		if err == nil {
			err = g.broken
		}
		g.broken = err
		return err
	}
	return h.db.Use(ctx, func() error {
		g := &group{}
		err := h.db.transact(context.WithoutCancel(ctx), func(ctx context.Context) error {
			err := f(context.WithValue(ctx, groupKey{h.db}, g))
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
			h.remember(g.queued)
		}
		return err
	})
}

// transact runs f in a transaction and commits it if f returns no error. The
// caller must hold the connection.
func (d *Database) transact(ctx context.Context, f func(context.Context) error) error {
	ended := false
	defer func() {
		if !ended { // f panics; the connection must be usable afterwards
			_ = d.conn.Rollback(ctx)
		}
	}()
	err := d.conn.Begin(ctx)
	if err == nil {
		err = f(ctx)
	}
	if err == nil {
		err = d.conn.Commit(ctx)
	}
	ended = true
	if err != nil {
		return errors.Join(d.failure(err), d.failure(d.conn.Rollback(ctx)))
	}
	return nil
}
