package referee_test

import (
	"bytes"
	"path/filepath"
	"testing"
	"time"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/engine/rules/fasa"
	"starpost/engine/rules/fasa/tables"
	"starpost/pbem/record/directory"
	"starpost/pbem/referee"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
)

func fleetCatalogue() vault.Catalogue {
	cat := vault.Catalogue{}
	for name, course := range fasa.Courses() {
		cat[name] = func(map[string][]byte) (*engine.Rules, error) {
			lib, err := tables.Builtin()
			if err != nil {
				return nil, err
			}
			return course(lib)
		}
	}
	return cat
}

// fleets returns a battle of twenty ships in its third turn.
func fleets(tb testing.TB) *vault.Game {
	tb.Helper()
	return fleetsOf(tb, "stcs-basic")
}

func fleetsOf(tb testing.TB, course string) *vault.Game {
	tb.Helper()
	all, err := fasa.Scenarios()
	if err != nil {
		tb.Fatal(err)
	}
	scenario := bytes.Replace(all["fleet-action"], []byte(`rules = "stcs-basic"`), []byte(`rules = "`+course+`"`), 1)
	dir := filepath.Join(tb.TempDir(), "fleets")
	seed := uint64(5)
	mail := vault.DefaultMail()
	_, err = turn.Create(dir, fleetCatalogue(), turn.Setup{
		Scenario: scenario, Mail: mail, Secret: dice.FromSeed(seed), Seed: &seed, Options: turn.Options{Now: day(0)},
	})
	if err != nil {
		tb.Fatal(err)
	}
	g, err := vault.Open(directory.At(dir), fleetCatalogue())
	if err != nil {
		tb.Fatal(err)
	}
	for n := 1; n <= 3; n++ {
		if _, err := turn.Resolve(g, turn.Options{Missing: vault.PolicyRobot, Now: day(n)}); err != nil {
			tb.Fatal(err)
		}
	}
	return g
}

func day(n int) time.Time { return time.Date(2026, 3, 1+n, 20, 0, 0, 0, time.UTC) }

// BenchmarkRerun resolves the last turn of a battle of twenty ships again with one changed die, and
// shows the difference, including opening the directory.
func BenchmarkRerun(b *testing.B) {
	for _, course := range []string{"basic", "advanced", "graduate"} {
		b.Run(course, func(b *testing.B) { rerunFleets(b, fleetsOf(b, "stcs-"+course)) })
	}
}

func rerunFleets(b *testing.B, g *vault.Game) {
	b.Helper()
	events, err := g.Stages.Events(vault.At(3))
	if err != nil {
		b.Fatal(err)
	}
	var rolls []*engine.Roll
	for _, e := range events {
		if r, ok := e.Body.(*engine.Roll); ok {
			rolls = append(rolls, r)
		}
	}
	roll := rolls[len(rolls)/4]
	what := "roll " + roll.Name.String() + " 1"
	if roll.Value == 1 {
		what = "roll " + roll.Name.String() + " 6"
	}
	lines := 0
	b.ReportAllocs()
	for b.Loop() {
		g, err := vault.Open(directory.At(g.Dir()), fleetCatalogue())
		if err != nil {
			b.Fatal(err)
		}
		run, err := referee.PreviewRerun(g, referee.Act{By: "Rita", Why: "a test", Now: day(9)}, referee.Plan{Turn: 3, Rulings: []string{what}})
		if err != nil {
			b.Fatal(err)
		}
		all, err := referee.Differ(g.Rules(), run)
		if err != nil {
			b.Fatal(err)
		}
		lines = len(all[0].Print())
	}
	b.ReportMetric(float64(len(events)), "events")
	b.ReportMetric(float64(lines), "lines")
}
