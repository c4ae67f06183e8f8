package desk_test

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"starpost/engine"
	"starpost/engine/family"
	"starpost/engine/rules/sfb"
	"starpost/pbem/auth"
	"starpost/pbem/desk"
	"starpost/pbem/desk/codes"
	"starpost/pbem/desk/command"
	"starpost/pbem/desk/effect"
	"starpost/pbem/desk/identity"
	"starpost/pbem/mime"
	"starpost/pbem/orderset"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
)

const (
	kirk     = "kirk@example.org"
	kor      = "kor@example.org"
	khan     = "khan@example.com"
	operator = "operator@example.org"
	Plain    = "power\n  move 8\n  shields 1:13 2:13 3:13 4:13\nphase 1\n  move F\nphase 3\n  move F"
)

// keyed returns the robot's address with a captain's key for the due turn.
func (o *office) keyed(captain engine.CaptainName) string { return auth.WithKey(robot, o.key(captain)) }

// says sends a mail from Kirk with the key.
func (o *office) says(text string, headers ...string) handled {
	o.t.Helper()
	return o.receive(kirk, o.keyed("Kirk"), text, headers...)
}

// subject sends a mail with a subject and no text.
func (o *office) subject(from, to, subject string) handled {
	o.t.Helper()
	o.mail++
	raw := fmt.Sprintf("From: %s\r\nTo: %s\r\nSubject: %s\r\nMessage-ID: <%d@example.org>\r\n\r\n\r\n", from, to, subject, o.mail)
	l := identity.Incoming{SHA256: vault.Hash([]byte(raw)), Received: began.Add(time.Duration(o.mail) * time.Minute)}
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

func (o *office) standing() vault.AdminState {
	o.t.Helper()
	st, err := o.game.AdminState()
	if err != nil {
		o.t.Fatal(err)
	}
	return st
}

// journal returns the kinds of all entries.
func (o *office) journal() string {
	o.t.Helper()
	all, err := o.game.Journal.Entries()
	if err != nil {
		o.t.Fatal(err)
	}
	var kinds []string
	for _, e := range all {
		kinds = append(kinds, e.Kind)
	}
	return strings.Join(kinds, " ")
}

// mail returns the mail of a kind to an address.
func (h handled) mail(t *testing.T, kind, address string) effect.Outgoing {
	t.Helper()
	for _, m := range h.Mails {
		if m.Kind == kind && m.Message.To.Addr == address {
			return m
		}
	}
	t.Fatalf("no %s to %s among %d mails", kind, address, len(h.Mails))
	return effect.Outgoing{}
}

func words(text string) string { return strings.Join(strings.Fields(text), " ") }

// nothing checks that a mail changed nothing and caused no notices.
func (h handled) nothing(t *testing.T) {
	t.Helper()
	if len(h.Steps) > 0 || len(h.Mails) > 0 {
		t.Errorf("%d steps, %d mails: %s", len(h.Steps), len(h.Mails), h.Reason)
	}
}

// TestWhoMayCommand checks that a command that changes something needs the same proof as an order
// set, and that answers to questions go to the registered address only.
func TestWhoMayCommand(t *testing.T) {
	for _, v := range command.All() {
		if v.Anybody || v.Name == "check" || v.Name == "leave" || v.Name == "beacon" { // leave: only in a game that has not begun; beacon: TestBeaconByMail
			continue
		}
		t.Run(v.Name, func(t *testing.T) {
			o := newOffice(t)
			o.desk.Allocate = []family.Allocator{sfb.Family().Allocate}
			o.resolve()
			o.receive(kirk, o.keyed("Kirk"), o.order(Plain))
			if v.Name == "invite" {
				o.set("open = false", "open = true")
				o.receive(kor, o.keyed("Kor"), "#resign")
			}
			line := map[string]string{
				"invite": "#invite new@example.net", "name": "#name Ann",
				"away": "#away 2026-03-03 2026-03-05", "vote": "#vote draw", "address": "#address new@example.net", "protest": "#protest 1.1 no",
				"message": "#message to Riskadh\nYield!\n#end", "allocate": "#allocate cadet-klingon\n1:1\n#end", "cancel": "#cancel turn 2", "final": "#final turn 2", "zone": "#zone Europe/Berlin", "wait": "#wait turn 2",
			}[v.Name]
			if line == "" {
				line = "#" + v.Name
			}
			keyed := strings.Replace(line, "#"+v.Name, "#"+v.Name+" wolf key KEY", 1)
			for _, c := range []struct {
				name, from, to, text, code string
				answered                   string
			}{
				{"no key", kirk, robot, line, codes.NoKey, kirk},
				{"a wrong key", kirk, robot, strings.Replace(keyed, "KEY", "AAAA-BBBB", 1), codes.WrongKey, kirk},
				{"another's key", kirk, o.keyed("Kor"), line, codes.WrongKey, kirk},
				{"the key of the last turn", kirk, auth.WithKey(robot, turn.Key(o.game, 1, "Kirk")), strings.Replace(line, "turn 2", "", 1), codes.WrongKey, kirk},
				{"a second author", kirk + ", " + khan, o.keyed("Kirk"), line, codes.NotYours, kirk},
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
		if h.Outcome != desk.Done || h.answer.Message.Subject != "What you can send" || h.answer.Kind != desk.KindAck {
			t.Errorf("%s: %s, %s", h.Outcome, h.Reason, h.answer.Message.Subject)
		}
		for _, v := range command.All() {
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
	o.says(o.order(Plain, "final"))
	wants("in", "Hood (Kirk): orders are in, received Sun 1 Mar 2026, 12:02 UTC; you said final")
	if got := o.receive(kor, robot, "#status").text(); !strings.Contains(got, "Hood (Kirk): orders are in -") || strings.Contains(got, "final") {
		t.Errorf("for another: %s", got)
	}
	o.receive(kor, o.keyed("Kor"), "#away 2026-03-05 2026-03-07\n#vote draw")
	wants("away", "Kor is away from 5 Mar 2026 to 7 Mar 2026", "a captain has voted for a draw")
	o.receive(kor, o.keyed("Kor"), "#resign")
	wants("gone", "Riskadh (Kor): the robot gives the orders", "Kor has no captain", "!anybody may join", "!is away", "!votes")
	o.set("open = false", "open = true")
	wants("open", "anybody may join")
	o.set("show_missing = true", "show_missing = false")
	wants("hidden", "Hood (Kirk)", "!Riskadh (")
	o.resolve()
	if h := o.receive(kirk, robot, "status"); h.answer.Message.Subject != "[wolf] Status before turn 2" {
		t.Error(h.answer.Message.Subject)
	}
	if h := o.receive(kirk, robot, "#status wulf"); !hasCode2(h, codes.UnknownGame) || !strings.Contains(h.text(), "did you mean wolf?") {
		t.Error(h.text())
	}
}

func hasCode2(h handled, code string) bool { return strings.Contains(h.text(), " "+code+":") }

func TestCommandReport(t *testing.T) {
	o := newOffice(t)
	o.resolve()
	stored, err := o.game.Stages.File(vault.At(1), "reports/hood.txt")
	if err != nil {
		t.Fatal(err)
	}
	h := o.receive("Jim@example.net", robot, "#report")
	m := h.mail(t, effect.KindReport, "jim@example.net") // the address that wrote the mail
	if m.Message.Text != string(stored) || !m.Answer || len(m.Message.Attachments) != 1 {
		t.Errorf("%s", m.Message.Text)
	}
	id, err := turn.MessageID(o.game, vault.Stage{Turn: 1}, "Kirk")
	if err != nil {
		t.Fatal(err)
	}
	if m.Message.MessageID == id || m.Message.InReplyTo != id || m.Message.ReplyTo.Addr != o.keyed("Kirk") || m.Message.Subject != "[wolf] Turn 1: report for Hood" {
		t.Errorf("%+v", m.Message)
	}
	m = o.receive(kirk, robot, "#report wolf turn 0").mail(t, effect.KindReport, kirk)
	if !strings.Contains(m.Message.Text, "Report of turn 0") || m.Message.ReplyTo.Addr != o.keyed("Kirk") {
		t.Errorf("%+v", m.Message.ReplyTo)
	}
	h = o.receive(kirk, robot, "#report 2")
	h.nothing(t)
	if !hasCode2(h, codes.NoReport) || h.Outcome != desk.Refused {
		t.Error(h.text())
	}
	h = o.receive(kirk, robot, "#report 0\n#report 1\n#report\n#report wolf\n")
	if len(h.Mails) != 3 || !hasCode2(h, codes.TooMuch) || !strings.Contains(h.answer.Message.Subject, "3 of 4 commands done, 1 error") {
		t.Errorf("%d mails: %s", len(h.Mails), h.answer.Message.Subject)
	}
}

func TestCommandCheck(t *testing.T) {
	o := newOffice(t)
	o.says(o.order(Plain))
	before := o.inForce("Hood")
	h := o.says("#check\n\n" + o.order("power", "  move 24", "  shields 2:8", "  arm bank-a 5", "phase 1", "  pursue Riskadh", "phase 2", "  pursue Riskadh", "phase 3", "  pursue Riskadh"))
	h.nothing(t)
	if o.inForce("Hood") != before || h.Outcome != desk.Done {
		t.Errorf("%s: %s", h.Outcome, o.inForce("Hood"))
	}
	for _, want := range []string{"The order sets in this mail were not stored", "were checked and not stored", "shields 4, weapons", "Checked, not in force", "Forecast", "your earlier one for turn 1"} {
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
	// It works the same below the set; nothing is stored by mistake.
	h = o.says(o.order("power", "  move 8") + "#check\n")
	h.nothing(t)
	h = o.says("#check")
	h.nothing(t)
	if !hasCode2(h, codes.BadCommand) {
		t.Error(h.text())
	}
	h = o.receive(kirk, robot, "#check\n"+strings.Replace(o.order(Plain), "key ", "kex ", 1))
	h.nothing(t)
	if strings.Contains(h.text(), "Forecast") {
		t.Errorf("of an untrusted set is told: %s", h.text())
	}
}

func TestCommandCancel(t *testing.T) {
	o := newOffice(t)
	put := func() { t.Helper(); o.says(o.order(Plain)) }
	put()
	h := o.says("#cancel")
	if o.inForce("Hood") != "" || h.answer.Message.Subject != "[wolf] Turn 1: orders dropped, if there were any" {
		t.Error(h.answer.Message.Subject)
	}
	put()
	if o.receive(kirk, robot, "#cancel wolf turn 1 ship hood key "+o.key("Kirk")); o.inForce("Hood") != "" {
		t.Error("not dropped by name")
	}
	put()
	for text, code := range map[string]string{
		"#cancel ship Hodd":          orderset.CodeUnknownShip,
		"#cancel ship Riskadh":       orderset.CodeUnknownShip,
		"#cancel turn 0":             orderset.CodePastTurn,
		"#cancel turn 99":            orderset.CodeFarTurn,
		"#cancel Hood":               codes.UnknownGame,
		"#final\n#cancel":            codes.Contradiction,
		"#cancel\n" + o.order(Plain): codes.CancelAndSet,
	} {
		if h := o.says(text); !hasCode2(h, code) || o.inForce("Hood") == "" {
			t.Errorf("%s: no %s in\n%s", text, code, h.text())
		}
	}
	// A set sent ahead is dropped by naming its turn.
	o.says(strings.Replace(o.order(Plain), "turn 1", "turn 2", 1))
	if o.says("#cancel turn 2"); o.inForce("Hood") == "" {
		t.Error("the set of this turn is gone")
	}
	if files, err := o.game.Orders.For(vault.At(2)); err != nil || len(files) > 0 {
		t.Error(files, err)
	}
	o.resolve()
	put()
	if h := o.receive(kirk, auth.WithKey(robot, turn.Key(o.game, 1, "Kirk")), "#cancel turn 1"); !hasCode2(h, orderset.CodePastTurn) || o.inForce("Hood") == "" {
		t.Errorf("late: %s", h.text())
	}
}

func TestCommandFinalAndWait(t *testing.T) {
	o := newOffice(t)
	for _, word := range []string{"final", "wait"} {
		if h := o.says("#" + word); !hasCode2(h, codes.NothingInForce) || len(h.Steps) > 0 {
			t.Error(h.text())
		}
	}
	o.says(o.order(Plain))
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
	// In a block of its own, the word does not replace the other orders.
	for _, word := range []string{"final", "wait"} {
		h := o.says(o.order(word))
		got := o.inForce("Hood")
		if strings.Replace(got, word+"\n", "", 1) != plainSet || len(h.Diagnostics()) > 0 || !strings.Contains(h.text(), word+" was added to the orders in force") || !strings.Contains(h.text(), "Your earlier set, now with the word "+word) {
			t.Errorf("a block with %s: %s\n%s", word, got, h.text())
		}
	}
	o.says("#cancel")
	if h := o.says(o.order("final")); strings.Contains(o.inForce("Hood"), "move") || !hasCode(h, "W122") {
		t.Errorf("a block with final after cancel: %s\n%s", o.inForce("Hood"), h.text())
	}
	// It works with a set in the same mail, above or below it.
	for _, text := range []string{"#final\n" + o.order(Plain), o.order(Plain) + "#final\n", "final\n\n" + o.order(Plain)} {
		h := o.says(text)
		if got := o.inForce("Hood"); !strings.Contains(got, "final\n") || !strings.Contains(h.text(), "| final") {
			t.Errorf("%s\n%s", got, h.answer.Message.Text)
		}
		if h.answer.Message.Subject != "[wolf] Turn 1: orders for Hood accepted; final done" {
			t.Error(h.answer.Message.Subject)
		}
	}
	if h := o.says("#wait\n#final"); !hasCode2(h, codes.Contradiction) || !strings.Contains(o.inForce("Hood"), "wait") {
		t.Error(h.text())
	}
	if h := o.says("#final turn 5"); !hasCode2(h, codes.NothingInForce) {
		t.Error(h.text())
	}
	if h := o.says("#final turn 50"); !hasCode2(h, orderset.CodeFarTurn) {
		t.Error(h.text())
	}
}

// TestSeveralSeats checks that the answer asks which seat is meant.
func TestSeveralSeats(t *testing.T) {
	o := newOffice(t)
	o.set(`address = "kor@example.org"`, `address = "kirk@example.org"`)
	h := o.receive(kirk, robot, "#resign")
	h.nothing(t)
	if !hasCode2(h, codes.WhichGame) {
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

// TestAnswersToCommands checks that a mail gets one answer for everything in it.
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
	// An attached set, and commands in the text.
	h = o.receive(kirk, o.keyed("Kirk"), "--x\nContent-Type: text/plain\n\n#status\n--x\nContent-Type: text/plain; name=orders.txt\nContent-Disposition: attachment; filename=orders.txt\n\n"+
		o.order(Plain)+"\n--x--\n", "Content-Type: multipart/mixed; boundary=x")
	if o.inForce("Hood") == "" || !strings.Contains(h.text(), "Turn 1 is due") {
		t.Errorf("%s\n%s", h.Reason, h.answer.Message.Text)
	}
}

// TestExplainShowsCommands checks their results, with keys hidden.
func TestExplainShowsCommands(t *testing.T) {
	o := newOffice(t)
	raw := "From: kirk@example.org\r\nTo: " + robot + "\r\nSubject: status\r\n\r\n#final key " + o.key("Kirk") + "\r\n#resign key AAAA-BBBB\r\n"
	l := identity.Incoming{SHA256: "x", Received: began}
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

// TestCommandsWithoutAKey checks that other proofs are valid for commands too, and that others
// cannot replay any of it.
func TestCommandsWithoutAKey(t *testing.T) {
	o := newOffice(t)
	o.desk.Border = auth.TrustBoundary{IDs: []string{border}}
	o.withSeals()
	o.says(o.order(Plain))
	proven := func(minutes int, text string) handled {
		t.Helper()
		return o.send("Kirk <kirk@example.org>", text, vouched("example.org"), came, dated(minutes))
	}
	for _, text := range []string{"#final", "#wait", "#cancel", "#vote draw"} {
		h := proven(5, text)
		h.nothing(t)
		if !hasCode2(h, codes.NoTurn) {
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
	// Replayed by someone else, in this turn or in another.
	for range 2 {
		h := proven(8, text)
		h.nothing(t)
		if !hasCode2(h, codes.Stale) {
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
	// A command outside the signed text.
	if h := o.send(kirk, "#resign\n"+sealed("Hello\n", "kirk", began.Add(11*time.Minute))); len(h.Mails) > 0 || !hasCode2(h, codes.BadSignature) {
		t.Errorf("signed beside it: %s", h.text())
	}
	// A subject is never signed.
	if h := o.send(kirk, sealed("Hello\n", "kirk", began.Add(12*time.Minute)), "Subject: resign"); o.standing().HasVacant("Kirk") {
		t.Error(h.text())
	}
}
