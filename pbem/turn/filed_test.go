package turn_test

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/engine/rules/manual"
	"starpost/pbem/record/directory"
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
hex = "0505"
heading = "A"
state = { hull = 10 }
[[ship]]
name = "Riskadh"
side = "red"
hex = "0510"
heading = "D"
`

// newTable creates a game that a referee plays.
func newTable(t *testing.T, mail vault.MailSettings) (*vault.Game, error) {
	t.Helper()
	cat := vault.Catalogue{manual.Name: func(map[string][]byte) (*engine.Rules, error) { return manual.Rules(), nil }}
	dir := filepath.Join(t.TempDir(), "table")
	if _, err := turn.Create(dir, cat, turn.Setup{
		Scenario: []byte(tableGame), ID: "table", Mail: mail, Secret: dice.FromSeed(1), Options: turn.Options{Now: noon(0)},
	}); err != nil {
		return nil, err
	}
	return vault.Open(directory.At(dir), cat)
}

func file(g *vault.Game, text string) error {
	n := g.Turn() + 1
	_, err := turn.Resolve(g, turn.Options{
		Now: noon(n), Missing: vault.PolicyStanding, Filed: &turn.Filed{Turn: n, Data: []byte(text), By: "Quinn"},
	})
	return err
}

func sound(t *testing.T, g *vault.Game) {
	t.Helper()
	if found, err := proof.Verify(g, nil); err != nil || len(found) > 0 {
		t.Errorf("%v %v", found, err)
	}
}

// TestFiledAgain files an early turn of several differently. The turns after it are played again
// from their own filings, or set aside.
func TestFiledAgain(t *testing.T) {
	g, err := newTable(t, vault.DefaultMail())
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"#rulings\nset Hood hull 8\n", "#rulings\nchange Hood hull -3\n", "#rulings\ntrack Hood fire 2\nmove Riskadh 0512\n"} {
		if err := file(g, text); err != nil {
			t.Fatal(err)
		}
	}
	again := func(text string, later turn.Later) (*turn.Correction, error) {
		c := turn.Change{Filed: []byte(text), By: "Quinn", Why: "a slip", Now: noon(30)}
		return turn.Correct(g, 1, c, later, nil, turn.Options{})
	}
	hull := func() string {
		s, err := g.Stages.State(vault.At(g.Turn()))
		if err != nil {
			t.Fatal(err)
		}
		hood, _ := s.Ship("hood")
		return hood.System.(*manual.System).Fields()[0].Now + hood.System.(*manual.System).Fields()[len(hood.System.(*manual.System).Fields())-1].Now
	}

	if _, err := again("#rulings\nset Hood hull 9\n", turn.Later{}); err == nil {
		t.Error("later turns are dropped without a word")
	}
	if _, err := again("#rulings\nset Hood hul 9\n", turn.Later{Rerun: true}); err == nil || !strings.Contains(err.Error(), "E308") {
		t.Errorf("a filing with mistakes: %v", err)
	}
	if _, err := again("#rulings\nset Hood hull 9\n", turn.Later{Rerun: true}); err != nil || g.Turn() != 3 {
		t.Fatalf("turn %d, %v", g.Turn(), err)
	}
	if got := hull(); got != "26" { // fire, then hull: 9 - 3
		t.Errorf("fire and hull are %s", got)
	}
	m, err := g.Stages.Manifest(vault.At(1))
	if err != nil || m.Filed == nil || m.Filed.By != "Quinn" || m.Filed.Why != "a slip" || m.Revision != 2 {
		t.Errorf("%+v, %v", m.Filed, err)
	}
	sound(t, g)

	_, err = again("#rulings\nset Hood hull 9\ntrack Hood fire 1\n", turn.Later{Rerun: true})
	if err == nil || !strings.Contains(err.Error(), "filed for turn 3") || !strings.Contains(err.Error(), "has a track fire already") {
		t.Fatalf("%v", err)
	}
	sound(t, g)
	if _, err := again("#rulings\nset Hood hull 9\ntrack Hood fire 1\n", turn.Later{Aside: true, Keep: true}); err != nil || g.Turn() != 1 {
		t.Fatalf("turn %d, %v", g.Turn(), err)
	}
	sound(t, g)
	if err := file(g, "#rulings\nset Hood fire 2\n"); err != nil {
		t.Fatal(err)
	}
	sound(t, g)
}

// TestFiledPolicies: a policy that no program can apply is refused when the game is created, and
// when game.toml is changed to it.
func TestFiledPolicies(t *testing.T) {
	mail := vault.DefaultMail()
	for _, policy := range []string{vault.PolicyRobot, vault.PolicyForfeit} {
		mail.Missing = policy
		if _, err := newTable(t, mail); !errors.Is(err, vault.ErrSettings) {
			t.Errorf("%s: %v", policy, err)
		}
	}
	mail.Missing = vault.PolicyHold
	g, err := newTable(t, mail)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := turn.Resolve(g, turn.Options{Now: noon(1), Missing: vault.PolicyStanding}); err == nil || !strings.Contains(err.Error(), "it waits for the referee") {
		t.Errorf("without a filing: %v", err)
	}
	wolf := newWolf(t, 1)
	_, err = turn.Resolve(wolf, turn.Options{Now: noon(1), Missing: vault.PolicyRobot, Filed: &turn.Filed{Turn: 1, Data: []byte("#all\nx\n")}})
	if err == nil || !strings.Contains(err.Error(), "are not filed") {
		t.Errorf("other rules: %v", err)
	}
}
