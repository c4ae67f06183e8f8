package ledger

import (
	"context"
	"database/sql"
	"errors"
	"sync"
)

// database is the connection with its statements: SQLite reads the text of each
// once, which else costs as much as carrying it out.
type database struct {
	*sql.DB
	mu   sync.Mutex
	kept map[string]*sql.Stmt
}

// statement gives a statement that is kept; nil if there is none yet.
func (d *database) statement(query string) *sql.Stmt {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.kept[query]
}

// keep prepares a statement. It must not be called within a transaction, which
// has the connection.
func (d *database) keep(ctx context.Context, query string) (*sql.Stmt, error) {
	if s := d.statement(query); s != nil {
		return s, nil
	}
	s, err := d.PrepareContext(ctx, query)
	if err != nil {
		return nil, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if other := d.kept[query]; other != nil {
		return other, s.Close()
	}
	if d.kept == nil {
		d.kept = map[string]*sql.Stmt{}
	}
	d.kept[query] = s
	return s, nil
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
	s, err := d.keep(ctx, query)
	if err != nil {
		return nil, err
	}
	return s.ExecContext(ctx, args...)
}

// QueryContext is that of sql.DB.
func (d *database) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	if g := d.together(ctx); g != nil {
		return g.tx.QueryContext(ctx, query, args...)
	}
	s, err := d.keep(ctx, query)
	if err != nil {
		return nil, err
	}
	return s.QueryContext(ctx, args...)
}

// QueryRowContext is that of sql.DB.
func (d *database) QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row {
	if g := d.together(ctx); g != nil {
		return g.tx.QueryRowContext(ctx, query, args...)
	}
	s, err := d.keep(ctx, query)
	if err != nil {
		return d.DB.QueryRowContext(ctx, query, args...) // which gives the error
	}
	return s.QueryRowContext(ctx, args...)
}

// Close closes the statements too.
func (d *database) Close() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	var all []error
	for _, s := range d.kept {
		all = append(all, s.Close())
	}
	d.kept = nil
	return errors.Join(append(all, d.DB.Close())...)
}

// transaction uses the statements of its database.
type transaction struct {
	*sql.Tx
	db     *database
	missed []string // queries that no statement was kept for
}

func (t *transaction) statement(ctx context.Context, query string) *sql.Stmt {
	if s := t.db.statement(query); s != nil {
		return t.StmtContext(ctx, s)
	}
	t.missed = append(t.missed, query)
	return nil
}

// ExecContext is that of sql.Tx.
func (t *transaction) ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error) {
	if s := t.statement(ctx, query); s != nil {
		return s.ExecContext(ctx, args...)
	}
	return t.Tx.ExecContext(ctx, query, args...)
}

// QueryContext is that of sql.Tx.
func (t *transaction) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	if s := t.statement(ctx, query); s != nil {
		return s.QueryContext(ctx, args...)
	}
	return t.Tx.QueryContext(ctx, query, args...)
}

// QueryRowContext is that of sql.Tx.
func (t *transaction) QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row {
	if s := t.statement(ctx, query); s != nil {
		return s.QueryRowContext(ctx, args...)
	}
	return t.Tx.QueryRowContext(ctx, query, args...)
}

// within runs f in a transaction and commits it if f returns no error. What
// belongs together (see Together) is committed together.
func (l *Ledger) within(ctx context.Context, f func(*transaction) error) error {
	if g := l.db.together(ctx); g != nil {
		return g.run(f)
	}
	tx, err := l.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	t := &transaction{Tx: tx, db: l.db}
	ended := false
	defer func() {
		if !ended { // f panics; the connection must be free for whoever goes on
			_ = tx.Rollback()
		}
	}()
	err = f(t)
	ended = true
	if err != nil {
		// A transaction that ended by itself, as when ctx did, needs no undoing.
		if undo := tx.Rollback(); undo != nil && !errors.Is(undo, sql.ErrTxDone) {
			err = errors.Join(err, undo)
		}
		return err
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	for _, query := range t.missed {
		// What was done is done. Without its statement the next time is slower,
		// and if that fails too, it will say so.
		if _, err := l.db.keep(ctx, query); err != nil {
			break
		}
	}
	return nil
}
