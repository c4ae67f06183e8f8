package postgres

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net/url"
	"slices"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"

	"starpost/pbem/fault"
	"starpost/pbem/store"
	"starpost/pbem/store/sqlstore"
)

// Store is an open store. Several processes, on several hosts, may have one open.
type Store struct {
	*sqlstore.Store
	db   *sqlstore.Database
	link *link
}

// Close ends the connection.
func (s *Store) Close() error {
	if err := s.db.Close(); err != nil {
		return fmt.Errorf("close store: %w", err)
	}
	return nil
}

// Place is the address of a database.
type Place struct {
	URL      string // such as postgres://starpost@db/starpost, without a password
	Password string // "" if the server needs none
}

// scripts migrate a database from one format to the next, in the order of their names. A published script is never edited;
// later ones are added.
//
//go:embed tables/*.sql
var scripts embed.FS

// Formats returns the number of the database format that this version of the program uses, counted from 1.
func Formats() int {
	names, err := fs.Glob(scripts, "tables/*.sql")
	if err != nil {
		panic(err) // the pattern is wrong
	}
	return len(names)
}

// Open opens the store in a database with tables made by Init.
func Open(ctx context.Context, at Place) (*Store, error) {
	s, err := connect(ctx, at)
	if err != nil {
		return nil, err
	}
	if err := s.suits(ctx); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	format, err := s.format(ctx)
	switch {
	case err != nil:
	case format > Formats():
		err = &fault.Fault{
			Err: fmt.Errorf("%w (its format is %d, this version knows up to %d)", store.ErrNewer, format, Formats()),
			Way: "use the version of starpost that wrote it, or a later one",
		}
	case format == 0:
		err = fault.New("create them: starpost store init --config FILE", "the database has no starpost tables")
	case format < Formats():
		err = fault.New("stop all hosts, then run: starpost store migrate --config FILE", "an earlier version of starpost created the tables (format %d of %d)", format, Formats())
	}
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// connect opens a connection without checking the tables.
func connect(ctx context.Context, at Place) (*Store, error) {
	u, err := url.Parse(at.URL)
	if err != nil || u.Scheme != "postgres" && u.Scheme != "postgresql" {
		return nil, fault.New("write postgres://USER@HOST/DATABASE", "the store's url is not a PostgreSQL url")
	}
	c, err := pgx.ParseConfig(at.URL)
	if err != nil {
		return nil, fault.New("correct the url; its form is postgres://USER@HOST/DATABASE", "the store's url is unusable: %v", err)
	}
	if at.Password != "" {
		c.Password = at.Password
	}
	c.ConnectTimeout = patience
	l := &link{pool: stdlib.OpenDB(*c, stdlib.OptionAfterConnect(configure))}
	l.pool.SetMaxOpenConns(1)
	s := &Store{db: sqlstore.NewDatabase(l), link: l}
	s.Store = sqlstore.New(s.db, nil)
	if err := l.pool.PingContext(ctx); err != nil {
		return nil, errors.Join(l.Failure(err), l.Close())
	}
	return s, nil
}

// configure sets up a new connection. The server must end a transaction that is idle for longer than a statement may take: otherwise
// a host that is suspended in a transaction would block other hosts from what it has locked, such as a mailbox that they must take over.
// And statements must use indexes. The server plans a statement once, perhaps while a table is nearly empty; to read all of the table would
// look cheaper then, and remain the plan for a minute or more while the table grows. Where there is no index, reading all of a table counts as so
// expensive then that the server would compile the query, which takes longer than to run it.
func configure(ctx context.Context, c *pgx.Conn) error {
	_, err := c.Exec(ctx, fmt.Sprintf("SET idle_in_transaction_session_timeout = %d; SET enable_seqscan = off; SET jit = off", patience.Milliseconds()))
	return err
}

// oldest is the oldest usable version of PostgreSQL, in the form of server_version_num.
const oldest = 14_00_00

// suits returns an error if the server is unusable, or does not make confirmed changes durable.
func (s *Store) suits(ctx context.Context) error {
	var version int
	var standby bool
	var encoding string
	lasting := map[string]*string{"fsync": new(string), "full_page_writes": new(string), "synchronous_commit": new(string)}
	if err := s.db.Use(ctx, func() error {
		row := s.link.pool.QueryRowContext(ctx, `SELECT current_setting('server_version_num')::int, pg_is_in_recovery(), current_setting('server_encoding'),
			current_setting('fsync'), current_setting('full_page_writes'), current_setting('synchronous_commit')`)
		return s.link.Failure(row.Scan(&version, &standby, &encoding, lasting["fsync"], lasting["full_page_writes"], lasting["synchronous_commit"]))
	}); err != nil {
		return err
	}
	switch {
	case version < oldest:
		return fault.New("use version 14 or newer", "the server is PostgreSQL %d", version/10000)
	case standby:
		return fault.New(ways["25006"], "the server is a read-only standby")
	case encoding != "UTF8":
		return fault.New("create it again: createdb --encoding=UTF8 --template=template0 NAME", "the database's encoding is %s", encoding)
	}
	for _, setting := range slices.Sorted(maps.Keys(lasting)) {
		if *lasting[setting] == "off" {
			return fault.New("set "+setting+" = on in postgresql.conf, and reload the server", "the server has %s = off: a power failure could lose commits", setting)
		}
	}
	return nil
}

// format returns the number of scripts applied to the tables; 0 if there are no tables.
func (s *Store) format(ctx context.Context) (int, error) {
	there, err := sqlstore.Get[bool](ctx, s.db, "read the format", "SELECT to_regclass('format') IS NOT NULL")
	if err != nil || !there {
		return 0, err
	}
	return sqlstore.Get[int](ctx, s.db, "read the format", "SELECT n FROM format")
}

// lock is the advisory lock that keeps two calls of Init from running at once.
const lock = 0x73746172 // "star"

// Init creates the tables in a database, or migrates them to the present format, and returns their earlier format (0 for none).
func Init(ctx context.Context, at Place) (from int, err error) {
	s, err := connect(ctx, at)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	if err := s.suits(ctx); err != nil {
		return 0, err
	}
	names, err := fs.Glob(scripts, "tables/*.sql")
	if err != nil {
		return 0, fmt.Errorf("list formats: %w", err)
	}
	err = s.Group(ctx, func(ctx context.Context) error {
		if _, err := s.Exec(ctx, "wait for others", "SELECT pg_advisory_xact_lock(?)", int64(lock)); err != nil {
			return err
		}
		if from, err = s.format(ctx); err != nil {
			return err
		}
		if from == 0 {
			if _, err := s.Exec(ctx, "make the tables", "CREATE TABLE format (n BIGINT NOT NULL)"); err != nil {
				return err
			}
			if _, err := s.Exec(ctx, "make the tables", "INSERT INTO format VALUES (0)"); err != nil {
				return err
			}
		}
		for n := from; n < len(names); n++ {
			text, err := scripts.ReadFile(names[n])
			if err != nil {
				return err
			}
			if _, err := s.Exec(ctx, "make the tables", string(text)); err != nil {
				return err
			}
		}
		_, err := s.Exec(ctx, "note the format", "UPDATE format SET n = ? WHERE n < ?", len(names), len(names))
		return err
	})
	return from, err
}

// ContinueIDs makes the ids of new rows continue after those of copied rows.
func ContinueIDs(ctx context.Context, s *sqlstore.Store) error {
	for _, table := range []string{"mails", "outbox"} {
		if _, err := s.Exec(ctx, "set the next ids", "SELECT setval(pg_get_serial_sequence('"+table+"', 'id'), max(id)) FROM "+table+" HAVING count(*) > 0"); err != nil {
			return err
		}
	}
	return nil
}
