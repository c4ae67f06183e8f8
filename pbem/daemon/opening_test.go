package daemon_test

import (
	"strings"
	"testing"
	"time"

	"starpost/engine/testkit/enginetest"
	"starpost/pbem/config"
	"starpost/pbem/vault"
)

const (
	ann = "ann@example.org"
	bob = "bob@example.org"
)

// joins makes someone request a seat and confirm, and returns what was sent for the second mail.
func (w *world) joins(who, line string) sentMails {
	w.t.Helper()
	w.box.put(w.mail(who, line))
	asked := w.run().to(who, "Please confirm")
	if len(asked) != 1 {
		w.t.Fatalf("%s: no question to %s", line, who)
	}
	w.box.put(w.command(who, asked[0].ReplyTo[0].Addr, "confirm\n"))
	return w.run()
}

func waiting(start, fill string) vault.MailSettings {
	mail := schedule()
	mail.Open, mail.Start, mail.Fill, mail.Grace, mail.Remind = true, start, fill, 0, nil
	return mail
}

// No clock runs before all seats are taken. Captains who join are told so, and when the last one
// has joined, all are told when orders are due.
func TestGameBeginsWhenAllSeatsAreTaken(t *testing.T) {
	w := newWorld(t)
	g := w.made("wolf", "big-bad-wolf", waiting(vault.StartFull, ""), vault.Captain{Name: "Kirk", Address: kirk, Ships: []string{"Hood"}}, vault.Captain{Name: "Kor", Ships: []string{"Riskadh"}})
	rep := w.run().to(kirk, "begins")
	if len(rep) != 1 || !strings.Contains(rep[0].words(), "The game has not begun, so there is no deadline yet") || strings.Contains(rep[0].words(), "time left:") {
		t.Fatalf("the first report: %v", rep)
	}
	w.clock.Advance(90 * 24 * time.Hour)
	w.box.put(w.order(g, "Kirk", "final"))
	sent := w.run()
	if w.turnOf(g) != 0 || len(sent.to(kirk, "orders are missing")) != 0 {
		t.Fatalf("the clock runs; sent:\n%s", sent)
	}
	w.box.put(w.command(kirk, w.keyed(g, "Kirk"), "#status\n"))
	if s := w.run().to(kirk, "Status"); len(s) != 1 || !strings.Contains(s[0].words(), "it begins when all seats are taken; 1 seat still free") {
		t.Errorf("status: %s", s[0].Text)
	}
	sent = w.joins(ann, "join wolf")
	if at := w.timing(g).Deadline; w.timing(g).Opening != nil || !at.After(w.clock.Now()) || at.Sub(w.clock.Now()) > g.Settings().Mail.Deadline.Duration() {
		t.Fatalf("it did not begin: due at %s, now %s; sent:\n%s", at, w.clock.Now(), sent)
	}
	for _, who := range []string{kirk, ann} {
		if told := sent.to(who, "the game begins"); len(told) != 1 || !strings.Contains(told[0].words(), "The game begins: all seats are taken. Turn 1 is due by") {
			t.Errorf("%s is told:\n%s", who, sent)
		}
	}
	if again := w.run(); len(again) != 0 || kinds(t, g) != "join begin" {
		t.Errorf("again: %s\n%s", again, kinds(t, g))
	}
	w.clock.Advance(g.Settings().Mail.Deadline.Duration() + time.Minute)
	if w.run(); w.turnOf(g) != 1 {
		t.Error("the first turn does not run")
	}
	w.box.put(w.command(ann, w.keyed(w.load("wolf"), "Kor"), "#leave\n"))
	if s := w.run().to(ann, ""); len(s) != 1 || !strings.Contains(s[0].words(), "has begun, and others count on you") || g.Settings().Captains[1].Address != "" && w.load("wolf").Settings().Captains[1].Address != ann {
		t.Errorf("left a game that is on: %v", s)
	}
}

// A captain who leaves before the game begins, by leave or by resign, frees the seat for others.
func TestLeaveBeforeTheGameBegins(t *testing.T) {
	for _, word := range []string{"leave", "resign"} {
		w := newWorld(t)
		mail := waiting("2026-12-24 20:00", "")
		w.made("wolf", "big-bad-wolf", mail, vault.Captain{Name: "Kirk", Address: kirk, Ships: []string{"Hood"}}, vault.Captain{Name: "Kor", Ships: []string{"Riskadh"}})
		w.run()
		w.joins(ann, "join wolf side klingon")
		w.box.put(w.command(ann, w.keyed(w.load("wolf"), "Kor"), "#"+word+"\n"))
		sent := w.run()
		if len(sent.to(ann, "You left")) != 1 || len(sent.to(kirk, "Kor has left")) != 1 || len(sent.to(refAddress, "Kor has left")) != 1 {
			t.Fatalf("%s: sent:\n%s", word, sent)
		}
		st, err := w.load("wolf").AdminState()
		if err != nil || st.HasVacant("Kor") || w.load("wolf").Settings().Captains[1].Address != "" {
			t.Errorf("%s: vacant %v, %v", word, st.Vacant, err)
		}
		if sent := w.joins(bob, "join wolf"); len(sent.to(bob, "Welcome aboard")) != 1 {
			t.Errorf("%s: the seat is not free again:\n%s", word, sent)
		}
	}
}

// On the start date a robot takes the free seats, which others may still join; or the game is
// called off.
func TestGameBeginsOnItsDate(t *testing.T) {
	at := time.Date(2026, 12, 24, 20, 0, 0, 0, time.UTC)
	w := newWorld(t)
	g := w.made("wolf", "big-bad-wolf", waiting("2026-12-24 20:00", vault.FillRobot), vault.Captain{Name: "Kirk", Address: kirk, Ships: []string{"Hood"}}, vault.Captain{Name: "Kor", Ships: []string{"Riskadh"}})
	w.run()
	w.clock.Set(at.Add(-time.Minute))
	if w.run(); w.timing(g).Opening == nil {
		t.Fatal("it began before its date")
	}
	w.clock.Set(at)
	sent := w.run()
	if told := sent.to(kirk, "the game begins"); len(told) != 1 || !strings.Contains(told[0].words(), "a robot plays each free seat") || len(sent.to(kirk, "lost the command")) != 0 {
		t.Fatalf("sent:\n%s", sent)
	}
	w.box.put(w.order(g, "Kirk", "final"))
	if w.run(); w.turnOf(g) != 1 {
		t.Error("the robot is waited for")
	}
	if sent := w.joins(ann, "join wolf"); len(sent.to(ann, "Welcome aboard")) != 1 {
		t.Errorf("sent:\n%s", sent)
	}

	w = newWorld(t)
	g = w.made("wolf", "big-bad-wolf", waiting("2026-12-24", vault.FillCancel), vault.Captain{Name: "Kirk", Address: kirk, Ships: []string{"Hood"}}, vault.Captain{Name: "Kor", Ships: []string{"Riskadh"}})
	w.run()
	w.clock.Set(at)
	sent = w.run()
	if told := sent.to(kirk, "called off"); len(told) != 1 || !strings.Contains(told[0].words(), "1 seat still free at its starting time") || len(sent) != 2 {
		t.Fatalf("sent:\n%s", sent)
	}
	w.box.put(w.order(g, "Kirk", "final"))
	w.box.put(w.mail(ann, "join wolf"))
	sent = w.run()
	w.clock.Advance(30 * 24 * time.Hour)
	if more := w.run(); w.turnOf(g) != 0 || len(more.to(kirk, "")) != 0 || len(sent.to(ann, "Please confirm")) != 0 || kinds(t, g) != "cancel" {
		t.Errorf("after it was called off: turn %d, %s\n%s\n%s", w.turnOf(g), kinds(t, g), sent, more)
	}
}

// A kill between any two steps of starting or calling off a game changes nothing.
func TestOpeningSurvivesKills(t *testing.T) {
	enginetest.Sequential(t)
	for _, fill := range []string{vault.FillRobot, vault.FillCancel} {
		base := watchedWorld(t)
		base.made("wolf", "big-bad-wolf", waiting("2026-12-24", fill), vault.Captain{Name: "Kirk", Address: kirk, Ships: []string{"Hood"}}, vault.Captain{Name: "Kor", Ships: []string{"Riskadh"}})
		base.run()
		base.clock.Set(time.Date(2026, 12, 24, 0, 0, 0, 0, time.UTC))
		var want string
		for kill := -1; ; kill++ {
			w := base.again(t)
			steps := 0
			w.before = func(string) error {
				if steps++; kill >= 0 && steps > kill {
					return errKill
				}
				return nil
			}
			_, err := w.once()
			w.before = nil
			sent := w.delivered()
			if kill >= 0 && err == nil {
				break
			}
			if kill >= 0 {
				sent = append(sent, w.run()...)
			}
			got := kinds(t, w.load("wolf")) + "\n" + sent.String()
			if want == "" {
				want = got
			}
			seen := map[string]bool{}
			for _, m := range sent {
				if seen[m.to+m.MessageID] {
					continue // repeated under the same Message-ID
				}
				seen[m.to+m.MessageID] = true
			}
			if j, _, _ := strings.Cut(got, "\n"); !strings.HasPrefix(want, j+"\n") || len(seen) != strings.Count(want, "\n") {
				t.Fatalf("%s, killed after %d steps:\n%s\nwant\n%s", fill, kill, got, want)
			}
		}
	}
}

// TestLostSeatsAreOffered: lost seats are offered by mail, once, to people who asked for offers,
// and to no one else.
func TestLostSeatsAreOffered(t *testing.T) {
	w := hosting(t, config.Lobby{})
	mail := schedule()
	mail.Open = true
	g := w.game("wolf", mail)
	w.run()
	for line, want := range map[string]string{"#offers": "write offers on, or offers off", "#offers maybe": "write offers on", "#offers off": "you are not told of free seats"} {
		w.box.put(w.mail("eve@example.org", line))
		if sent := w.run(); len(sent) != 1 || !strings.Contains(sent[0].words(), want) {
			t.Errorf("%s:\n%s", line, sent)
		}
	}
	for _, who := range []string{ann, bob} {
		if sent := w.joins(who, "offers on"); len(sent.to(who, "Free seats")) != 1 {
			t.Fatalf("sent:\n%s", sent)
		}
	}
	w.box.put(w.mail(bob, "offers off"))
	if sent := w.run(); len(sent.to(bob, "No more offers")) != 1 {
		t.Errorf("sent:\n%s", sent)
	}
	w.box.put(w.command(kor, w.keyed(g, "Kor"), "#resign"))
	sent := w.run()
	offer := sent.to(ann, "The seat of Riskadh is free")
	if len(offer) != 1 || len(sent.to(bob, "")) != 0 || len(sent.to(kirk, "The seat of")) != 0 || !strings.Contains(offer[0].words(), "send a mail with the line: join wolf as Riskadh") || strings.Contains(offer[0].raw, kor) {
		t.Fatalf("sent:\n%s", sent)
	}
	if sent := w.run(); len(sent) != 0 {
		t.Errorf("sent again:\n%s", sent)
	}
	if sent := w.joins(ann, "join wolf as Riskadh"); len(sent.to(ann, "Welcome aboard")) != 1 {
		t.Errorf("sent:\n%s", sent)
	}
	// Someone who has a seat in the game is offered no other.
	w.box.put(w.command(kirk, w.keyed(g, "Kirk"), "#resign"))
	if sent := w.run(); len(sent.to(ann, "The seat of")) != 0 {
		t.Errorf("sent:\n%s", sent)
	}
}
