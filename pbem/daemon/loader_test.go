package daemon_test

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"starpost/engine/testkit/enginetest"
	"starpost/pbem/vault"
)

// TestKilledWhileHandlingManyMails: more mails than one load holds are prefetched, acted on and
// answered concurrently. After kills at any steps, each mail is answered once, and the last set is
// in force.
func TestKilledWhileHandlingManyMails(t *testing.T) {
	const mails = 230
	play := func(t *testing.T, kills ...int) (steps int) {
		t.Helper()
		w := watchedWorld(t)
		w.cfg.SetAnswersPerHour = 2 * mails
		g := w.game("wolf", schedule())
		w.run()
		for i := range mails {
			w.box.put(w.order(g, "Kirk", "power", fmt.Sprintf("  move %d", i%12)))
		}
		answers := map[string]string{} // Message-IDs of answers by the answered mail
		hear := func() {
			for _, m := range w.delivered() {
				if id, again := answers[m.InReplyTo]; again && id != m.MessageID {
					t.Errorf("%s is answered by %s and by %s", m.InReplyTo, id, m.MessageID)
				}
				answers[m.InReplyTo] = m.MessageID
			}
		}
		var mu sync.Mutex
		for _, kill := range append(kills, -1) {
			steps = 0
			w.before = func(string) error {
				mu.Lock()
				defer mu.Unlock()
				if steps++; kill >= 0 && steps > kill {
					return errKill
				}
				return nil
			}
			if _, err := w.once(); err != nil && (kill < 0 || !errors.Is(err, errKill)) {
				t.Fatal(err)
			}
			hear()
		}
		if len(answers) != mails || w.box.left() != 0 {
			t.Errorf("%d mails are answered, %d are left", len(answers), w.box.left())
		}
		files, err := g.Orders.For(vault.At(1))
		if err != nil || len(files) != 1 || !strings.Contains(string(files[0].Text), fmt.Sprintf("move %d\n", (mails-1)%12)) {
			t.Errorf("in force: %v, %v", files, err)
		}
		return steps
	}
	steps := play(t)
	if steps < 5*mails {
		t.Fatalf("only %d steps", steps)
	}
	percents := []int{45, 3, 30, 60, 75, 97}
	for _, percent := range percents[:enginetest.Fewer(len(percents))] {
		t.Run(fmt.Sprintf("%d percent", percent), func(t *testing.T) {
			kill := steps * percent / 100
			play(t, kill, kill/2)
		})
	}
}
