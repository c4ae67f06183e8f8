package main

import (
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"

	"starpost/engine/rules/fasa"
)

// The rule sets that rosters are for exist, and have keys for ratings.
func TestCampaignSetsAreThere(t *testing.T) {
	for _, f := range families() {
		if f.Campaign == nil {
			continue
		}
		for name := range f.Campaign.Sets {
			if of, err := familyOf(name); err != nil || of.Name != f.Name {
				t.Errorf("campaigns of %s name rule set %s: got family %q, %v", f.Name, name, of.Name, err)
			}
		}
	}
	if f, err := familyOf("stcs-basik"); err == nil || !strings.Contains(wayOut(err), "stcs-basic") {
		t.Errorf("got family %q, %v, want an error that names the nearest", f.Name, err)
	}
	if got, want := len(fasa.Family().Sets), len(fasa.Courses()); got != want {
		t.Errorf("got %d rule sets of the tactical family, want %d", got, want)
	}
}

// Making the commands reads no rule set or table, because each process would pay for it. The test runs in a new
// process, as other tests in this one have filled the caches.
func TestCommandsAreCheapToMake(t *testing.T) {
	const inner = "STARPOST_TEST_ALLOCATIONS"
	if os.Getenv(inner) == "" {
		cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^"+t.Name()+"$")
		cmd.Env = append(os.Environ(), inner+"=1")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%v\n%s", err, out)
		}
		return
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	newRoot(std{})
	runtime.ReadMemStats(&after)
	if n := after.Mallocs - before.Mallocs; n > 20_000 {
		t.Errorf("%d allocations, want at most 20,000", n)
	}
}
