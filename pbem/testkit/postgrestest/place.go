// Package postgrestest gives tests a database of PostgreSQL.
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

	_ "github.com/jackc/pgx/v5/stdlib" // the driver "pgx"

	"starpost/pbem/store/postgres"
)

// variable names the server that tests may use, by its URL; .ci/postgres sets it.
const variable = "STARPOST_TEST_POSTGRES"

// Place is an empty schema of its own for a test, which is removed with it. Without a server the test is skipped.
func Place(tb testing.TB) postgres.Place {
	tb.Helper()
	server := os.Getenv(variable)
	if server == "" {
		tb.Skipf("no server: %s is not set; .ci/postgres starts one", variable)
	}
	return Schema(tb, server)
}

// Schema is an empty schema of its own for a test, which is removed with it, in the database at an address.
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
	query.Set("application_name", schema) // by which a test finds its connections
	at.RawQuery = query.Encode()
	return postgres.Place{URL: at.String()}
}

// Exec carries out a statement there, over a connection of its own.
func Exec(ctx context.Context, at postgres.Place, statement string) error {
	db, err := sql.Open("pgx", at.URL)
	if err != nil {
		return err
	}
	_, err = db.ExecContext(ctx, statement)
	return errors.Join(err, db.Close())
}

// query1 reads the one value that a query gives there, over a connection of its own.
func query1(ctx context.Context, at postgres.Place, query string, to any) error {
	db, err := sql.Open("pgx", at.URL)
	if err != nil {
		return err
	}
	return errors.Join(db.QueryRowContext(ctx, query).Scan(to), db.Close())
}
