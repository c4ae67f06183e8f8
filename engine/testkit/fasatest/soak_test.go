package fasatest_test

import (
	"bytes"
	"cmp"
	"flag"
	"fmt"
	"io"
	"maps"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"text/tabwriter"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/engine/robots"
	"starpost/engine/rules/fasa"
	"starpost/engine/rules/fasa/ship"
	"starpost/engine/rules/fasa/tables"
	"starpost/engine/scenario"
	"starpost/engine/testkit/enginetest"
	"starpost/engine/testkit/fasatest"
)

var (
	soakBattles = flag.Int("battles", enginetest.Fewer(25), "how many battles of robots TestSoak plays")
	soakRules   = flag.String("rules", "", "the one rule set by which it plays; all if it is blank")
	soakOnly    = flag.String("scenario", "", "the one scenario whose battles it plays; all if it is blank")
	soakDark    = flag.Bool("dark", false, "play all of them in the dark")
)

// pairing is a scenario with a rule set that can play it, and the results of its battles.
type pairing struct {
	scenario string
	rules    *engine.Rules
	sc       scenario.Scenario

	battles, turns, longest int
	wins                    map[string]int // by side; "" for draws
	errs                    []error
}

// pairings returns all built-in scenarios, each with its own rule set and those of later courses.
func pairings(tb testing.TB) []*pairing {
	tb.Helper()
	lib, err := tables.Builtin()
	if err != nil {
		tb.Fatal(err)
	}
	all, err := fasa.Scenarios()
	if err != nil {
		tb.Fatal(err)
	}
	courses := []string{"book-one", "stcs-basic", "stcs-advanced", "stcs-graduate", "stcs-command"}
	if len(courses) != len(fasa.Courses()) {
		tb.Fatalf("courses %v, but there are %d", courses, len(fasa.Courses()))
	}
	var out []*pairing
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if *soakOnly != "" && name != *soakOnly {
			continue
		}
		if *soakDark && !bytes.Contains(all[name], []byte("[blind]")) {
			all[name] = append(slices.Clip(all[name]), "\n[blind]\n"...)
		}
		sc, diags := scenario.Parse(all[name])
		if sc == nil {
			tb.Fatal(diags)
		}
		from := slices.Index(courses, sc.Rules)
		if from < 0 {
			tb.Fatalf("%s is made for %s", name, sc.Rules)
		}
		play := courses[from:]
		if from <= 1 { // each of the first two also plays the other's scenarios
			play = courses
		}
		for _, course := range play {
			if *soakRules != "" && course != *soakRules {
				continue
			}
			r, err := fasa.Courses()[course](lib)
			if err != nil {
				tb.Fatal(err)
			}
			p := &pairing{scenario: name, rules: r, sc: *sc, wins: map[string]int{}}
			p.sc.Rules = course
			switch _, diags := p.sc.NewGame(r, "game", nil); {
			case len(diags) > 0 && course != sc.Rules && from <= 1 && slices.Index(courses, course) <= 1:
				continue // it needs features that the other book does not have
			case len(diags) > 0:
				tb.Fatalf("%s with %s: %v", name, course, diags)
			}
			out = append(out, p)
		}
	}
	if len(out) == 0 {
		tb.Fatalf("there is no scenario %s for rules %s", *soakOnly, *soakRules)
	}
	return out
}

// TestSoak has robots play all scenarios by all their rule sets: every battle ends in time, every turn is correct,
// and all robot orders are valid. It logs the results.
func TestSoak(t *testing.T) {
	lib, err := tables.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	all := pairings(t)
	jobs := make(chan int)
	var playing sync.WaitGroup
	var mu sync.Mutex
	for range runtime.GOMAXPROCS(0) {
		playing.Go(func() {
			for n := range jobs {
				p, seed := all[n%len(all)], uint64(n/len(all))
				g, err := p.play(lib, seed)
				mu.Lock()
				p.record(g, err)
				mu.Unlock()
			}
		})
	}
	for n := range *soakBattles {
		jobs <- n
	}
	close(jobs)
	playing.Wait()
	t.Logf("%d battles\n%s", *soakBattles, soakTable(all))
	for _, p := range all {
		for _, err := range p.errs {
			t.Error(err)
		}
	}
}

// play has robots play one battle to its end and checks every turn.
func (p *pairing) play(lib *tables.Library, seed uint64) (*engine.Game, error) {
	g, diags := p.sc.Drawn(dice.FromSeed(seed), "soak").NewGame(p.rules, fmt.Sprintf("soak-%d", seed), nil)
	if g == nil {
		return nil, fmt.Errorf("set up %s by %s: %v", p.sc.Name, p.rules.Name, diags)
	}
	man(p.rules, g, seed)
	g, err := robots.Fight(p.rules, g, dice.FromSeed(seed), func(t robots.Turn) error {
		return cmp.Or(
			enginetest.CheckTurn(p.rules, t.Before, t.After, t.Events),
			fasatest.Check(lib, p.rules, t.Before, t.After, t.Events),
			reckless(t.Before, t.Events),
		)
	})
	if err != nil {
		err = fmt.Errorf("%s by %s, seed %d: %w", p.scenario, p.rules.Name, seed, err)
	}
	return g, err
}

// man fills the posts of ships, if there are any: in one battle of three on all ships, in the next on every second
// ship except the weapons post, in the third none.
func man(r *engine.Rules, g *engine.Game, seed uint64) {
	for i, s := range engine.Captained(g.Ships) {
		for _, post := range r.Posts() {
			if seed%3 == 0 || seed%3 == 1 && i%2 == 0 && post != ship.PostWeapons {
				if s.Crew == nil {
					s.Crew = map[string]engine.CaptainName{}
				}
				s.Crew[post] = engine.CaptainName(s.Name + " " + post)
			}
		}
	}
}

// reckless returns an error if a robot steers into a planet, or into a mine that its captain had found.
func reckless(before *engine.Game, events []engine.Event) error {
	// Ships that did not go as ordered: they could not be steered, or the engineer gave fewer points than the helm
	// needed.
	astray := map[engine.ShipID]bool{}
	strays := []string{"stcs 21.2", "stcs 21.3", "stcs 3.6"}
	for _, e := range events {
		switch b := e.Body.(type) {
		case *engine.Skip:
			astray[b.Ship] = astray[b.Ship] || slices.ContainsFunc(e.Rule, func(rule string) bool { return slices.Contains(strays, rule) })
			if slices.Contains(e.Rule, "stcs 8.6") && !astray[b.Ship] {
				return fmt.Errorf("%s: %s: %s", b.Ship, b.Order, b.Reason)
			}
		case *ship.MineMet:
			for _, f := range before.TerrainAt(b.Hex) {
				if !b.Dummy && slices.Contains(f.Found, b.Ship) && !astray[b.Ship] {
					return fmt.Errorf("%s enters %s, where she has found a mine", b.Ship, b.Hex.Label())
				}
			}
		}
	}
	return nil
}

func (p *pairing) record(g *engine.Game, err error) {
	p.battles++
	if err != nil {
		p.errs = append(p.errs, err)
		return
	}
	p.turns += g.Turn
	p.longest = max(p.longest, g.Turn)
	p.wins[g.Result.Side]++
}

// soakTable prints the results, a line for each pairing.
func soakTable(all []*pairing) string {
	var b, table strings.Builder
	table.WriteString("SCENARIO\tRULES\tBATTLES\tTURNS\tLONGEST\tWINS\tDRAWS\tERRORS\n")
	for _, p := range all {
		if p.battles == 0 {
			continue
		}
		ended := max(1, p.battles-len(p.errs))
		var wins []string
		for _, side := range p.sc.Sides {
			wins = append(wins, fmt.Sprintf("%s %d%%", side.ID, 100*p.wins[side.ID]/ended))
		}
		fmt.Fprintf(&table, "%s\t%s\t%d\t%d.%d\t%d\t%s\t%d%%\t%d\n", p.scenario, p.rules.Name, p.battles, p.turns/ended, 10*p.turns/ended%10,
			p.longest, strings.Join(wins, ", "), 100*p.wins[""]/ended, len(p.errs))
	}
	w := tabwriter.NewWriter(&b, 0, 8, 2, ' ', 0)
	if _, err := io.WriteString(w, table.String()); err != nil {
		return err.Error()
	}
	if err := w.Flush(); err != nil {
		return err.Error()
	}
	return b.String()
}
