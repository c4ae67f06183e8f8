package referee_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"starpost/engine/ruling"
	"starpost/pbem/record/directory"
	"starpost/pbem/referee"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
)

func rita() referee.Act { return referee.Act{By: "Rita", Why: "a mistake", Now: day(9)} }

// files returns all files of a game with their contents.
func files(tb testing.TB, dir string) map[string]string {
	tb.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() || e.Name() == ".lock" {
			return err
		}
		data, err := os.ReadFile(path)
		out[path] = string(data)
		return err
	})
	if err != nil {
		tb.Fatal(err)
	}
	return out
}

// TestTryingWritesNothing checks this for every trial.
func TestTryingWritesNothing(t *testing.T) {
	g := fleets(t)
	before := files(t, g.Dir())
	state, err := g.Stages.State(vault.At(3))
	if err != nil {
		t.Fatal(err)
	}
	ship := state.Ships[0].Name
	plan := func(later bool, what ...string) referee.Plan {
		return referee.Plan{Turn: 2, Rulings: what, Later: turn.Later{Rerun: later}}
	}
	all, err := referee.WhatIf(g, rita(), plan(true, "set "+ship+" superstructure 3"), plan(false, "kill "+ship), plan(true))
	if err != nil {
		t.Fatal(err)
	}
	if len(all) != 3 || len(all[0].Turns) != 2 || len(all[1].Turns) != 1 || all[1].Aside != 3 {
		t.Errorf("%+v", all)
	}
	if d := all[2].Turns[0]; len(d.Lines) > 0 || len(d.Ships) > 0 || len(d.Views) > 0 || d.Same == 0 {
		t.Errorf("without a change: %+v", d)
	}
	i := slices.IndexFunc(all[0].Turns[0].Ships, func(c referee.Change) bool { return c.What == ship+": superstructure" && c.Is == "3" })
	if i < 0 {
		t.Errorf("%+v", all[0].Turns[0].Ships)
	}
	if out, err := referee.Preview(g, "", day(9)); err != nil || out.Turn != 4 || len(out.Reports) != len(state.Ships) {
		t.Errorf("%v", err)
	}
	if _, err := referee.PreviewRerun(g, rita(), plan(true, "kill Nobody")); err == nil {
		t.Error("a ship that is not there")
	}
	after := files(t, g.Dir())
	for name := range after {
		if after[name] != before[name] {
			t.Errorf("%s was written", name)
		}
	}
}

// TestProcessNamesTheTurn checks that a late command does nothing.
func TestProcessNamesTheTurn(t *testing.T) {
	g := fleets(t)
	for _, n := range []int{1, 3} {
		if out, played, err := referee.Process(g, rita(), n, true, turn.Options{}); err != nil || !played || out != nil || g.Turn() != 3 {
			t.Errorf("turn %d: %v, %t", n, err, played)
		}
	}
	if _, _, err := referee.Process(g, rita(), 5, true, turn.Options{}); !errors.Is(err, referee.ErrPlayed) {
		t.Errorf("turn 5: %v", err)
	}
	if _, _, err := referee.Process(g, rita(), 4, false, turn.Options{}); err == nil || g.Turn() != 3 {
		t.Errorf("without orders: %v", err)
	}
	if _, err := referee.Pause(g, rita()); err != nil {
		t.Fatal(err)
	}
	if _, _, err := referee.Process(g, rita(), 4, false, turn.Options{Missing: vault.PolicyStanding}); err == nil {
		t.Error("a paused game is played")
	}
	if out, _, err := referee.Process(g, rita(), 4, true, turn.Options{}); err != nil || out.Turn != 4 || g.Turn() != 4 {
		t.Errorf("by force: %v", err)
	}
}

// TestTwoReferees checks that the second is told who holds the lock, and changes nothing.
func TestTwoReferees(t *testing.T) {
	g := fleets(t)
	other, err := vault.Open(directory.At(g.Dir()), fleetCatalogue())
	if err != nil {
		t.Fatal(err)
	}
	if err := g.Lock(); err != nil {
		t.Fatal(err)
	}
	before := files(t, g.Dir())
	state, err := g.Stages.State(vault.At(3))
	if err != nil {
		t.Fatal(err)
	}
	_, rule := referee.Rerun(other, rita(), referee.Plan{Turn: other.Turn(), Rulings: []string{"kill " + state.Ships[0].Name}}, turn.Options{})
	_, back := referee.Rollback(other, rita(), 1, true)
	_, amend := referee.Amend(other, rita(), referee.Amendment{Name: "x"})
	_, _, play := referee.Process(other, rita(), 4, true, turn.Options{})
	for what, err := range map[string]error{"rule": rule, "rollback": back, "amend": amend, "process": play} {
		if !errors.Is(err, vault.ErrLocked) || !strings.Contains(err.Error(), "in use by") {
			t.Errorf("%s: %v", what, err)
		}
	}
	for name, data := range files(t, g.Dir()) {
		if before[name] != data {
			t.Errorf("%s was written", name)
		}
	}
	if err := g.Unlock(); err != nil {
		t.Fatal(err)
	}
	// Once the first is done, the second acts on the new state.
	if _, err := referee.Rerun(other, rita(), referee.Plan{Turn: other.Turn(), Rulings: []string{"kill " + state.Ships[0].Name}}, turn.Options{}); err != nil {
		t.Error(err)
	}
	if rulings, err := turn.RulingsIn(other, 3, 0); err != nil || len(rulings) != 1 || rulings[0] != (ruling.Ruling{By: "Rita", At: "2026-03-10T20:00:00Z", Why: "a mistake", What: "kill " + state.Ships[0].Name}) {
		t.Errorf("%+v, %v", rulings, err)
	}
}

// TestActsAreIdempotent checks this for an act with a cause, such as a mail that is read again.
func TestActsAreIdempotent(t *testing.T) {
	g := fleets(t)
	state, err := g.Stages.State(vault.At(3))
	if err != nil {
		t.Fatal(err)
	}
	a := rita()
	a.Cause = "a-mail#1"
	ship := state.Ships[0].Name
	for i := range 2 {
		out, err := referee.Rerun(g, a, referee.Plan{Turn: g.Turn(), Rulings: []string{"damage " + ship + " superstructure 1"}}, turn.Options{})
		if err != nil || out.Done != (i == 0) {
			t.Errorf("%d: %v, done %t", i, err, out.Done)
		}
	}
	if n, err := g.Stages.Current(3); err != nil || n != 2 {
		t.Errorf("revision %d, %v", n, err)
	}
	a.Cause = "a-mail#2"
	for range 2 {
		if at, err := referee.Rollback(g, a, 1, false); err != nil || at.Turn != 2 {
			t.Errorf("%+v, %v", at, err)
		}
	}
	if g.Turn() != 1 {
		t.Errorf("turn %d", g.Turn())
	}
}
