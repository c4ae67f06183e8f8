package desk_test

import (
	"path/filepath"
	"strings"
	"testing"

	"starpost/engine/dice"
	"starpost/pbem/desk"
	"starpost/pbem/desk/command"
	"starpost/pbem/desk/effect"
	"starpost/pbem/desk/identity"
	"starpost/pbem/record/directory"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
)

// ambush is a battle in which a third captain arrives later.
const ambush = `format = 1
name = "ambush"
title = "Ambush"
rules = "stcs-basic"
[[side]]
id = "federation"
name = "Federation"
[[side]]
id = "klingon"
name = "Klingon"
[[ship]]
name = "Hood"
side = "federation"
class = "constitution-hood"
hex = "1133"
heading = "A"
[[ship]]
name = "Riskadh"
side = "klingon"
class = "d-10-wolf"
hex = "1101"
heading = "D"
[[ship]]
name = "Dagger"
side = "klingon"
class = "d-10-wolf"
hex = "0520"
heading = "B"
arrives = 3
[[victory]]
side = "federation"
when = "drive-off"
[[victory]]
side = "klingon"
when = "drive-off"
`

const chang = "chang@example.org"

func newAmbush(t *testing.T) *office {
	t.Helper()
	dir, seed := filepath.Join(t.TempDir(), "wolf"), uint64(1)
	mail := vault.DefaultMail()
	mail.Robot, mail.Open = robot, true
	if _, err := turn.Create(dir, catalogue(), turn.Setup{
		Scenario: []byte(ambush), ID: "wolf", Mail: mail,
		Captains: []vault.Captain{
			{Name: "Kirk", Address: kirk, Ships: []string{"Hood"}},
			{Name: "Kor", Address: kor, Ships: []string{"Riskadh"}},
			{Name: "Chang", Address: chang, Ships: []string{"Dagger"}},
		},
		Secret: dice.FromSeed(seed), Seed: &seed, Options: turn.Options{Now: began},
	}); err != nil {
		t.Fatal(err)
	}
	o := &office{t: t}
	var err error
	if o.game, err = vault.Open(directory.At(dir), catalogue()); err != nil {
		t.Fatal(err)
	}
	o.desk = &desk.Desk{Robot: effect.Robot{Address: robot, Name: "Starpost"}, Registry: identity.Registry{Games: o}, Services: command.Services{Listings: o}, Strangers: true}
	return o
}

// TestNothingHiddenIsTold checks that ships still to arrive stay unknown to the other side,
// whatever either side sends.
func TestNothingHiddenIsTold(t *testing.T) {
	o := newAmbush(t)
	secret := func(what, text string) {
		t.Helper()
		for _, word := range []string{"Chang", "Dagger", "chang"} {
			if strings.Contains(text, word) {
				t.Errorf("%s tells of %s:\n%s", what, word, text)
			}
		}
	}
	// Naming them gives the same answer as an unknown name.
	names := map[string]string{}
	for _, to := range []string{"Dagger", "Chang", "Nobody"} {
		h := o.says("#message to " + to + "\nHi\n#end")
		h.nothing(t)
		names[to] = strings.ReplaceAll(strings.ReplaceAll(h.text(), to, "X"), "=", "")
	}
	if names["Dagger"] != names["Nobody"] || names["Chang"] != names["Nobody"] {
		t.Errorf("%v", names)
	}
	for _, to := range []string{"Daggers", "Chan"} {
		h := o.says("#message to " + to + "\nHi\n#end")
		if strings.Contains(h.text(), "did you mean Dagger") || strings.Contains(h.text(), "did you mean Chang") {
			t.Error(h.text())
		}
	}
	// A message to all reaches them, without revealing it.
	h := o.says("#message to all\nHi\n#end")
	h.mail(t, effect.KindMessage, chang)
	secret("the answer", h.text())
	h = o.says("#message to Klingon\nHi\n#end")
	h.mail(t, effect.KindMessage, chang)
	secret("the answer", h.text())

	for _, text := range []string{"#vote draw", "#away 2026-03-05 2026-03-06", "#back", "#resign"} {
		h := o.receive(chang, o.keyed("Chang"), text)
		told := h.mail(t, effect.KindTold, kor)
		vote := text == "#vote draw" // everyone is told about a vote, but not who voted
		if strings.Contains(told.Message.Text, "Chang") == vote || strings.Contains(told.Message.Text, "Dagger") {
			t.Error(told.Message.Text)
		}
		for _, m := range h.Mails {
			if m.Message.To.Addr == kirk && (!vote || strings.Contains(m.Message.Text, "Chang")) {
				t.Errorf("%s is told to the other side", text)
			}
		}
		secret("the status after "+text, o.receive(kirk, robot, "#status").text())
	}
	if got := o.receive(kor, robot, "#status").text(); !strings.Contains(got, "Chang has no captain") {
		t.Error(got)
	}
	// The answer to a stranger who asks for a seat does not reveal them either.
	secret("the answer to a stranger", o.receive(khan, robot, "#join wolf as Hood").text())
	h = o.receive(khan, robot, "#join wolf as Chang")
	q := h.mail(t, effect.KindConfirm, khan)
	h = o.receive(khan, q.Message.ReplyTo.Addr, "confirm")
	if len(h.Mails) != 2 { // the new captain's report, and a notice to the own side
		t.Errorf("%d mails", len(h.Mails))
	}
	h.mail(t, effect.KindTold, kor)
	secret("the status", o.receive(kirk, robot, "#status").text())

	// A side may talk among itself.
	if h := o.receive(kor, o.keyed("Kor"), "#message to Dagger\nHi\n#end"); h.mail(t, effect.KindMessage, khan).Message.Text == "" {
		t.Error(h.text())
	}
	// Once they have arrived they are known.
	o.resolve()
	o.resolve()
	if h := o.says("#message to Dagger\nHi\n#end"); len(h.Mails) != 1 {
		t.Error(h.text())
	}
}
