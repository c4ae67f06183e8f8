package compose_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/engine/family"
	"starpost/engine/rules/fasa"
	"starpost/engine/rules/manual"
	"starpost/engine/rules/sfb"
	"starpost/engine/scenario"
	"starpost/engine/testkit/enginetest"
	"starpost/orders"
	"starpost/pbem/compose"
	"starpost/pbem/orderset"
	"starpost/pbem/record/directory"
	"starpost/pbem/report"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
)

var mostViews = flag.Int("views", 40, "views of robots' battles that are looked at, for each rule set")

func families() []family.Family {
	return []family.Family{fasa.Family(), sfb.Family(), manual.Family()}
}

// seat is what a captain has: the data of the report, and the orders that a robot would give, or else the template.
type seat struct {
	position *turn.Position
	rules    *engine.Rules
	captain  engine.CaptainName
	view     []byte
	text     string
}

// longest limits the exchanges of mails of a battle.
const longest = 4

// battles plays the scenarios of a family by a rule set, some turns of each, in open and blind games, by turn and by
// phase, and calls each for the first seats, at most most of them: a quarter from each of these modes, if there are so
// many.
func battles(t *testing.T, f family.Family, set string, most int, each func(*testing.T, seat)) (seats int) {
	t.Helper()
	files, err := f.ScenarioFiles()
	if err != nil {
		t.Fatal(err)
	}
	catalogue := vault.CatalogueOf(families()...)
	n := 0
	whole := most
	for round := 0; round < 8 && seats < whole; round++ {
		most = max(1, whole*min(round+1, 4)/4)
		for _, name := range slices.Sorted(maps.Keys(files)) {
			if n++; seats >= most || n%enginetest.Share != 0 {
				continue
			}
			text, cadence := scenario.ForRules(files[name], set), vault.CadenceTurn
			if round&1 != 0 {
				cadence = vault.CadencePhase
			}
			if round&2 != 0 && !bytes.Contains(text, []byte("\n[blind]")) {
				text = append(bytes.Clone(text), "\n[blind]\n"...)
			}
			dir, seed := filepath.Join(t.TempDir(), "game"), uint64(n)
			_, err := turn.Create(dir, catalogue, turn.Setup{
				Scenario: text, ID: "game", Mail: vault.DefaultMail(), Cadence: cadence, Secret: dice.FromSeed(seed), Seed: &seed,
				Options: turn.Options{Now: noon(0), Keep: true},
			})
			if err != nil {
				continue // not for this rule set, or not possible in this mode
			}
			t.Run(fmt.Sprintf("%s/%d", name, round), func(t *testing.T) {
				g, err := vault.Open(directory.At(dir), catalogue)
				if err != nil {
					t.Fatal(err)
				}
				for stage := range longest {
					looked := seatsOf(t, g, min(12, most-seats), each)
					if seats += looked; looked == 0 || stage == longest-1 || g.Rules().Robot == nil {
						break
					}
					if _, err := turn.Resolve(g, turn.Options{Missing: vault.PolicyRobot, Now: noon(stage + 1), Keep: true}); err != nil {
						t.Fatal(err)
					}
				}
			})
		}
	}
	return seats
}

func noon(day int) time.Time { return time.Date(2026, 3, 1+day, 12, 0, 0, 0, time.UTC) }

func seatsOf(t *testing.T, g *vault.Game, most int, each func(*testing.T, seat)) (n int) {
	t.Helper()
	p, err := turn.Load(g)
	if err != nil {
		t.Fatal(err)
	}
	if p.Due() == 0 {
		return 0
	}
	for _, c := range p.State().Captains() {
		if n >= most {
			break
		}
		v, err := p.View(turn.Flagship(p.State(), c))
		if err != nil {
			t.Fatal(err)
		}
		data, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		s := seat{position: p, rules: g.Rules(), captain: c.Name, view: data}
		if s.text, err = p.Template(c.Name, false); err != nil {
			t.Fatal(err)
		}
		if g.Rules().Robot != nil {
			s.text = robots(t, v, g.Rules())
		}
		if s.text == "" {
			continue
		}
		n++
		each(t, s)
	}
	return n
}

// robots returns robots' orders for all seats of a view that owe some.
func robots(tb testing.TB, v *engine.View, r *engine.Rules) string {
	tb.Helper()
	var out strings.Builder
	for _, s := range v.Ships {
		for _, seat := range v.Owed(s) {
			settled, err := v.Settled(seat)
			if err != nil {
				tb.Fatal(err)
			}
			out.WriteString(report.OrderBlock(v, s, seat.Post, "", r.Robot(settled, s.ID)))
		}
	}
	return out.String()
}

// spoiled returns variants of a text, with mistakes of all kinds.
func spoiled(text string) []string {
	lines := strings.Split(text, "\n")
	middle := len(lines) / 2
	return []string{
		strings.Replace(text, "#end", "", 1),
		strings.Replace(text, "#orders game", "#orders gone", 1),
		strings.Replace(text, " ship ", " ship X", 1),
		strings.ReplaceAll(strings.ReplaceAll(text, "move ", "move 99 "), "fire ", "fire nothing "),
		strings.Join(append(slices.Clone(lines[:middle]), append([]string{"mvoe F", "break on nothing", "say all", "luck abc"}, lines[middle:]...)...), "\n"),
		text + text,
		strings.Replace(text, "#orders game turn ", "#orders game turn 9", 1),
		strings.Replace(text, "#end", "relay on\nmessage all\n#text\nhello\n#endtext\n#end", 1),
	}
}

type answer struct {
	OK                      bool
	Error, Hint, Text, Body string
	Mailto, Map, Who        string
	Whole, Keyed            bool
	Accepted                bool
	Ships                   []struct {
		ID, Name string
		Own      bool
	}
	Diagnostics []struct {
		Line, Column        int
		Code, Severity      string
		Message, Hint, Text string
	}
	Effects []struct {
		Ship engine.ShipID
		Line int
		Text string
	}
}

func ask(tb testing.TB, d *compose.Desk, request map[string]any) (a answer) {
	tb.Helper()
	data, err := json.Marshal(request)
	if err != nil {
		tb.Fatal(err)
	}
	if err := json.Unmarshal(d.Answer(data), &a); err != nil {
		tb.Fatal(err)
	}
	return a
}

func opened(tb testing.TB, view []byte) *compose.Desk {
	tb.Helper()
	d := compose.New(families())
	if a := ask(tb, d, map[string]any{"do": "open", "view": string(view)}); !a.OK {
		tb.Fatalf("open: %s (%s)", a.Error, a.Hint)
	}
	return d
}

// same compares the composer's reading of a text with the host's.
func same(t *testing.T, d *compose.Desk, s seat, text string) error {
	t.Helper()
	got, want := ask(t, d, map[string]any{"do": "check", "text": text}), s.position.CheckAs([]byte(text), s.captain)
	if !got.OK {
		return errors.New(got.Error)
	}
	if accepted := len(want.Sets) > 0 && !orders.HasErrors(want.Diagnostics); got.Accepted != accepted {
		return fmt.Errorf("accepted %v, want %v", got.Accepted, accepted)
	}
	if len(got.Diagnostics) != len(want.Diagnostics) {
		return fmt.Errorf("got %d diagnostics %v, want %d: %v", len(got.Diagnostics), got.Diagnostics, len(want.Diagnostics), want.Diagnostics)
	}
	for i, w := range want.Diagnostics {
		if g := got.Diagnostics[i]; g.Line != w.Pos.Line || g.Column != w.Pos.Col || g.Code != w.Code || g.Severity != w.Severity.String() || g.Message != w.Message || g.Hint != w.Hint {
			return fmt.Errorf("got diagnostic %v, want %v", g, w)
		}
	}
	effects := slices.Concat(slices.Collect(func(yield func([]engine.Effect) bool) {
		for _, s := range want.Sets {
			if !yield(s.Checked.Effects) {
				return
			}
		}
	})...)
	if len(got.Effects) != len(effects) {
		return fmt.Errorf("got effects %v, want %v", got.Effects, effects)
	}
	for i, w := range effects {
		if g := got.Effects[i]; g.Line != w.Line || g.Text != w.Text {
			return fmt.Errorf("got effect %v, want %v", g, w)
		}
	}
	return nil
}

// perhaps reports whether a text has orders about breaks: no view says whether the game has them.
func perhaps(read orderset.Reading) bool {
	return slices.ContainsFunc(read.Sets, func(s orderset.Set) bool {
		return len(engine.TurnLevelStatements(&s.Block, "break")) > 0 && s.Round > 0
	})
}

// TestCheckIsThatOfTheHost checks that the composer, with only the view, finds the same in orders as the host with the
// game, and that the host accepts the result of clicks.
func TestCheckIsThatOfTheHost(t *testing.T) {
	for _, f := range families() {
		for _, set := range f.Sets {
			t.Run(set.Name, func(t *testing.T) {
				clean, n, clicks, mute := 0, 0, 0, 0
				seats := battles(t, f, set.Name, *mostViews/enginetest.Share, func(t *testing.T, s seat) {
					t.Helper()
					d := opened(t, s.view)
					if err := same(t, d, s, s.text); err != nil {
						t.Fatalf("%s: %v\n%s", s.captain, err, s.text)
					}
					if ask(t, d, map[string]any{"do": "check", "text": s.text}).Accepted {
						clean++
						text, some := clicked(t, d, s, s.text, uint64(n))
						if err := same(t, d, s, text); err != nil || orders.HasErrors(s.position.CheckAs([]byte(text), s.captain).Diagnostics) {
							t.Errorf("%s: after %d clicks %v\n%s", s.captain, some, err, text)
						}
						if clicks += some; some == 0 {
							mute++
						}
					}
					n++
					for i, text := range spoiled(s.text) {
						if i%4 != n%4 { // each text gets two of eight mistakes
							continue
						}
						if perhaps(s.position.CheckAs([]byte(text), s.captain)) {
							text = strings.ReplaceAll(text, "break on nothing\n", "")
						}
						if err := same(t, d, s, text); err != nil {
							t.Fatalf("%s: %v\n%s", s.captain, err, text)
						}
					}
				})
				if f.Name != manual.Name && clean < seats*9/10 || seats == 0 {
					t.Errorf("of %d sets %d are accepted", seats, clean)
				}
				if f.Name != manual.Name && mute > clean/10 {
					t.Errorf("of %d sets %d cannot be changed by clicks", clean, mute)
				}
				t.Logf("%d seats, %d clicks", seats, clicks)
			})
		}
	}
}
