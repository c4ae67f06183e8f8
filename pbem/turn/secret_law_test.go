package turn_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/engine/rules/fasa"
	"starpost/engine/ruling"
	"starpost/engine/scenario"
	"starpost/engine/testkit/enginetest"
	"starpost/pbem/outgoing"
	"starpost/pbem/record/directory"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
)

// twins are two copies of a game. In the first one, things are changed that one captain does not see; everything else
// happens in both. The viewer may be an officer, and the changes may be on their own ship.
type twins struct {
	t      *rapid.T
	games  [2]*vault.Game
	viewer engine.Captain
	mails  [2][]string // the mails to the viewer
	acts   []string
	days   int
}

// begin creates a game in which each ship has its own captain.
func begin(tb testing.TB, file []byte, cadence string) string {
	tb.Helper()
	sc, diags := scenario.Parse(file)
	if sc == nil {
		tb.Fatal(diags)
	}
	var captains []vault.Captain
	for _, s := range sc.Ships {
		at := strings.ToLower(s.Name) + "@example.org"
		captains = append(captains, vault.Captain{Address: at, Ships: []string{s.Name}})
		if sc.Rules == "stcs-command" {
			for _, post := range []string{"engineer", "helm", "science"} {
				captains = append(captains, vault.Captain{Address: post + "." + at, Posts: []string{s.Name + "." + post}})
			}
		}
	}
	dir, seed := filepath.Join(tb.TempDir(), "game"), uint64(3)
	if _, err := turn.Create(dir, catalogue(), turn.Setup{
		Scenario: file, ID: "game", Mail: vault.DefaultMail(), Captains: captains, Cadence: cadence,
		Secret: dice.FromSeed(seed), Seed: &seed, Options: turn.Options{Now: noon(0)},
	}); err != nil {
		tb.Fatal(err)
	}
	return dir
}

// TestCorrectionsLeakNothing plays games twice. In one of them the referee also keeps changing what one of the
// captains cannot see: rulings on ships and dice, reruns, other filings. As long as this captain may know the same of
// both games, both send the same mails at the same times, with the same Message-IDs, and the same answers to requests
// for a report. For more games use -rapid.checks 100.
func TestCorrectionsLeakNothing(t *testing.T) {
	enginetest.Sequential(t)
	all, err := fasa.Scenarios()
	if err != nil {
		t.Fatal(err)
	}
	as := func(scenario, course string) []byte {
		return bytes.Replace(all[scenario], []byte("rules = \"stcs-advanced\""), []byte("rules = \""+course+"\""), 1)
	}
	for _, c := range []struct {
		name     string
		scenario []byte
		cadence  string
	}{
		{"basic", all["three-on-three"], ""},
		{"advanced", all["ghost-hunt"], ""},
		{"graduate", as("romulan-gambit", "stcs-graduate"), ""},
		{"phases", all["big-bad-wolf"], vault.CadencePhase},
		{"manual", []byte(tableGame), ""},
		{"posts", scenario.ForRules(all["big-bad-wolf"], "stcs-command"), ""},
		{"posts in phases", scenario.ForRules(all["big-bad-wolf"], "stcs-command"), vault.CadencePhase},
	} {
		t.Run(c.name, func(t *testing.T) {
			began := begin(t, c.scenario, c.cadence)
			enginetest.FewChecks(t, 2)
			runs, compared, hidden := 0, 0, 0
			rapid.Check(t, func(r *rapid.T) {
				runs++
				w := newTwins(t, r, began)
				for range 2 {
					w.play()
				}
				for range rapid.IntRange(1, 5).Draw(r, "acts") {
					hidden += w.hide()
					if rapid.Bool().Draw(r, "open") {
						w.correctBoth()
					}
					if !w.alike() {
						return // by now the viewer sees a difference
					}
					if rapid.IntRange(0, 3).Draw(r, "more") == 0 {
						w.both()
					}
					if !w.alike() {
						return
					}
					compared++
					w.compare()
				}
			})
			// A few games may have nothing to hide by chance; many may not.
			if runs >= 20 && (compared == 0 || hidden == 0) {
				t.Errorf("%d games: %d comparisons, %d hidden changes", runs, compared, hidden)
			}
		})
	}
}

func newTwins(tb testing.TB, r *rapid.T, began string) *twins {
	tb.Helper()
	w := &twins{t: r, days: 1}
	for i := range w.games {
		to := tb.TempDir()
		if err := os.CopyFS(to, os.DirFS(began)); err != nil {
			r.Fatal(err)
		}
		g, err := vault.Open(directory.At(to), catalogue())
		if err != nil {
			r.Fatal(err)
		}
		w.games[i] = g
	}
	state, err := w.games[0].Stages.State(vault.At(0))
	if err != nil {
		r.Fatal(err)
	}
	w.viewer = rapid.SampledFrom(state.Captains()).Draw(r, "viewer")
	return w
}

// options returns the options for resolving.
func (w *twins) options() turn.Options {
	return turn.Options{Missing: vault.PolicyRobot, Workers: 1, Now: noon(w.days)}
}

// keep records the mails to the viewer that resulted in one of the games.
func (w *twins) keep(i int, outs ...*turn.Outcome) {
	for _, out := range outs {
		d, err := turn.Draw(w.games[i], vault.Stage{Turn: out.Turn, Round: out.Round})
		if err != nil {
			w.t.Fatal(err)
		}
		for _, m := range out.Mails {
			if m.Captain != w.viewer.Name {
				continue
			}
			raw, without, err := d.Mail(m.Name)
			if err != nil || without != nil {
				w.t.Fatal(err, without)
			}
			w.mails[i] = append(w.mails[i], enginetest.WithoutHashes(string(raw)))
		}
	}
}

func written(t *rapid.T, m outgoing.Message) string {
	attached := ""
	for i, a := range m.Attachments {
		attached += "\n" + a.Name + "\n" + string(a.Data)
		m.Attachments[i].Data = nil
	}
	data, err := json.MarshalIndent(m, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return enginetest.WithoutHashes(strings.ReplaceAll(string(data), `\n`, "\n") + attached)
}

// play plays what is due in both games.
func (w *twins) play() {
	w.days++
	for i, g := range w.games {
		due, err := g.Due()
		if err != nil {
			w.t.Fatal(err)
		}
		if due == 0 {
			continue
		}
		o := w.options()
		if g.Rules().Filing != nil {
			o.Missing = vault.PolicyStanding
			o.Filed = &turn.Filed{Turn: due, By: "Quinn", Data: fmt.Appendf(nil, "#rulings\nmove Riskadh 05%02d\nroll r%d d10\nset Hood hull %d\n", 6+due, due, due)}
		}
		out, err := turn.Resolve(g, o)
		if err != nil {
			w.t.Fatal(err)
		}
		w.keep(i, out)
	}
}

// change returns a random change of a turn, of a ship other than the viewer's or of any.
func (w *twins) change(g *vault.Game, n int, own bool) turn.Change {
	c := turn.Change{By: "Rita", Why: fmt.Sprintf("reason %d", len(w.acts)), Now: noon(w.days)}
	if g.Rules().Filing != nil && n > 0 {
		c.Filed = fmt.Appendf(nil, "#rulings\nmove Riskadh 05%02d\nroll r%d d10\nset Hood hull %d\n#ship %s\n%s\n",
			6+n, n, n, rapid.SampledFrom([]string{"Hood", "Riskadh"}).Draw(w.t, "for"), rapid.StringMatching("[a-z]{1,9}").Draw(w.t, "words"))
		return c
	}
	state, err := g.Stages.State(vault.At(n))
	if err != nil {
		w.t.Fatal(err)
	}
	ships := slices.DeleteFunc(slices.Clone(state.Ships), func(s *engine.Ship) bool {
		// Officers see only one panel of their own ship.
		return slices.Contains(w.viewer.Ships, s.ID) != own && (own || w.viewer.Seats[0].Post == "")
	})
	s := rapid.SampledFrom(ships).Draw(w.t, "ship")
	all := []string{fmt.Sprintf("move %s %02d%02d A", s.Name, rapid.IntRange(1, 15).Draw(w.t, "column"), rapid.IntRange(1, 15).Draw(w.t, "row"))}
	if sys, ok := s.System.(ruling.Editable); ok {
		for _, d := range sys.Fields() {
			if d.Choices == nil && d.Low < d.High {
				all = append(all, fmt.Sprintf("set %s %s %d", s.Name, d.Name, rapid.IntRange(d.Low, d.High).Draw(w.t, "value")))
			}
		}
	}
	c.Rulings = []ruling.Ruling{{By: c.By, At: "2026-12-21T12:00:00Z", Why: c.Why, What: rapid.SampledFrom(all).Draw(w.t, "ruling"), Before: n > 0 && rapid.Bool().Draw(w.t, "before")}}
	return c
}

// hide changes something in the first game that the viewer does not see, if it finds such a thing.
func (w *twins) hide() int {
	g := w.games[0]
	if g.Newest().Round > 0 {
		return 0 // everyone is told that rounds are taken back
	}
	n := rapid.IntRange(0, g.Turn()).Draw(w.t, "turn")
	if rapid.Bool().Draw(w.t, "last") {
		n = g.Turn()
	}
	c := w.change(g, n, false)
	run, err := turn.Redo(g, n, c, true)
	if err != nil || run.Aside > 0 {
		return 0 // impossible, or the battle ends, which everyone sees
	}
	for i := range run.Turns {
		seen, err := run.Turns[i].Affected(g.Rules())
		if err != nil {
			w.t.Fatal(err)
		}
		if slices.Contains(seen, w.viewer.Name) {
			return 0
		}
	}
	before := len(w.mails[0])
	w.acts = append(w.acts, fmt.Sprintf("unseen, turn %d: %q", n, c.Words()))
	out, err := turn.Correct(g, n, c, turn.Later{Rerun: true}, nil, w.options())
	if err != nil {
		w.t.Fatal(err)
	}
	w.keep(0, out.Outcomes...)
	if len(w.mails[0]) != before {
		w.t.Fatalf("%s gets a mail of what he does not see:\n%s\n%s", w.viewer.Name, strings.Join(w.acts, "\n"), w.mails[0][before])
	}
	return 1
}

// correctBoth changes something of the viewer's own in both games.
func (w *twins) correctBoth() {
	w.days++
	if w.games[0].Newest().Round > 0 || w.games[0].Turn() != w.games[1].Turn() {
		return
	}
	n := w.games[0].Turn()
	c := w.change(w.games[0], n, true)
	w.acts = append(w.acts, fmt.Sprintf("seen, turn %d: %q", n, c.Words()))
	for i, g := range w.games {
		out, err := turn.Correct(g, n, c, turn.Later{}, nil, w.options())
		if err != nil {
			w.acts = append(w.acts, err.Error())
			continue
		}
		w.keep(i, out.Outcomes...)
	}
}

// both plays on, or takes turns back, in both games.
func (w *twins) both() {
	if last := w.games[0].Turn(); last > 0 && rapid.Bool().Draw(w.t, "back") && last == w.games[1].Turn() {
		to := rapid.IntRange(0, last-1).Draw(w.t, "to")
		w.acts = append(w.acts, fmt.Sprintf("back to turn %d", to))
		for _, g := range w.games {
			if _, err := vault.Rollback(g, vault.Act{By: "Rita", Why: "a mistake", Now: noon(w.days)}, to, noon(w.days+3), nil); err != nil {
				w.t.Fatal(err)
			}
		}
	}
	w.acts = append(w.acts, "played")
	w.play()
}

// alike reports whether the viewer may know the same of both games.
func (w *twins) alike() bool {
	var seen [2][]byte
	for i, g := range w.games {
		stages := []vault.Stage{g.Newest()}
		for n := range g.Turn() + 1 {
			stages = append(stages, vault.Stage{Turn: n})
		}
		for _, at := range stages {
			state, err := g.Stages.State(at)
			if err != nil {
				w.t.Fatal(err)
			}
			events, err := g.Stages.Events(at)
			if err != nil {
				w.t.Fatal(err)
			}
			if state.Result != nil {
				return false // nothing is secret any more
			}
			who, err := g.Rules().SeatViewer(state, w.viewer.Seats[0])
			if err != nil {
				w.t.Fatal(err)
			}
			v, err := engine.BuildView(g.Rules(), state, events, who)
			if err != nil {
				w.t.Fatal(err)
			}
			one, err := json.Marshal(v)
			if err != nil {
				w.t.Fatal(err)
			}
			seen[i] = append(seen[i], one...)
		}
	}
	return bytes.Equal(seen[0], seen[1])
}

// compare compares everything that the viewer ever got, and the answers to requests.
func (w *twins) compare() {
	for n := range w.games[0].Turn() + 1 {
		for i, g := range w.games {
			c, ok := g.Settings().Captain(w.viewer.Name)
			if !ok {
				w.t.Fatal("no such captain")
			}
			for changes := range 2 { // also for someone who took over the seat
				m, err := turn.RepeatReport(g, turn.Repeat{Turn: n, Captain: c, Changes: changes, ID: "<again@example.org>", Now: noon(w.days).Add(time.Hour)})
				if err != nil {
					w.t.Fatal(err)
				}
				w.mails[i] = append(w.mails[i], written(w.t, m))
			}
		}
	}
	if len(w.mails[0]) != len(w.mails[1]) {
		w.t.Fatalf("%s got %d mails in the one game and %d in the other\n%s", w.viewer.Name, len(w.mails[0]), len(w.mails[1]), strings.Join(w.acts, "\n"))
	}
	for i := range w.mails[0] {
		if w.mails[0][i] != w.mails[1][i] {
			w.t.Fatalf("%s can tell:\n%s\n%s", w.viewer.Name, strings.Join(w.acts, "\n"), enginetest.Difference([]byte(w.mails[1][i]), []byte(w.mails[0][i])))
		}
	}
}
