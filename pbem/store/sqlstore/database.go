package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"starpost/pbem/disk"
	"starpost/pbem/store"
)

// Conn is the connection to a database, which one goroutine at a time has. Statements have ? or ?1 where an argument
// belongs. What ends a context does not end a statement.
type Conn interface {
	Exec(ctx context.Context, query string, args ...any) (rows int64, err error)
	// Query hands over each row; see Each.
	Query(ctx context.Context, each func(Row) error, query string, args ...any) error
	// Begin begins a transaction, waiting for others to end theirs where the database has one writer only.
	Begin(ctx context.Context) error
	// Commit ends it, and whatever follows the database then; after an error Rollback is called.
	Commit(ctx context.Context) error
	// Rollback undoes it, if there still is one.
	Rollback(ctx context.Context) error
	// Failure makes an error of the database, as the other methods give it, one that those who do not know the database can
	// tell from others: see store.Failure.
	Failure(err error) error
	Close() error
}

// Database is a connection that one goroutine at a time uses.
type Database struct {
	conn Conn
	free chan struct{} // holds something while no one has the connection
}

// NewDatabase takes over a connection.
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

// Use has f use the connection; within a group it is there already.
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

// failure is the error of a statement, or of what was done with it, for those who do not know the database.
func (d *Database) failure(err error) error {
	if err == nil || store.IsTrouble(err) {
		return err
	}
	return d.conn.Failure(err)
}

// query hands over each row of a query.
func (d *Database) query(ctx context.Context, each func(Row) error, query string, args ...any) error {
	return d.Use(ctx, func() error { return d.failure(d.conn.Query(ctx, each, query, args...)) })
}

// Row is a row of a query.
type Row interface{ Scan(to ...any) error }

// Each hands over the rows of a query, as package sql gives them, and closes them.
func Each(rows *sql.Rows, err error, each func(Row) error) error {
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

// collect gives all rows of a query.
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

// first gives the first row of a query, and false if there is none.
func first[T any](ctx context.Context, d *Database, doing string, scan func(Row) (T, error), query string, args ...any) (one T, found bool, err error) {
	all, err := collect(ctx, d, doing, scan, query, args...)
	if err != nil || len(all) == 0 {
		return one, false, err
	}
	return all[0], true, nil
}

// Get gives the one value of a query.
func Get[T any](ctx context.Context, d *Database, doing, query string, args ...any) (value T, err error) {
	err = d.query(ctx, func(row Row) error { return row.Scan(&value) }, query, args...)
	if err != nil {
		err = fmt.Errorf("%s: %w", doing, err)
	}
	return value, err
}

// Query carries out a statement that gives rows, and hands over each.
func (h *handle) Query(ctx context.Context, doing string, each func(Row) error, query string, args ...any) error {
	if err := h.db.query(ctx, each, query, args...); err != nil {
		return fmt.Errorf("%s: %w", doing, err)
	}
	return nil
}

// Exec carries out a statement that changes something, and tells how many rows.
func (h *handle) Exec(ctx context.Context, doing, query string, args ...any) (rows int64, err error) {
	err = h.Group(ctx, func(ctx context.Context) error {
		rows, err = h.db.conn.Exec(ctx, query, args...)
		return h.db.failure(err)
	})
	if err != nil {
		return 0, fmt.Errorf("%s: %w", doing, err)
	}
	return rows, nil
}

// insert is Exec for one row of a table whose key is a number, which the statement returns: 0 if there was such a row.
func (h *handle) insert(ctx context.Context, doing, query string, args ...any) (id int64, err error) {
	err = h.Group(ctx, func(ctx context.Context) error {
		id, err = Get[int64](ctx, h.db, doing, query, args...)
		return err
	})
	return id, err
}

// group is what is done together.
type group struct {
	broken error    // why it cannot be committed any more
	queued []letter // what it put into the outbox
}

// groupKey is by what a context has the group of a database that it belongs to; it may belong to those of several.
type groupKey struct{ db *Database }

// group is the group of this database that a context belongs to; nil for none.
func (d *Database) group(ctx context.Context) *group {
	g, _ := ctx.Value(groupKey{d}).(*group)
	return g
}

// Group runs f and commits all that f does to the store at once, or nothing
// of it: the methods of the store that are called with f's context belong
// together. That costs one wait for the disk instead of one for each.
//
// Until f returns no one else in this process gets at the store, so f must not wait for anybody
// who wants to. After an error of one of the methods that change something
// nothing more can be done together: all others fail too, and so does Group.
//
// f's context does not end with ctx: what was done is worth keeping.
func (h *handle) Group(ctx context.Context, f func(context.Context) error) error {
	return h.GroupWith(ctx, &disk.Batch{}, f)
}

// GroupWith is Group for what rests on files that f writes: what is noted
// in soon by then is on stable storage before anything is committed.
func (h *handle) GroupWith(ctx context.Context, soon *disk.Batch, f func(context.Context) error) error {
	if g := h.db.group(ctx); g != nil {
		if g.broken != nil {
			return fmt.Errorf("the group failed before: %w", g.broken)
		}
		// After an error a database may have undone everything, and would commit what
		// follows by itself.
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
// connection must be taken.
func (d *Database) transact(ctx context.Context, f func(context.Context) error) error {
	ended := false
	defer func() {
		if !ended { // f panics; the connection must be free for anyone who goes on
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
