package daemon_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"starpost/pbem/clock"
	"starpost/pbem/daemon"
	"starpost/pbem/daemon/watch"
	"starpost/pbem/doctor"
	"starpost/pbem/outgoing"
	"starpost/pbem/store"
	"starpost/pbem/store/sqlite"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
)

// dsn returns a delivery status notification about one of our mails.
func (w *world) dsn(id, recipient, action, status, why string) string {
	w.mails++
	return strings.ReplaceAll(fmt.Sprintf(`Return-Path: <>
From: Mail Delivery System <MAILER-DAEMON@mx.example.org>
To: %[1]s
Subject: Undelivered Mail Returned to Sender
Auto-Submitted: auto-replied
Message-ID: <dsn%[2]d@mx.example.org>
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status; boundary="b"

--b
Content-Type: text/plain

Your mail could not be delivered.

--b
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.example.org

Final-Recipient: rfc822; %[3]s
Action: %[4]s
Status: %[5]s
Diagnostic-Code: smtp; 550 %[6]s

--b
Content-Type: text/rfc822-headers

Message-ID: <%[7]s>
To: %[3]s

--b--
`, robot, w.mails, recipient, action, status, why, strings.Trim(id, "<>")), "\n", "\r\n")
}

// bounces returns the record of failed deliveries to an address.
func (w *world) bounces(address string) store.Bouncing {
	w.t.Helper()
	l, err := sqlite.Open(filepath.Join(w.cfg.State, "ledger.db"))
	if err != nil {
		w.t.Fatal(err)
	}
	defer func() {
		if err := l.Close(); err != nil {
			w.t.Error(err)
		}
	}()
	b, _, err := l.Bounces(w.t.Context(), address)
	if err != nil {
		w.t.Fatal(err)
	}
	return b
}

// TestBouncedQuestionIsReportedToTheCaptain: if a captain's new address cannot be reached, the captain is
// told at the old one, and the referee is told which captain and game are concerned.
func TestBouncedQuestionIsReportedToTheCaptain(t *testing.T) {
	const fresh = "kirk@typo.example"
	for _, how := range []string{"at once", "later"} {
		t.Run(how, func(t *testing.T) {
			w := newWorld(t)
			g := w.game("wolf", schedule())
			w.run()
			if how == "at once" {
				w.out.answer = func(env outgoing.Envelope, _ int) (outgoing.Outcome, error) {
					if env.To == fresh {
						return outgoing.PermanentFailure, &outgoing.Error{Stage: outgoing.StageRcpt, Err: errors.New("no such user here")}
					}
					return outgoing.Delivered, nil
				}
			}
			w.box.put(w.mail(kirk, "#address "+fresh+" key "+turn.Key(g, 1, "Kirk")+"\n"))
			sent := w.run()
			if how == "later" {
				w.box.put(w.dsn(sent.to(fresh, "Please confirm")[0].MessageID, fresh, "failed", "5.1.1", "no such user here"))
			}
			sent = append(sent, w.run()...)
			told := sent.to(kirk, "[wolf] Your new address cannot be reached")
			if len(told) != 1 || !strings.Contains(strings.Join(strings.Fields(told[0].Text), " "), "no such user") || !strings.Contains(told[0].Text, fresh) {
				t.Fatalf("sent:\n%s\n%s", sent, told[0].Text)
			}
			if ref := sent.to(refAddress, "could not be delivered"); len(ref) != 1 || !strings.Contains(strings.Join(strings.Fields(ref[0].Text), " "), "mails for captain Kirk of game wolf should go there") {
				t.Errorf("sent:\n%s", sent)
			}
			if to := w.load("wolf").Settings().Captains[0].Address; to != kirk {
				t.Errorf("the address is %s", to)
			}
			if again := w.run(); len(again) != 0 {
				t.Errorf("told again:\n%s", again)
			}
		})
	}
}

func TestBouncesAreCountedAndReported(t *testing.T) {
	w := newWorld(t)
	g := w.game("wolf", schedule())
	first := w.run().to(kor, "begins")
	bounce := w.dsn(first[0].MessageID, kor, "failed", "5.1.1", "no such user here")
	w.box.put(bounce)
	w.box.put(bounce) // a copy of it
	told := w.run()
	if len(told) != 1 || len(told.to(refAddress, "A mail to "+kor+" could not be delivered")) != 1 {
		t.Fatalf("sent:\n%s", told)
	}
	for _, want := range []string{"no such user here", "5.1.1", "captain Kor of game wolf", first[0].MessageID} {
		if !strings.Contains(told[0].Text, want) {
			t.Errorf("the referee is not told %q:\n%s", want, told[0].Text)
		}
	}
	if b := w.bounces(kor); b.Mails != 1 || b.All != 1 || !strings.Contains(b.Why, "no such user") {
		t.Errorf("%+v", b)
	}
	// The same mail bounces once more, from another server: it counts once.
	w.box.put(w.dsn(first[0].MessageID, "kor@elsewhere.example", "failed", "5.0.0", "no"))
	if sent := w.run(); len(sent) != 0 || w.bounces(kor).Mails != 1 || w.bounces(kor).All != 2 {
		t.Errorf("%+v, sent:\n%s", w.bounces(kor), sent)
	}
	if n := len(w.box.folders["Starpost/Ignored"]); n != 3 || w.box.left() != 0 {
		t.Errorf("%d mails are ignored, %d left", n, w.box.left())
	}

	// Two more mails bounce: the address now fails, and the referee is told the same day.
	w.box.put(w.order(g, "Kirk", "final"))
	w.box.put(w.order(g, "Kor", "final"))
	sent := w.run()
	w.clock.Advance(time.Hour)
	for _, m := range append(sent.to(kor, "accepted"), sent.to(kor, "report")...) {
		w.box.put(w.dsn(m.MessageID, kor, "failed", "5.2.2", "mailbox full"))
		told = append(told, w.run()...)
	}
	// The first bounce no longer counts: Kor has written since.
	if b := w.bounces(kor); b.Mails != 2 || b.All != 4 || len(told) != 1 {
		t.Errorf("%+v, told:\n%s", b, told)
	}
	var third sentMails
	for range 20 { // until Kor is reminded
		w.clock.Advance(6 * time.Hour)
		if third = w.run().to(kor, ""); len(third) > 0 {
			break
		}
	}
	if len(third) != 1 {
		t.Fatalf("no third mail:\n%s", third)
	}
	w.box.put(w.dsn(third[0].MessageID, kor, "failed", "5.2.2", "mailbox full"))
	told = w.run().to(refAddress, "the address fails")
	if b := w.bounces(kor); b.Mails != store.FailingAfter || len(told) != 1 || !strings.Contains(told[0].Text, "3 mails have come back") {
		t.Errorf("%+v, told:\n%s", b, told)
	}
	found, err := daemon.Bounces(t.Context(), w.cfg, w.load("wolf").Settings())
	if err != nil || len(found) != 1 || found["Kor"].Mails != store.FailingAfter {
		t.Errorf("by captain: %+v, %v", found, err)
	}
	doctor.Examine(t.Context(), w.cfg, w.cat, 0, func(c watch.Check) {
		if c.What == "addresses" && (c.OK() || !strings.Contains(c.Problem, kor+" (3 of them, 5.2.2") || c.Hint == "") {
			t.Errorf("the doctor says %+v", c)
		}
	})
}

// TestUnknownBouncesAreIgnored: bounces that are forged, of someone else's mail, or about delay or
// delivery cause no mail.
func TestUnknownBouncesAreIgnored(t *testing.T) {
	w := newWorld(t)
	w.game("wolf", schedule())
	first := w.run().to(kor, "begins")[0].MessageID
	for name, raw := range map[string]string{
		"of no mail of ours": w.dsn("wolf.7.kor.12345678@example.org", kor, "failed", "5.1.1", "x"),
		"without an id":      strings.Replace(w.dsn("", kor, "failed", "5.1.1", "x"), "Message-ID: <>\r\n", "", 1),
		"delayed":            w.dsn(first, kor, "delayed", "4.4.1", "x"),
		"delivered":          w.dsn(first, kor, "delivered", "2.0.0", "x"),
	} {
		w.box.put(raw)
		if sent := w.run(); len(sent) != 0 || w.box.left() != 0 {
			t.Errorf("%s: sent\n%s", name, sent)
		}
		if b := w.bounces(kor); b.Mails != 0 {
			t.Errorf("%s: %+v", name, b)
		}
	}
	// The referee gets no mail about the referee's own failing address.
	w.box.put(w.dsn(first, kor, "failed", "5.1.1", "x"))
	told := w.run().to(refAddress, "")
	if len(told) != 1 {
		t.Fatal(told)
	}
	w.box.put(w.dsn(told[0].MessageID, refAddress, "failed", "5.1.1", "x"))
	if sent := w.run(); len(sent) != 0 || w.bounces(refAddress).Mails != 1 {
		t.Errorf("%+v, sent:\n%s", w.bounces(refAddress), sent)
	}
}

// A bounce of a report counts even if all records of the report are lost.
func TestBounceAfterLostState(t *testing.T) {
	w := newWorld(t)
	w.game("wolf", schedule())
	first := w.run().to(kor, "begins")
	if err := os.RemoveAll(w.cfg.State); err != nil {
		t.Fatal(err)
	}
	w.box.put(w.dsn(first[0].MessageID, kor, "failed", "5.1.1", "no such user here"))
	if sent := w.run(); len(sent.to(refAddress, "could not be delivered")) != 1 {
		t.Errorf("sent:\n%s", sent)
	}
}

// A bounce is reported even if the daemon is killed in between.
func TestBounceKilledAtEachStep(t *testing.T) {
	for kill := range 6 {
		w := watchedWorld(t)
		w.game("wolf", schedule())
		id := w.run().to(kor, "begins")[0].MessageID
		w.box.put(w.dsn(id, kor, "failed", "5.1.1", "x"))
		n := 0
		w.before = func(string) error {
			if n++; n > kill+3 {
				return errKill
			}
			return nil
		}
		if _, err := w.once(); err == nil {
			t.Fatal("not killed")
		}
		w.before = nil
		sent := append(w.delivered(), w.run()...)
		if len(sent) != 1 || w.bounces(kor).Mails != 1 {
			t.Errorf("killed at %d: %+v, sent:\n%s", kill+3, w.bounces(kor), sent)
		}
	}
}

// Automatic mails are never answered, whatever they say.
func TestNoLoops(t *testing.T) {
	w := newWorld(t)
	g := w.game("wolf", schedule())
	reports := w.run()
	set := w.order(g, "Kirk", "final")
	_, body, _ := strings.Cut(set, "\r\n\r\n")
	for name, raw := range map[string]string{
		"vacation":        w.mail(kirk, "I am away.\n", "Auto-Submitted: auto-replied (vacation)", "In-Reply-To: <"+reports[0].MessageID+">"),
		"old vacation":    w.mail(kirk, "I am away.\n", "Precedence: bulk"),
		"mailing list":    w.mail(kirk, strings.Replace(body, " key ", " ;", 1), "List-Id: <fleet.example.org>"), // with the key it counts
		"another robot":   w.mail("starpost@elsewhere.example", "Your orders were accepted.\n", "X-Loop: starpost", "Auto-Submitted: auto-generated"),
		"our own mail":    reports[0].raw,
		"as from us":      w.mail(robot, body),
		"null sender":     "Return-Path: <>\r\n" + w.mail(kirk, body),
		"a read receipt":  w.mail(kirk, "read\n", "Content-Type: multipart/report; report-type=disposition-notification; boundary=x"),
		"its own address": w.mail(robot, "Hello?\n", "Reply-To: "+kirk),
	} {
		w.box.put(raw)
		if sent := w.run(); len(sent) != 0 {
			t.Errorf("%s is answered:\n%s", name, sent)
		}
		if w.box.left() != 0 {
			t.Errorf("%s is left", name)
		}
	}
	if files, err := g.Orders.For(vault.At(1)); err != nil || len(files) != 0 {
		t.Errorf("orders %v, %v", files, err)
	}
	if n := len(w.box.folders["Starpost/Ignored"]); n != 9 {
		t.Errorf("%d mails are ignored", n)
	}
}

// Two robots that do not mark their mails as automatic answer each other only for a while.
func TestUnmarkedAutoRepliesCauseNoLoop(t *testing.T) {
	w := newWorld(t)
	w.game("wolf", schedule())
	w.run()
	w.cfg.AnswersPerHour = 5
	w.box.put(w.mail(kirk, "#orders wolf turn 1 ship Hood\nnonsense\n#end\n"))
	n := 0
	for range 100 {
		sent := w.run()
		if len(sent) == 0 {
			break
		}
		for _, m := range sent {
			n++
			w.box.put(w.mail(m.to, m.Text+fmt.Sprintf("\n#orders wolf turn 1 ship Hood\nnonsense %d\n#end\n", n)))
		}
	}
	if n != 5 {
		t.Errorf("%d answers", n)
	}
}

// Beyond the limit of answers, orders still count, and the next answer says so.
func TestUnansweredMailsAreListedInTheNextAnswer(t *testing.T) {
	w := newWorld(t)
	g := w.game("wolf", schedule())
	w.run()
	w.cfg.SetAnswersPerHour = 2
	for i := range 15 {
		w.box.put(w.order(g, "Kirk", "power", fmt.Sprintf("  shields 2:%d", i+1)))
	}
	if sent := w.run(); len(sent) != 2 {
		t.Fatalf("sent:\n%s", sent)
	}
	files, err := g.Orders.For(vault.At(1))
	if err != nil || len(files) != 1 || !strings.Contains(string(files[0].Text), "2:15") {
		t.Errorf("in force: %v", err)
	}
	w.clock.Advance(2 * time.Hour)
	w.box.put(w.order(g, "Kirk", "power", "  shields 2:3"))
	sent := w.run()
	if len(sent) != 1 || !strings.Contains(sent[0].Text, "not answered") || !strings.Contains(strings.Join(strings.Fields(sent[0].Text), " "), "and 3 more") {
		t.Fatalf("sent:\n%s\n%s", sent, sent[0].Text)
	}
	w.box.put(w.order(g, "Kirk", "power", "  shields 2:4"))
	if sent := w.run(); len(sent) != 1 || strings.Contains(sent[0].Text, "not answered") {
		t.Errorf("told again:\n%s", sent[0].Text)
	}
}

// Orders in a mail marked as list mail count without an answer, and the next answer says so.
func TestOrdersMarkedAsListMailAreAcknowledgedLater(t *testing.T) {
	w := newWorld(t)
	g := w.game("wolf", schedule())
	w.run()
	w.box.put("List-Id: <club.example.org>\r\n" + w.order(g, "Kirk", "power", "  shields 2:5"))
	if sent := w.run(); len(sent) != 0 || len(w.box.folders["Starpost/Done"]) != 1 {
		t.Fatalf("sent:\n%s", sent)
	}
	files, err := g.Orders.For(vault.At(1))
	if err != nil || len(files) != 1 || !strings.Contains(string(files[0].Text), "2:5") {
		t.Errorf("in force: %v, %v", files, err)
	}
	w.clock.Advance(time.Minute)
	w.box.put(w.order(g, "Kirk", "power", "  shields 2:3"))
	if sent := w.run(); len(sent) != 1 || !strings.Contains(strings.Join(strings.Fields(sent[0].Text), " "), "mails that look like list mail or absence notices get none") {
		t.Fatalf("sent:\n%s", sent)
	}
	w.box.put(w.order(g, "Kirk", "power", "  shields 2:4"))
	if sent := w.run(); len(sent) != 1 || strings.Contains(sent[0].Text, "not answered") {
		t.Errorf("told again:\n%s", sent)
	}
}

// A flood of strangers, each with a different address, gets few answers.
func TestAnswersToStrangersAreLimited(t *testing.T) {
	w := newWorld(t)
	g := w.game("wolf", schedule())
	w.run()
	w.cfg.StrangersPerDay = 7 * 24
	for i := range 30 {
		w.box.put(w.mail(fmt.Sprintf("spam%d@example.com", i), "Buy this!\n"))
	}
	w.box.put(w.order(g, "Kirk", "final"))
	sent := w.run()
	if len(sent) != 8 || len(sent.to(kirk, "accepted")) != 1 {
		t.Errorf("sent:\n%s", sent)
	}
	w.clock.Advance(61 * time.Minute)
	w.box.put(w.mail("late@example.com", "Hello?\n"))
	if sent := w.run().to("late@example.com", ""); len(sent) != 1 {
		t.Errorf("an hour later:\n%s", sent)
	}
}

// A flood of forged addresses silences other strangers for at most an hour, and never those for whom our
// own mail server vouches, by any of its checks.
func TestForgedStrangersLeaveOthersTheirAnswers(t *testing.T) {
	w := newWorld(t)
	w.game("wolf", schedule())
	w.cfg.StrangersPerDay, w.cfg.Trust.AuthservIDs = 4*24, []string{"mx.example.org"}
	w.run()
	flood := func() int {
		for i := range 50 {
			w.box.put(w.mail(fmt.Sprintf("forged%d@example.com", i), "Hello?\n", "Authentication-Results: mx.example.org; spf=fail smtp.mailfrom=example.com; dmarc=fail header.from=example.com"))
		}
		return len(w.run())
	}
	if n := flood(); n != 2 {
		t.Errorf("%d forged mails were answered, want 2", n)
	}
	for from, result := range map[string]string{
		"dmarc@example.net": "dmarc=pass header.from=example.net", "dkim@example.net": "dkim=pass header.d=example.net", "spf@mail.example.net": "spf=pass smtp.mailfrom=bounces@example.net",
	} {
		w.clock.Advance(61 * time.Minute)
		flood()
		w.box.put("Authentication-Results: mx.example.org; " + result + "\r\n" + w.mail(from, "Is there a game?\n"))
		w.box.put(w.mail("unproven@example.net", "Is there a game?\n"))
		if sent := w.run(); len(sent) != 1 || len(sent.to(from, "")) != 1 {
			t.Errorf("%s, sent:\n%s", result, sent)
		}
	}
	// A result for another domain, or one beside a failure, counts for nothing.
	for from, result := range map[string]string{
		"a@example.net": "spf=pass smtp.mailfrom=example.com", "b@example.net": "spf=pass smtp.mailfrom=example.net; dmarc=fail header.from=example.net",
	} {
		w.box.put("Authentication-Results: mx.example.org; " + result + "\r\n" + w.mail(from, "Is there a game?\n"))
		if sent := w.run(); len(sent) != 0 {
			t.Errorf("%s, sent:\n%s", result, sent)
		}
	}
}

// A captain is told of every refused set, however many are sent, and still gets other answers meanwhile.
// The last answer before a limit says until when it holds.
func TestCaptainsAtPlayHearOfRefusedSets(t *testing.T) {
	w := newWorld(t)
	g := w.game("wolf", schedule())
	w.run()
	w.cfg.AnswersPerHour, w.cfg.SetAnswersPerHour = 2, 5
	for i := range 8 {
		w.box.put(w.order(g, "Kirk", "power", fmt.Sprintf("  shields 2:%d", i+1)))
	}
	sent := w.run()
	if len(sent) != 5 || len(sent.to(kirk, "accepted")) != 5 {
		t.Fatalf("sent:\n%s", sent)
	}
	words := func(m sentMail) string { return strings.Join(strings.Fields(m.Text), " ") }
	for i, m := range sent {
		if last := strings.Contains(words(m), "This is the last acknowledgement until Sun 1 Mar 2026, 13:00 UTC"); last != (i == 4) {
			t.Errorf("answer %d:\n%s", i+1, m.Text)
		}
	}
	for range 4 {
		w.box.put(w.order(g, "Kirk", "nonsense"))
	}
	if sent := w.run(); len(sent) != 4 || len(sent.to(kirk, "not accepted")) != 4 {
		t.Errorf("refused, sent:\n%s", sent)
	}
	// A mail without a key counts for its address, and the limit silences only that.
	for i := range 4 {
		w.box.put(w.mail(kirk, fmt.Sprintf("#orders wolf turn 1 ship Hood\nnonsense %d\n#end\n", i)))
	}
	sent = w.run()
	if len(sent) != 2 || !strings.Contains(words(sent[1]), "This is the last answer until Sun 1 Mar 2026, 13:00 UTC") || strings.Contains(words(sent[0]), "last answer") {
		t.Errorf("without a key, sent:\n%s", sent)
	}
	w.box.put(w.order(g, "Kirk", "nonsense"))
	if sent := w.run(); len(sent) != 1 {
		t.Errorf("sent:\n%s", sent)
	}
	w.clock.Advance(61 * time.Minute)
	w.box.put(w.order(g, "Kirk", "final"))
	if sent := w.run(); len(sent) != 1 || len(sent.to(kirk, "accepted")) != 1 || strings.Contains(words(sent[0]), "last acknowledgement") {
		t.Errorf("an hour later, sent:\n%s", sent)
	}
}

// An answer says which requested reports are withheld.
func TestAnswersTellOfReportsThatAreWithheld(t *testing.T) {
	w := newWorld(t)
	w.game("wolf", schedule())
	w.run()
	w.cfg.AnswersPerHour = 2
	w.box.put(w.mail(kirk, "#report\n#report turn 0\n#report wolf\n#report wolf turn 0\n"))
	sent := w.run()
	last := sent.to(kirk, "commands done")
	if len(last) != 1 || !strings.Contains(strings.Join(strings.Fields(last[0].Text), " "), "1 report did not go out") || !strings.Contains(last[0].Text, "This is the last answer until") {
		t.Errorf("sent:\n%s", sent)
	}
}

// Limits count answers, not mails. A sender who floods the mailbox from one address, with any tags after
// a plus, gets one answer a day, and others get theirs.
func TestAnswerLimitIsPerSender(t *testing.T) {
	w := newWorld(t)
	g := w.game("wolf", schedule())
	w.run()
	w.cfg.StrangersPerDay, w.cfg.AnswersPerHour = 3*24, 3
	for i := range 8 {
		w.box.put(w.mail("eve@example.com", fmt.Sprintf("Buy this, and that %d!\n", i)))
		w.box.put(w.mail(fmt.Sprintf("eve+%d@example.com", i), "Buy this!\n"))
		w.box.put(w.mail(kirk, fmt.Sprintf("Hello? %d\n", i)))
	}
	sent := w.run()
	if len(sent) != 2 || len(sent.to(kirk, "How to send orders")) != 1 {
		t.Errorf("sent:\n%s", sent)
	}
	w.box.put(w.mail("ann@example.net", "May I play?\n"))
	w.box.put(w.order(g, "Kirk", "final"))
	sent = w.run()
	if len(sent.to("ann@example.net", "")) != 1 || len(sent.to(kirk, "accepted")) != 1 || strings.Contains(sent.to(kirk, "accepted")[0].Text, "not answered") {
		t.Errorf("after the flood:\n%s", sent)
	}
}

// Raw mails are kept as long as the configuration says, and until they have been handled.
func TestRawMailsExpire(t *testing.T) {
	w := newWorld(t)
	g := w.game("wolf", schedule())
	w.cfg.KeepRaw = 10 * clock.Day
	w.box.put(w.order(g, "Kirk", "power"))
	w.box.put(w.mail(kirk, "Hello?\n"))
	w.run()
	for _, step := range []struct {
		pause time.Duration
		want  int
	}{{0, 2}, {9 * 24 * time.Hour, 2}, {2 * 24 * time.Hour, 0}} {
		w.clock.Advance(step.pause)
		w.run()
		n := 0
		w.inStore(func(l *sqlite.Store) (err error) {
			n, _, err = l.VerifyRaws(t.Context())
			return err
		})
		if n != step.want {
			t.Errorf("after %s: %d mails, want %d", step.pause, n, step.want)
		}
	}
}

// So are a set with a mistake and a command in such mails.
func TestCommandsMarkedAsListMailAreReportedLater(t *testing.T) {
	w := newWorld(t)
	g := w.game("wolf", schedule())
	w.run()
	for name, raw := range map[string]string{
		"a set with a mistake": w.order(g, "Kirk", "power", "  mvoe 5"),
		"a command":            w.command(kirk, w.keyed(g, "Kirk"), "#final"),
	} {
		w.box.put("List-Id: <club.example.org>\r\n" + raw)
		if sent := w.run(); len(sent) != 0 {
			t.Fatalf("%s is answered:\n%s", name, sent)
		}
		w.clock.Advance(time.Minute)
		w.box.put(w.order(g, "Kirk", "power", "  shields 2:3"))
		if sent := w.run(); len(sent) != 1 || !strings.Contains(strings.Join(strings.Fields(sent[0].Text), " "), "Commands in mails that look like list mail or absence notices were not carried out") {
			t.Errorf("%s: nothing is told:\n%s", name, sent)
		}
	}
	w.box.put(w.order(g, "Kirk", "power", "  shields 2:4"))
	if sent := w.run(); len(sent) != 1 || strings.Contains(sent[0].Text, "not answered") {
		t.Errorf("told again:\n%s", sent)
	}
}
