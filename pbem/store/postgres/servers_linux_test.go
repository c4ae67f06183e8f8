package postgres_test

import (
	"strings"
	"testing"

	"starpost/pbem/fault"
	"starpost/pbem/store/postgres"
	"starpost/pbem/testkit/postgrestest"
)

// Each server that an address names is reached alone, whichever part it plays.
func TestPostgresServersOfAnAddress(t *testing.T) {
	if !postgrestest.Available() {
		t.Skip("runs in .ci/postgres")
	}
	primary := postgrestest.Start(t)
	standby := primary.NewStandby(t)
	check := func(first, second string) {
		t.Helper()
		var got []string
		postgres.Place{URL: postgrestest.URL(primary.Addr(), standby.Addr())}.Servers(t.Context(), func(host, found string, err error) {
			if err != nil {
				found = err.Error() + "; " + fault.Hint(err)
			}
			got = append(got, host+" "+found)
		})
		if len(got) != 2 || !strings.HasPrefix(got[0], primary.Addr()+" "+first) || !strings.HasPrefix(got[1], standby.Addr()+" "+second) {
			t.Errorf("servers %q instead of one that is %s, and one %s", got, first, second)
		}
	}
	check("the primary", "a standby")
	if err := standby.Promote(t.Context()); err != nil {
		t.Fatal(err)
	}
	check("the primary", "it is a primary beside "+primary.Addr())
	standby.Crash()
	check("the primary", "PostgreSQL is unreachable")
	primary.Place().Servers(t.Context(), func(host, found string, err error) {
		t.Errorf("the only server of an address is told too: %s, %s, %v", host, found, err)
	})
}
