// Package postgrestest provides PostgreSQL databases for tests.
package postgrestest

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"net/url"
	"os"
	"strings"
	"testing"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib" // the driver "pgx"

	"starpost/pbem/store/postgres"
)

// variable is the environment variable with the URL of a server for tests. .ci/postgres sets it.
const variable = "STARPOST_TEST_POSTGRES"

// Place creates an empty schema, which is dropped at the end of the test. Without a server it skips the test.
func Place(tb testing.TB) postgres.Place {
	tb.Helper()
	server := os.Getenv(variable)
	if server == "" {
		tb.Skipf("no server: %s is not set; .ci/postgres starts one", variable)
	}
	return Schema(tb, server)
}

// Schema creates an empty schema in the database at a URL. It is dropped at the end of the test.
func Schema(tb testing.TB, server string) postgres.Place {
	tb.Helper()
	at, err := url.Parse(server)
	if err != nil {
		tb.Fatal(err)
	}
	schema := "t" + strings.ToLower(rand.Text())
	run := func(statement string) {
		tb.Helper()
		if err := Exec(context.WithoutCancel(tb.Context()), postgres.Place{URL: server}, statement); err != nil {
			tb.Error(err)
		}
	}
	run("CREATE SCHEMA " + schema)
	tb.Cleanup(func() { run("DROP SCHEMA " + schema + " CASCADE") })
	query := at.Query()
	query.Set("search_path", schema)
	query.Set("application_name", schema) // lets a test find its connections
	at.RawQuery = query.Encode()
	return postgres.Place{URL: at.String()}
}

// Exec executes a statement at a place, over a new connection.
func Exec(ctx context.Context, at postgres.Place, statement string) error {
	db, err := sql.Open("pgx", at.URL)
	if err != nil {
		return err
	}
	_, err = db.ExecContext(ctx, statement)
	return errors.Join(err, db.Close())
}

// AwaitBlocked waits until a connection to a place waits for another's lock.
func AwaitBlocked(ctx context.Context, at postgres.Place) error {
	for {
		var blocked bool
		const query = "SELECT count(*) > 0 FROM pg_stat_activity WHERE application_name = current_setting('application_name') AND wait_event_type = 'Lock'"
		if err := query1(ctx, at, query, &blocked); err != nil || blocked {
			return err
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// query1 scans the single value that a query returns, over a new connection.
func query1(ctx context.Context, at postgres.Place, query string, to any) error {
	db, err := sql.Open("pgx", at.URL)
	if err != nil {
		return err
	}
	return errors.Join(db.QueryRowContext(ctx, query).Scan(to), db.Close())
}
