package daemon_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"starpost/pbem/outgoing"
	"starpost/pbem/vault"
)

// A mail that the server accepted just when the daemon was told to stop is not sent again.
func TestEndedWhileSending(t *testing.T) {
	w := newWorld(t)
	w.game("wolf", schedule())
	ctx, cancel := contextOf(t)
	w.out.answer = func(outgoing.Envelope, int) (outgoing.Outcome, error) {
		cancel()
		return outgoing.Delivered, nil
	}
	d := w.open()
	if _, err := d.Once(ctx); err == nil {
		t.Error("it did not end")
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	w.out.answer = nil
	if first, then := len(w.delivered()), len(w.run()); first != 1 || then != 1 {
		t.Errorf("%d mails were sent, and then %d", first, then)
	}
}

// The referee is told of a permanently refused mail even if the daemon is killed at that moment.
func TestKilledWhileRefused(t *testing.T) {
	w := watchedWorld(t)
	w.game("wolf", schedule())
	w.out.answer = func(env outgoing.Envelope, _ int) (outgoing.Outcome, error) {
		if env.To == kirk {
			return outgoing.PermanentFailure, &outgoing.Error{Stage: outgoing.StageRcpt, Err: errors.New("no such user")}
		}
		return outgoing.Delivered, nil
	}
	w.before = func(step string) error {
		if step == "queue" {
			return errKill
		}
		return nil
	}
	if _, err := w.once(); !errors.Is(err, errKill) {
		t.Fatal(err)
	}
	w.before = nil
	w.run()
	if sent := w.run(); len(sent) != 0 {
		t.Errorf("sent:\n%s", sent)
	}
	told := 0
	for id, n := range w.out.tries {
		if n > 2 {
			t.Errorf("%d tries of %s", n, id)
		}
		told++
	}
	if told != 3 {
		t.Errorf("%d mails, want two reports and the referee's", told)
	}
}

// The reports of a game are found after its directory was moved.
func TestMovedGame(t *testing.T) {
	w := newWorld(t)
	g := w.game("wolf", schedule())
	gone := errors.New("nothing answers")
	w.out.down = gone
	if _, err := w.once(); !errors.Is(err, gone) {
		t.Fatal(err)
	}
	w.out.down = nil
	if err := os.Rename(g.Dir(), filepath.Join(filepath.Dir(g.Dir()), "elsewhere")); err != nil {
		t.Fatal(err)
	}
	if sent := w.run(); len(sent) != 2 {
		t.Errorf("sent:\n%s", sent)
	}
}

// TestMailInPartIsTheSameMailAgain: a mail of which the server may have taken a part is sent again
// unchanged, even by a program that draws pages differently or not at all.
func TestMailInPartIsTheSameMailAgain(t *testing.T) {
	w := newWorld(t)
	g := w.game("wolf", schedule())
	w.out.answer = func(env outgoing.Envelope, try int) (outgoing.Outcome, error) {
		if try == 1 {
			return outgoing.Ambiguous, &outgoing.Error{Stage: outgoing.StageEnd, Outcome: outgoing.Ambiguous, Err: errors.New("cut")}
		}
		return outgoing.Delivered, nil
	}
	first := w.run()
	if err := os.Remove(filepath.Join(g.Stages.Dir(vault.At(0)), vault.OutboxFile)); err != nil {
		t.Fatal(err)
	}
	w.clock.Advance(2 * time.Minute)
	again := w.run()
	for _, to := range []string{kirk, kor} {
		if one, two := first.to(to, ""), again.to(to, ""); len(one) != 1 || len(two) != 1 || one[0].raw != two[0].raw {
			t.Errorf("%s got\n%v\nthen\n%v", to, one, two)
		}
	}
}

// TestMailOfAnotherVersion: if this program cannot draw the page of a committed mail that was never
// tried, the mail is sent without it, in the same thread and with the same words.
func TestMailOfAnotherVersion(t *testing.T) {
	w, same := newWorld(t), newWorld(t)
	same.game("wolf", schedule())
	want := same.run().to(kirk, "")
	g := w.game("wolf", schedule())
	view := filepath.Join(g.Stages.Dir(vault.At(0)), vault.ViewsFile)
	edit := func(path, was, is string) {
		text, err := os.ReadFile(path)
		if err != nil || !strings.Contains(string(text), was) {
			t.Fatalf("%s lacks %q (%v)", path, was, err)
		}
		if err := os.WriteFile(path, []byte(strings.Replace(string(text), was, is, 1)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	mark := func() string {
		data, err := os.ReadFile(view)
		if err != nil {
			t.Fatal(err)
		}
		return vault.Fingerprint(vault.ViewsFile, data)
	}
	was := mark()
	edit(view, `"title":"The Big Bad Wolf"`, `"title":"The Big Old Wolf"`)
	edit(filepath.Join(g.Stages.Dir(vault.At(0)), vault.ManifestFile), was, mark())
	got := w.run().to(kirk, "")
	if len(got) != 1 || len(want) != 1 || got[0].HTMLText() != "" || want[0].HTMLText() == "" || got[0].Text != want[0].Text || got[0].MessageID != want[0].MessageID || got[0].Subject != want[0].Subject {
		t.Errorf("got\n%v\nwant\n%v", got, want)
	}
}

// The referee is told of a game on hold even if the daemon is killed at that moment.
func TestKilledWhileHalting(t *testing.T) {
	mail := schedule()
	mail.Missing, mail.Grace, mail.Remind = vault.PolicyHold, 0, nil
	for kill := range 3 {
		w := watchedWorld(t)
		w.game("wolf", mail)
		w.run()
		w.clock.Advance(mail.Deadline.Duration() + time.Minute)
		n := 0
		w.before = func(step string) error {
			if step == "queue" || step == "send" || step == "sent" {
				if n++; n > kill {
					return errKill
				}
			}
			return nil
		}
		if _, err := w.once(); !errors.Is(err, errKill) {
			t.Fatal(err)
		}
		w.before = nil
		sent := append(w.delivered(), w.run()...)
		ids := map[string]bool{}
		for _, m := range sent {
			ids[m.MessageID] = true
		}
		if len(ids) != 1 || len(sent.to(refAddress, "trouble")) == 0 {
			t.Errorf("killed at %d, sent:\n%s", kill, sent)
		}
	}
}
