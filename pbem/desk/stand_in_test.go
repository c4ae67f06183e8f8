package desk_test

import (
	"slices"
	"strings"
	"testing"

	"starpost/pbem/auth"
	"starpost/pbem/desk"
	"starpost/pbem/desk/codes"
	"starpost/pbem/desk/effect"
)

const bo = "bo@home.example"

// TestStandIn checks that a proposed stand-in gets nothing before agreeing, and then may give orders for these days
// only, and nothing else.
func TestStandIn(t *testing.T) {
	o := newOffice(t)
	h := o.says("#away until 2026-03-04 stand-in " + bo)
	q := h.mail(t, effect.KindConfirm, bo)
	if text := words(q.Message.Text); !strings.Contains(text, "asks you to give the orders from Sun 1 Mar 2026 to Wed 4 Mar 2026") || strings.Contains(q.Message.Text, kirk) || strings.Contains(q.Message.Text, o.key("Kirk")) {
		t.Errorf("he is asked:\n%s", q.Message.Text)
	}
	if told := h.mail(t, effect.KindTold, kor).Message.Text; strings.Contains(told, bo) {
		t.Errorf("the others are told\n%s", told)
	}
	order := func(want desk.Outcome) handled {
		t.Helper()
		h := o.receive(bo, robot, o.order(Plain))
		if h.Outcome != want {
			t.Errorf("%s, want %s: %s\n%s", h.Outcome, want, h.Reason, h.text())
		}
		return h
	}
	order(desk.Ignored)
	o.receive(khan, q.Message.ReplyTo.Addr, "confirm").nothing(t)

	h = o.receive(bo, q.Message.ReplyTo.Addr, "confirm")
	if h.Outcome != desk.Done || h.answer.Message.To.Addr != bo || !strings.Contains(h.text(), "From 1 Mar 2026 to 4 Mar 2026 you give the orders of captain Kirk") {
		t.Fatalf("%s: %s", h.Reason, h.text())
	}
	if report := h.mail(t, effect.KindReport, bo).Message; report.ReplyTo.Addr != o.keyed("Kirk") || !strings.Contains(h.mail(t, effect.KindTold, kirk).Message.Text, "stand-in gives your orders") {
		t.Errorf("%+v", report.ReplyTo)
	}
	if again := o.receive(bo, q.Message.ReplyTo.Addr, "confirm"); again.Outcome == desk.Done {
		t.Errorf("confirmed twice: %s", again.text())
	}
	if h := order(desk.Done); h.answer.Message.To.Addr != bo {
		t.Errorf("the orders are acknowledged to %s", h.answer.Message.To.Addr)
	}
	for _, text := range []string{"#resign", "#address " + khan, "#away 2026-03-02 2026-03-03", "#back", "#name Bo", "#invite " + khan, "#vote draw", "#protest 0"} {
		h := o.receive(bo, o.keyed("Kirk"), text)
		h.nothing(t)
		if !hasCode2(h, codes.NotYours) || !strings.Contains(h.text(), "you stand in for Kirk") {
			t.Errorf("%s: %s", text, h.text())
		}
	}
	for _, text := range []string{"#status", "#final", "#message all: Hello.", "#cancel"} {
		if h := o.receive(bo, o.keyed("Kirk"), text); h.Outcome != desk.Done {
			t.Errorf("%s: %s", text, h.text())
		}
	}
	hear := func(want ...string) {
		t.Helper()
		var got []string
		for _, m := range o.receive(kor, o.keyed("Kor"), "#message Kirk: Hello.").Mails {
			if got = append(got, m.Message.To.Addr); !strings.Contains(m.Message.Text, "Hello.") || strings.Contains(m.Message.Text, "@home") {
				t.Errorf("to %s\n%s", m.Message.To.Addr, m.Message.Text)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("a message to the captain goes to %q, want %q", got, want)
		}
	}
	hear(kirk, bo)
	if text := o.says("#status").text(); !strings.Contains(text, "Kirk is away from 1 Mar 2026 to 4 Mar 2026, with a stand-in") {
		t.Error(text)
	}
	o.mail += 4 * 24 * 60
	order(desk.Ignored)
	hear(kirk)
	if h := o.receive(kirk, robot, o.order(Plain)); h.Outcome != desk.Done {
		t.Errorf("the captain: %s", h.text())
	}

	// The captain returns early.
	h = o.says("#away until 2026-03-09 stand-in " + bo)
	q = h.mail(t, effect.KindConfirm, bo)
	o.receive(bo, q.Message.ReplyTo.Addr, "confirm")
	order(desk.Done)
	if told := o.says("#back").mail(t, effect.KindTold, bo).Message; !strings.Contains(words(told.Text), "You no longer stand in") || told.ReplyTo.Addr != "" {
		t.Errorf("%+v", told)
	}
	order(desk.Ignored)
}

// TestBadStandIns checks that they are refused, and that no question goes out.
func TestBadStandIns(t *testing.T) {
	o := newOffice(t)
	o.receive(kor, o.keyed("Kor"), "#away until 2026-03-03")
	for text, want := range map[string]string{
		"#away until 2026-03-04 stand-in " + kirk:                     "you cannot stand in for yourself",
		"#away until 2026-03-04 stand-in jim@example.net":             "you cannot stand in for yourself",
		"#away until 2026-03-04 stand-in " + kor:                      "on another side of this game",
		"#away until 2026-03-04 stand-in " + robot:                    "is not an address that mail can be sent to",
		"#away until 2026-03-04 stand-in " + auth.WithKey(robot, "7"): "is not an address that mail can be sent to",
		"#away until 2026-03-04 stand-in bo":                          "write one mail address after stand-in",
		"#away until 2026-03-04 stand-in " + bo + " " + khan:          "write one mail address after stand-in",
		"#away stand-in " + bo:                                        "the first day of your absence is missing",
		"#away until stand-in " + bo:                                  "the last day of your absence is missing",
		"#away until 2026-02-04 stand-in " + bo:                       "before its first",
		"#away until 2026-04-04 stand-in " + bo:                       "this game allows at most 14 days",
	} {
		h := o.says(text)
		h.nothing(t)
		if len(h.Mails) > 0 || !strings.Contains(words(h.text()), want) {
			t.Errorf("%s: %d mails\n%s", text, len(h.Mails), h.text())
		}
	}
	// If the game hides who plays, the answer does not reveal it either, and no question goes out.
	o.set("show_missing = true", "show_missing = true\nanonymous = true")
	if h := o.says("#away until 2026-03-04 stand-in " + kor); h.Outcome != desk.Done || !strings.Contains(h.text(), "A mail with a question goes to "+kor) {
		t.Errorf("%s", h.text())
	} else {
		for _, m := range h.Mails {
			if m.Kind == effect.KindConfirm {
				t.Errorf("an enemy is asked: %+v", m.Message.To)
			}
		}
	}
}
