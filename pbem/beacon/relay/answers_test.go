package relay

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"starpost/pbem/beacon/fakerelay"
)

// TestAnswersAreBounded has relays whose answers start correctly: one that never ends, one that stops halfway, and
// one whose randomness does not match its signature.
func TestAnswersAreBounded(t *testing.T) {
	key, err := fakerelay.NewKey(t.Name(), day.Add(-time.Hour))
	if err != nil {
		t.Fatal(err)
	}
	b := key.Sign(due)
	over := make(chan struct{})
	defer close(over)
	for _, test := range []struct {
		wait  time.Duration
		serve func(w http.ResponseWriter, q *http.Request)
		want  string
	}{
		{time.Minute, func(w http.ResponseWriter, _ *http.Request) {
			for {
				if _, err := fmt.Fprint(w, strings.Repeat(" ", 1000)); err != nil {
					return // the client has read enough
				}
			}
		}, "more than 4096 bytes"},
		{50 * time.Millisecond, func(w http.ResponseWriter, q *http.Request) {
			if _, err := fmt.Fprintf(w, `{"round":%d,`, due); err != nil {
				t.Error(err)
			}
			if err := http.NewResponseController(w).Flush(); err != nil {
				t.Error(err)
			}
			select {
			case <-q.Context().Done():
			case <-over:
			}
		}, "no answer within 50ms"},
		{time.Minute, func(w http.ResponseWriter, _ *http.Request) {
			if _, err := fmt.Fprintf(w, `{"round":%d,"signature":"%x","randomness":%q}`, due, b.Signature, key.Sign(1).Randomness()); err != nil {
				t.Error(err)
			}
		}, "is not that of the signature"},
	} {
		t.Run(test.want, func(t *testing.T) {
			one, two := httptest.NewServer(http.HandlerFunc(test.serve)), httptest.NewServer(http.HandlerFunc(test.serve))
			defer one.Close()
			defer two.Close()
			_, err := client(t, key.Chain, test.wait, one.URL, two.URL).Fetch(t.Context(), due)
			if err == nil || strings.Count(err.Error(), test.want) < 2 {
				t.Errorf("got %v, want %q of both", err, test.want)
			}
		})
	}
}
