package daemon_test

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/engine/rules/fasa"
	"starpost/engine/rules/fasa/tables"
	"starpost/pbem/clock"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
)

// TestCouncil: posts with orders due before the others' are told so in the reports and reminded
// once, in time; no one else is. Their orders are accepted until the deadline.
func TestCouncil(t *testing.T) {
	w := newWorld(t)
	w.cat = vault.Catalogue{"stcs-basic": func(map[string][]byte) (*engine.Rules, error) {
		lib, err := tables.Builtin()
		if err != nil {
			return nil, err
		}
		r, err := fasa.Basic(lib)
		if err != nil {
			return nil, err
		}
		lang := *r.Language
		lang.Posts = []string{"engineer", "helm"}
		r.Language, r.Council = lang.Compiled(), []string{"engineer"}
		r.Due = func(g *engine.Game) (due []engine.Seat) {
			for _, id := range g.InFight() {
				s, _ := g.Ship(id)
				for post := range s.Crew {
					due = append(due, engine.Seat{Ship: id, Post: post})
				}
			}
			return due
		}
		return r, nil
	}}
	all, err := fasa.Scenarios()
	if err != nil {
		t.Fatal(err)
	}
	mail := schedule()
	mail.Council, mail.Grace, mail.Remind = clock.Span(24*time.Hour), 0, []clock.Span{clock.Span(4 * time.Hour)}
	const scott, sulu = "scott@example.org", "sulu@example.org"
	create := func(dir string, mail vault.MailSettings) error {
		_, err := turn.Create(filepath.Join(w.dir, "games", dir), w.cat, turn.Setup{
			Scenario: all["big-bad-wolf"], ID: "wolf", Mail: mail,
			Captains: []vault.Captain{
				{Name: "Kirk", Address: kirk, Ships: []string{"Hood"}},
				{Name: "Scott", Address: scott, Posts: []string{"Hood.engineer"}},
				{Name: "Sulu", Address: sulu, Posts: []string{"Hood.helm"}},
			},
			Secret: dice.FromSeed(1), Options: turn.Options{Now: w.clock.Now()},
		})
		return err
	}
	long := mail
	long.Council = mail.Deadline
	if err := create("long", long); err == nil || !strings.Contains(err.Error(), "council") {
		t.Errorf("a council as long as a turn: %v", err)
	}
	if err := create("wolf", mail); err != nil {
		t.Fatal(err)
	}
	first := w.run()
	if m := first.to(sulu, ""); len(m) != 1 || !strings.Contains(m[0].words(), "Orders of the engineer are due earlier, by Tue 3 Mar 2026, 12:00 UTC") {
		t.Fatalf("the first reports do not tell of the council:\n%s", m[0].words())
	}
	w.clock.Advance(43 * time.Hour)
	if sent := w.run(); len(sent) > 0 {
		t.Fatalf("mailed too early:\n%s", sent)
	}
	w.clock.Advance(2 * time.Hour)
	sent := w.run()
	if m := sent.to(scott, "orders are missing for Hood.engineer"); len(m) != 1 || len(sent) != 1 || !strings.Contains(m[0].words(), "Tue 3 Mar 2026, 12:00 UTC") {
		t.Fatalf("mailed:\n%s", sent)
	}
	if sent := w.run(); len(sent) > 0 {
		t.Errorf("reminded again:\n%s", sent)
	}
	w.clock.Advance(24 * time.Hour)
	if sent := w.run(); len(sent.to(scott, "missing")) != 1 || len(sent.to(sulu, "missing")) != 1 {
		t.Errorf("before the deadline:\n%s", sent)
	}
}
