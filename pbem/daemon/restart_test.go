package daemon_test

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"testing"

	"starpost/pbem/incoming"
	"starpost/pbem/vault"
)

var errKill = errors.New("killed")

// campaign is what the restart tests play: first reports, two sets with an answer each, one refused mail, a turn. It
// ends when everything is sent.
func (w *world) campaign() (mails []string) {
	mails = w.campaignMails()
	for _, m := range mails {
		w.box.put(m)
	}
	return mails
}

func (w *world) campaignMails() []string {
	g := w.game("wolf", schedule())
	return []string{
		w.order(g, "Kirk", "power", "  shields 2:4", "final"),
		w.order(g, "Kor", "power", "  shields 2:5", "bogus"),
		w.order(g, "Kor", "power", "  shields 2:5", "final"),
	}
}

// TestKilledAtEachStep stops the daemon before each of its steps, as a kill would, starts it again, and checks the
// results.
func TestKilledAtEachStep(t *testing.T) {
	base := watchedWorld(t)
	base.campaign()
	killedAtEachStep(t, base.again)
}

// killedAtEachStep does that with a campaign in equal new worlds.
func killedAtEachStep(t *testing.T, again func(*testing.T) *world) {
	t.Helper()
	ref, steps := again(t), 0
	ref.before = func(string) error { steps++; return nil }
	ref.run()
	if steps < 20 {
		t.Fatalf("only %d steps", steps)
	}
	want, err := ref.load("wolf").Stages.File(vault.At(1), vault.StateFile)
	if err != nil {
		t.Fatal(err)
	}
	for kill := range steps {
		t.Run(fmt.Sprint(kill), func(t *testing.T) {
			t.Parallel()
			w := again(t)
			at := w.killBefore(kill)
			sent := w.delivered()
			if _, err := w.once(); err != nil {
				t.Fatalf("killed before %q, at the next start: %v", at, err)
			}
			w.checkCampaign(at, append(sent, w.delivered()...), want)
		})
	}
}

// killBefore runs the daemon until it is killed before the given step, counted from 0, and returns the name of that
// step.
func (w *world) killBefore(step int) (at string) {
	w.t.Helper()
	n := 0
	w.before = func(name string) error {
		if n++; n == step+1 {
			at = name
		}
		if n > step {
			return errKill
		}
		return nil
	}
	defer func() { w.before = nil }()
	if _, err := w.once(); !errors.Is(err, errKill) {
		w.t.Fatalf("killed before %q: %v", at, err)
	}
	return at
}

// checkCampaign checks what was sent, stored and moved.
func (w *world) checkCampaign(at string, sent sentMails, state []byte) {
	t := w.t
	byID := map[string]string{}
	subjects := map[string]int{}
	for _, m := range sent {
		if old, ok := byID[m.MessageID]; ok {
			if old != m.raw {
				t.Errorf("killed before %q: two mails with the id %s", at, m.MessageID)
			}
			continue // sent again: allowed, because the daemon could not know
		}
		byID[m.MessageID] = m.raw
		subjects[m.to+" "+m.Subject]++
	}
	for _, want := range []string{
		kirk + " [wolf] The Big Bad Wolf begins: Hood, orders for turn 1",
		kor + " [wolf] The Big Bad Wolf begins: Riskadh, orders for turn 1",
		kirk + " [wolf] Turn 1: orders for Hood accepted, 1 warning",
		kor + " [wolf] Turn 1: orders for Riskadh not accepted, 1 error",
		kor + " [wolf] Turn 1: orders for Riskadh accepted, 1 warning",
		kirk + " [wolf] Turn 1: report for Hood",
		kor + " [wolf] Turn 1: report for Riskadh",
	} {
		if subjects[want] != 1 {
			t.Errorf("killed before %q: %d times %q", at, subjects[want], want)
		}
		delete(subjects, want)
	}
	if len(subjects) > 0 {
		t.Errorf("killed before %q: besides %v", at, subjects)
	}
	g := w.load("wolf")
	got, err := g.Stages.File(vault.At(1), vault.StateFile)
	if err != nil || g.Turn() != 1 || !bytes.Equal(got, state) {
		t.Errorf("killed before %q: turn %d, another state: %v", at, g.Turn(), err)
	}
	if left, done, refused := w.sorted(); left != 0 || done != 2 || refused != 1 {
		t.Errorf("killed before %q: %d mails left, %d done, %d refused", at, left, done, refused)
	}
}

// sorted counts the mails that were not moved, and those in two folders.
func (w *world) sorted() (left, done, refused int) {
	if w.cfg.IMAP != nil {
		return w.box.left(), len(w.box.folders["Starpost/Done"]), len(w.box.folders["Starpost/Refused"])
	}
	count := func(folder string) int {
		all, err := filepath.Glob(filepath.Join(incoming.Dir(w.cfg.State, robot), folder, "*.eml"))
		if err != nil {
			w.t.Fatal(err)
		}
		return len(all)
	}
	return count("new"), count("Done"), count("Refused")
}

// A fetched mail with lost bytes is fetched again.
func TestLostSpool(t *testing.T) {
	w := watchedWorld(t)
	w.before = func(step string) error {
		if step == "store" {
			return errKill
		}
		return nil
	}
	w.campaign()
	if _, err := w.once(); !errors.Is(err, errKill) {
		t.Fatal(err)
	}
	w.execute("DELETE FROM raws")
	w.before = nil
	w.run()
	if g := w.load("wolf"); g.Turn() != 1 || w.box.left() != 0 {
		t.Errorf("turn %d, %d mails left", g.Turn(), w.box.left())
	}
}
