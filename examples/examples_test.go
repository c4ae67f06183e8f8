// Package examples_test plays the examples and checks that the documents match the program. To update the stored
// results, here and in the documents, run
//
//	go test ./examples -update
package examples_test

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/engine/rules/fasa"
	"starpost/engine/rules/fasa/tables"
	"starpost/engine/rules/manual"
	"starpost/engine/rules/sfb"
	"starpost/engine/scenario"
	"starpost/orders"
	"starpost/pbem/config"
	"starpost/pbem/record/directory"
	"starpost/pbem/turn"
	"starpost/pbem/turn/proof"
	"starpost/pbem/vault"
)

var update = flag.Bool("update", false, "renew what is stored and what the documents show")

// wolfSeed gives the dice of examples/wolf; its README names it too.
const wolfSeed = 4

// began is when the games of these tests begin; it appears in their reports.
var began = time.Date(2026, time.March, 2, 20, 0, 0, 0, time.UTC)

func catalogue() vault.Catalogue {
	all := vault.Catalogue{}
	for name, course := range fasa.Courses() {
		all[name] = func(files map[string][]byte) (*engine.Rules, error) {
			lib, err := tables.Builtin()
			if err != nil {
				return nil, err
			}
			if lib, err = lib.With(files); err != nil {
				return nil, err
			}
			return course(lib)
		}
	}
	all[manual.Name] = func(map[string][]byte) (*engine.Rules, error) { return manual.Rules(), nil }
	for _, set := range sfb.Family().Sets {
		all[set.Name] = set.Rules
	}
	return all
}

func read(t *testing.T, path ...string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(path...))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// same compares a text with a stored file, or updates the file.
func same(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if string(want) != got {
		t.Errorf("%s is not what comes out now (go test ./examples -update renews it)\n%s", file, firstDifference(string(want), got))
	}
}

func firstDifference(want, got string) string {
	w, g := strings.Split(want, "\n"), strings.Split(got, "\n")
	for i := range max(len(w), len(g)) {
		a, b := "(nothing)", "(nothing)"
		if i < len(w) {
			a = w[i]
		}
		if i < len(g) {
			b = g[i]
		}
		if a != b {
			return fmt.Sprintf("line %d\nwas: %s\nnow: %s", i+1, a, b)
		}
	}
	return "no difference"
}

// newGame makes a game of a scenario in its own directory.
func newGame(t *testing.T, id string, scenario []byte, tables map[string][]byte, seed uint64) *vault.Game {
	t.Helper()
	dir := filepath.Join(t.TempDir(), id)
	_, err := turn.Create(dir, catalogue(), turn.Setup{
		Scenario: scenario, Tables: tables, ID: id, Mail: vault.DefaultMail(),
		Secret: dice.FromSeed(seed), Seed: &seed, Options: turn.Options{Now: began},
	})
	if err != nil {
		if bad, ok := errors.AsType[*turn.ScenarioError](err); ok {
			for _, d := range bad.Diagnostics {
				t.Errorf("%s (%s)", d, d.Hint)
			}
		}
		t.Fatal(err)
	}
	return open(t, dir)
}

func open(t *testing.T, dir string) *vault.Game {
	t.Helper()
	g, err := vault.Open(directory.At(dir), catalogue())
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// play resolves the turn that is due and returns the referee's log of it.
func play(t *testing.T, g *vault.Game, missing string) (*turn.Outcome, string) {
	t.Helper()
	out, err := turn.Resolve(g, turn.Options{
		Missing: missing, Now: began.Add(time.Duration(g.Turn()+1) * 48 * time.Hour),
	})
	if err != nil {
		t.Fatal(err)
	}
	v, err := engine.BuildView(g.Rules(), out.State, out.Events, engine.Viewer{All: true})
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s, turn %d\n", out.State.Title, out.Turn)
	for _, c := range g.Rules().Present(v).Phases {
		fmt.Fprintln(&b, c.Title)
		for _, l := range c.Lines {
			fmt.Fprintf(&b, "  %*s%s", 2*l.Depth, "", l.Text)
			if l.Cite != "" {
				fmt.Fprintf(&b, "  [%s]", l.Cite)
			}
			fmt.Fprintln(&b)
		}
	}
	return out, b.String()
}

// sound verifies a game from its first turn to its last.
func sound(t *testing.T, g *vault.Game) {
	t.Helper()
	found, err := proof.Verify(g, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range found {
		t.Error(f)
	}
}

// wolf plays examples/wolf to its end. Told is the referee's log.
func wolf(t *testing.T) (g *vault.Game, told string) {
	t.Helper()
	files, err := fasa.Scenarios()
	if err != nil {
		t.Fatal(err)
	}
	g = newGame(t, "wolf", files["big-bad-wolf"], nil, wolfSeed)
	var log strings.Builder
	for n := 1; n <= 3; n++ {
		p, err := turn.Load(g)
		if err != nil {
			t.Fatal(err)
		}
		for _, ship := range []string{"Hood", "Riskadh"} {
			text := read(t, "wolf", fmt.Sprintf("turn-%d", n), ship+".txt")
			for _, d := range p.Check(text).Diagnostics {
				if d.Severity == orders.Error {
					t.Errorf("turn %d, %s: %s", n, ship, d)
				}
			}
			if err := g.Orders.Put(vault.At(n), ship, text, time.Time{}); err != nil {
				t.Fatal(err)
			}
		}
		_, told := play(t, g, "")
		if n > 1 {
			log.WriteByte('\n')
		}
		log.WriteString(told)
	}
	return g, log.String()
}

func TestWolfPlaysAsItSays(t *testing.T) {
	g, told := wolf(t)
	same(t, filepath.Join("wolf", "expected.txt"), told)
	state, err := g.Stages.State(vault.At(g.Turn()))
	if err != nil {
		t.Fatal(err)
	}
	if state.Result == nil {
		t.Error("the example is to end with a winner")
	}
	sound(t, g)
}

// The README of the example names the seed of its results.
func TestWolfNamesItsSeed(t *testing.T) {
	if text := read(t, "wolf", "README.md"); !strings.Contains(string(text), fmt.Sprintf("--seed %d", wolfSeed)) {
		t.Errorf("wolf/README.md does not say --seed %d", wolfSeed)
	}
}

// Robots play the example scenario: every ship, weapon and goal in it must be usable, and it must end by its own last
// turn.
func TestRaidPlaysToItsEnd(t *testing.T) {
	tables := map[string][]byte{"ships/raiders-ships.toml": read(t, "raiders-ships.toml")}
	file := read(t, "raid.toml")
	for seed := uint64(1); seed <= 3; seed++ {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			g := newGame(t, "raid", file, tables, seed)
			for range 12 {
				out, _ := play(t, g, vault.PolicyRobot)
				if out.State.Result != nil {
					break
				}
			}
			state, err := g.Stages.State(vault.At(g.Turn()))
			if err != nil {
				t.Fatal(err)
			}
			if state.Result == nil {
				t.Errorf("no result after turn %d", state.Turn)
			}
			sound(t, g)
		})
	}
}

// The scenarios must show every key, because readers would not find those left out.
func TestExamplesShowEveryKey(t *testing.T) {
	text, night := string(read(t, "raid.toml")), string(read(t, "night.toml"))
	builtin, err := fasa.Scenarios()
	if err != nil {
		t.Fatal(err)
	}
	byHouse, err := sfb.Family().ScenarioFiles()
	if err != nil {
		t.Fatal(err)
	}
	stolen := string(byHouse["stolen-charts"])
	for _, key := range tomlKeys(t, scenario.Scenario{}) {
		if slices.Contains([]string{"file", "units"}, key) && containsKey(stolen, key) {
			continue // files need laboratories
		}
		// These keys are shown by a built-in scenario: the raid's rules have no officers, and no survive goal.
		if !containsKey(text, key) && !containsKey(night, key) && !(slices.Contains([]string{"turn", "crew", "briefing"}, key) && strings.Contains(string(builtin["kobayashi-maru"]), key)) {
			t.Errorf("neither raid.toml nor night.toml shows %q", key)
		}
	}
	s, diags := scenario.Parse([]byte(text))
	if s == nil {
		t.Fatal(diags)
	}
	if !slices.ContainsFunc(s.Ships, func(sh scenario.Ship) bool { return sh.Arrives > 1 && sh.Captain == "" }) {
		t.Error("raid.toml shows no reinforcement")
	}
	if dark, diags := scenario.Parse([]byte(night)); dark == nil || dark.Blind == nil {
		t.Errorf("night.toml is not in the dark: %v", diags)
	}
	if err := binary(); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), filepath.Join(binDir, "starpost"), "new", filepath.Join(t.TempDir(), "night"), "--scenario", "night.toml")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("no game comes of night.toml: %v\n%s", err, out)
	}
}

// The daemon accepts the annotated configuration.
func TestConfigurationIsGood(t *testing.T) {
	text := read(t, "starpost.toml")
	if _, err := config.Parse("starpost.toml", text, t.TempDir()); err != nil {
		t.Error(err)
	}
}
