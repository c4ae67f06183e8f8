package turn_test

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/engine/rules/fasa"
	"starpost/engine/scenario"
	"starpost/engine/testkit/enginetest"
	"starpost/pbem/record/directory"
	"starpost/pbem/turn"
	"starpost/pbem/turn/proof"
	"starpost/pbem/vault"
	"starpost/pbem/vault/journal"
)

// newDuel creates a game of a course with a cadence.
func newDuel(tb testing.TB, rules, cadence string, seed uint64) *vault.Game {
	tb.Helper()
	all, err := fasa.Scenarios()
	if err != nil {
		tb.Fatal(err)
	}
	dir := filepath.Join(tb.TempDir(), "wolf")
	_, err = turn.Create(dir, catalogue(), turn.Setup{
		Scenario: scenario.ForRules(all["big-bad-wolf"], rules), ID: "wolf", Mail: vault.DefaultMail(), Cadence: cadence,
		Captains: []vault.Captain{{Address: "kirk@example.org", Ships: []string{"Hood"}}, {Address: "kor@example.org", Ships: []string{"Riskadh"}}},
		Secret:   dice.FromSeed(seed), Seed: &seed, Options: turn.Options{Now: noon(0)},
	})
	if err != nil {
		tb.Fatal(err)
	}
	g, err := vault.Open(directory.At(dir), catalogue())
	if err != nil {
		tb.Fatal(err)
	}
	return g
}

func holds(tb testing.TB, g *vault.Game) {
	tb.Helper()
	again, err := vault.Open(directory.At(g.Dir()), darkCatalogue())
	if err != nil {
		tb.Fatal(err)
	}
	found, err := proof.Verify(again, nil)
	if err != nil {
		tb.Fatal(err)
	}
	for _, f := range found {
		tb.Error(f)
	}
}

// TestCadences plays the same battle with the same orders a turn and a phase at a time: events and
// states on disk are the same, byte for byte.
func TestCadences(t *testing.T) {
	enginetest.Sequential(t)
	for rules := range fasa.Courses() {
		t.Run(rules, func(t *testing.T) {
			t.Parallel()
			whole, cut := newDuel(t, rules, vault.CadenceTurn, 3), newDuel(t, rules, vault.CadencePhase, 3)
			for n := 1; n <= 8; n++ {
				p := load(t, whole)
				if p.Due() == 0 {
					break
				}
				sets := map[string]string{}
				for _, id := range p.State().InFight() {
					text, err := p.Robot(id)
					if err != nil {
						t.Fatal(err)
					}
					s, _ := p.State().Ship(id)
					sets[s.Name] = text
					if err := whole.Orders.Put(vault.At(n), s.Name, []byte(text), time.Time{}); err != nil {
						t.Fatal(err)
					}
				}
				if _, err := turn.Resolve(whole, turn.Options{Now: noon(n)}); err != nil {
					t.Fatal(err)
				}
				for round := 1; round <= cut.Rules().Rounds(); round++ {
					for name, text := range sets {
						if round > 1 && (n+round+len(name))%2 == 0 {
							continue // earlier orders suffice
						}
						text = strings.Replace(text, " ship ", fmt.Sprintf(" phase %d ship ", round), 1)
						if err := cut.Orders.Put(vault.At(n), name, []byte(text), time.Time{}); err != nil {
							t.Fatal(err)
						}
					}
					out, err := turn.Resolve(cut, turn.Options{Now: noon(n)})
					if err != nil {
						t.Fatalf("turn %d, round %d: %v", n, round, err)
					}
					if len(out.Mails) != 2 {
						t.Errorf("turn %d, round %d: %d mails", n, round, len(out.Mails))
					}
					if out.State.Result != nil { // won before the last phase
						break
					}
				}
				for _, file := range []string{vault.EventsFile, vault.StateFile} {
					a, err := whole.Stages.File(vault.At(n), file)
					if err != nil {
						t.Fatal(err)
					}
					b, err := cut.Stages.File(vault.At(n), file)
					if err != nil {
						t.Fatal(err)
					}
					if !bytes.Equal(a, b) {
						t.Fatalf("turn %d: %s is another one", n, file)
					}
				}
			}
			holds(t, whole)
			holds(t, cut)
		})
	}
}

// TestRoundsOfRobots plays to the end with robots, which give orders again before each phase.
func TestRoundsOfRobots(t *testing.T) {
	enginetest.Sequential(t)
	for rules := range fasa.Courses() {
		t.Run(rules, func(t *testing.T) {
			t.Parallel()
			g := newDuel(t, rules, vault.CadencePhase, 7)
			for n := 0; ; n++ {
				p := load(t, g)
				if p.Due() == 0 {
					break
				}
				if n > 200 {
					t.Fatal("the battle has no end")
				}
				for _, id := range p.State().InFight() {
					text, err := p.Robot(id)
					if err != nil {
						t.Fatal(err)
					}
					s, _ := p.State().Ship(id)
					if err := g.Orders.Put(vault.At(p.Due()), s.Name, []byte(text), time.Time{}); err != nil {
						t.Fatal(err)
					}
				}
				if _, err := turn.Resolve(g, turn.Options{Now: noon(n)}); err != nil {
					t.Fatalf("%s: %v", p.DueStage(), err)
				}
			}
			holds(t, g)
		})
	}
}

// phases resolves n phases with standing orders.
func phases(tb testing.TB, g *vault.Game, n int) {
	tb.Helper()
	for range n {
		if _, err := turn.Resolve(g, turn.Options{Missing: vault.PolicyRobot, Now: noon(g.Turn() + 1)}); err != nil {
			tb.Fatal(err)
		}
	}
}

// TestRoundsAndThePast changes turns that were played in rounds, with and without a turn in
// progress.
func TestRoundsAndThePast(t *testing.T) {
	enginetest.Sequential(t)
	g := newDuel(t, "stcs-basic", vault.CadencePhase, 7)
	phases(t, g, 6)
	run, err := turn.Redo(g, 1, turn.Change{}, true)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range run.Turns {
		a, errA := engine.EncodeEvents(r.Was.Events)
		b, errB := engine.EncodeEvents(r.Is.Events)
		if errA != nil || errB != nil || !bytes.Equal(a, b) {
			t.Errorf("turn %d has other events: %v %v", r.Turn, errA, errB)
		}
	}
	correct(t, g, 2, ruled("set Hood superstructure 7"), turn.Later{Rerun: true})
	if g.Newest() != (vault.Stage{Turn: 2}) {
		t.Fatalf("at %s", g.Newest())
	}
	holds(t, g)
	phases(t, g, 2)
	if g.Newest() != (vault.Stage{Turn: 3, Round: 2}) {
		t.Fatalf("at %s", g.Newest())
	}
	// The phases of turn 3 were based on the turn that has changed.
	correct(t, g, 2, ruled("set Hood superstructure 8"), turn.Later{Rerun: true})
	if g.Newest() != (vault.Stage{Turn: 2}) {
		t.Fatalf("at %s", g.Newest())
	}
	holds(t, g)
	phases(t, g, 1)
	if g.Newest() != (vault.Stage{Turn: 3, Round: 1}) {
		t.Fatalf("at %s", g.Newest())
	}
	holds(t, g)
	phases(t, g, 2)
	holds(t, g)
	// Turns that were taken back are played in rounds again.
	if _, err := vault.Rollback(g, vault.Act{By: "Rita", Why: "once more", Now: noon(40)}, 1, noon(45), nil); err != nil {
		t.Fatal(err)
	}
	timing, err := g.Timing()
	if err != nil || timing.Turn != 2 || timing.Round != 1 || !timing.Deadline.Equal(noon(45)) {
		t.Fatalf("%+v %v", timing, err)
	}
	phases(t, g, 2)
	if g.Newest() != (vault.Stage{Turn: 2, Round: 2}) {
		t.Fatalf("at %s", g.Newest())
	}
	holds(t, g)
}

// TestRoundsHaveTheirOwnTime: a new deadline is for the round that was due.
func TestRoundsHaveTheirOwnTime(t *testing.T) {
	g := newDuel(t, "stcs-basic", vault.CadencePhase, 7)
	phases(t, g, 1)
	e := journal.NewEntry(journal.Deadline, "referee", noon(1), journal.DeadlineData{Deadline: noon(20)})
	e.Turn = 1
	if _, err := g.Append(e); err != nil {
		t.Fatal(err)
	}
	timing, err := g.Timing()
	if err != nil || timing.Round != 2 || !timing.Deadline.Equal(noon(20)) || !timing.Moved() {
		t.Fatalf("%+v %v", timing, err)
	}
	phases(t, g, 1)
	if timing, err = g.Timing(); err != nil || timing.Round != 3 || timing.Moved() || !timing.Deadline.Equal(noon(1).Add(72*time.Hour)) {
		t.Fatalf("%+v %v", timing, err)
	}
}

// TestRoundsOnDisk: only the due round is committed, and sets for a played one are refused.
func TestRoundsOnDisk(t *testing.T) {
	g := newDuel(t, "stcs-basic", vault.CadencePhase, 7)
	phases(t, g, 1)
	other, err := vault.Open(directory.At(g.Dir()), catalogue())
	if err != nil {
		t.Fatal(err)
	}
	phases(t, g, 1)
	m := vault.Manifest{Turn: 1, Round: 2, Resolved: noon(2)}
	if err := other.Commit(m, vault.Files(), nil); !errors.Is(err, vault.ErrCommitted) {
		t.Errorf("the same round twice: %v", err)
	}
	if err := g.Orders.Put(vault.Stage{Turn: 1, Round: 2}, "Hood", []byte("x"), time.Time{}); !errors.Is(err, vault.ErrCommitted) {
		t.Errorf("a set for a round that was played: %v", err)
	}
	m.Round = 3
	if err := g.Commit(m, vault.Files(), nil); !errors.Is(err, vault.ErrNoTurn) {
		t.Errorf("the last round is the turn: %v", err)
	}
	if err := g.Orders.Put(vault.Stage{Turn: 2, Round: 2}, "Hood", []byte("x"), time.Time{}); err != nil {
		t.Error(err)
	}
	if files, err := g.Orders.For(vault.Stage{Turn: 2, Round: 2}); err != nil || len(files) != 1 {
		t.Errorf("%v %v", files, err)
	}
	if files, err := g.Orders.For(vault.At(1)); err != nil || len(files) != 0 {
		t.Errorf("%v %v", files, err)
	}
	stages, err := g.Stages.Of(1)
	if err != nil || len(stages) != 2 || stages[1].String() != "turn 1, phase 2" {
		t.Errorf("%v %v", stages, err)
	}
}
