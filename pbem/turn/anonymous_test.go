package turn_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"time"

	"starpost/engine/dice"
	"starpost/engine/rules/fasa"
	"starpost/pbem/record/directory"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
)

// In an anonymous game all that is written names players as the scenario does; only the settings have
// their names.
func TestAnonymousGamesNameNoPerson(t *testing.T) {
	all, err := fasa.Scenarios()
	if err != nil {
		t.Fatal(err)
	}
	mail := vault.DefaultMail()
	mail.Anonymous = true
	dir := filepath.Join(t.TempDir(), "wolf")
	seed := uint64(1)
	if _, err := turn.Create(dir, catalogue(), turn.Setup{
		Scenario: all["big-bad-wolf"], Mail: mail, ID: "wolf", Secret: dice.FromSeed(seed), Seed: &seed, Options: turn.Options{Now: time.Unix(1_770_000_000, 0)},
		Captains: []vault.Captain{{Name: "Rosalind", Address: "ros@example.org", Ships: []string{"Hood"}}, {Name: "Orlando", Address: "orl@example.org", Ships: []string{"Riskadh"}}},
	}); err != nil {
		t.Fatal(err)
	}
	g, err := vault.Open(directory.At(dir), catalogue())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := turn.Resolve(g, turn.Options{Missing: vault.PolicyRobot, Now: time.Unix(1_770_000_000, 0)}); err != nil {
		t.Fatal(err)
	}
	s := g.Settings()
	if c := s.Captains[0]; c.Player != "Rosalind" || c.Name == "Rosalind" || s.Person(c, false) != "" || s.Person(c, true) != "Rosalind" {
		t.Errorf("%+v", c)
	}
	if err := filepath.WalkDir(filepath.Join(dir, "turns"), func(path string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if bytes.Contains(data, []byte("Rosalind")) || bytes.Contains(data, []byte("Orlando")) {
			t.Errorf("%s names a person", path)
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
}

// A game that anyone may join can be watched, and begins when its seats are taken, unless its
// settings say otherwise.
func TestOpenGamesWaitAndMayBeWatched(t *testing.T) {
	all, err := fasa.Scenarios()
	if err != nil {
		t.Fatal(err)
	}
	one, two := vault.Captain{Name: "Kirk", Address: "kirk@example.org", Ships: []string{"Hood"}}, vault.Captain{Name: "Kor", Address: "kor@example.org", Ships: []string{"Riskadh"}}
	for name, c := range map[string]struct {
		set              func(*vault.MailSettings)
		captains         []vault.Captain
		observers, start string
	}{
		"open":             {func(m *vault.MailSettings) { m.Open = true }, []vault.Captain{one}, vault.ObserversPublic, vault.StartFull},
		"all seats held":   {func(m *vault.MailSettings) { m.Open = true }, []vault.Captain{one, two}, vault.ObserversPublic, ""},
		"told otherwise":   {func(m *vault.MailSettings) { m.Open, m.Observers, m.Start = true, vault.ObserversNone, vault.StartNow }, []vault.Captain{one}, vault.ObserversNone, vault.StartNow},
		"some turns later": {func(m *vault.MailSettings) { m.Open, m.Observers = true, "delay 2" }, []vault.Captain{one}, "delay 2", vault.StartFull},
		"closed":           {func(*vault.MailSettings) {}, []vault.Captain{one}, "", ""},
	} {
		mail, seed := vault.DefaultMail(), uint64(1)
		c.set(&mail)
		dir := filepath.Join(t.TempDir(), "wolf")
		if _, err := turn.Create(dir, catalogue(), turn.Setup{
			Scenario: all["big-bad-wolf"], Mail: mail, ID: "wolf", Secret: dice.FromSeed(seed), Seed: &seed, Options: turn.Options{Now: time.Unix(1_770_000_000, 0)}, Captains: c.captains,
		}); err != nil {
			t.Fatal(err)
		}
		g, err := vault.Open(directory.At(dir), catalogue())
		if err != nil {
			t.Fatal(err)
		}
		if m := g.Settings().Mail; m.Observers != c.observers || m.Start != c.start {
			t.Errorf("%s: observers %q, start %q", name, m.Observers, m.Start)
		}
	}
}
