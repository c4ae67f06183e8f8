package postgres_test

import (
	"strings"
	"testing"

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
	all := postgres.Place{URL: postgrestest.URL(primary.Addr(), standby.Addr())}.Each()
	if len(all) != 2 || all[0].Host() != primary.Addr() || all[1].Host() != standby.Addr() || primary.Place().Each() != nil {
		t.Fatalf("servers %v", all)
	}
	for i, part := range []string{"the primary", "a standby"} {
		if found, err := all[i].Reach(t.Context()); err != nil || !strings.HasPrefix(found, part) {
			t.Errorf("%s: %q, %v", all[i].Host(), found, err)
		}
	}
	standby.Crash()
	if found, err := all[1].Reach(t.Context()); err == nil || !strings.Contains(err.Error(), "unreachable") {
		t.Errorf("a server that is down: %q, %v", found, err)
	}
}
