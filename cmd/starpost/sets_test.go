package main

import (
	"strings"
	"testing"

	"starpost/engine/rules/fasa"
)

// Sets that rosters are for are there, and have the keys of ratings.
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
