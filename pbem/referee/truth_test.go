package referee_test

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/pbem/console"
	"starpost/pbem/record/directory"
	"starpost/pbem/referee"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
	"starpost/pbem/vault/journal"
)

// raid returns a battle of the Graduate Course with hidden information, played by robots for the
// given number of turns, or until it is over.
func raid(t *testing.T, turns int) *vault.Game {
	t.Helper()
	read := func(name string) []byte {
		data, err := os.ReadFile(filepath.Join("..", "..", "examples", name))
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	dir := filepath.Join(t.TempDir(), "raid")
	_, err := turn.Create(dir, catalogue(), turn.Setup{
		Scenario: read("raid.toml"), Tables: map[string][]byte{"ships/raiders.toml": read("raiders-ships.toml")}, ID: "raid",
		Mail: vault.DefaultMail(), Secret: dice.FromSeed(1), Options: turn.Options{Now: began},
	})
	if err != nil {
		t.Fatal(err)
	}
	g, err := vault.Open(directory.At(dir), catalogue())
	if err != nil {
		t.Fatal(err)
	}
	for range turns {
		if _, err := turn.Resolve(g, turn.Options{Now: began, Missing: vault.PolicyRobot}); errors.Is(err, turn.ErrOver) {
			return g
		} else if err != nil {
			t.Fatal(err)
		}
	}
	return g
}

// TestEveryEventIsTraced checks that causes come before effects, that each effect names its causes,
// and that every loss goes back to an order.
func TestEveryEventIsTraced(t *testing.T) {
	g := raid(t, 3)
	shots := 0
	for n := 1; n <= g.Turn(); n++ {
		truth, err := referee.Show(t.Context(), g, n, 0, referee.Postbag{})
		if err != nil {
			t.Fatal(err)
		}
		events, err := g.Stages.Events(vault.At(n))
		if err != nil {
			t.Fatal(err)
		}
		if len(truth.Events) != len(events) {
			t.Fatalf("turn %d has %d events, %d are told", n, len(events), len(truth.Events))
		}
		for i, e := range truth.Events {
			if e.Type == "move" && i%9 != 0 {
				continue // there are many of them
			}
			if len(e.Text) == 0 || strings.TrimSpace(e.Text[0]) == "" || e.Seen == "" {
				t.Errorf("event %d.%d is told without words: %+v", n, e.Seq, e)
			}
			chain, err := referee.Follow(t.Context(), g, n, 0, e.Seq, referee.Postbag{})
			if err != nil {
				t.Fatal(err)
			}
			for _, l := range chain.Before {
				if l.Seq >= e.Seq {
					t.Errorf("event %d.%d follows from %d", n, e.Seq, l.Seq)
				}
			}
			for _, l := range chain.After[:min(1, len(chain.After))] {
				back, err := referee.Follow(t.Context(), g, n, 0, l.Seq, referee.Postbag{})
				if err != nil {
					t.Fatal(err)
				}
				_, die := events[i].Body.(*engine.Roll)
				if !die && !slices.ContainsFunc(back.Before, func(b referee.Link) bool { return b.Seq == e.Seq }) {
					t.Errorf("event %d.%d leads to %d, but not back", n, e.Seq, l.Seq)
				}
			}
			switch e.Type {
			case "fire", "shield", "damage":
				if len(chain.Before) == 0 || len(chain.Orders) == 0 && e.Type == "fire" {
					t.Errorf("event %d.%d (%s) comes of nothing", n, e.Seq, e.Type)
				}
				if e.Type == "fire" {
					shots++
					if len(chain.Link.Dice) != 1 || len(chain.Link.Why) < 2 {
						t.Errorf("event %d.%d: %+v", n, e.Seq, chain.Link)
					}
				}
			case "roll":
				if len(chain.After) == 0 {
					t.Errorf("die %d.%d serves nothing: %s", n, e.Seq, e.Text)
				}
			}
		}
	}
	if shots < 20 {
		t.Errorf("only %d shots", shots)
	}
}

// TestCaptainsEventNumbersAreFound checks that the number of an event in a captain's report leads
// to that event.
func TestCaptainsEventNumbersAreFound(t *testing.T) {
	g := raid(t, 3)
	for n := 1; n <= g.Turn(); n++ {
		events, err := g.Stages.Events(vault.At(n))
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range g.Settings().Captains {
			v, err := turn.ViewAt(g, vault.At(n), c.Ships[0])
			if err != nil {
				t.Fatal(err)
			}
			for i, e := range v.Events {
				if i%7 != n%7 {
					continue // each costs a view
				}
				seq, err := referee.EventOf(g, n, c.Ships[0], e.N)
				if err != nil {
					t.Fatal(err)
				}
				truth := events[seq-1]
				if truth.Phase != e.Phase || truth.Type.Name != e.Type.Name || !reflect.DeepEqual(truth.Rule, e.Rule) {
					t.Errorf("%d.%d of %s is not %d: %+v, %+v", n, e.N, c.Name, seq, e, truth)
				}
			}
			if _, err := referee.EventOf(g, n, c.Ships[0], len(v.Events)+1); !errors.Is(err, referee.ErrNoEvent) {
				t.Errorf("one event too many: %v", err)
			}
		}
	}
}

// protested records a protest in a game's journal.
func protested(t *testing.T, g *vault.Game, captain engine.CaptainName, n, event int) {
	t.Helper()
	e := journal.NewEntry(journal.Protest, string(captain), began, journal.ProtestData{Turn: n, Event: event, Reason: "no"})
	e.Captain, e.Turn = captain, n+1
	if _, err := g.Append(e); err != nil {
		t.Fatal(err)
	}
}

// TestPublicWordsHideTheUnseen checks that words that name what a reader has never seen are
// refused.
func TestPublicWordsHideTheUnseen(t *testing.T) {
	g := game(t, func(m *vault.MailSettings) { m.DisputesWait = true })
	if _, err := turn.Resolve(g, turn.Options{Now: at(1), Missing: vault.PolicyRobot}); err != nil {
		t.Fatal(err)
	}
	protested(t, g, "Hood", 1, 1)
	if err := referee.UpdateDisputeClock(g, at(2)); err != nil {
		t.Fatal(err)
	}
	if timing, err := g.Timing(); err != nil || timing.Paused == nil || timing.Paused.By != referee.ByProtest {
		t.Fatalf("%+v, %v", timing, err)
	}
	before := entries(t, g)
	for name, d := range map[string]referee.Decision{
		"no words":         {Step: journal.DisputeReject},
		"an event":         {Step: journal.DisputeReject, Text: "No.", Tell: "Event 1.17 stands."},
		"public answer":    {Step: journal.DisputeAnswer, Text: "Why?", Tell: "He asks."},
		"a turn to come":   {Step: journal.DisputeUphold, Text: "Yes.", Turn: 9, Revision: 2},
		"a loose revision": {Step: journal.DisputeUphold, Text: "Yes.", Revision: 2},
	} {
		_, err := referee.Settle(g, by("Ann", 3), 1, d)
		told, ok := errors.AsType[*referee.Error](err)
		if !ok || !errors.Is(err, referee.ErrWords) || told.Hint() == "" || entries(t, g) != before {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := referee.Settle(g, by("Ann", 3), 1, referee.Decision{Step: journal.DisputeUphold, Text: "Yes.", Turn: 1, Revision: 2}); !errors.Is(err, vault.ErrNoTurn) {
		t.Errorf("a revision that is not there: %v", err)
	}
	got, err := referee.Settle(g, by("Ann", 3), 1, referee.Decision{Step: journal.DisputeUphold, Text: "Yes, Riskadh was too far.", Tell: "Hood was right."})
	if err != nil || got.Outcome() != journal.DisputeUphold {
		t.Fatalf("%+v, %v", got, err)
	}
	if timing, err := g.Timing(); err != nil || timing.Paused != nil {
		t.Errorf("%+v, %v", timing, err)
	}
	if _, err := referee.Settle(g, by("Ann", 4), 1, referee.Decision{Step: journal.DisputeReject, Text: "No."}); !errors.Is(err, referee.ErrSettled) {
		t.Error(err)
	}
	if _, err := referee.Settle(g, by("Ann", 4), 2, referee.Decision{Step: journal.DisputeReject, Text: "No."}); !errors.Is(err, referee.ErrNoDispute) {
		t.Error(err)
	}
}

// TestHiddenNamesAreFound checks that in a battle with ships still to arrive, or out of sight, a
// verdict does not reveal their names to a captain.
func TestHiddenNamesAreFound(t *testing.T) {
	g := raid(t, 1)
	settings := g.Settings()
	protested(t, g, settings.Captains[0].Name, 1, 1)
	state, err := g.Stages.State(vault.At(g.Turn()))
	if err != nil {
		t.Fatal(err)
	}
	hidden := 0
	for _, c := range settings.Captains[1:] {
		v, err := turn.ViewAt(g, vault.At(g.Turn()), c.Ships[0])
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range state.Ships {
			if known, ok := v.Ship(s.ID); ok && known.Name == s.Name {
				continue
			}
			hidden++
			_, err := referee.Settle(g, by("Ann", 3), 1, referee.Decision{Step: journal.DisputeReject, Text: "No.", Tell: "It was " + strings.ToUpper(s.Name) + ", not you."})
			if !errors.Is(err, referee.ErrWords) || !strings.Contains(err.Error(), s.Name) {
				t.Errorf("%s is told of %s: %v", c.Name, s.Name, err)
			}
		}
	}
	t.Logf("%d names are hidden from somebody", hidden)
	if hidden == 0 {
		t.Error("nothing is hidden in this battle")
	}
}

// TestNoCausesOfWhatComesOutOtherwise checks that, if this program would resolve a turn
// differently, its events are shown as stored, with the remark that their causes are unknown.
func TestNoCausesOfWhatComesOutOtherwise(t *testing.T) {
	g := raid(t, 1)
	shots := func() (seq, from int, why string) {
		truth, err := referee.Show(t.Context(), g, 1, 0, referee.Postbag{})
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range truth.Events {
			if e.Type == "move" {
				seq = e.Seq
			}
			from += len(e.From)
		}
		return seq, from, truth.Unexplained
	}
	seq, from, why := shots()
	if seq == 0 || from == 0 || why != "" {
		t.Fatalf("event %d, %d causes, unexplained: %q", seq, from, why)
	}
	r := g.Rules()
	defer func(was []engine.Phase) { r.Phases = was }(r.Phases) // other tests share the rules
	r.Phases = slices.DeleteFunc(slices.Clone(r.Phases), func(p engine.Phase) bool { return p.Step == "movement" })
	if _, from, why = shots(); from != 0 || !strings.Contains(why, "differs from what is stored") {
		t.Errorf("%d causes, unexplained: %q", from, why)
	}
	chain, err := referee.Follow(t.Context(), g, 1, 0, seq, referee.Postbag{})
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	console.Trace(&out, chain)
	if len(chain.Link.Text) == 0 || len(chain.Orders) > 0 || !strings.Contains(out.String(), "not known, as the turn cannot be played again") {
		t.Errorf("%+v\n%s", chain, out.String())
	}
}
