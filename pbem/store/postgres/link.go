package postgres

import (
	"context"
	"crypto/tls"
	"database/sql"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"

	"starpost/pbem/fault"
	"starpost/pbem/store"
	"starpost/pbem/store/sqlstore"
)

// patience is how long a round trip to the server may take, with one statement or several. It limits the wait for a server that is
// stopped or cut off.
const patience = 30 * time.Second

// errLate is wrapped by errors of round trips that took longer than patience.
var errLate = fmt.Errorf("PostgreSQL did not confirm within %.0f s", patience.Seconds())

// late adds errLate to an error if the time for the round trip was over.
func late(over bool, err error) error {
	if err == nil || !over {
		return err
	}
	return fmt.Errorf("%w: %w", errLate, err)
}

// link is the sqlstore.Conn of a server.
type link struct {
	pool    *sql.DB
	tx      *sql.Conn  // nil outside of a transaction
	pending *pgx.Batch // statements queued for the next round trip; nil if there are none
}

// bounded returns a context for one round trip. It does not end with ctx, so that work that has begun is kept.
func bounded(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(ctx), patience)
}

// use runs do, which makes one round trip: that is most of the cost of a small statement.
func (l *link) use(ctx context.Context, do func(context.Context, *pgx.Conn) error) (err error) {
	ctx, end := bounded(ctx)
	defer end()
	c := l.tx
	if c == nil {
		if c, err = l.pool.Conn(ctx); err != nil {
			return late(ctx.Err() != nil, err)
		}
		defer func() { err = errors.Join(err, c.Close()) }()
	}
	err = c.Raw(func(driven any) error { return do(ctx, driven.(*stdlib.Conn).Conn()) }) //nolint:forcetypeassert // Open chose the driver
	return late(ctx.Err() != nil, err)
}

// queue adds a statement to the next round trip.
func (l *link) queue(query string, args ...any) *pgx.QueuedQuery {
	if l.pending == nil {
		l.pending = &pgx.Batch{}
	}
	return l.pending.Queue(numbered(query), cleaned(args)...)
}

// flush sends the queued statements, if any, and reads their results. After an error the server ignores the rest.
func (l *link) flush(ctx context.Context) error {
	batch := l.pending
	l.pending = nil
	if batch == nil {
		return nil
	}
	return l.use(ctx, func(ctx context.Context, c *pgx.Conn) error { return c.SendBatch(ctx, batch).Close() })
}

// Send queues a statement.
func (l *link) Send(_ context.Context, query string, args ...any) error {
	l.queue(query, args...)
	return nil
}

// Exec runs a statement. Without arguments it may be several.
func (l *link) Exec(ctx context.Context, query string, args ...any) (rows int64, err error) {
	if len(args) > 0 {
		l.queue(query, args...).Exec(func(done pgconn.CommandTag) error {
			rows = done.RowsAffected()
			return nil
		})
		err = l.flush(ctx)
		return rows, err
	}
	if err := l.flush(ctx); err != nil {
		return 0, err
	}
	err = l.use(ctx, func(ctx context.Context, c *pgx.Conn) error {
		done, err := c.Exec(ctx, query)
		rows = done.RowsAffected()
		return err
	})
	return rows, err
}

// Autocommits returns true.
func (*link) Autocommits() bool { return true }

// Query runs a query and calls each for every row.
func (l *link) Query(ctx context.Context, each func(sqlstore.Row) error, query string, args ...any) error {
	l.queue(query, args...).Query(func(rows pgx.Rows) error {
		for rows.Next() {
			if err := each(rows); err != nil {
				return err
			}
		}
		return rows.Err()
	})
	return l.flush(ctx)
}

// Begin begins a transaction, with the next round trip.
func (l *link) Begin(ctx context.Context) (err error) {
	ctx, end := bounded(ctx)
	defer end()
	if l.tx, err = l.pool.Conn(ctx); err != nil {
		return late(ctx.Err() != nil, err)
	}
	return l.Send(ctx, "BEGIN")
}

// Commit commits the transaction. It may fail although the server has committed, if the answer was lost.
func (l *link) Commit(ctx context.Context) error {
	l.queue("COMMIT").Exec(func(done pgconn.CommandTag) error {
		if done.String() != "COMMIT" {
			return errors.New("the server has undone the transaction")
		}
		return nil
	})
	if err := l.flush(ctx); err != nil {
		return err
	}
	return l.release()
}

// Rollback undoes a transaction. If that fails, the connection is dropped, and the server rolls back by itself.
func (l *link) Rollback(ctx context.Context) error {
	if l.tx == nil {
		return nil
	}
	l.pending = nil
	_ = l.use(ctx, func(ctx context.Context, c *pgx.Conn) error {
		if c.IsClosed() || c.PgConn().TxStatus() == 'I' { // no transaction
			return nil
		}
		if _, err := c.Exec(ctx, "ROLLBACK"); err != nil {
			return c.Close(ctx)
		}
		return nil
	})
	return l.release()
}

// release returns the connection of a transaction to the pool.
func (l *link) release() error {
	c := l.tx
	l.tx = nil
	if err := c.Close(); !errors.Is(err, sql.ErrConnDone) { // done: it was dropped
		return err
	}
	return nil
}

// Close ends all connections.
func (l *link) Close() error { return l.pool.Close() }

// ways says what a person can do about a server's error, by its error code:
// https://www.postgresql.org/docs/current/errcodes-appendix.html
var ways = map[string]string{
	"28P01": "check the password: password_file in [store], or for --store PGPASSWORD or ~/.pgpass",
	"28000": "allow the user in the server's pg_hba.conf, or name another user in the url",
	"3D000": "create the database: createdb NAME",
	"42501": "grant the user the rights, or make the user the owner of the database",
	"53100": "free space on the server's disk; nothing is lost meanwhile",
	"53300": "raise the server's max_connections, or run fewer hosts: each takes two connections",
	"57P03": "wait for the server to start, or read its log",
	"25006": "name the primary server in the url: this one is a read-only standby",
	"42P01": "create the tables: starpost store init --config FILE",
}

// Failure wraps an error in a store.Failure, with advice if there is any.
func (l *link) Failure(err error) error {
	if err == nil {
		return nil
	}
	failed := &store.Failure{Err: err}
	if e, ok := errors.AsType[*pgconn.PgError](err); ok {
		if way := ways[e.Code]; way != "" {
			return &fault.Fault{Problem: "PostgreSQL: " + e.Message, Way: way, Err: failed}
		}
		return failed
	}
	if _, ok := errors.AsType[*pgconn.ConnectError](err); ok {
		way := "check that the server runs, and that the url is right (in [store], or after --store)"
		if _, untrusted := errors.AsType[*tls.CertificateVerificationError](err); untrusted {
			way = "check the server's certificate: the url must use a name in it, and sslrootcert there the file of its CA, if you issued it yourself"
		}
		if errors.Is(err, pgconn.ErrReadOnlyConnection) {
			way = "if the primary is lost, promote the standby"
		}
		return &fault.Fault{Problem: "PostgreSQL is unreachable: " + err.Error(), Way: way, Err: failed}
	}
	if errors.Is(err, errLate) {
		return &fault.Fault{Problem: err.Error(), Way: "check that the server and its synchronous standby run", Err: failed}
	}
	return failed
}

// texts caches the results of numbered.
var texts sync.Map

// numbered returns a statement with its arguments in PostgreSQL's form: ? becomes the next of $1, $2 and so on, ?1 becomes $1.
func numbered(query string) string {
	if text, ok := texts.Load(query); ok {
		return text.(string) //nolint:forcetypeassert // texts holds nothing else
	}
	var b strings.Builder
	next := 0
	for rest := query; ; {
		before, after, found := strings.Cut(rest, "?")
		b.WriteString(before)
		if !found {
			break
		}
		b.WriteByte('$')
		if after == "" || after[0] < '0' || after[0] > '9' {
			next++
			b.WriteString(strconv.Itoa(next))
		}
		rest = after
	}
	texts.Store(query, b.String())
	return b.String()
}

// cleaned makes arguments acceptable to PostgreSQL, where text is UTF-8 without NUL. Other bytes, as in a mail's
// Message-ID, become U+FFFD, so two texts that differ only in such bytes count as one.
func cleaned(args []any) []any {
	for i, a := range args {
		if s, ok := a.(string); ok {
			args[i] = strings.ToValidUTF8(strings.ReplaceAll(s, "\x00", "\uFFFD"), "\uFFFD")
		}
	}
	return args
}
