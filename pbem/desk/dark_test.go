package desk_test

import (
	"bytes"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/pbem/desk"
	"starpost/pbem/desk/command"
	"starpost/pbem/desk/effect"
	"starpost/pbem/desk/identity"
	"starpost/pbem/record/directory"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
)

// newDark returns a blind battle in which Kirk finds no one, with or without a third captain.
func newDark(t *testing.T, votes, more string, captains ...vault.Captain) *office {
	t.Helper()
	dir, seed := filepath.Join(t.TempDir(), "wolf"), uint64(1)
	mail := vault.DefaultMail()
	mail.Robot = robot
	scenario, _, _ := strings.Cut(ambush, "[[ship]]\nname = \"Dagger\"")
	_, goals, _ := strings.Cut(ambush, "arrives = 3\n")
	if _, err := turn.Create(dir, catalogue(), turn.Setup{
		Scenario: []byte(strings.Replace(scenario, `"1101"`, `"9090"`, 1) + more + goals + "[blind]\n" + votes), ID: "wolf", Mail: mail,
		Captains: append([]vault.Captain{{Name: "Kirk", Address: kirk, Ships: []string{"Hood"}}, {Name: "Kor", Address: kor, Ships: []string{"Riskadh"}}}, captains...),
		Secret:   dice.FromSeed(seed), Seed: &seed, Options: turn.Options{Now: began},
	}); err != nil {
		t.Fatal(err)
	}
	o := &office{t: t}
	var err error
	if o.game, err = vault.Open(directory.At(dir), catalogue()); err != nil {
		t.Fatal(err)
	}
	o.desk = &desk.Desk{Robot: effect.Robot{Address: robot, Name: "Starpost"}, Registry: identity.Registry{Games: o}, Services: command.Services{Listings: o}}
	return o
}

// TestADarkGameTellsOfNobody checks that Kirk gets the same bytes with a third captain or without: reports, answers
// to any mail, and no mail about what others do. Only the hash of the game's record differs, which covers hidden
// facts.
func TestADarkGameTellsOfNobody(t *testing.T) {
	hash := regexp.MustCompile(`(?s)Hash of the record so far:.*?(==|</p>|</dd>|\r?\n\r?\n|\z)`)
	var got [2][][]byte
	for k := range got {
		var o *office
		if k == 0 {
			o = newDark(t, secretVotes, "")
		} else {
			o = newDark(t, secretVotes, "[[ship]]\nname = \"Dagger\"\nside = \"klingon\"\nclass = \"d-10-wolf\"\nhex = \"0190\"\nheading = \"B\"\n",
				vault.Captain{Name: "Chang", Address: chang, Ships: []string{"Dagger"}})
		}
		keep := func(data []byte) { got[k] = append(got[k], hash.ReplaceAll(data, nil)) }
		for n := range 2 {
			drawn, err := turn.Draw(o.game, vault.Stage{Turn: n})
			if err != nil {
				t.Fatal(err)
			}
			for _, form := range []turn.Form{turn.Text, turn.JSON, turn.HTML, turn.SVG} {
				data, err := drawn.Report(engine.Seat{Ship: "hood"}, form)
				if err != nil {
					t.Fatal(err)
				}
				keep(data)
			}
			for _, text := range []string{
				"#status", "#message to Dagger\nHi\n#end", "#message to Chang\nHi\n#end", "#message to all\nHi\n#end", "#message to Klingon\nHi\n#end", "#vote draw", "#people", "#join wolf as Dagger",
				fmt.Sprintf("#orders wolf turn %d ship Dagger\npower\n#end", n+1), fmt.Sprintf("#orders wolf turn %d ship Dagge\npower\n#end", n+1),
				fmt.Sprintf("#orders wolf turn %d ship Hood\npower\n  move 4\nphase 2\n  pursue Dagger\n  fire all at Riskadh\n#end", n+1),
				"#away 2026-03-05 2026-03-06", "#back", "#games", "#help", "#rules", "#report 0", "#replay", "#check", "#status all", "#protest 1 why",
			} {
				h := o.says(text)
				if text == "#games" && !strings.Contains(h.text(), "wolf: ") || strings.Contains(h.text(), "Klingon against") || strings.Contains(h.text(), "against Klingon") {
					t.Errorf("%s got %s", text, h.text())
				}
				keep([]byte(h.text()))
				for _, m := range h.Mails {
					if m.Message.To.Addr != kirk {
						t.Errorf("%s is told to %s", text, m.Message.To.Addr)
					}
				}
			}
			if k == 1 {
				for _, text := range []string{"#vote draw", "#away 2026-03-05 2026-03-06", "#back"} {
					for _, m := range o.receive(chang, o.keyed("Chang"), text).Mails {
						if m.Message.To.Addr == kirk {
							t.Errorf("%s on another side is told", text)
						}
					}
				}
			}
			o.resolve()
		}
	}
	for i := range got[0] {
		if !bytes.Equal(got[0][i], got[1][i]) {
			t.Errorf("what Kirk gets differs:\n%s\n%s", got[0][i], got[1][i])
		}
	}
}

// secretVotes is a line of [blind].
const secretVotes = "votes = \"secret\"\n"

// TestVotesInTheDark checks that all captains are told that one has voted for a draw, but not who; if the scenario keeps
// votes secret they are not told, and the voter knows this.
func TestVotesInTheDark(t *testing.T) {
	o := newDark(t, "", "")
	h := o.says("#vote draw")
	told := h.mail(t, effect.KindTold, kor)
	if text := told.Message.Subject + told.Message.Text; !strings.Contains(text, "A captain has voted for a draw.") || strings.Contains(text, "Kirk") || strings.Contains(text, "Hood") {
		t.Error(text)
	}
	if !strings.Contains(h.text(), "The other captains are told that a captain did so, not who.") {
		t.Error(h.text())
	}
	if got := o.receive(kor, robot, "#status").text(); !strings.Contains(got, "a captain has voted for a draw") || strings.Contains(got, "Kirk") {
		t.Error(got)
	}
	if got := o.says("#away 2026-03-05 2026-03-06").text(); !strings.Contains(got, "The captains of your own side are told that you are away") {
		t.Error(got)
	}
	o = newDark(t, secretVotes, "")
	h = o.says("#vote draw")
	if len(h.Mails) > 0 || !strings.Contains(h.text(), "Nobody is told.") {
		t.Error(h.text())
	}
	if got := o.receive(kor, robot, "#status").text(); strings.Contains(got, "voted") {
		t.Error(got)
	}
	o.receive(kor, o.keyed("Kor"), "#vote draw")
	if out, err := turn.Resolve(o.game, turn.Options{Now: began}); err != nil || out.State.Result == nil || !out.State.Result.Draw {
		t.Errorf("two secret votes end nothing: %v", err)
	}
}
