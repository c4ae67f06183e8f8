package desk_test

import (
	"strings"
	"testing"

	"starpost/pbem/desk"
	"starpost/pbem/desk/codes"
)

// TestOwnTimeZone checks that a captain is told deadlines in their own zone as well as the game's, and
// that the others are not.
func TestOwnTimeZone(t *testing.T) {
	const mine = "for you Wed 4 Mar 2026, 17:45 +0545 (UTC+05:45)"
	o := newOffice(t)
	h := o.says("#zone Asia/Kathmandu")
	if h.Outcome != desk.Done || !strings.Contains(h.text(), "Wed 4 Mar 2026, 12:00 UTC, "+mine) || len(h.Mails) > 0 {
		t.Errorf("%s: %s", h.Reason, h.text())
	}
	if text := o.says("#status").text(); !strings.Contains(text, "For you that is Wed 4 Mar 2026, 17:45") {
		t.Error(text)
	}
	if text := o.says(o.order(Plain)).text(); !strings.Contains(text, mine) {
		t.Error(text)
	}
	o.resolve()
	if text := words(o.says("#report").Mails[0].Message.Text); !strings.Contains(text, "17:45 +0545 (UTC+05:45)") {
		t.Error(text)
	}
	if text := words(o.receive(kor, o.keyed("Kor"), "#report").Mails[0].Message.Text); strings.Contains(text, "0545") {
		t.Error(text)
	}
	for text, code := range map[string]string{
		"#zone": codes.BadCommand, "#zone Europe/Berln": codes.BadCommand, "#zone Local": codes.BadCommand, "#zone ../../etc/passwd": codes.BadCommand,
		"#zone /etc/localtime": codes.BadCommand, "#zone " + strings.Repeat("x", 900): codes.BadCommand, "#zone Europe/Berlin and more": codes.BadCommand,
	} {
		h := o.says(text)
		h.nothing(t)
		if h.Outcome == desk.Done || !hasCode2(h, code) {
			t.Errorf("%.30s: %s", text, h.text())
		}
	}
	o.says("#zone off")
	if text := o.says("#status").text(); strings.Contains(text, "For you") {
		t.Error(text)
	}
}
