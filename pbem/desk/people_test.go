package desk_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"starpost/pbem/auth"
	"starpost/pbem/desk"
	"starpost/pbem/desk/codes"
	"starpost/pbem/desk/effect"
	"starpost/pbem/orderset"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
	"starpost/pbem/vault/journal"
)

func TestCommandAway(t *testing.T) {
	o := newOffice(t)
	h := o.says("#away 2026-03-05 2026-03-10")
	told := h.mail(t, effect.KindTold, kor)
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
		"#away 2026-04-01 2026-04-15":                              "lasts 15 days; this game allows at most 14 days",
		"#away 2026-03-11 2026-03-20":                              "together with those announced",
		"#away 2026-03-12 2026-03-20":                              "together with those announced",
		"#away 2026-03-01 2026-03-02\n#away 2026-04-01 2026-04-02": "it cannot be in the same mail as",
	} {
		if h := o.says(text); !strings.Contains(h.text(), want) {
			t.Errorf("%s: %s", text, h.text())
		}
	}
	o.says("#away 2026-05-01 2026-05-14")
	if h := o.says("#away 2026-06-01 2026-06-02"); !strings.Contains(h.text(), "you have already announced 3 absences") {
		t.Error(h.text())
	}
	h = o.says("back")
	if h.mail(t, effect.KindTold, kor); len(o.standing().Away) == 0 || o.standing().Away[0].To.After(began.Add(time.Hour)) {
		t.Errorf("%+v", o.standing().Away)
	}
	h = o.says("#back")
	h.nothing(t)
	if h.Outcome != desk.Done || !strings.Contains(h.text(), "You have announced no absence") {
		t.Error(h.text())
	}
}

func TestCommandVote(t *testing.T) {
	o := newOffice(t)
	h := o.says("#vote draw")
	if text := words(h.mail(t, effect.KindTold, kor).Message.Text); !strings.Contains(text, "A captain has voted for a draw.") || !strings.Contains(text, "vote draw") || strings.Contains(text, "Kirk") {
		t.Error(text)
	}
	if o.standing().Votes[1]["Kirk"] != vault.VoteDraw {
		t.Errorf("%+v", o.standing().Votes)
	}
	o.says("#vote draw").nothing(t)
	h = o.says("#vote continue")
	if h.mail(t, effect.KindTold, kor); o.standing().Votes[1]["Kirk"] != "" {
		t.Errorf("%+v", o.standing().Votes)
	}
	o.says("#vote continue").nothing(t)
	if h := o.says("#vote draw turn 2"); !hasCode2(h, orderset.CodeFarTurn) {
		t.Error(h.text())
	}
	if h := o.says("#vote draw\n#vote continue"); !hasCode2(h, codes.Contradiction) {
		t.Error(h.text())
	}
	// A vote lasts only for its turn.
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
		if !hasCode2(h, orderset.CodeGameOver) {
			t.Errorf("%s when the game is over: %s", line, h.text())
		}
	}
	o.withLobby().set("open = false", "open = true")
	if h := o.receive(khan, robot, "#join wolf as Hood"); len(h.Mails)+len(h.Steps) > 0 || !strings.Contains(h.text(), "game wolf is over since turn 2") {
		t.Errorf("join when the game is over: %s", h.text())
	}
	if h := o.receive(khan, robot, "games"); !strings.Contains(h.text(), "ended with turn 2: The battle is a draw") || strings.Contains(h.text(), "free: ") {
		t.Errorf("games when it is over: %s", h.text())
	}
	// Some commands remain useful then.
	if h := o.receive(kirk, robot, "#status\n#report\n"); hasErrors(h) || !strings.Contains(h.text(), "The game ended with turn 2: a draw") || len(h.Mails) != 1 {
		t.Error(h.text())
	} else if m := h.Mails[0].Message; m.ReplyTo.Addr != "" || len(m.Attachments) != 2 || !strings.Contains(m.Text, o.game.Secret().String()[:16]) {
		t.Errorf("the last report lacks something: %+v", m.ReplyTo)
	}
}

func TestCommandProtest(t *testing.T) {
	o := newOffice(t)
	o.desk.Referee = operator
	o.resolve()
	h := o.says("#protest 1.3 the helm did\nnot answer " + khan)
	told := h.mail(t, effect.KindTold, operator)
	for _, want := range []string{"Kirk (Hood) protests", "from that captain's report; it is also in the journal. 1.3: Riskadh has 7 movement points: 2 3 2 [stcs 2.1]", "In their own words: | the helm did not answer"} {
		if !strings.Contains(words(told.Message.Text), want) {
			t.Errorf("no %q in %s", want, told.Message.Text)
		}
	}
	if len(h.Mails) != 1 || strings.Contains(told.Message.Text, "Send help") {
		t.Errorf("%d mails: %s", len(h.Mails), told.Message.Text)
	}
	st := o.standing()
	if len(st.Protests) != 1 || st.Protests[0].Turn != 1 || st.Protests[0].Event != 3 || st.Protests[0].Captain != "Kirk" {
		t.Errorf("%+v", st.Protests)
	}
	h = o.says("#protest 1")
	h.nothing(t)
	if !strings.Contains(h.text(), "- 1.7, phase 1: Hood moves 1133 -> 1127, heading A") || h.answer.Message.Subject != "[wolf] Events of turn 1" {
		t.Error(h.text())
	}
	for text, code := range map[string]string{
		"#protest 2.1 no": codes.NoReport, "#protest 0.1 no": codes.NoReport, "#protest 1.9999 no": codes.NoEvent,
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
		m := h.mail(t, effect.KindMessage, kor)
		if len(h.Mails) != 1 || len(h.Steps) != 1 || m.Message.From.Addr != robot || !strings.HasPrefix(m.Message.From.Name, "Kirk") || m.Message.ReplyTo.Addr != o.keyed("Kor") {
			t.Errorf("%s: %d mails, %d steps: %+v", to, len(h.Mails), len(h.Steps), m.Message)
		}
		for _, want := range []string{"  | Yield!", "  | ;   #resign", "  | > and so on", "From Kirk (Hood)", `"#message to Hood"`} {
			if !strings.Contains(strings.Join(strings.Fields(m.Message.Text), " "), words(want)) {
				t.Errorf("%s: no %q in\n%s", to, want, m.Message.Text)
			}
		}
		if strings.Contains(m.Message.Text, kirk) || strings.Contains(h.answer.Message.Text, kor) || strings.Contains(h.answer.Message.Text, "@") {
			t.Errorf("an address is shown:\n%s", m.Message.Text)
		}
		// A reply that quotes everything without marks has no effect.
		if back := o.receive(kor, m.Message.ReplyTo.Addr, "Never!\n\n"+m.Message.Text); len(back.Steps) > 0 || len(back.Mails) > 0 {
			t.Errorf("the quoted message does something: %s", back.Reason)
		}
	}
	entries, err := o.game.Journal.Entries()
	if err != nil {
		t.Fatal(err)
	}
	var d journal.MessageData
	if err := entries[0].Decode(&d); err != nil || d.To != "Riskadh" || d.Text != text || len(d.Captains) != 1 || d.Captains[0] != "Kor" {
		t.Errorf("%+v, %v", d, err)
	}
	for to, hint := range map[string]string{"Riskad": "Riskadh", "Hood": "", "Kirk": "", "side": "", "Federation": "", "kor@example.org": ""} {
		h := o.says("#message to " + to + "\nHi\n#end")
		h.nothing(t)
		if !hasCode2(h, codes.NoAddressee) || !strings.Contains(h.text(), hint) {
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
		if !hasCode2(h, codes.TooMuch) {
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
	if h := o.says(text); len(h.Mails) >= 20 || !hasCode2(h, codes.TooMuch) {
		t.Errorf("%d messages in a mail", len(h.Mails))
	}
}
