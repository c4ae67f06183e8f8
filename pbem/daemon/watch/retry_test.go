package watch_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"starpost/pbem/clock"
	"starpost/pbem/config"
	"starpost/pbem/daemon/process"
	"starpost/pbem/daemon/watch"
	"starpost/pbem/store"
)

// others are hosts that share a store.
type others struct{}

func (others) Hold(context.Context, string, string, time.Duration, time.Time) (store.Holding, error) {
	return store.Holding{}, nil
}

func (others) HoldUntilCommit(context.Context, string, string, int64) (bool, error) {
	return false, nil
}

func (others) Release(context.Context, string, string) error { return nil }

// Trouble with a store on the network is reported if it lasts, with one on this machine at once. Trouble with mail
// servers is reported at once.
func TestBriefTroubleWithASharedStoreIsNoNews(t *testing.T) {
	cut := &store.Failure{Err: errors.New("the connection was cut")}
	at := func(s int) time.Time { return time.Date(2026, 3, 1, 12, 0, s, 0, time.UTC) }
	for name, hosts := range map[string]process.Hosts{"alone": nil, "shared": others{}} {
		r := watch.NewRetry(&process.Process{Config: &config.Config{Poll: clock.Span(time.Minute)}, Hosts: hosts}, false)
		told := map[int]bool{}
		for _, s := range []int{0, 30, 61, 90} {
			_, told[s] = r.Failed(at(s), cut)
		}
		if at0, at61 := told[0], told[61]; at0 != (hosts == nil) || at61 == (hosts == nil) || told[30] || told[90] {
			t.Errorf("%s: told %v", name, told)
		}
		if !r.Worked(at(91), 0) {
			t.Errorf("%s: its end is not told", name)
		}
		if _, news := r.Failed(at(92), cut); news != (hosts == nil) {
			t.Errorf("%s: told anew: %v", name, news)
		}
		if _, news := r.Failed(at(93), errors.New("the mail server is away")); !news {
			t.Errorf("%s: of the mail server nothing is told", name)
		}
	}
}
