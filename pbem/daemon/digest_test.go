package daemon_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"starpost/pbem/config"
	"starpost/pbem/digest"
)

// TestTheHostGetsADigestEachDay: from the second day on, the host gets one digest a day, also across
// restarts, with what needs action and the commands for it.
func TestTheHostGetsADigestEachDay(t *testing.T) {
	w := newWorld(t)
	w.cfg.Digest = &config.Digest{At: "07:00", Zone: "Europe/Berlin"}
	w.digest = func(ctx context.Context, now time.Time) (subject, text string, err error) {
		all, err := digest.Gather(ctx, w.cfg, w.cat, now)
		if err != nil {
			return "", "", err
		}
		var b strings.Builder
		err = all.Print(&b)
		return all.Subject(), b.String(), err
	}
	mail := schedule()
	mail.Missing = "hold"
	w.game("wolf", mail)
	began := w.clock.Now()
	for ; w.clock.Now().Before(began.Add(12 * time.Hour)); w.clock.Advance(time.Hour) {
		if early := w.run().to(refAddress, "1 game, "); len(early) != 0 && w.clock.Now().In(time.FixedZone("Berlin", 3600)).Day() == 1 {
			t.Fatalf("a digest on the first day, at %s:\n%s", w.clock.Now(), early)
		}
	}
	w.clock.Set(began.Add(20 * time.Hour)) // 09:00 of the next day
	first := w.run().to(refAddress, "1 game, all is well")
	if len(first) != 1 || !strings.Contains(first[0].Text, "1 game running") {
		t.Fatalf("the first digest is %v", first)
	}
	for range 3 {
		if more := w.run().to(refAddress, "1 game, "); len(more) != 0 {
			t.Fatalf("another digest of the same day:\n%s", more)
		}
	}
	w.clock.Advance(mail.Deadline.Duration() + 24*time.Hour)
	late := w.run().to(refAddress, "1 game, ")
	if len(late) != 1 || !strings.Contains(late[0].words(), "orders are missing for Hood, Riskadh") || !strings.Contains(late[0].Text, "process 1 --force") {
		t.Errorf("when orders are late the host is told:\n%v", late)
	}
}
