package daemon_test

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// A stranger who has not answered a question is reminded, whatever the next mail says: it is not ignored
// just because the question was sent before.
func TestStrangersAreRemindedOfQuestions(t *testing.T) {
	w := newWorld(t)
	m := schedule()
	m.Open = true
	g := w.game("wolf", m)
	w.run()
	w.box.put(w.command(kirk, w.keyed(g, "Kirk"), "#resign\n"))
	w.run()
	says := func(text string) sentMails {
		t.Helper()
		w.clock.Advance(time.Minute)
		w.box.put(w.command(anybody, robot, text+"\n"))
		return w.run().to(anybody, "")
	}
	if first := says("hello?"); len(first) != 1 || strings.Contains(first[0].Text, "has been open") {
		t.Fatalf("sent:\n%s", first)
	}
	asked := says("join wolf as Hood")
	if len(asked) != 1 || !strings.Contains(asked[0].Subject, "Please confirm") {
		t.Fatalf("sent:\n%s", asked)
	}
	for _, text := range []string{"join wolf as Hood", "confirm", "Yes, I do!", "join wolf as Riskadh"} {
		sent := says(text)
		if len(sent) != 1 || sent[0].Subject != "Please confirm: a question to you is open" ||
			!strings.Contains(flat(sent[0].Text), "A question to you has been open since 1 Mar 2026: Do you want the seat of captain Kirk in The Big Bad Wolf?") ||
			sent[0].ReplyTo[0].Addr != asked[0].ReplyTo[0].Addr {
			t.Errorf("%s, sent:\n%s", text, sent)
		}
	}
	// An answer to the reminder answers the question; then none is open.
	w.box.put(w.command(anybody, robot, "ok\nconfirm\n\n> "+strings.ReplaceAll(asked[0].Text, "\n", "\n> ")))
	if sent := w.run(); len(sent.to(anybody, "question to you is open")) != 1 { // "confirm" ends a sentence there
		t.Errorf("sent:\n%s", sent)
	}
	w.box.put(w.command(anybody, asked[0].ReplyTo[0].Addr, "Hi.\n\nconfirm\n"))
	if sent := w.run(); len(sent.to(anybody, "Welcome aboard")) != 1 {
		t.Errorf("sent:\n%s", sent)
	}
}

// After three questions a day no more are sent, and the answer says which ones are open.
func TestFourthQuestionOfADayBringsAReminder(t *testing.T) {
	w := newWorld(t)
	m := schedule()
	m.Open = true
	for i := range 4 {
		g := w.game(fmt.Sprintf("wolf%d", i), m)
		w.run()
		w.box.put(w.command(kirk, w.keyed(g, "Kirk"), fmt.Sprintf("#resign wolf%d\n", i)))
		w.run()
	}
	for i := range 4 {
		w.clock.Advance(time.Minute)
		w.box.put(w.command(anybody, robot, fmt.Sprintf("join wolf%d as Hood\n", i)))
		sent := w.run().to(anybody, "")
		want := "Please confirm: join"
		if i == 3 {
			want = "a question to you is open"
		}
		if len(sent) != 1 || !strings.Contains(sent[0].Subject, want) {
			t.Errorf("question %d, sent:\n%s", i+1, sent)
		}
	}
}

// A captain asks in plain words. The host answers with a plain reply from a program that ignores
// Reply-To, and the captain gets the answer. Reports say whom to ask, and contain no captain's address.
func TestCaptainsWordsGoToTheRefereeAndBack(t *testing.T) {
	w := newWorld(t)
	m := schedule()
	m.Anonymous = true
	g := w.game("wolf", m)
	first := w.run().to(kirk, "begins")
	if !strings.Contains(first[0].Text, "#message to referee, then your question, then #end.") || !strings.Contains(first[0].Text, "Or write to "+refAddress+".") {
		t.Errorf("the report does not say whom one may ask:\n%s", first[0].Text)
	}
	for line := range strings.Lines(first[0].Text[strings.LastIndex(first[0].Text, "\n--\n"):]) {
		if len([]rune(line)) > 78 {
			t.Errorf("a line of %d: %s", len(line), line)
		}
	}
	w.box.put(w.command(kirk, w.keyed(g, "Kirk"), "Dear host,\nI will be at sea without mail for a week.\n"))
	sent := w.run()
	asked := sent.to(refAddress, "Message from Hood")
	if len(sent) != 2 || len(asked) != 1 || len(sent.to(kirk, "Your words went to the referee")) != 1 || strings.Contains(asked[0].raw, kirk) {
		t.Fatalf("sent:\n%s", sent)
	}
	acknowledged := sent.to(kirk, "Your words went to the referee")[0] // in the thread of the captain's own mail
	w.clock.Advance(time.Hour)
	w.box.put(w.mail(refAddress, "Send #away, with the first day and the last.\n\n> "+strings.ReplaceAll(asked[0].Text, "\n", "\n> "), "In-Reply-To: <"+strings.Trim(asked[0].MessageID, "<>")+">"))
	sent = w.run()
	got := sent.to(kirk, "A word from the referee")
	if len(got) != 1 || got[0].InReplyTo != acknowledged.MessageID || !strings.Contains(flat(got[0].Text), "Send #away, with the first day and the last.") || strings.Contains(got[0].raw, refAddress) || len(sent.to(refAddress, "Your answer goes to Hood")) != 1 {
		t.Fatalf("sent:\n%s", sent)
	}
	for _, m := range sent.to(refAddress, "") {
		if strings.Contains(m.raw, kirk) || len(m.ReplyTo) > 0 && m.ReplyTo[0].Addr != robot {
			t.Errorf("the referee gets an address that is none of his:\n%s", m.raw)
		}
	}
}
