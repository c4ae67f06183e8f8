package daemon_test

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// A stranger who was asked something and does not answer it is reminded, whatever he writes: no mail of
// his is passed over in silence because the question went out before.
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
	// An answer to the reminder is one to the question; then nothing is open.
	w.box.put(w.command(anybody, robot, "ok\nconfirm\n\n> "+strings.ReplaceAll(asked[0].Text, "\n", "\n> ")))
	if sent := w.run(); len(sent.to(anybody, "question to you is open")) != 1 { // "confirm" ends a sentence there
		t.Errorf("sent:\n%s", sent)
	}
	w.box.put(w.command(anybody, asked[0].ReplyTo[0].Addr, "Hi.\n\nconfirm\n"))
	if sent := w.run(); len(sent.to(anybody, "Welcome aboard")) != 1 {
		t.Errorf("sent:\n%s", sent)
	}
}

// Past three questions a day none goes out, and the answer says which ones wait.
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
