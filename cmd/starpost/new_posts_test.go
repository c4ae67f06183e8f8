package main

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"starpost/pbem/vault"
)

// TestCaptainsOfPosts: a captain may be named for a ship or one of her posts, and a post may be an open seat.
func TestCaptainsOfPosts(t *testing.T) {
	got, err := parseCaptains([]string{`Hood=Ann <ann@example.org>`, "Hood.helm=bo@example.org", "Hood.engineer=open"})
	want := []vault.Captain{
		{Name: "Ann", Address: "ann@example.org", Ships: []string{"Hood"}},
		{Address: "bo@example.org", Posts: []string{"Hood.helm"}},
		{Posts: []string{"Hood.engineer"}},
	}
	if d := cmp.Diff(want, got); d != "" || err != nil {
		t.Errorf("%v\n%s", err, d)
	}
	for _, bad := range [][]string{{"Hood=open"}, {"Hood.helm=a@b.c", "hood.HELM=open"}, {"Hood.helm="}} {
		if got, err := parseCaptains(bad); err == nil {
			t.Errorf("%q gives %+v", bad, got)
		}
	}
}
