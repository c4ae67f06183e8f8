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

	"github.com/jackc/pgx/v5/pgconn"

	"starpost/pbem/fault"
	"starpost/pbem/store"
	"starpost/pbem/store/sqlstore"
)

// patience is how long a statement may take. It limits the wait for a server that is stopped or cut off.
const patience = 30 * time.Second

// errLate is wrapped by errors of statements that took longer than patience.
var errLate = fmt.Errorf("PostgreSQL did not confirm within %.0f s", patience.Seconds())

// late adds errLate to an error of a statement if its time was over.
func late(over bool, err error) error {
	if err == nil || !over {
		return err
	}
	return fmt.Errorf("%w: %w", errLate, err)
}

// link is the sqlstore.Conn of a server.
type link struct {
	pool *sql.DB
	tx   *sql.Tx // nil outside of a transaction
	end  context.CancelFunc
}

// bounded returns a context for one statement. It does not end with ctx, so that work that has begun is kept.
func bounded(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(ctx), patience)
}

// Exec runs a statement.
func (l *link) Exec(ctx context.Context, query string, args ...any) (rows int64, err error) {
	ctx, end := bounded(ctx)
	defer end()
	exec := l.pool.ExecContext
	if l.tx != nil {
		exec = l.tx.ExecContext
	}
	r, err := exec(ctx, numbered(query), cleaned(args)...)
	if err != nil {
		return 0, late(ctx.Err() != nil, err)
	}
	return r.RowsAffected()
}

// Autocommits returns true.
func (*link) Autocommits() bool { return true }

// Query runs a query and calls each for every row.
func (l *link) Query(ctx context.Context, each func(sqlstore.Row) error, query string, args ...any) error {
	ctx, end := bounded(ctx)
	defer end()
	ask := l.pool.QueryContext
	if l.tx != nil {
		ask = l.tx.QueryContext
	}
	rows, err := ask(ctx, numbered(query), cleaned(args)...)
	err = sqlstore.Each(rows, err, each)
	return late(ctx.Err() != nil, err)
}

// Begin begins a transaction. The transaction has no time limit, but each of its statements has.
func (l *link) Begin(ctx context.Context) (err error) {
	ctx, l.end = context.WithCancel(context.WithoutCancel(ctx))
	defer l.hurry()()
	if l.tx, err = l.pool.BeginTx(ctx, nil); err != nil {
		l.end()
	}
	return err
}

// hurry cancels the transaction after patience, unless stop is called before.
func (l *link) hurry() (stop func() bool) { return time.AfterFunc(patience, l.end).Stop }

// Commit commits the transaction. It may fail although the server has committed, if the answer was lost.
func (l *link) Commit(context.Context) error {
	stop := l.hurry()
	defer l.leave()
	err := l.tx.Commit()
	return late(!stop(), err)
}

// Rollback undoes a transaction. If that fails, the connection is dropped, and the server rolls back by itself.
func (l *link) Rollback(context.Context) error {
	if l.tx != nil {
		defer l.hurry()()
		defer l.leave()
		_ = l.tx.Rollback()
	}
	return nil
}

func (l *link) leave() {
	l.tx = nil
	l.end()
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
