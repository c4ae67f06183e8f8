package daemon_test

import (
	"fmt"
	"strings"
	"testing"

	"starpost/pbem/config"
	"starpost/pbem/vault"
)

// playTurn makes both captains of The Big Bad Wolf play a turn.
func (w *world) playTurn(g *vault.Game) sentMails {
	w.t.Helper()
	w.box.put(w.order(g, "Kirk", "final"))
	w.box.put(w.order(g, "Kor", "final"))
	return w.run()
}

// An observer of a game gets one mail a turn with public facts, or with everything some turns late:
// no key, no address, nothing newer. The observer has confirmed this, and can end it.
func TestObserversSeeWhatTheyMay(t *testing.T) {
	for rule, want := range map[string]struct {
		first, second string // what the mails of turns 1 and 2 show; "" for no mail
		joins         string // the answer to the observer's join
	}{
		"public":  {"what everyone may know", "what everyone may know", "is not free"},
		"delay 1": {"everything, 1 turn late", "everything, 1 turn late", "you have watched this game"},
		"delay 2": {"", "everything, 2 turns late", "you have watched this game"},
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			w := hosting(t, config.Lobby{})
			mail := schedule()
			mail.Observers, mail.Open = rule, true
			g := w.game("wolf", mail)
			w.run()
			w.joins(ann, "observe WOLF")
			w.box.put(w.mail(ann, "games"))
			if sent := w.run(); len(sent) != 1 || !strings.Contains(sent[0].words(), "to watch: observe wolf") {
				t.Errorf("sent:\n%s", sent)
			}
			for n, whose := range []string{want.first, want.second} {
				sent := w.playTurn(g)
				got := sent.to(ann, "")
				if whose == "" {
					if len(got) != 0 {
						t.Errorf("turn %d: sent:\n%s", n+1, sent)
					}
					continue
				}
				if len(got) != 1 || !strings.Contains(got[0].words(), "see "+whose) || !strings.Contains(got[0].raw, "wolf-replay-") {
					t.Fatalf("turn %d: sent:\n%s\n%v", n+1, sent, got)
				}
				all := got[0].Text + got[0].raw
				for _, secret := range []string{kirk, kor, "key ", "#orders"} {
					if strings.Contains(all, secret) {
						t.Errorf("turn %d tells %q", n+1, secret)
					}
				}
				var late int
				if _, err := fmt.Sscanf(rule, "delay %d", &late); err == nil && !strings.Contains(got[0].Subject, fmt.Sprintf("Turn %d,", n+1-late)) {
					t.Errorf("after turn %d: %s", n+1, got[0].Subject)
				}
			}
			if sent := w.run(); len(sent) != 0 {
				t.Errorf("told again:\n%s", sent)
			}
			w.box.put(w.mail(ann, "join wolf as Hood"))
			if sent := w.run(); len(sent) != 1 || !strings.Contains(sent[0].words(), want.joins) {
				t.Errorf("join: sent:\n%s\n%s", sent, sent[0].Text)
			}
			for _, line := range []string{"observe wolf", "replay wolf", "replay"} {
				w.box.put(w.mail(ann, line))
				if sent := w.run(); len(sent) != 1 || !strings.Contains(sent[0].raw, "wolf-replay-") {
					t.Errorf("the battle so far, by %s: sent:\n%s", line, sent)
				}
			}
			w.box.put(w.mail(ann, "observe off"))
			if sent := w.run(); len(sent) != 1 || !strings.Contains(sent[0].words(), "You will get no more mails about wolf") {
				t.Errorf("sent:\n%s", sent)
			}
			if sent := w.playTurn(g).to(ann, ""); len(sent) != 0 {
				t.Errorf("who had enough gets:\n%s", sent)
			}
		})
	}
}

// Nothing is shown to people who may not watch: captains, people who were not asked, and observers of
// games that say nothing of observers, allow none, or do not exist. All are answered alike.
func TestWhoMayNotObserve(t *testing.T) {
	w := hosting(t, config.Lobby{})
	mail := schedule()
	mail.Observers = vault.ObserversNone
	w.game("closed", mail)
	w.game("silent", schedule())
	mail.Observers = vault.ObserversPublic
	w.game("wolf", mail)
	w.run()
	for i, c := range []struct{ from, line, want string }{
		{ann, "observe closed", `there is no game "closed" to watch`},
		{bob, "observe silent", `there is no game "silent" to watch`},
		{"kim@example.org", "#observe nonesuch", `there is no game "nonesuch" to watch`},
		{kirk, "#observe wolf", "you play in this game"},
		{"lee@example.org", "observe off", "you do not watch such a game"},
		{"lee@example.org", "replay wolf", "you neither play nor watch such a game"}, // each line is answered
		{"lee@example.org", "join wolf", `there is no game "wolf" to join`},
		{kirk, "#observe", "which game do you want to watch"},
	} {
		w.box.put(w.mail(c.from, c.line))
		if sent := w.run(); len(sent) != 1 || !strings.Contains(sent[0].words(), c.want) || strings.Contains(sent[0].raw, "replay") && i < 3 {
			t.Errorf("%s: sent:\n%s\n%s", c.line, sent, sent[0].Text)
		}
	}
	// A forged confirmation, or one from another address, changes nothing.
	w.box.put(w.mail("mia@example.org", "observe wolf"))
	asked := w.run().to("mia@example.org", "Please confirm")
	if len(asked) != 1 {
		t.Fatal("not asked")
	}
	w.box.put(w.command(bob, asked[0].ReplyTo[0].Addr, "confirm\n"))
	w.box.put(w.mail("mia@example.org", "confirm 0000-0000-0000-0000"))
	for _, m := range w.run() {
		if strings.Contains(m.raw, "replay") {
			t.Errorf("%s gets the battle", m.to)
		}
	}
}
