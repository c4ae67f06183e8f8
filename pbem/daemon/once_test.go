package daemon_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"starpost/pbem/clock"
	"starpost/pbem/config"
	"starpost/pbem/daemon"
	"starpost/pbem/daemon/process"
	"starpost/pbem/disk"
	"starpost/pbem/fault"
	"starpost/pbem/outgoing"
	"starpost/pbem/referee"
	"starpost/pbem/store"
	"starpost/pbem/vault"
)

func TestFirstReportsGoOut(t *testing.T) {
	w := newWorld(t)
	w.game("wolf", schedule())
	sent := w.run()
	if len(sent) != 2 || len(sent.to(kirk, "The Big Bad Wolf begins: Hood")) != 1 || len(sent.to(kor, "begins: Riskadh")) != 1 {
		t.Fatalf("sent:\n%s", sent)
	}
	if again := w.run(); len(again) != 0 {
		t.Errorf("sent again:\n%s", again)
	}
}

func TestTurnByMail(t *testing.T) {
	w := newWorld(t)
	g := w.game("wolf", schedule())
	w.run()
	w.box.put(w.order(g, "Kirk", "final"))
	sent := w.run()
	if len(sent) != 1 || len(sent.to(kirk, "Turn 1: orders for Hood accepted")) != 1 || w.turnOf(g) != 0 {
		t.Fatalf("turn %d, sent:\n%s", g.Turn(), sent)
	}
	w.box.put(w.order(g, "Kor", "final"))
	sent = w.run()
	if w.turnOf(g) != 1 || len(sent) != 3 || len(sent.to(kor, "accepted")) != 1 || len(sent.to(kirk, "Turn 1: report")) != 1 || len(sent.to(kor, "Turn 1: report")) != 1 {
		t.Fatalf("turn %d, sent:\n%s", g.Turn(), sent)
	}
	if w.box.left() != 0 || len(w.box.folders["Starpost/Done"]) != 2 {
		t.Errorf("left %d, folders %v", w.box.left(), w.box.folders)
	}
}

func TestFolders(t *testing.T) {
	w := newWorld(t)
	g := w.game("wolf", schedule())
	w.box.put(w.order(g, "Kirk", "final"))
	w.box.put(w.order(g, "Kirk", "bogus"))
	w.box.put(strings.Replace(w.order(g, "Kirk", "final"), kirk, anybody, 1))
	w.box.put(w.mail(kirk, "I am away.", "Auto-Submitted: auto-replied"))
	w.box.put("no mail at all")
	sent := w.run()
	if d, r, i := len(w.box.folders["Starpost/Done"]), len(w.box.folders["Starpost/Refused"]), len(w.box.folders["Starpost/Ignored"]); d != 1 || r != 1 || i != 3 || w.box.left() != 0 {
		t.Errorf("%d done, %d refused, %d ignored, %d left", d, r, i, w.box.left())
	}
	if n := len(sent.to(kirk, "orders for Hood")); n != 2 {
		t.Errorf("%d answers to Kirk:\n%s", n, sent)
	}
	if n := len(sent.to(anybody, "")); n != 1 {
		t.Errorf("%d answers to the stranger:\n%s", n, sent)
	}
}

func TestForgedFromIsRefused(t *testing.T) {
	w := newWorld(t)
	g := w.game("wolf", schedule())
	w.run()
	for _, key := range []string{"", " key AAAA-BBBB"} {
		w.box.put(w.mail(kirk, "#orders wolf turn 1 ship Hood"+key+"\nfinal\n#end\n"))
	}
	sent := w.run()
	if files, err := g.Orders.For(vault.At(1)); err != nil || len(files) != 0 {
		t.Errorf("stored: %v %v", files, err)
	}
	for _, m := range sent {
		if m.to != kirk || !strings.Contains(m.Subject, "not accepted") || len(m.ReplyTo) != 0 {
			t.Errorf("sent to %s: %s", m.to, m.Subject)
		}
	}
}

func TestSameMailTwice(t *testing.T) {
	w := newWorld(t)
	g := w.game("wolf", schedule())
	w.run()
	first := w.order(g, "Kirk", "power", "  shields 2:4")
	second := w.order(g, "Kirk", "power", "  shields 2:6")
	w.box.put(first)
	w.box.put(second)
	w.run()
	w.box.put(first)                                                 // the very same bytes again
	w.box.put("Received: from elsewhere.example\r\n" + first)        // the same mail by another route
	w.box.put(strings.Replace(second, "Subject: orders\r\n", "", 1)) // the same text and ID again
	if sent := w.run(); len(sent) != 0 {
		t.Errorf("answered again:\n%s", sent)
	}
	files, err := g.Orders.For(vault.At(1))
	if err != nil || len(files) != 1 || !strings.Contains(string(files[0].Text), "2:6") {
		t.Errorf("in force: %v %v", files, err)
	}
	if w.box.left() != 0 {
		t.Errorf("%d mails left", w.box.left())
	}
}

func TestMailboxRenumbered(t *testing.T) {
	w := newWorld(t)
	g := w.game("wolf", schedule())
	w.run()
	first := w.order(g, "Kirk", "power", "  shields 2:4")
	w.box.put(first)
	w.run()
	// A provider restores an old copy of the mailbox: handled mails are back, and a new one has a
	// low UID.
	w.box.put(first)
	w.box.put(w.order(g, "Kor", "power", "  shields 2:5"))
	w.box.renumber()
	sent := w.run()
	if len(sent) != 1 || len(sent.to(kor, "accepted")) != 1 || w.box.left() != 0 {
		t.Errorf("%d left, sent:\n%s", w.box.left(), sent)
	}
}

func TestTooLargeMail(t *testing.T) {
	w := newWorld(t)
	w.game("wolf", schedule())
	w.run()
	w.box.limit = 1000
	const size = 1 << 20
	before := w.mail(kirk, strings.Repeat("x\n", size))
	w.box.put(before)
	w.box.put(before) // a copy of it
	sent := w.run()
	told := sent.to(kirk, "Your mail is too large and was not read")
	if len(sent) != 1 || len(told) != 1 || len(w.box.folders["Starpost/Refused"]) != 2 {
		t.Fatalf("refused %d, sent:\n%s", len(w.box.folders["Starpost/Refused"]), sent)
	}
	text := strings.Join(strings.Fields(told[0].Text), " ")
	for _, want := range []string{"Your mail has 3.1 MB; the limit is 0.1 MB", "nothing was changed", "without pictures and attachments"} {
		if !strings.Contains(text, want) {
			t.Errorf("the captain is not told %q:\n%s", want, text)
		}
	}
	if head, _, _ := strings.Cut(before, "\r\n\r\n"); strings.Contains(text, "xx") || w.spooled(store.ContentHash([]byte(head+"\r\n\r\n"))) == "" {
		t.Error("the header is not stored, or more than it is shown")
	}
	if told[0].InReplyTo == "" {
		t.Error("it is in no thread")
	}

	// No one else is answered, and the mails are handled all the same.
	for _, m := range []string{
		w.mail("eve@evil.example", strings.Repeat("y\n", 1000)),
		w.mail(kirk, strings.Repeat("y\n", 1000), "Auto-Submitted: auto-replied"),
		w.mail(kirk, strings.Repeat("y\n", 1000), "List-Id: <talk.example.org>"),
		w.mail(robot, strings.Repeat("y\n", 1000)),
	} {
		w.box.put(m)
	}
	if sent := w.run(); len(sent) != 0 || len(w.box.folders["Starpost/Refused"]) != 6 || w.box.left() != 0 {
		t.Errorf("refused %d, sent:\n%s", len(w.box.folders["Starpost/Refused"]), sent)
	}
	// Nor is anyone if not even the header is available.
	w.box.headless = true
	w.box.put(w.mail(kirk, strings.Repeat("z\n", 1000)))
	if sent := w.run(); len(sent) != 0 || len(w.box.folders["Starpost/Refused"]) != 7 {
		t.Errorf("refused %d, sent:\n%s", len(w.box.folders["Starpost/Refused"]), sent)
	}
	// A sender gets the allowed number of answers; the next one mentions the rest.
	w.box.headless, w.cfg.AnswersPerHour = false, 3
	for range 5 {
		w.box.put(w.mail(kor, strings.Repeat("y\n", 1000)))
	}
	if sent := w.run(); len(sent) != 3 || len(sent.to(kor, "too large")) != 3 {
		t.Errorf("sent:\n%s", sent)
	}
	w.clock.Advance(61 * time.Minute)
	w.box.put(w.mail(kor, strings.Repeat("z\n", 1000)))
	if sent := w.run().to(kor, "too large"); len(sent) != 1 || !strings.Contains(strings.Join(strings.Fields(sent[0].Text), " "), "were handled but not answered") {
		t.Errorf("sent:\n%s", sent)
	}
}

// spooled returns a stored mail; "" for none.
func (w *world) spooled(sha string) string {
	w.t.Helper()
	raw, err := referee.Postbag{Host: w.cfg}.Load(w.t.Context(), sha)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		w.t.Fatal(err)
	}
	return string(raw)
}

func TestAnswersAreBounded(t *testing.T) {
	w := newWorld(t)
	g := w.game("wolf", schedule())
	w.run()
	w.cfg.SetAnswersPerHour = 3
	for range 10 {
		w.box.put(w.order(g, "Kirk", "final"))
	}
	if sent := w.run(); len(sent) != 3 || w.box.left() != 0 {
		t.Errorf("%d left, sent:\n%s", w.box.left(), sent)
	}
	w.clock.Advance(61 * time.Minute)
	w.box.put(w.order(g, "Kirk", "final"))
	if sent := w.run(); len(sent) != 1 {
		t.Errorf("an hour later:\n%s", sent)
	}
}

func TestHelpIsSentOnceAnHour(t *testing.T) {
	w := newWorld(t)
	w.game("wolf", schedule())
	w.run()
	for _, step := range []struct {
		pause time.Duration
		want  int
	}{{0, 1}, {time.Minute, 0}, {time.Hour, 1}, {24 * time.Hour, 1}} {
		w.clock.Advance(step.pause)
		w.box.put(w.mail(kirk, "Hello?"))
		w.box.put(w.mail(kirk, "Anybody there?"))
		if sent := w.run(); len(sent) != step.want {
			t.Errorf("after %s: %d answers, want %d", step.pause, len(sent), step.want)
		}
	}
	// A near miss is answered each time.
	w.box.put(w.mail(kirk, "staus"))
	w.box.put(w.mail(kirk, "away from monday to friday"))
	if sent := w.run(); len(sent) != 2 {
		t.Errorf("%d answers to two mails that were nearly understood:\n%s", len(sent), sent)
	}
	// A stranger is answered once a day.
	for _, step := range []struct {
		pause time.Duration
		want  int
	}{{0, 1}, {2 * time.Hour, 0}, {24 * time.Hour, 1}} {
		w.clock.Advance(step.pause)
		w.box.put(w.mail("khan@example.com", "Hello?"))
		if sent := w.run().to("khan@example.com", ""); len(sent) != step.want {
			t.Errorf("a stranger, after %s: %d answers, want %d", step.pause, len(sent), step.want)
		}
	}
}

// TestStrangersGetSoManyTextsADay limits the texts for one stranger, and for all of them, if there
// is a lobby. Captains do not count.
func TestStrangersGetSoManyTextsADay(t *testing.T) {
	w := newWorld(t)
	w.game("wolf", schedule())
	w.cfg.Lobby, w.cfg.StrangersPerDay = &config.Lobby{AnswersPerDay: 3}, 120 // so 20 for all in an hour
	w.run()
	ask := func(from string) int {
		t.Helper()
		w.clock.Advance(time.Minute)
		w.box.put(w.mail(from, "games"))
		return len(w.run().to(from, ""))
	}
	for i := range 5 {
		if n, want := ask("khan@example.com"), min(1, max(0, 3-i)); n != want {
			t.Errorf("question %d of one stranger: %d answers, want %d", i+1, n, want)
		}
	}
	all := 3
	for i := range 25 {
		all += ask(fmt.Sprintf("s%d@example.com", i))
	}
	if all != 20 {
		t.Errorf("all strangers got %d answers, want 20", all)
	}
	if n := ask(kirk); n != 1 {
		t.Errorf("a captain got %d answers", n)
	}
	w.clock.Advance(24 * time.Hour)
	if n := ask("khan@example.com"); n != 1 {
		t.Errorf("the next day: %d answers", n)
	}
}

func TestNoServer(t *testing.T) {
	w := newWorld(t)
	g := w.game("wolf", schedule())
	w.box.put(w.order(g, "Kirk", "final"))
	gone := errors.New("nothing answers")
	w.box.fail(gone)
	if _, err := w.once(); !errors.Is(err, gone) {
		t.Errorf("error %v", err)
	}
	w.box.fail(nil)
	w.out.down = gone
	if _, err := w.once(); !errors.Is(err, gone) {
		t.Errorf("error %v", err)
	}
	w.out.down = nil
	if sent := w.run(); len(sent) != 3 || len(sent.to(kirk, "accepted")) != 1 {
		t.Errorf("sent:\n%s", sent)
	}
}

func refusal(code int, outcome outgoing.Outcome) error {
	return &outgoing.Error{Stage: outgoing.StageRcpt, Outcome: outcome, Code: code, Err: errors.New("refused on purpose")}
}

func TestOutcomesOfSending(t *testing.T) {
	w := newWorld(t)
	w.game("wolf", schedule())
	var second outgoing.Outcome
	w.out.answer = func(env outgoing.Envelope, try int) (outgoing.Outcome, error) {
		switch {
		case env.To == kor:
			return outgoing.PermanentFailure, refusal(550, outgoing.PermanentFailure)
		case env.To == kirk && try == 1:
			return outgoing.Ambiguous, &outgoing.Error{Stage: outgoing.StageEnd, Outcome: outgoing.Ambiguous, Err: errors.New("cut")}
		case env.To == kirk && try == 2:
			second = outgoing.TemporaryFailure
			return second, refusal(451, second)
		}
		return outgoing.Delivered, nil
	}
	s, err := w.once()
	if err != nil || s != (daemon.Summary{Sent: 1, Deferred: 1, Failed: 1}) {
		t.Fatalf("%+v %v", s, err)
	}
	first := w.delivered()
	if len(first.to(refAddress, "could not be delivered")) != 1 || !strings.Contains(first.to(refAddress, "")[0].Text, kor) {
		t.Errorf("the referee is told:\n%s", first)
	}
	if s, err = w.once(); err != nil || s != (daemon.Summary{}) {
		t.Errorf("before the pause is over: %+v %v", s, err)
	}
	w.clock.Advance(2 * time.Minute)
	if s, err = w.once(); err != nil || s != (daemon.Summary{Deferred: 1}) {
		t.Errorf("second try: %+v %v", s, err)
	}
	w.clock.Advance(time.Minute)
	if s, err = w.once(); err != nil || s.Sent != 0 {
		t.Errorf("the second pause is longer: %+v %v", s, err)
	}
	w.clock.Advance(2 * time.Minute)
	if s, err = w.once(); err != nil || s != (daemon.Summary{Sent: 1}) {
		t.Errorf("third try: %+v %v", s, err)
	}
	last := w.delivered()
	if len(last) != 1 || last[0].raw != first.to(kirk, "")[0].raw {
		t.Errorf("other bytes were sent:\n%s", last)
	}
}

// TestDeferredMailIsGivenUpAfterDays has a server that keeps deferring one captain's report. At
// some point that counts as refusal, and the referee is told.
func TestDeferredMailIsGivenUpAfterDays(t *testing.T) {
	w := newWorld(t)
	m := schedule()
	m.Deadline = 30 * clock.Day
	w.game("wolf", m)
	tries := 0
	w.out.answer = func(env outgoing.Envelope, _ int) (outgoing.Outcome, error) {
		if env.To != kor {
			return outgoing.Delivered, nil
		}
		tries++
		return outgoing.TemporaryFailure, refusal(451, outgoing.TemporaryFailure)
	}
	began := w.clock.Now()
	var told sentMails
	for range 60 {
		if _, err := w.once(); err != nil {
			t.Fatal(err)
		}
		if told = w.delivered().to(refAddress, "could not be delivered"); len(told) > 0 {
			break
		}
		w.clock.Advance(4*time.Hour + 50*time.Minute)
	}
	if days := w.clock.Now().Sub(began).Hours() / 24; len(told) != 1 || tries != 40 || days < 5 || days > 10 {
		t.Fatalf("told after %d tries in %.1f days: %s", tries, days, told)
	}
	if text := told[0].Text; !strings.Contains(text, kor) || !strings.Contains(text, "deferred 40 times") {
		t.Errorf("the referee is told:\n%s", text)
	}
	w.clock.Advance(24 * time.Hour)
	if _, err := w.once(); err != nil || tries != 40 {
		t.Errorf("tried %d times, %v", tries, err)
	}
}

func TestTwoDaemons(t *testing.T) {
	w := newWorld(t)
	d := w.open()
	defer func() {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	}()
	if _, err := daemon.Open(process.Options{Config: w.cfg, Catalogue: w.cat}); !errors.Is(err, disk.ErrLocked) {
		t.Errorf("error %v", err)
	}
}

func TestGamesFailIndependently(t *testing.T) {
	w := newWorld(t)
	bear, wolf := w.game("bear", schedule()), w.game("wolf", schedule())
	w.run()
	state := filepath.Join(bear.Stages.Dir(vault.At(0)), vault.StateFile)
	whole, err := os.ReadFile(state)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(state, whole[:100], 0o644); err != nil {
		t.Fatal(err)
	}
	for _, g := range []*vault.Game{bear, wolf} {
		w.box.put(w.order(g, "Kirk", "final"))
		w.box.put(w.order(g, "Kor", "final"))
	}
	if _, err := w.once(); err == nil || !strings.Contains(err.Error(), "game bear: ") || fault.Hint(err) == "" {
		t.Errorf("error %v, hint %q", err, fault.Hint(err))
	}
	sent := w.delivered()
	if w.turnOf(wolf) != 1 || w.box.left() != 2 || len(sent.to(kirk, "[bear]")) != 0 {
		t.Errorf("wolf at turn %d, %d left, sent:\n%s", wolf.Turn(), w.box.left(), sent)
	}
	if err := os.WriteFile(state, whole, 0o644); err != nil {
		t.Fatal(err)
	}
	w.run()
	if w.turnOf(bear) != 1 || w.box.left() != 0 {
		t.Errorf("mended: bear at turn %d, %d left", bear.Turn(), w.box.left())
	}
}

func TestMailWaitsForAGameThatCannotBeOpened(t *testing.T) {
	w := newWorld(t)
	g := w.game("wolf", schedule())
	mail := w.order(g, "Kirk", "final")
	settings := filepath.Join(g.Dir(), "game.toml")
	whole, err := os.ReadFile(settings)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(settings, append([]byte("nonsense = 1\n"), whole...), 0o644); err != nil {
		t.Fatal(err)
	}
	w.box.put(mail)
	if _, err := w.once(); err == nil || strings.Count(err.Error(), g.Dir()) != 1 {
		t.Errorf("the run ends with %v", err)
	}
	if sent := w.delivered(); len(sent) != 0 || w.box.left() != 1 {
		t.Errorf("%d left, sent:\n%s", w.box.left(), sent)
	}
	if err := os.WriteFile(settings, whole, 0o644); err != nil {
		t.Fatal(err)
	}
	if sent := w.run(); len(sent.to(kirk, "accepted")) != 1 || w.box.left() != 0 {
		t.Errorf("%d left, sent:\n%s", w.box.left(), sent)
	}
}
