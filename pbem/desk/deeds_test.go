package desk_test

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"starpost/pbem/auth"
	"starpost/pbem/desk"
	"starpost/pbem/mime"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
)

const (
	kirk   = "kirk@example.org"
	kor    = "kor@example.org"
	khan   = "khan@example.com"
	umpire = "umpire@example.org"
	plain  = "power\n  move 8\nphase 1\n  move F\nphase 3\n  move F"
)

// keyed is the robot's address with a captain's key for the turn that is due.
func (o *office) keyed(captain string) string { return auth.WithKey(robot, o.key(captain)) }

// says is a mail of Kirk's with his key.
func (o *office) says(text string) handled {
	o.t.Helper()
	return o.receive(kirk, o.keyed("Kirk"), text)
}

// subject is a mail with a subject and no text.
func (o *office) subject(from, to, subject string) handled {
	o.t.Helper()
	o.mail++
	raw := fmt.Sprintf("From: %s\r\nTo: %s\r\nSubject: %s\r\nMessage-ID: <%d@example.org>\r\n\r\n\r\n", from, to, subject, o.mail)
	l := desk.Letter{SHA256: vault.Hash([]byte(raw)), Received: began.Add(time.Duration(o.mail) * time.Minute)}
	l.Mail, l.Err = mime.Read([]byte(raw))
	return o.settle(l)
}

// set changes a line of game.toml.
func (o *office) set(old, now string) {
	o.t.Helper()
	path := o.game.Dir() + "/game.toml"
	data, err := os.ReadFile(path)
	if err != nil {
		o.t.Fatal(err)
	}
	if !strings.Contains(string(data), old) {
		o.t.Fatalf("game.toml has no %q:\n%s", old, data)
	}
	if err := os.WriteFile(path, []byte(strings.Replace(string(data), old, now, 1)), 0o644); err != nil {
		o.t.Fatal(err)
	}
	if err := o.game.Refresh(); err != nil {
		o.t.Fatal(err)
	}
}

func (o *office) standing() vault.Standings {
	o.t.Helper()
	st, err := o.game.Standing()
	if err != nil {
		o.t.Fatal(err)
	}
	return st
}

// journal lists the kinds of entries.
func (o *office) journal() string {
	o.t.Helper()
	all, err := o.game.Journal()
	if err != nil {
		o.t.Fatal(err)
	}
	var kinds []string
	for _, e := range all {
		kinds = append(kinds, e.Kind)
	}
	return strings.Join(kinds, " ")
}

// mail is the mail of a kind to an address.
func (h handled) mail(t *testing.T, kind, address string) desk.Outgoing {
	t.Helper()
	for _, m := range h.Mails {
		if m.Kind == kind && m.Message.To.Addr == address {
			return m
		}
	}
	t.Fatalf("no %s to %s among %d mails", kind, address, len(h.Mails))
	return desk.Outgoing{}
}

func words(text string) string { return strings.Join(strings.Fields(text), " ") }

// nothing wants a mail to have changed nothing and told nobody.
func (h handled) nothing(t *testing.T) {
	t.Helper()
	if len(h.Steps) > 0 || len(h.Mails) > 0 {
		t.Errorf("%d steps, %d mails: %s", len(h.Steps), len(h.Mails), h.Reason)
	}
}

// TestWhoMayCommand: a command that changes something needs what an order set
// needs; what is only asked goes to the registered address, whoever asks.
func TestWhoMayCommand(t *testing.T) {
	for _, v := range desk.Commands() {
		if v.Anybody || v.Name == "check" {
			continue
		}
		t.Run(v.Name, func(t *testing.T) {
			o := newOffice(t)
			o.resolve()
			o.receive(kirk, o.keyed("Kirk"), o.order(plain))
			line := map[string]string{
				"away": "#away 2026-03-03 2026-03-05", "vote": "#vote draw", "address": "#address new@example.net", "protest": "#protest 1.1 no",
				"message": "#message to Riskadh\nYield!\n#end", "cancel": "#cancel turn 2", "final": "#final turn 2", "wait": "#wait turn 2",
			}[v.Name]
			if line == "" {
				line = "#" + v.Name
			}
			keyed := strings.Replace(line, "#"+v.Name, "#"+v.Name+" wolf key KEY", 1)
			for _, c := range []struct {
				name, from, to, text, code string
				answered                   string
			}{
				{"no key", kirk, robot, line, desk.CodeNoKey, kirk},
				{"a wrong key", kirk, robot, strings.Replace(keyed, "KEY", "AAAA-BBBB", 1), desk.CodeWrongKey, kirk},
				{"another's key", kirk, o.keyed("Kor"), line, desk.CodeWrongKey, kirk},
				{"the key of the last turn", kirk, auth.WithKey(robot, turn.Key(o.game, 1, "Kirk")), strings.Replace(line, "turn 2", "", 1), desk.CodeWrongKey, kirk},
				{"a second author", kirk + ", " + khan, o.keyed("Kirk"), line, desk.CodeNotYours, kirk},
				{"a stranger with the key", khan, o.keyed("Kirk"), line, "", khan},
			} {
				h := o.receive(c.from, c.to, c.text)
				if v.Proof {
					h.nothing(t)
					if c.code != "" && (h.Outcome != desk.Refused || !strings.Contains(h.answer.Message.Text, c.code)) {
						t.Errorf("%s: %s, %s\n%s", c.name, h.Outcome, h.Reason, h.text())
					}
					if h.answer.Message.ReplyTo.Addr != "" {
						t.Errorf("%s: the answer gives a key away: %s", c.name, h.answer.Message.ReplyTo.Addr)
					}
				}
				if h.answer == nil || h.answer.Message.To.Addr != c.answered {
					t.Errorf("%s: answered %+v", c.name, h.answer)
				}
				for _, m := range h.Mails {
					if m.Message.To.Addr != kirk {
						t.Errorf("%s: a mail to %s", c.name, m.Message.To.Addr)
					}
				}
				if strings.Contains(h.text(), o.key("Kirk")) || strings.Contains(h.text(), o.key("Kor")) {
					t.Errorf("%s: the answer shows a key", c.name)
				}
			}
			h := o.receive(kirk, robot, strings.Replace(keyed, "KEY", o.key("Kirk"), 1))
			if h.Outcome != desk.Done || hasErrors(h) {
				t.Errorf("with the key: %s: %s\n%s", h.Outcome, h.Reason, h.answer.Message.Text)
			}
			if strings.Contains(h.answer.Message.Text, o.key("Kirk")) || strings.Contains(h.answer.Message.Subject, "not done") {
				t.Errorf("%s\n%s", h.answer.Message.Subject, h.answer.Message.Text)
			}
		})
	}
}

func hasErrors(h handled) bool { return strings.Contains(h.text(), ": error E") }

func TestCommandHelp(t *testing.T) {
	o := newOffice(t)
	for _, h := range []handled{o.receive(kirk, robot, "help"), o.subject(kirk, robot, "Help"), o.receive(kirk, robot, "#help")} {
		h.nothing(t)
		if h.Outcome != desk.Done || h.answer.Message.Subject != "What you may send" || h.answer.Kind != desk.KindAck {
			t.Errorf("%s: %s, %s", h.Outcome, h.Reason, h.answer.Message.Subject)
		}
		for _, v := range desk.Commands() {
			if !strings.Contains(h.text(), "- "+v.Usage[0]) {
				t.Errorf("%s is not told", v.Usage[0])
			}
		}
		if !strings.Contains(h.text(), "You play wolf as captain Kirk (Hood); turn 1 is due.") {
			t.Error(h.answer.Message.Text)
		}
	}
}

func TestCommandStatus(t *testing.T) {
	o := newOffice(t)
	status := func() string { t.Helper(); return o.receive(kirk, robot, "status wolf").text() }
	wants := func(name string, parts ...string) {
		t.Helper()
		got := status()
		for _, p := range parts {
			if no, not := strings.CutPrefix(p, "!"); strings.Contains(got, no) == not {
				t.Errorf("%s: %q in\n%s", name, p, got)
			}
		}
	}
	wants("first", "Turn 1 is due by Wed 4 Mar 2026, 12:00 UTC (left: 2 days", "Hood (Kirk): orders are missing", "Riskadh (Kor): orders are missing")
	o.says(o.order(plain, "final"))
	wants("in", "Hood (Kirk): orders are in, received Sun 1 Mar 2026, 12:02 UTC; you said final")
	if got := o.receive(kor, robot, "#status").text(); !strings.Contains(got, "Hood (Kirk): orders are in -") || strings.Contains(got, "final") {
		t.Errorf("for another: %s", got)
	}
	o.receive(kor, o.keyed("Kor"), "#away 2026-03-05 2026-03-07\n#vote draw")
	wants("away", "Kor is away from 5 Mar 2026 to 7 Mar 2026", "Kor votes for a draw")
	o.receive(kor, o.keyed("Kor"), "#resign")
	wants("gone", "Riskadh (Kor): the robot gives the orders", "nobody holds the seat of Kor", "!anybody may join", "!is away", "!votes")
	o.set("open = false", "open = true")
	wants("open", "anybody may join")
	o.set("show_missing = true", "show_missing = false")
	wants("hidden", "Hood (Kirk)", "!Riskadh (")
	o.resolve()
	if h := o.receive(kirk, robot, "status"); h.answer.Message.Subject != "[wolf] Status before turn 2" {
		t.Error(h.answer.Message.Subject)
	}
	if h := o.receive(kirk, robot, "#status wulf"); !hasCode2(h, desk.CodeUnknownGame) || !strings.Contains(h.text(), "did you mean wolf?") {
		t.Error(h.text())
	}
}

func hasCode2(h handled, code string) bool { return strings.Contains(h.text(), " "+code+":") }

func TestCommandReport(t *testing.T) {
	o := newOffice(t)
	o.resolve()
	stored, err := o.game.ReadFile(1, "reports/hood.txt")
	if err != nil {
		t.Fatal(err)
	}
	h := o.receive("Jim@example.net", robot, "#report")
	m := h.mail(t, desk.KindReport, "jim@example.net") // the address that he wrote from
	if string(m.Message.Pages.Text) != string(stored) || !m.Answer || len(m.Message.Attachments) != 1 {
		t.Errorf("%s", m.Message.Pages.Text)
	}
	id, err := turn.MessageID(o.game, 1, "Kirk")
	if err != nil {
		t.Fatal(err)
	}
	if m.Message.MessageID == id || m.Message.InReplyTo != id || m.Message.ReplyTo.Addr != o.keyed("Kirk") || m.Message.Subject != "[wolf] Turn 1: report for Hood" {
		t.Errorf("%+v", m.Message)
	}
	m = o.receive(kirk, robot, "#report wolf turn 0").mail(t, desk.KindReport, kirk)
	if !strings.Contains(string(m.Message.Pages.Text), "Report of turn 0") || m.Message.ReplyTo.Addr != o.keyed("Kirk") {
		t.Errorf("%+v", m.Message.ReplyTo)
	}
	h = o.receive(kirk, robot, "#report 2")
	h.nothing(t)
	if !hasCode2(h, desk.CodeNoReport) || h.Outcome != desk.Refused {
		t.Error(h.text())
	}
	h = o.receive(kirk, robot, "#report 0\n#report 1\n#report\n#report wolf\n")
	if len(h.Mails) != 3 || !hasCode2(h, desk.CodeTooMuch) || !strings.Contains(h.answer.Message.Subject, "3 of 4 commands done, 1 error") {
		t.Errorf("%d mails: %s", len(h.Mails), h.answer.Message.Subject)
	}
}

func TestCommandCheck(t *testing.T) {
	o := newOffice(t)
	o.says(o.order(plain))
	before := o.inForce("Hood")
	h := o.says("#check\n\n" + o.order("power", "  move 8", "  shields 2:8", "phase 1", "  move F", "phase 3", "  move F"))
	h.nothing(t)
	if o.inForce("Hood") != before || h.Outcome != desk.Done {
		t.Errorf("%s: %s", h.Outcome, o.inForce("Hood"))
	}
	for _, want := range []string{"Nothing of the order sets in this mail was stored", "were checked and not stored", "shields 4, weapons", "Checked, not in force", "Forecast", "your earlier one for turn 1"} {
		if !strings.Contains(h.text(), want) {
			t.Errorf("no %q in\n%s", want, h.answer.Message.Text)
		}
	}
	if h.answer.Message.Subject != "[wolf] Turn 1: orders for Hood checked, not stored" {
		t.Error(h.answer.Message.Subject)
	}
	h = o.says("#check\n" + o.order("power", "  mvoe 8"))
	h.nothing(t)
	if !strings.Contains(h.text(), "error E020") || !strings.Contains(h.answer.Message.Subject, "checked, not stored, ") {
		t.Error(h.answer.Message.Subject)
	}
	// Below the set it is the same; nothing is stored by mistake.
	h = o.says(o.order("power", "  move 8") + "#check\n")
	h.nothing(t)
	h = o.says("#check")
	h.nothing(t)
	if !hasCode2(h, desk.CodeBadCommand) {
		t.Error(h.text())
	}
	h = o.receive(kirk, robot, "#check\n"+strings.Replace(o.order(plain), "key ", "kex ", 1))
	h.nothing(t)
	if strings.Contains(h.text(), "Forecast") {
		t.Errorf("of an untrusted set is told: %s", h.text())
	}
}

func TestCommandCancel(t *testing.T) {
	o := newOffice(t)
	put := func() { t.Helper(); o.says(o.order(plain)) }
	put()
	h := o.says("#cancel")
	if o.inForce("Hood") != "" || h.answer.Message.Subject != "[wolf] Turn 1: orders dropped" {
		t.Error(h.answer.Message.Subject)
	}
	put()
	if o.receive(kirk, robot, "#cancel wolf turn 1 ship hood key "+o.key("Kirk")); o.inForce("Hood") != "" {
		t.Error("not dropped by name")
	}
	put()
	for text, code := range map[string]string{
		"#cancel ship Hodd":          turn.CodeUnknownShip,
		"#cancel ship Riskadh":       turn.CodeUnknownShip,
		"#cancel turn 0":             turn.CodePastTurn,
		"#cancel turn 99":            turn.CodeFarTurn,
		"#cancel Hood":               desk.CodeUnknownGame,
		"#final\n#cancel":            desk.CodeContradiction,
		"#cancel\n" + o.order(plain): desk.CodeCancelAndSet,
	} {
		if h := o.says(text); !hasCode2(h, code) || o.inForce("Hood") == "" {
			t.Errorf("%s: no %s in\n%s", text, code, h.text())
		}
	}
	// A set that was sent ahead is dropped by its turn.
	o.says(strings.Replace(o.order(plain), "turn 1", "turn 2", 1))
	if o.says("#cancel turn 2"); o.inForce("Hood") == "" {
		t.Error("the set of this turn is gone")
	}
	if files, err := o.game.Orders(2); err != nil || len(files) > 0 {
		t.Error(files, err)
	}
	o.resolve()
	put()
	if h := o.receive(kirk, auth.WithKey(robot, turn.Key(o.game, 1, "Kirk")), "#cancel turn 1"); !hasCode2(h, turn.CodePastTurn) || o.inForce("Hood") == "" {
		t.Errorf("late: %s", h.text())
	}
}

func TestCommandFinalAndWait(t *testing.T) {
	o := newOffice(t)
	for _, word := range []string{"final", "wait"} {
		if h := o.says("#" + word); !hasCode2(h, desk.CodeNothingInForce) || len(h.Steps) > 0 {
			t.Error(h.text())
		}
	}
	o.says(o.order(plain))
	plainSet := o.inForce("Hood")
	for _, c := range []struct{ text, has, hasNot string }{
		{"#final", "final\n", "wait"}, {"#final", "final\n", "wait"}, {"wait", "wait\n", "final"}, {"#final turn 1", "final\n", "wait"},
	} {
		h := o.says(c.text)
		got := o.inForce("Hood")
		if h.Outcome != desk.Done || strings.Count(got, c.has) != 1 || strings.Contains(got, c.hasNot) || !strings.Contains(h.text(), "now say "+strings.TrimSpace(c.has)) {
			t.Errorf("%s: %s\n%s", c.text, got, h.text())
		}
		if strings.Replace(got, c.has, "", 1) != plainSet {
			t.Errorf("the set has changed otherwise:\n%s\nwas\n%s", got, plainSet)
		}
	}
	// With the set of the same mail, on either side of it.
	for _, text := range []string{"#final\n" + o.order(plain), o.order(plain) + "#final\n", "final\n\n" + o.order(plain)} {
		h := o.says(text)
		if got := o.inForce("Hood"); !strings.Contains(got, "final\n") || !strings.Contains(h.text(), "| final") {
			t.Errorf("%s\n%s", got, h.answer.Message.Text)
		}
		if h.answer.Message.Subject != "[wolf] Turn 1: orders for Hood accepted; final done" {
			t.Error(h.answer.Message.Subject)
		}
	}
	if h := o.says("#wait\n#final"); !hasCode2(h, desk.CodeContradiction) || !strings.Contains(o.inForce("Hood"), "wait") {
		t.Error(h.text())
	}
	if h := o.says("#final turn 5"); !hasCode2(h, desk.CodeNothingInForce) {
		t.Error(h.text())
	}
	if h := o.says("#final turn 50"); !hasCode2(h, turn.CodeFarTurn) {
		t.Error(h.text())
	}
}

func TestCommandAway(t *testing.T) {
	o := newOffice(t)
	h := o.says("#away 2026-03-05 2026-03-10")
	told := h.mail(t, desk.KindTold, kor)
	if text := words(told.Message.Text); !strings.Contains(text, "Kirk will be away from Thu 5 Mar 2026 to Tue 10 Mar 2026") || strings.Contains(text, kirk) {
		t.Error(text)
	}
	if told.Message.ReplyTo.Addr != o.keyed("Kor") || strings.Contains(told.Message.Text, o.key("Kor")) {
		t.Error(told.Message.ReplyTo.Addr)
	}
	st := o.standing()
	if len(st.Away) != 1 || st.Away[0].Captain != "Kirk" || !st.Away[0].From.Equal(time.Date(2026, 3, 5, 0, 0, 0, 0, time.UTC)) ||
		!st.Away[0].To.Equal(time.Date(2026, 3, 11, 0, 0, 0, 0, time.UTC)) {
		t.Errorf("%+v", st.Away)
	}
	if m, err := o.game.Timing(); err != nil || m.Moved() {
		t.Error("the current deadline has moved", err)
	}
	for text, want := range map[string]string{
		"#away 2026-04-10 2026-04-05":                              "before its first",
		"#away 2026-02-27 2026-03-02":                              "begins in the past",
		"#away 2027-03-03 2027-03-05":                              "more than a year",
		"#away 2026-04-01 2026-04-15":                              "has 15 days",
		"#away 2026-03-11 2026-03-20":                              "together with what you announced",
		"#away 2026-03-12 2026-03-20":                              "together with what you announced",
		"#away 2026-03-01 2026-03-02\n#away 2026-04-01 2026-04-02": "does not go with",
	} {
		if h := o.says(text); !strings.Contains(h.text(), want) {
			t.Errorf("%s: %s", text, h.text())
		}
	}
	o.says("#away 2026-05-01 2026-05-14")
	if h := o.says("#away 2026-06-01 2026-06-02"); !strings.Contains(h.text(), "3 absences of yours are announced already") {
		t.Error(h.text())
	}
	h = o.says("back")
	if h.mail(t, desk.KindTold, kor); len(o.standing().Away) == 0 || o.standing().Away[0].To.After(began.Add(time.Hour)) {
		t.Errorf("%+v", o.standing().Away)
	}
	h = o.says("#back")
	h.nothing(t)
	if h.Outcome != desk.Done || !strings.Contains(h.text(), "No absence of yours") {
		t.Error(h.text())
	}
}

func TestCommandVote(t *testing.T) {
	o := newOffice(t)
	h := o.says("#vote draw")
	if text := words(h.mail(t, desk.KindTold, kor).Message.Text); !strings.Contains(text, "Kirk votes to end the game as a draw") || !strings.Contains(text, "vote draw") {
		t.Error(text)
	}
	if o.standing().Votes[1]["Kirk"] != vault.VoteDraw {
		t.Errorf("%+v", o.standing().Votes)
	}
	o.says("#vote draw").nothing(t)
	h = o.says("#vote continue")
	if h.mail(t, desk.KindTold, kor); o.standing().Votes[1]["Kirk"] != "" {
		t.Errorf("%+v", o.standing().Votes)
	}
	o.says("#vote continue").nothing(t)
	if h := o.says("#vote draw turn 2"); !hasCode2(h, turn.CodeFarTurn) {
		t.Error(h.text())
	}
	if h := o.says("#vote draw\n#vote continue"); !hasCode2(h, desk.CodeContradiction) {
		t.Error(h.text())
	}
	// A vote does not hold on.
	o.resolve()
	if o.standing().Votes[2]["Kirk"] != "" {
		t.Error("it holds in the next turn")
	}
	o.says("#vote draw")
	o.receive(kor, o.keyed("Kor"), "vote draw")
	out, err := turn.Resolve(o.game, turn.Options{Now: began})
	if err != nil || out.State.Result == nil || !out.State.Result.Draw {
		t.Fatalf("%+v, %v", out, err)
	}
	for _, line := range []string{"#vote draw", "#final", "#wait", "#cancel", "#away 2026-03-05 2026-03-06", "#resign"} {
		h := o.receive(kirk, auth.WithKey(robot, turn.Key(o.game, 2, "Kirk")), line)
		h.nothing(t)
		if !hasCode2(h, turn.CodeGameOver) {
			t.Errorf("%s when the game is over: %s", line, h.text())
		}
	}
	// What is still of use then.
	if h := o.receive(kirk, robot, "#status\n#report\n"); hasErrors(h) || !strings.Contains(h.text(), "The game is over since turn 2: a draw") || len(h.Mails) != 1 {
		t.Error(h.text())
	} else if m := h.Mails[0].Message; m.ReplyTo.Addr != "" || len(m.Attachments) != 2 || !strings.Contains(string(m.Pages.Text), o.game.Secret().String()[:16]) {
		t.Errorf("the last report lacks something: %+v", m.ReplyTo)
	}
}

func TestCommandProtest(t *testing.T) {
	o := newOffice(t)
	o.desk.Referee = umpire
	o.resolve()
	h := o.says("#protest 1.3 the helm did\nnot answer " + khan)
	told := h.mail(t, desk.KindTold, umpire)
	for _, want := range []string{"Kirk (Hood) protests", "1.3, phase", "His reason: the helm did not answer"} {
		if !strings.Contains(words(told.Message.Text), want) {
			t.Errorf("no %q in %s", want, told.Message.Text)
		}
	}
	if len(h.Mails) != 1 || strings.Contains(told.Message.Text, "The word help") {
		t.Errorf("%d mails: %s", len(h.Mails), told.Message.Text)
	}
	st := o.standing()
	if len(st.Protests) != 1 || st.Protests[0].Turn != 1 || st.Protests[0].Event != 3 || st.Protests[0].Captain != "Kirk" {
		t.Errorf("%+v", st.Protests)
	}
	h = o.says("#protest 1")
	h.nothing(t)
	if !strings.Contains(h.text(), "- 1.1, phase 0") || h.answer.Message.Subject != "[wolf] Events of turn 1" {
		t.Error(h.text())
	}
	for text, code := range map[string]string{
		"#protest 2.1 no": desk.CodeNoReport, "#protest 0.1 no": desk.CodeNoReport, "#protest 1.9999 no": desk.CodeNoEvent,
	} {
		if h := o.says(text); !hasCode2(h, code) {
			t.Errorf("%s: %s", text, h.text())
		}
	}
	o.desk.Referee = ""
	if h := o.says("#protest 1.1 no"); len(h.Mails) != 0 || h.Outcome != desk.Done {
		t.Error(h.text())
	}
}

func TestCommandMessage(t *testing.T) {
	o := newOffice(t)
	const text = "Yield!\n\n  #resign\n#cancel\n> and so on"
	for _, to := range []string{"Riskadh", "riskadh", "Kor", "Klingon", "all"} {
		h := o.says("#message to " + to + "\n" + text + "\n#end\n")
		m := h.mail(t, desk.KindLetter, kor)
		if len(h.Mails) != 1 || len(h.Steps) != 1 || m.Message.From.Addr != robot || !strings.HasPrefix(m.Message.From.Name, "Kirk") || m.Message.ReplyTo.Addr != o.keyed("Kor") {
			t.Errorf("%s: %d mails, %d steps: %+v", to, len(h.Mails), len(h.Steps), m.Message)
		}
		for _, want := range []string{"  | Yield!", "  |   #resign", "  | > and so on", "From Kirk (Hood)", `"#message to Hood"`} {
			if !strings.Contains(strings.Join(strings.Fields(m.Message.Text), " "), words(want)) {
				t.Errorf("%s: no %q in\n%s", to, want, m.Message.Text)
			}
		}
		if strings.Contains(m.Message.Text, kirk) || strings.Contains(h.answer.Message.Text, kor) || strings.Contains(h.answer.Message.Text, "@") {
			t.Errorf("an address is shown:\n%s", m.Message.Text)
		}
		// Answered with all of it quoted and nothing marked, nothing comes of it.
		if back := o.receive(kor, m.Message.ReplyTo.Addr, "Never!\n\n"+m.Message.Text); len(back.Steps) > 0 || len(back.Mails) > 0 {
			t.Errorf("the quoted message does something: %s", back.Reason)
		}
	}
	entries, err := o.game.Journal()
	if err != nil {
		t.Fatal(err)
	}
	var d vault.MessageData
	if err := entries[0].Decode(&d); err != nil || d.To != "Riskadh" || d.Text != text || len(d.Captains) != 1 || d.Captains[0] != "Kor" {
		t.Errorf("%+v, %v", d, err)
	}
	for to, hint := range map[string]string{"Riskad": "Riskadh", "Hood": "", "Kirk": "", "side": "", "Federation": "", "kor@example.org": ""} {
		h := o.says("#message to " + to + "\nHi\n#end")
		h.nothing(t)
		if !hasCode2(h, desk.CodeNoAddressee) || !strings.Contains(h.text(), hint) {
			t.Errorf("to %s: %s", to, h.text())
		}
	}
	o.set(`messages = "open"`, `messages = "side"`)
	for _, to := range []string{"Riskadh", "all", "Klingon"} {
		h := o.says("#message to " + to + "\nHi\n#end")
		h.nothing(t)
		if !strings.Contains(h.text(), "only to your own side") {
			t.Errorf("to %s: %s", to, h.text())
		}
	}
	o.set(`messages = "side"`, `messages = "none"`)
	h := o.says("#message to Riskadh\nHi\n#end")
	h.nothing(t)
	if !strings.Contains(h.text(), "carries no messages") {
		t.Error(h.text())
	}
}

func TestCommandsAnHour(t *testing.T) {
	o := newOffice(t)
	sent := 0
	for range 30 {
		h := o.says("#message to Riskadh\nHi\n#end")
		if len(h.Mails) == 1 {
			sent++
			continue
		}
		if !hasCode2(h, desk.CodeTooMuch) {
			t.Fatal(h.text())
		}
	}
	if sent != 20 {
		t.Errorf("%d messages within an hour", sent)
	}
	o.mail += 60
	if h := o.says("#message to Riskadh\nHi\n#end"); len(h.Mails) != 1 {
		t.Error(h.text())
	}
	text := ""
	for i := range 20 {
		text += fmt.Sprintf("#message to Riskadh\nHi %d\n#end\n", i)
	}
	if h := o.says(text); len(h.Mails) >= 20 || !hasCode2(h, desk.CodeTooMuch) {
		t.Errorf("%d messages in a mail", len(h.Mails))
	}
}

var tokenShape = regexp.MustCompile(`[0-9A-Z]{4}(-[0-9A-Z]{4}){3}`)

func TestCommandAddress(t *testing.T) {
	const fresh = "jtk@example.net"
	o := newOffice(t)
	h := o.says("#address " + fresh)
	if len(h.Steps) > 0 || len(h.Mails) != 1 || o.game.Settings().Captains[0].Address != kirk {
		t.Fatalf("%d steps, %d mails", len(h.Steps), len(h.Mails))
	}
	q := h.mail(t, desk.KindConfirm, fresh)
	token := tokenShape.FindString(q.Message.Text)
	if token == "" || q.Message.ReplyTo.Addr != auth.WithKey(robot, token) || len(q.Bounds) != 2 || strings.Contains(q.Message.Text, kirk) {
		t.Errorf("%+v\n%s", q.Message, q.Message.Text)
	}
	if strings.Contains(h.text(), token) || strings.Contains(q.Message.Text, o.key("Kirk")) {
		t.Error("a token or key is told to whom it must not be")
	}
	// Asked for once more on the same day it is the same mail.
	if again := o.says("#address "+fresh).mail(t, desk.KindConfirm, fresh); again.Message.MessageID != q.Message.MessageID {
		t.Error(again.Message.MessageID)
	}
	// From elsewhere the token is of no use, nor without the word.
	for _, from := range []string{khan, kirk, kor} {
		bad := o.receive(from, q.Message.ReplyTo.Addr, "confirm")
		bad.nothing(t)
		if bad.Outcome == desk.Done {
			t.Errorf("confirmed by %s", from)
		}
	}
	o.receive(fresh, q.Message.ReplyTo.Addr, "I know nothing of this.\n\n> confirm "+token).nothing(t)
	o.receive(fresh, robot, "confirm "+strings.Replace(token, token[:4], "0000", 1)).nothing(t)
	o.receive(fresh, robot, "confirm").nothing(t)

	h = o.receive(fresh, robot, "confirm "+token)
	if h.Outcome != desk.Done || o.game.Settings().Captains[0].Address != fresh || h.answer.Message.To.Addr != fresh || h.answer.Message.ReplyTo.Addr != o.keyed("Kirk") {
		t.Fatalf("%s: %s, %+v", h.Outcome, h.Reason, o.game.Settings().Captains)
	}
	told := h.mail(t, desk.KindTold, kirk)
	if !strings.Contains(words(told.Message.Text), "tell the referee at once") || told.Message.ReplyTo.Addr != "" || strings.Contains(told.Message.Text, fresh) {
		t.Errorf("%+v\n%s", told.Message.ReplyTo, told.Message.Text)
	}
	if m := h.mail(t, desk.KindReport, fresh); m.Message.ReplyTo.Addr != o.keyed("Kirk") {
		t.Errorf("%+v", m.Message)
	}
	// It works once; orders come from the new address, and not from the old one.
	o.receive(fresh, robot, "confirm "+token).nothing(t)
	if h := o.receive(fresh, robot, o.order(plain)); h.Outcome != desk.Done {
		t.Error(h.text())
	}
	if h := o.receive(kirk, o.keyed("Kirk"), o.order(plain)); h.Outcome != desk.Ignored {
		t.Error(h.text())
	}
	for text, to := range map[string]string{"not an address": "@", "its own": robot, "the robot's with a tag": auth.WithKey(robot, "7K4Q-92FM"), "the same": "JTK@example.net"} {
		h := o.receive(fresh, o.keyed("Kirk"), "#address "+to)
		h.nothing(t)
		if !hasCode2(h, desk.CodeBadAddress) && !hasCode2(h, desk.CodeBadCommand) {
			t.Errorf("%s: %s", text, h.text())
		}
	}
	// After a week it is too late.
	h = o.receive(fresh, o.keyed("Kirk"), "#address kirk@example.com")
	q = h.mail(t, desk.KindConfirm, "kirk@example.com")
	o.mail += 9 * 24 * 60
	o.receive("kirk@example.com", q.Message.ReplyTo.Addr, "confirm").nothing(t)
}

func TestCommandResignAndJoin(t *testing.T) {
	o := newOffice(t)
	o.desk.Referee = umpire
	o.resolve()
	oldKey := o.key("Kirk")
	join := func() handled { t.Helper(); return o.receive("Khan <"+khan+">", robot, "#join wolf as Hood") }
	refused := func(h handled, want string) {
		t.Helper()
		h.nothing(t)
		if h.Outcome != desk.Ignored || h.answer.Kind != desk.KindStranger || !strings.Contains(h.text(), want) {
			t.Errorf("%s, %s", h.Outcome, h.text())
		}
	}
	refused(join(), `there is no game "wolf" that one could join`)
	o.set("open = false", "open = true")
	refused(join(), `the seat of "Hood" is not free`)

	h := o.says("#resign")
	if !o.standing().HasVacant("Kirk") || o.game.Settings().Captains[0].Address != "" || h.answer.Message.To.Addr != kirk || h.answer.Message.ReplyTo.Addr != "" {
		t.Fatalf("%+v", o.game.Settings().Captains)
	}
	if h.mail(t, desk.KindTold, kor).Message.Text == "" || !strings.Contains(h.mail(t, desk.KindTold, umpire).Message.Subject, "resigned") {
		t.Error("not told")
	}
	if h := o.receive(kirk, auth.WithKey(robot, oldKey), o.order(plain)); h.Outcome != desk.Ignored {
		t.Errorf("who left still gives orders: %s", h.Reason)
	}
	if h := o.says("#resign"); h.Outcome != desk.Ignored {
		t.Error(h.Reason)
	}

	refused(o.receive(khan, robot, "#join wolf as Riskadh"), "Free are: Hood")
	refused(o.receive(khan, robot, "#join wulf as Hood"), "Did you mean wolf? If")
	if h := o.receive(kor, robot, "#join wolf as Hood"); !hasCode2(h, desk.CodeNoSeat) {
		t.Errorf("a captain joins twice: %s", h.text())
	}
	h = join()
	if h.answer != nil || len(h.Mails) != 1 || len(h.Steps) != 0 || h.Outcome != desk.Done {
		t.Fatalf("%s: %d mails, %+v", h.Reason, len(h.Mails), h.answer)
	}
	q := h.mail(t, desk.KindConfirm, khan)
	if len(q.Bounds) == 0 || join().mail(t, desk.KindConfirm, khan).Message.MessageID != q.Message.MessageID {
		t.Error("strangers are asked without bounds")
	}
	o.receive("eve@example.com", q.Message.ReplyTo.Addr, "confirm").nothing(t)

	h = o.receive("Khan <"+khan+">", q.Message.ReplyTo.Addr, "\nConfirm\n\n> Please confirm")
	c := o.game.Settings().Captains[0]
	if h.Outcome != desk.Done || c.Address != khan || c.Name != "Kirk" || o.standing().HasVacant("Kirk") {
		t.Fatalf("%s: %+v", h.Reason, c)
	}
	key := o.key("Kirk")
	if key == oldKey || h.answer.Message.To.Addr != khan || h.answer.Message.ReplyTo.Addr != o.keyed("Kirk") {
		t.Errorf("%+v", h.answer.Message.ReplyTo)
	}
	rep := h.mail(t, desk.KindReport, khan)
	if text := string(rep.Message.Pages.Text); !strings.Contains(text, "key "+key) || strings.Contains(text, oldKey) || rep.Message.ReplyTo.Addr != o.keyed("Kirk") {
		t.Errorf("the report has not the new key:\n%s", text)
	}
	for _, to := range []string{kor, umpire} {
		if m := h.mail(t, desk.KindTold, to); strings.Contains(m.Message.Text, khan) || !strings.Contains(words(m.Message.Text), "A new captain has taken over the seat of Kirk (Hood)") {
			t.Error(m.Message.Text)
		}
	}
	if h := o.receive(khan, robot, o.order(plain)); h.Outcome != desk.Done {
		t.Errorf("the new captain's orders: %s", h.text())
	}
	if h := o.receive(khan, robot, strings.Replace(o.order(plain), key, oldKey, 1)); !hasCode(h, desk.CodeWrongKey) {
		t.Errorf("the old key still fits: %s", h.text())
	}
	// The token is of no more use, and an asked report has the new key.
	o.receive(khan, q.Message.ReplyTo.Addr, "confirm").nothing(t)
	if m := o.receive(khan, robot, "#report").mail(t, desk.KindReport, khan); !strings.Contains(string(m.Message.Pages.Text), "key "+key) {
		t.Error("the report that was asked for has not the new key")
	}
}

// TestStrangersAreBounded: nobody who is unknown can have more than a little
// mail sent, to himself or to others.
func TestStrangersAreBounded(t *testing.T) {
	o := newOffice(t)
	o.set("open = false", "open = true")
	ids := map[string]bool{}
	for _, text := range []string{"#join wolf as Hood", "#join wolf as Riskadh", "#confirm", "#confirm 0006-HP01-E3KS-0E8H", "#status wolf", "#message to all\nHi\n#end", "#report", "help"} {
		h := o.receive(khan, robot, text)
		h.nothing(t)
		if h.answer == nil || strings.Contains(h.text(), "Turn 1") || strings.Contains(h.text(), "Kor") {
			t.Errorf("%s: %s", text, h.text())
			continue
		}
		ids[h.answer.Message.MessageID] = true
	}
	if len(ids) != 1 {
		t.Errorf("%d answers in a day", len(ids))
	}
	o.desk.Strangers = false
	if h := o.receive(khan, robot, "#join wolf as Hood"); h.answer != nil {
		t.Error("answered although strangers are ignored")
	}
	o.says("#resign")
	if h := o.receive(khan, robot, "#join wolf as Hood", "Auto-Submitted: auto-replied"); len(h.Mails) > 0 {
		t.Error("an automatic mail joins")
	}
	if h := o.receive(khan, robot, "#join wolf as Hood"); len(h.Mails) != 1 {
		t.Error("an open game is not open")
	}
}

// TestSeveralSeats: what is not said is asked for.
func TestSeveralSeats(t *testing.T) {
	o := newOffice(t)
	o.set(`address = "kor@example.org"`, `address = "kirk@example.org"`)
	h := o.receive(kirk, robot, "#resign")
	h.nothing(t)
	if !hasCode2(h, desk.CodeWhichGame) {
		t.Error(h.text())
	}
	o.receive(kirk, o.keyed("Kor"), "#vote draw")
	if o.standing().Votes[1]["Kor"] != vault.VoteDraw || o.standing().Votes[1]["Kirk"] != "" {
		t.Errorf("%+v", o.standing().Votes)
	}
	if h := o.receive(kirk, robot, "#status"); hasErrors(h) {
		t.Error(h.text())
	}
	if h := o.receive(kirk, robot, "#report"); len(h.Mails) != 1 {
		t.Error(h.text())
	}
}

// TestAnswersToCommands: one for all that is in a mail.
func TestAnswersToCommands(t *testing.T) {
	o := newOffice(t)
	h := o.says("#status\n#statos\n#cancel ship Hodd\n\n" + o.order("power", "  mvoe 8"))
	if h.Outcome != desk.Done || !strings.Contains(h.answer.Message.Subject, "orders for Hood not accepted; 1 of 2 commands done, 3 errors") {
		t.Errorf("%s: %s", h.Outcome, h.answer.Message.Subject)
	}
	for _, want := range []string{"Turn 1 is due", "did you mean #status?", "you have no ship", "error E020"} {
		if !strings.Contains(h.text(), want) {
			t.Errorf("no %q in\n%s", want, h.answer.Message.Text)
		}
	}
	if h := o.says("#statos"); h.Outcome != desk.Refused || h.answer.Kind != desk.KindAck || !strings.Contains(h.text(), "did you mean #status?") {
		t.Errorf("%s\n%s", h.Outcome, h.answer.Message.Text)
	}
	// An attached set and commands in the text.
	h = o.receive(kirk, o.keyed("Kirk"), "--x\nContent-Type: text/plain\n\n#status\n--x\nContent-Type: text/plain; name=orders.txt\nContent-Disposition: attachment; filename=orders.txt\n\n"+
		o.order(plain)+"\n--x--\n", "Content-Type: multipart/mixed; boundary=x")
	if o.inForce("Hood") == "" || !strings.Contains(h.text(), "Turn 1 is due") {
		t.Errorf("%s\n%s", h.Reason, h.answer.Message.Text)
	}
}

// TestExplainShowsCommands: what is made of them, keys hidden.
func TestExplainShowsCommands(t *testing.T) {
	o := newOffice(t)
	raw := "From: kirk@example.org\r\nTo: " + robot + "\r\nSubject: status\r\n\r\n#final key " + o.key("Kirk") + "\r\n#resign key AAAA-BBBB\r\n"
	l := desk.Letter{SHA256: "x", Received: began}
	l.Mail, l.Err = mime.Read([]byte(raw))
	e, err := o.desk.Explain(l, nil)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, c := range e.Commands {
		got = append(got, fmt.Sprintf("%d %s %s %v", c.Line, c.Game, c.Command, c.Done))
	}
	if want := "0 wolf status true; 1 wolf final false; 2 wolf resign false"; strings.Join(got, "; ") != want {
		t.Errorf("%s", strings.Join(got, "; "))
	}
	if o.journal() != "" {
		t.Error(o.journal())
	}
	if strings.Contains(fmt.Sprintf("%+v", e), o.key("Kirk")) {
		t.Errorf("%+v", e)
	}
}

// TestCommandsWithoutAKey: what else shows who sent a mail serves for commands
// too, and none of it can be sent again by others.
func TestCommandsWithoutAKey(t *testing.T) {
	o := newOffice(t)
	o.desk.Border = auth.Border{IDs: []string{border}}
	o.withSeals()
	o.says(o.order(plain))
	proven := func(minutes int, text string) handled {
		t.Helper()
		return o.send("Kirk <kirk@example.org>", text, vouched("example.org"), came, dated(minutes))
	}
	for _, text := range []string{"#final", "#wait", "#cancel", "#vote draw"} {
		h := proven(5, text)
		h.nothing(t)
		if !hasCode2(h, desk.CodeNoTurn) {
			t.Errorf("%s: %s", text, h.text())
		}
		h = proven(5, text+" turn 70")
		h.nothing(t)
	}
	if h := proven(6, "#final turn 1"); hasErrors(h) || !strings.Contains(o.inForce("Hood"), "final") {
		t.Error(h.text())
	}
	for _, text := range []string{"#wait turn 1", "#cancel turn 1", "#orders wolf turn 1 ship Hood\npower\n  shields 2:8\n#end"} {
		if h := proven(4, text); len(h.Steps) > 0 || !strings.Contains(o.inForce("Hood"), "final") {
			t.Errorf("an older mail with %s: %s", text, h.text())
		}
	}
	const text = "#message to Riskadh\nYield!\n#end"
	if h := proven(8, text); len(h.Mails) != 1 {
		t.Error(h.text())
	}
	// Sent again by somebody else, in this turn or in another.
	for range 2 {
		h := proven(8, text)
		h.nothing(t)
		if !hasCode2(h, desk.CodeStale) {
			t.Error(h.text())
		}
		o.resolve()
	}
	if h := proven(9, text); len(h.Mails) != 1 {
		t.Error(h.text())
	}
	if h := o.send(kirk, sealed("#message to Riskadh\nYield!\n#end\n", "kirk", began.Add(10*time.Minute))); len(h.Mails) != 1 {
		t.Errorf("signed: %s", h.text())
	}
	// A command outside what was signed.
	if h := o.send(kirk, "#resign\n"+sealed("Hello\n", "kirk", began.Add(11*time.Minute))); len(h.Mails) > 0 || !hasCode2(h, desk.CodeBadSignature) {
		t.Errorf("signed beside it: %s", h.text())
	}
	// A subject is signed by nobody.
	if h := o.send(kirk, sealed("Hello\n", "kirk", began.Add(12*time.Minute)), "Subject: resign"); o.standing().HasVacant("Kirk") {
		t.Error(h.text())
	}
}
