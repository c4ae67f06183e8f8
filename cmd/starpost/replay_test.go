package main

import (
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"strings"
	"testing"
	"time"

	"starpost/engine/hex"
	"starpost/engine/testkit/enginetest"
)

// starpost runs the program, which must succeed, and returns its output.
func starpost(t *testing.T, args ...string) string {
	t.Helper()
	var out, errs strings.Builder
	at := func() time.Time { return time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC) }
	if code := run(t.Context(), args, std{in: strings.NewReader(""), out: io.Writer(&out), err: &errs, now: at}); code != 0 {
		t.Fatalf("starpost %s: exit code %d: %s", strings.Join(args, " "), code, errs.String())
	}
	return out.String()
}

// moment is a moment of a replay, as its script reads it.
type moment struct {
	ID string
	G  []int // numbers of ships no longer seen
	S  []struct {
		I int
		A [3]int
		W [][3]int
		H [][3]int
	}
}

func (m moment) turn(t *testing.T) (turn int) {
	t.Helper()
	if _, err := fmt.Sscanf(m.ID, "t%d", &turn); err != nil {
		t.Fatalf("moment %q: %v", m.ID, err)
	}
	return turn
}

// watched is the part of a replay that its script reads.
type watched struct {
	Ships []struct {
		N string
	}
	Moments []moment
}

var battleScript = regexp.MustCompile(`(?s)<script type="application/json" id="battle">(.*?)</script>`)

func readReplay(t *testing.T, page string) watched {
	t.Helper()
	m := battleScript.FindStringSubmatch(page)
	if m == nil {
		t.Fatal("the page has no battle")
	}
	var w watched
	if err := json.Unmarshal([]byte(m[1]), &w); err != nil {
		t.Fatal(err)
	}
	return w
}

// TestReplaysTellNoMore compares each captain's replay during the battle with the captain's reports: they contain
// each place of another captain's ship, and the replay has no shields of such ships.
func TestReplaysTellNoMore(t *testing.T) {
	enginetest.Sequential(t)
	for _, scenario := range []string{"ghost-hunt", "war-eagle", "fleet-action"} {
		t.Run(scenario, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir() + "/game"
			starpost(t, "new", dir, "--scenario", scenario, "--seed", "3")
			const turns = 3
			for range turns {
				starpost(t, "turn", dir, "--missing", "robot")
			}
			var state struct {
				Ships []struct{ Ship string }
			}
			if err := json.Unmarshal([]byte(starpost(t, "status", dir, "--json")), &state); err != nil || len(state.Ships) == 0 {
				t.Fatalf("status: %v, %d ships", err, len(state.Ships))
			}
			hidden := 0
			for _, s := range state.Ships[:min(len(state.Ships), 4)] {
				own, known := toldOf(t, dir, s.Ship, turns)
				w := readReplay(t, starpost(t, "replay", dir, "--as", s.Ship))
				if len(w.Moments) < turns {
					t.Errorf("%s watches only %d moments", s.Ship, len(w.Moments))
				}
				shown := map[int]bool{}
				for _, m := range w.Moments {
					for _, p := range m.S {
						shown[p.I] = true
					}
					for _, i := range m.G {
						delete(shown, i)
					}
					hidden += len(state.Ships) - len(shown)
					for _, p := range m.S {
						name := w.Ships[p.I].N
						if own[name] {
							continue
						}
						if len(p.H) > 0 {
							t.Errorf("%s sees shields of %s in %s", s.Ship, name, m.ID)
						}
						for _, at := range append(p.W, p.A) {
							label := hex.At(at[0], at[1]).Label()
							if !known[fmt.Sprint(m.turn(t), name, label)] {
								t.Errorf("%s sees %s at %s in %s, which no report told", s.Ship, name, label, m.ID)
							}
						}
					}
				}
			}
			if hidden == 0 && scenario == "ghost-hunt" {
				t.Error("no ship was ever out of sight: the test proves nothing")
			}
		})
	}
}

// toldOf returns a captain's own ships, and the places of ships that the captain's reports gave up to a turn.
func toldOf(t *testing.T, dir, ship string, turns int) (own, known map[string]bool) {
	t.Helper()
	own, known = map[string]bool{}, map[string]bool{}
	for n := range turns + 1 {
		var view struct {
			Ships []struct {
				Name, Hex string
				Own       bool
				Trail     []struct{ At struct{ Hex string } }
			}
		}
		if err := json.Unmarshal([]byte(starpost(t, "report", dir, "--as", ship, "--json", "--turn", fmt.Sprint(n))), &view); err != nil {
			t.Fatal(err)
		}
		for _, s := range view.Ships {
			own[s.Name] = own[s.Name] || s.Own
			for later := n; later <= turns; later++ {
				known[fmt.Sprint(later, s.Name, s.Hex)] = true
				for _, step := range s.Trail {
					known[fmt.Sprint(later, s.Name, step.At.Hex)] = true
				}
			}
		}
	}
	return own, known
}

// TestReplaysInTheDarkNameNoOneElse checks that before any contact a replay names neither the other ship nor her
// side.
func TestReplaysInTheDarkNameNoOneElse(t *testing.T) {
	dir := t.TempDir() + "/game"
	starpost(t, "new", dir, "--scenario", "big-bad-wolf", "--seed", "2", "--blind")
	starpost(t, "turn", dir, "--missing", "standing")
	for _, test := range []struct {
		as     []string
		hidden []string
	}{
		{[]string{"--as", "Hood"}, []string{"Riskadh", "Klingon"}},
		{[]string{"--as", "Riskadh"}, []string{"Hood", "Federation"}},
		{nil, []string{"Hood", "Federation", "Riskadh", "Klingon"}},
	} {
		page := starpost(t, append([]string{"replay", dir}, test.as...)...)
		for _, name := range test.hidden {
			if strings.Contains(page, name) {
				t.Errorf("the replay %v names %s", test.as, name)
			}
		}
	}
}

// TestAReplayOfAFleetIsSmall: a battle of 20 ships and 12 turns must fit into 400 kB, so each turn may take a twelfth
// of that.
func TestAReplayOfAFleetIsSmall(t *testing.T) {
	enginetest.Sequential(t)
	t.Parallel()
	dir := t.TempDir() + "/game"
	starpost(t, "new", dir, "--scenario", "fleet-action", "--seed", "1")
	const turns = 4
	for range turns {
		starpost(t, "turn", dir, "--missing", "robot")
	}
	if size, most := len(starpost(t, "replay", dir)), 400_000*turns/12; size > most {
		t.Errorf("the replay of %d turns has %d bytes, want at most %d", turns, size, most)
	}
}
