package desk_test

import (
	"cmp"
	"path/filepath"
	"strings"
	"testing"

	"starpost/engine/dice"
	"starpost/engine/rules/fasa"
	"starpost/pbem/desk"
	"starpost/pbem/desk/command"
	"starpost/pbem/desk/effect"
	"starpost/pbem/desk/identity"
	"starpost/pbem/record/directory"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
)

// officeOf returns an office with an open game of a scenario, in which seats without a captain are
// free.
func officeOf(t *testing.T, scenario string, mail vault.MailSettings, captains ...vault.Captain) *office {
	t.Helper()
	all, err := fasa.Scenarios()
	if err != nil {
		t.Fatal(err)
	}
	mail.Robot, mail.Open, mail.Start = robot, true, cmp.Or(mail.Start, vault.StartNow)
	dir := filepath.Join(t.TempDir(), "wolf")
	if _, err := turn.Create(dir, catalogue(), turn.Setup{
		Scenario: all[scenario], ID: "wolf", Mail: mail, Captains: captains, Secret: dice.FromSeed(1), Options: turn.Options{Now: began},
	}); err != nil {
		t.Fatal(err)
	}
	o := &office{t: t}
	if o.game, err = vault.Open(directory.At(dir), catalogue()); err != nil {
		t.Fatal(err)
	}
	o.desk = &desk.Desk{Robot: effect.Robot{Address: robot, Name: "Starpost"}, Registry: identity.Registry{Games: o}, Services: command.Services{Listings: o}, Strangers: true}
	return o.withLobby()
}

// takes joins a game from an address and confirms; it returns the ships of that captain.
func (o *office) takes(who, line string) string {
	o.t.Helper()
	q := o.receive(who, robot, line).mail(o.t, effect.KindConfirm, who)
	if h := o.receive(who, q.Message.ReplyTo.Addr, "confirm"); h.Outcome != desk.Done {
		o.t.Fatalf("%s: %s", line, h.text())
	}
	for _, c := range o.game.Settings().Captains {
		if c.Address == who {
			return strings.Join(c.Ships, " ")
		}
	}
	return ""
}

// A captain who names no seat gets one on the side with the fewest captains.
func TestJoinTakesTheFairestSeat(t *testing.T) {
	o := officeOf(t, "convoy", vault.DefaultMail())
	raiders := func(ship string) bool {
		s, _ := turn.Load(o.game)
		found, err := s.FindShip(ship)
		return err == nil && found.Side == "raiders"
	}
	first := o.takes("a@example.org", "#join wolf")
	second := o.takes("b@example.org", "join wolf")
	if raiders(first) == raiders(second) {
		t.Errorf("two captains have %s and %s, of one side", first, second)
	}
	if ship := o.takes("c@example.org", "join wolf side RAIDERS"); !raiders(ship) {
		t.Errorf("on the raiders' side: %s", ship)
	}
	if ship := o.takes("d@example.org", "join wolf"); raiders(ship) {
		t.Errorf("the raiders have more already, and get %s", ship)
	}
	for line, want := range map[string]string{
		"join wolf side klingon": `the game has no side "klingon"`, "join wolf side raider": "Did you mean Raiders?", "#join wolf side": "which seat do you want? none is named",
		"#join": "which game do you want to join?", "#join wolf now": `"now" is not understood here`, "#join wulf": "Did you mean wolf?",
	} {
		if h := o.receive(strings.Map(letters, line)+"@example.org", robot, line); h.answer == nil || !strings.Contains(h.text(), want) || len(h.Mails) > 0 {
			t.Errorf("%s: %s, want %q", line, h.text(), want)
		}
	}
	for n := range 20 {
		who := string(rune('f'+n)) + "@example.org"
		h := o.receive(who, robot, "join wolf side Raiders")
		if len(h.Mails) == 0 {
			if !strings.Contains(h.text(), "no seat of side Raiders is free") || !strings.Contains(h.text(), "Free are: ") {
				t.Errorf("a side that is full: %s", h.text())
			}
			return
		}
		o.receive(who, h.Mails[0].Message.ReplyTo.Addr, "confirm")
	}
	t.Error("the side is never full")
}

// The list of games shows the state of free seats in a running battle, and what a game waits for
// that has not begun.
func TestGamesTellHowSeatsStand(t *testing.T) {
	o := officeOf(t, "big-bad-wolf", vault.DefaultMail(), vault.Captain{Name: "Kirk", Address: kirk, Ships: []string{"Hood"}})
	if text := o.receive(stranger, robot, "games").text(); !strings.Contains(text, "free: Riskadh") || strings.Contains(text, "hull") || !strings.Contains(text, "turn 1 is due by ") {
		t.Errorf("before the battle: %s", text)
	}
	o.resolve()
	if text := o.receive(stranger, robot, "games").text(); !strings.Contains(text, "turn 2 is due by ") || !strings.Contains(text, "free: Riskadh (hull 100 %)") {
		t.Errorf("in the battle: %s", text)
	}
	mail := vault.DefaultMail()
	mail.Start = vault.StartFull
	o = officeOf(t, "big-bad-wolf", mail)
	if text := o.receive(stranger, robot, "games").text(); !strings.Contains(text, "it begins when all seats are taken, a turn in 72h") {
		t.Errorf("before it begins: %s", text)
	}
}

func letters(r rune) rune {
	if r == ' ' || r == '#' {
		return '-'
	}
	return r
}
