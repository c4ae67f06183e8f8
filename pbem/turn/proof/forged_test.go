package proof_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/engine/rules/fasa"
	"starpost/pbem/record/directory"
	"starpost/pbem/turn"
	"starpost/pbem/turn/proof"
	"starpost/pbem/vault"
)

// catalogue returns the rule sets of a program, in their own version or, unless it is "", in the
// given one.
func catalogue(version string) vault.Catalogue {
	all := vault.CatalogueOf(fasa.Family())
	if version == "" {
		return all
	}
	for name, build := range all {
		all[name] = func(files map[string][]byte) (*engine.Rules, error) {
			r, err := build(files)
			if err != nil {
				return nil, err
			}
			other := *r
			other.Version = version
			return &other, nil
		}
	}
	return all
}

// play creates a game and has robots play some stages of it.
func play(t *testing.T, rules vault.Catalogue, cadence string, stages int) *vault.Game {
	t.Helper()
	all, err := fasa.Scenarios()
	if err != nil {
		t.Fatal(err)
	}
	seed, now := uint64(5), time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	dir := filepath.Join(t.TempDir(), "wolf")
	_, err = turn.Create(dir, rules, turn.Setup{
		Scenario: all["big-bad-wolf"], ID: "wolf", Mail: vault.DefaultMail(), Cadence: cadence,
		Captains: []vault.Captain{{Address: "kirk@example.org", Ships: []string{"Hood"}}, {Address: "kor@example.org", Ships: []string{"Riskadh"}}},
		Secret:   dice.FromSeed(seed), Seed: &seed, Options: turn.Options{Now: now},
	})
	if err != nil {
		t.Fatal(err)
	}
	g, err := vault.Open(directory.At(dir), rules)
	if err != nil {
		t.Fatal(err)
	}
	for range stages {
		if _, err := turn.Resolve(g, turn.Options{Missing: vault.PolicyRobot, Now: now}); err != nil {
			t.Fatal(err)
		}
	}
	return g
}

// found returns what Verify finds with the rule sets of a program.
func found(t *testing.T, dir string, rules vault.Catalogue) []string {
	t.Helper()
	g, err := vault.Open(directory.At(dir), rules)
	if err != nil {
		t.Fatal(err)
	}
	all, err := proof.Verify(g, nil)
	if err != nil {
		t.Fatal(err)
	}
	out := []string{}
	for _, f := range all {
		out = append(out, f.String())
	}
	return out
}

// forge changes the first match of a pattern in a file of a stage, and makes the stage's manifest
// agree with it.
func forge(t *testing.T, stage, file, pattern, with string) {
	t.Helper()
	path := filepath.Join(stage, filepath.FromSlash(file))
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	at := regexp.MustCompile(pattern).FindIndex(data)
	if at == nil {
		t.Fatalf("%s has no %q", path, pattern)
	}
	data = slices.Concat(data[:at[0]], []byte(with), data[at[1]:])
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	path = filepath.Join(stage, vault.ManifestFile)
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var m vault.Manifest
	if err := json.Unmarshal(text, &m); err != nil {
		t.Fatal(err)
	}
	m.Files[file] = vault.Hash(data)
	if text, err = json.MarshalIndent(m, "", " "); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, append(text, '\n'), 0o600); err != nil {
		t.Fatal(err)
	}
}

// asWanted asserts that these are the findings: each by its start and, after "...", a part of it.
func asWanted(t *testing.T, found []string, want ...string) {
	t.Helper()
	if len(found) != len(want) {
		t.Fatalf("found %d:\n%s", len(found), strings.Join(found, "\n"))
	}
	for i, f := range found {
		if start, part, _ := strings.Cut(want[i], "..."); !strings.HasPrefix(f, start) || !strings.Contains(f, part) {
			t.Errorf("found %s\nwant  %s", f, want[i])
		}
	}
}

// TestTurnsOfAnotherVersion: turns of another version of the rules are not played again, but a
// wrong die or state is found anyway.
func TestTurnsOfAnotherVersion(t *testing.T) {
	older := catalogue("1")
	g := play(t, older, vault.CadenceTurn, 3)
	asWanted(t, found(t, g.Dir(), older))
	asWanted(t, found(t, g.Dir(), catalogue("")))
	for name, tc := range map[string]struct{ file, pattern, with, want string }{
		"a die":     {vault.EventsFile, `"value":\d+`, `"value":77`, "turns/0003/events.jsonl: event ...field value: the die has not the value that the secret gives to its name"},
		"a state":   {vault.StateFile, `"turn": 3`, `"turn": 4`, "turns/0003/state.json: field turn: the file has 4, the replay gives 3 (by the events)"},
		"a version": {vault.StateFile, `"version": "1"`, `"version": "2"`, "turns/0003/state.json: it is a state of version 2 of the rule set, and by the journal version 1 played the turn"},
		"no event":  {vault.EventsFile, `"type":"roll"`, `"type":"rule"`, "turns/0003/events.jsonl: version 1 of the rule set wrote it, and this program cannot read it: "},
	} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "wolf")
			if err := os.CopyFS(dir, os.DirFS(g.Dir())); err != nil {
				t.Fatal(err)
			}
			forge(t, filepath.Join(dir, "turns", "0003"), tc.file, tc.pattern, tc.with)
			asWanted(t, found(t, dir, catalogue("")), tc.want)
		})
	}
}

// TestForgedRounds: a replaced round is detected by the turn that is based on it.
func TestForgedRounds(t *testing.T) {
	rules := catalogue("")
	g := play(t, rules, vault.CadencePhase, 3)
	if g.Turn() != 1 {
		t.Fatalf("%d turns were played", g.Turn())
	}
	asWanted(t, found(t, g.Dir(), rules))
	const first = "turns/0001.p1/"
	const chain = first + "manifest.json: the file was altered: the turn was made after another one"
	const second = "turns/0001.p2/manifest.json: the file was altered, or the one before it: it was made after another one"
	for name, tc := range map[string]struct {
		file, pattern, with string
		want                []string
	}{
		"orders": {"orders/Hood.txt", `#end`, "\n#end", []string{chain, first + "manifest.json: the turn was played with other orders than its round", second}},
		"a die":  {vault.EventsFile, `"value":\d+`, `"value":77`, []string{chain, first + "events.jsonl:...field value: the file has 77", first + "events.jsonl: the turn did not go as this phase reported", second}},
	} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "wolf")
			if err := os.CopyFS(dir, os.DirFS(g.Dir())); err != nil {
				t.Fatal(err)
			}
			forge(t, filepath.Join(dir, filepath.FromSlash(first)), tc.file, tc.pattern, tc.with)
			asWanted(t, found(t, dir, rules), tc.want...)
		})
	}
}
