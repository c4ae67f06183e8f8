package daemon_test

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"starpost/engine/dice"
	"starpost/pbem/auth"
	"starpost/pbem/clock"
	"starpost/pbem/orderset"
	"starpost/pbem/referee"
	"starpost/pbem/turn"
	"starpost/pbem/turn/proof"
	"starpost/pbem/vault"
)

const tableGame = `format = 1
name = "table"
title = "The Table"
rules = "manual"
[[side]]
id = "blue"
[[side]]
id = "red"
[[ship]]
name = "Hood"
side = "blue"
class = "Cutter"
hex = "0505"
heading = "A"
state = { hull = 10 }
[[ship]]
name = "Riskadh"
side = "red"
class = "Raider"
hex = "0510"
heading = "D"
state = { hull = 8 }
`

// table creates a game that the referee plays: Kirk's Hood against Kor's Riskadh.
func (w *world) table(mail vault.MailSettings, change ...string) *vault.Game {
	w.t.Helper()
	seed := uint64(1)
	_, err := turn.Create(filepath.Join(w.dir, "games", "table"), catalogue(), turn.Setup{
		Scenario: []byte(strings.NewReplacer(change...).Replace(tableGame)), ID: "table", Mail: mail,
		Captains: []vault.Captain{
			{Name: "Kirk", Address: kirk, Ships: []string{"Hood"}},
			{Name: "Kor", Address: kor, Ships: []string{"Riskadh"}},
		},
		Secret: dice.FromSeed(seed), Seed: &seed, Options: turn.Options{Now: w.clock.Now()},
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return w.load("table")
}

// file files the due turn, as the command does.
func (w *world) file(text string) {
	w.t.Helper()
	g := w.load("table")
	if _, err := turn.Resolve(g, turn.Options{
		Now: w.clock.Now(), Filed: &turn.Filed{Turn: g.Turn() + 1, Data: []byte(text), By: "Rita"},
	}); err != nil {
		w.t.Fatal(err)
	}
}

func flat(text string) string { return strings.Join(strings.Fields(text), " ") }

// TestFiledGameByMail: orders come in, the referee is told once with all of them, orders are
// closed, the referee files, and the reports go out.
func TestFiledGameByMail(t *testing.T) {
	w := newWorld(t)
	g := w.table(schedule())
	w.run()

	w.box.put(w.order(g, "Kirk", "close in; then fire", "final"))
	sent := w.run()
	ack := sent.to(kirk, "Turn 1")
	if len(sent) != 1 || len(ack) != 1 || !strings.Contains(flat(ack[0].Text), "the referee reads: close in; then fire") {
		t.Fatalf("sent:\n%s\n%s", sent, ack[0].Text)
	}
	w.box.put(w.order(g, "Kor", "run for the edge", "final"))
	sent = w.run()
	told := sent.to(refAddress, "[table] Turn 1 waits for you")
	if len(sent) != 2 || len(told) != 1 || len(sent.to(kor, "Turn 1")) != 1 || w.turnOf(g) != 0 {
		t.Fatalf("turn %d, sent:\n%s", w.turnOf(g), sent)
	}
	for _, s := range []string{"\n; close in; then fire\n", "; Riskadh (Raider), at 0510 heading D; hull 8", "; run for the edge", "\n#rulings\n", "file 1 FILE --dry-run"} {
		if !strings.Contains(strings.ReplaceAll(told[0].Text, ";     ", "; "), s) {
			t.Errorf("the referee is not told %q:\n%s", s, told[0].Text)
		}
	}
	if p, err := turn.Load(w.load("table")); err != nil || !p.Closed() {
		t.Fatalf("the orders are not closed (%v)", err)
	}

	// The turn is the referee's now, without a time limit.
	w.box.put(w.order(g, "Kor", "on second thoughts, fight"))
	w.box.put(w.command(kirk, w.keyed(g, "Kirk"), "#cancel\n"))
	w.box.put(w.command(kor, w.keyed(g, "Kor"), "#status\n"))
	sent = w.run()
	if late := sent.to(kor, "Turn 1"); len(late) != 1 || !strings.Contains(late[0].Text, orderset.CodeWithReferee) {
		t.Errorf("late orders: sent:\n%s", sent)
	}
	if len(sent) != 3 || !strings.Contains(flat(sent.to(kor, "Status")[0].Text), "The referee has had the orders of turn 1 since") {
		t.Errorf("sent:\n%s", sent)
	}
	for range 10 { // no one is reminded, and no deadline plays it
		w.clock.Advance(12 * time.Hour)
		if sent := w.run(); len(sent) != 0 {
			t.Fatalf("after a while:\n%s", sent)
		}
	}
	files, err := g.Orders.For(vault.At(1))
	if err != nil || len(files) != 2 || !strings.Contains(string(files[1].Text), "run for the edge") {
		t.Fatalf("%v %v", files, err)
	}

	w.file("#all\nThe chase is on.\n#rulings\nmove Riskadh 0513\nchange Riskadh hull -2\n#ship Hood\nShe trails smoke.\n")
	sent = w.run()
	theirs, own := sent.to(kirk, "Turn 1"), sent.to(kor, "Turn 1")
	if len(sent) != 2 || len(theirs) != 1 || len(own) != 1 {
		t.Fatalf("sent:\n%s", sent)
	}
	for _, m := range sent {
		if !strings.Contains(m.Text, "The chase is on.") || !strings.Contains(m.Text, "Riskadh moves 0510 -> 0513") {
			t.Errorf("to %s:\n%s", m.to, m.Text)
		}
	}
	if !strings.Contains(theirs[0].Text, "She trails smoke.") || strings.Contains(theirs[0].raw, "hull 8 to 6") {
		t.Errorf("to Kirk:\n%s", theirs[0].Text)
	}
	if strings.Contains(own[0].raw, "trails smoke") || !strings.Contains(own[0].Text, "hull 8 to 6") {
		t.Errorf("to Kor:\n%s", own[0].Text)
	}
	if found, err := proof.Verify(w.load("table"), nil); err != nil || len(found) != 0 {
		t.Errorf("%v %v", found, err)
	}
	// The next turn begins like any other.
	w.box.put(w.order(g, "Kirk", "after her"))
	if sent := w.run(); len(sent.to(kirk, "Turn 2")) != 1 {
		t.Errorf("sent:\n%s", sent)
	}
}

// TestFiledGameOutOfTime: captains are reminded and get grace, and then the turn goes to the
// referee, unless the game holds. More time reopens it.
func TestFiledGameOutOfTime(t *testing.T) {
	w := newWorld(t)
	w.cfg.Guard.Outage = 0
	mail := schedule()
	mail.Grace = clock.Span(time.Hour)
	g := w.table(mail)
	w.run()
	w.box.put(w.order(g, "Kirk", "close in"))
	w.run()
	until := began.Add(3*24*time.Hour + 2*time.Hour)
	var all sentMails
	for w.clock.Now().Before(until) {
		w.clock.Advance(30 * time.Minute)
		all = append(all, w.run()...)
	}
	reminded, told := all.to(kor, "orders are missing"), all.to(refAddress, "waits for you")
	if len(reminded) != 2 || !strings.Contains(flat(reminded[0].Text), "After it, the referee plays the turn with the orders received.") {
		t.Fatalf("sent:\n%s", all)
	}
	if len(told) != 1 || !strings.Contains(flat(told[0].Text), "no orders for Riskadh.") || w.turnOf(g) != 0 || len(all.to(kor, "of grace")) != 1 {
		t.Fatalf("turn %d, sent:\n%s", w.turnOf(g), all)
	}

	if _, err := referee.Extend(w.load("table"), referee.Act{By: "referee", Why: "he was ill", Now: w.clock.Now()}, referee.DeadlineLater(clock.Day, w.clock.Now()), false); err != nil {
		t.Fatal(err)
	}
	if sent := w.run(); len(sent.to(kor, "another deadline")) != 1 {
		t.Fatalf("sent:\n%s", sent)
	}
	w.box.put(w.order(g, "Kor", "fight"))
	w.run()
	w.clock.Advance(24 * time.Hour)
	sent := w.run()
	if told := sent.to(refAddress, "waits for you"); len(told) != 1 || !strings.Contains(flat(told[0].Text), "All orders for turn 1 are in") {
		t.Fatalf("sent:\n%s", sent)
	}
	w.file("#rulings\nend draw\n")
	if sent := w.run(); len(sent) != 2 || w.turnOf(g) != 1 {
		t.Fatalf("sent:\n%s", sent)
	}
}

// TestFiledGameHidesShips: a ship that the referee shows to no one is named in no mail to captains
// who cannot see it.
func TestFiledGameHidesShips(t *testing.T) {
	w := newWorld(t)
	mail := schedule()
	g := w.table(mail, "hull = 8", "hull = 8, hidden = true")
	sent := w.run()
	w.box.put(w.order(g, "Kirk", "search the slag"))
	w.box.put(w.command(kirk, w.keyed(g, "Kirk"), "#status\n"))
	sent = append(sent, w.run()...)
	for w.clock.Now().Before(began.Add(4 * 24 * time.Hour)) {
		w.clock.Advance(6 * time.Hour)
		sent = append(sent, w.run()...)
	}
	if len(sent.to(refAddress, "waits for you")) != 1 || len(sent.to(kor, "orders are missing")) == 0 {
		t.Fatalf("sent:\n%s", sent)
	}
	w.file("#rulings\nmove Riskadh 0512\nroll ambush d10 for Riskadh\n#ship Riskadh\nNobody has seen you.\n")
	sent = append(sent, w.run()...)
	own := 0
	for _, m := range sent {
		switch {
		case m.to == kirk && strings.Contains(strings.ToLower(m.raw), "riskadh"):
			t.Errorf("to Kirk: %s\n%s", m.Subject, m.raw)
		case m.to == kirk:
			own++
		}
	}
	if own < 4 || len(sent.to(kor, "Turn 1")) == 0 {
		t.Errorf("sent:\n%s", sent)
	}
}

// TestFiledGameHolds: with missing = "hold" the referee is told that the game holds, and how to
// play the turn anyway.
func TestFiledGameHolds(t *testing.T) {
	w := newWorld(t)
	mail := schedule()
	mail.Grace, mail.Missing, mail.Remind = 0, vault.PolicyHold, []clock.Span{}
	mail.Deadline = clock.Span(2 * time.Hour)
	w.table(mail)
	w.run()
	var all sentMails
	for range 6 {
		w.clock.Advance(30 * time.Minute)
		all = append(all, w.run()...)
	}
	told := all.to(refAddress, "trouble")
	if len(all) != 1 || len(told) != 1 || !strings.Contains(flat(told[0].Text), "file 1 FILE --missing standing") {
		t.Fatalf("sent:\n%s", all)
	}
}

// TestFiledByMail: a referee requests a filing, sends one with a mistake, previews the result,
// files, and files a revision, all by mail.
func TestFiledByMail(t *testing.T) {
	w := newWorld(t)
	g := w.table(schedule())
	if err := referee.Register(g, referee.Act{By: "referee", Now: w.clock.Now()}, "Rita", rita); err != nil {
		t.Fatal(err)
	}
	w.run()
	w.box.put(w.order(g, "Kirk", "close in", "final"))
	w.box.put(w.order(g, "Kor", "run for the edge", "final"))
	if told := w.run().to(rita, "[table] Turn 1 waits for you"); len(told) != 1 || !strings.Contains(flat(told[0].Text), "#file 1 --dry-run") {
		t.Fatal("the referee is not told")
	}
	says := func(text string) (string, sentMails) {
		t.Helper()
		g := w.load("table")
		return w.asks(rita, auth.WithKey(robot, referee.Key(g, g.Turn()+1, "Rita")), text)
	}
	for _, step := range []struct {
		mail, want string
		turn       int
	}{
		{"#file 1 --blank\n", "#rulings", 0},
		{"#file 1\n", "file needs a filing", 0},
		{"#file 1\n\n#all\nThey close.\n#rulings\nmove Hod 0507 A\n#end\n", "the filing:4:6", 0},
		{"#file 1 --dry-run\n\n#all\nThey close.\n#rulings\nmove Hood 0507 A\n#end\n", "for captain Kirk", 0},
		{"#file 2\n\n#all\nThey close.\n#end\n", "turn 1 is", 0},
		{"#file 1 --why as at the table\n\n#all\nThey close.\n#rulings\nmove Hood 0507 A\n#end\nRita\n", "They close.", 1},
		{"#file 1\n\n#all\nThey close.\n#end\n", "turn 2 is", 1},
		{"#file 1 --again --why the wind\n\n#all\nThey close.\n#rulings\nmove Hood 0508 A\n#end\n", "0508", 1},
	} {
		answer, sent := says(step.mail)
		if !strings.Contains(flat(answer), step.want) || w.turnOf(g) != step.turn {
			t.Fatalf("%q: want %q, turn %d, have turn %d:\n%s\nsent:\n%s", step.mail, step.want, step.turn, w.turnOf(g), answer, sent)
		}
	}
	if now, err := w.load("table").Stages.Current(1); err != nil || now != 2 {
		t.Errorf("revision %d counts", now)
	}
	if found, err := proof.Verify(w.load("table"), nil); err != nil || len(found) != 0 {
		t.Errorf("%v %v", found, err)
	}
}
