package demo_test

import (
	"bytes"
	"context"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"starpost/engine"
	"starpost/engine/robots"
	"starpost/engine/rules/fasa"
	"starpost/engine/rules/sfb"
	"starpost/engine/scenario"
	"starpost/engine/testkit/enginetest"
	"starpost/pbem/demo"
	"starpost/pbem/record/directory"
	"starpost/pbem/turn"
	"starpost/pbem/turn/proof"
	"starpost/pbem/vault"
)

// catalogue makes its rule sets once for all tests; nothing changes them.
var catalogue = sync.OnceValue(func() vault.Catalogue { return vault.CatalogueOf(fasa.Family()) })

// play runs the demonstration of The Big Bad Wolf in a directory of its own.
func play(t *testing.T, scenario string, seed uint64) (*demo.Result, string) {
	t.Helper()
	all, err := fasa.Scenarios()
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	r, err := demo.Run(t.Context(), demo.Options{
		Seed: seed, Dir: filepath.Join(t.TempDir(), "demo"), Out: &out, Catalogue: catalogue(), Scenario: all[scenario],
	})
	if err != nil {
		t.Fatalf("%v\n%s", err, out.String())
	}
	return r, out.String()
}

func TestWholeBattle(t *testing.T) {
	r, out := play(t, "big-bad-wolf", 1)
	if r.Turn < 1 || r.Turn > 40 || r.Winner == "" || r.Why == "" {
		t.Errorf("result %+v", r)
	}
	// Two captains: for each turn a report, an order and an answer, and the first reports.
	if want := 2 + r.Turn*6; r.Mails != want {
		t.Errorf("%d mails in %d turns, want %d\n%s", r.Mails, r.Turn, want, out)
	}
	for _, want := range []string{
		"starpost@fleet.example -> hood@fleet.example", "riskadh@fleet.example -> starpost@fleet.example",
		"Subject: Re: [wolf] Turn 1: report for Hood", "Subject: [wolf] Turn 1: orders for Riskadh accepted", "is resolved, and the battle is over",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("not shown: %s\n%s", want, out)
		}
	}
	g, err := vault.Open(directory.At(r.Game), catalogue())
	if err != nil {
		t.Fatal(err)
	}
	found, err := proof.Verify(g, nil)
	if err != nil || len(found) > 0 {
		t.Errorf("verify: %v %v", found, err)
	}
}

func TestEverySeedEnds(t *testing.T) {
	enginetest.Sequential(t)
	for seed := range uint64(3) { // the rule set's tests play many more with robots
		if r, out := play(t, "big-bad-wolf", seed); r.Turn > 40 {
			t.Errorf("seed %d: turn %d\n%s", seed, r.Turn, out)
		}
	}
}

// More captains, more ships, other victory conditions, posts, blind games.
func TestOtherBattles(t *testing.T) {
	for i, name := range []string{"first-command", "convoy", "three-on-three", "kobayashi-maru", "watch-house"} {
		if i%enginetest.Share != 0 {
			continue
		}
		r, out := play(t, name, 2)
		if r.Turn > 40 || r.Why == "" {
			t.Errorf("%s: %+v\n%s", name, r, out)
		}
		asFromState(t, r, catalogue())
	}
}

// asFromState checks that robots that played by mail did the same as when they are given their views directly.
func asFromState(t *testing.T, played *demo.Result, sets vault.Catalogue) {
	t.Helper()
	g, err := vault.Open(directory.At(played.Game), sets)
	if err != nil {
		t.Fatal(err)
	}
	state := func(n int) *engine.Game {
		data, err := os.ReadFile(filepath.Join(g.Stages.Dir(vault.At(n)), vault.StateFile))
		if err != nil {
			t.Fatal(err)
		}
		s, err := engine.DecodeGame(data, g.Rules())
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	got, err := robots.Fight(g.Rules(), state(0), g.Secret(), nil)
	if err != nil {
		t.Fatal(err)
	}
	want, err := engine.EncodeGame(state(played.Turn))
	if err != nil {
		t.Fatal(err)
	}
	end, err := engine.EncodeGame(got)
	if err != nil || !bytes.Equal(end, want) {
		t.Errorf("%s from the state is not as by mail: %v\n%s", got.Title, err, enginetest.Difference(want, end))
	}
}

// TestShipsOfBoxes plays the scenarios of the cadet game and the house rules by mail to their ends, a turn at a
// time, and one in rounds of four impulses. Each game can be replayed to the same result.
func TestShipsOfBoxes(t *testing.T) {
	enginetest.Sequential(t)
	files, err := sfb.Family().ScenarioFiles()
	if err != nil {
		t.Fatal(err)
	}
	all := maps.Clone(files)
	all["encounter in rounds"] = append([]byte("cadence = \"phase\"\n"), files["encounter"]...)
	sets := vault.CatalogueOf(sfb.Family())
	for i, name := range slices.Sorted(maps.Keys(all)) {
		if i%enginetest.Share != 0 {
			continue
		}
		file := all[name]
		var out bytes.Buffer
		r, err := demo.Run(t.Context(), demo.Options{Seed: 1, Dir: filepath.Join(t.TempDir(), "demo"), Out: &out, Catalogue: sets, Scenario: file})
		if err != nil {
			t.Fatalf("%s: %v\n%s", name, err, out.String())
		}
		stages := r.Turn
		if strings.Contains(name, "rounds") {
			stages = strings.Count(out.String(), " is resolved")
			if stages < 3*r.Turn {
				t.Errorf("%s: %d rounds in %d turns", name, stages, r.Turn)
			}
		}
		sc, diags := scenario.Parse(files[name])
		if sc == nil && files[name] != nil {
			t.Fatal(diags)
		}
		// The expected number of mails, unless ships of a side are lost on the way.
		if stages == r.Turn { // of rounds a robot sees only the last
			asFromState(t, r, sets)
		}
		if want := 2 + stages*6; r.Mails != want && (sc == nil || len(sc.Ships) == 2) || r.Why == "" || strings.Contains(out.String(), "not accepted") {
			t.Errorf("%s: %+v, want %d mails\n%s", name, r, want, out.String())
		}
		g, err := vault.Open(directory.At(r.Game), sets)
		if err != nil {
			t.Fatal(err)
		}
		if found, err := proof.Verify(g, nil); err != nil || len(found) > 0 {
			t.Errorf("%s: verify: %v %v", name, found, err)
		}
	}
}

// TestSameSeedSameBattle compares everything that was decided, byte by byte.
func TestSameSeedSameBattle(t *testing.T) {
	a, _ := play(t, "big-bad-wolf", 5)
	b, _ := play(t, "big-bad-wolf", 5)
	files, err := filepath.Glob(filepath.Join(a.Game, "turns", "*", "*"))
	if err != nil {
		t.Fatal(err)
	}
	compared := 0
	for _, file := range files {
		if base := filepath.Base(file); base != vault.StateFile && base != vault.EventsFile {
			continue
		}
		rel, err := filepath.Rel(a.Game, file)
		if err != nil {
			t.Fatal(err)
		}
		x, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		y, err := os.ReadFile(filepath.Join(b.Game, rel))
		if err != nil || !bytes.Equal(x, y) {
			t.Errorf("%s differs: %v", rel, err)
		}
		compared++
	}
	if compared != 2*(a.Turn+1) {
		t.Errorf("%d files compared for %d turns", compared, a.Turn)
	}
}

func TestEndsWhenTold(t *testing.T) {
	all, err := fasa.Scenarios()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	out := writer(func([]byte) { cancel() })
	_, err = demo.Run(ctx, demo.Options{Dir: t.TempDir(), Out: out, Catalogue: catalogue(), Scenario: all["big-bad-wolf"]})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

type writer func([]byte)

func (w writer) Write(p []byte) (int, error) {
	w(p)
	return len(p), nil
}

func TestBadScenario(t *testing.T) {
	_, err := demo.Run(t.Context(), demo.Options{Dir: t.TempDir(), Catalogue: catalogue(), Scenario: []byte("format = 1\n")})
	if _, ok := errors.AsType[*turn.ScenarioError](err); !ok {
		t.Errorf("error %v", err)
	}
}

// Rules that fail hold the game. Nothing repairs it, so the battle ends with that error.
func TestTroubleEndsIt(t *testing.T) {
	all, err := fasa.Scenarios()
	if err != nil {
		t.Fatal(err)
	}
	broken := maps.Clone(catalogue())
	plain := broken["stcs-basic"]
	broken["stcs-basic"] = func(files map[string][]byte) (*engine.Rules, error) {
		shared, err := plain(files)
		if err != nil {
			return nil, err
		}
		r := *shared
		r.Phases = append(r.Phases[:1:1], engine.Phase{Name: "bang", Step: "end", Run: func(*engine.Turn) { panic("bang") }})
		return &r, nil
	}
	_, err = demo.Run(t.Context(), demo.Options{Dir: t.TempDir(), Catalogue: broken, Scenario: all["big-bad-wolf"]})
	if err == nil || !strings.Contains(err.Error(), "bang") {
		t.Errorf("error %v", err)
	}
}
