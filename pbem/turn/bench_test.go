package turn_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"starpost/pbem/testkit/processortest"

	"starpost/engine/dice"
	"starpost/pbem/record/directory"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
)

// fleets returns a scenario of n ships with a captain each, of two classes in two lines, with the given distances in
// rows from the upper edge.
func fleets(rules string, n int, classes [2]string, rows [2]int) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "format = 1\nname = \"fleets\"\ntitle = \"Two Lines\"\nrules = %q\n[[side]]\nid = \"a\"\n[[side]]\nid = \"b\"\n", rules)
	for i := range n {
		line := i % 2
		fmt.Fprintf(&b, "[[ship]]\nname = \"S%d\"\nside = %q\nclass = %q\nhex = \"%02d%02d\"\nheading = %q\n", i, "ab"[line:line+1], classes[line], 5+i, rows[line], "AD"[line:line+1])
	}
	return []byte(b.String())
}

// newFleets returns a game of n captains with mail after three turns, so that the lines have met.
func newFleets(tb testing.TB, n int) *vault.Game {
	tb.Helper()
	return gameOfFleets(tb, n, fleets("stcs-basic", n, [2]string{"constitution-hood", "d-10-wolf"}, [2]int{24, 10}))
}

func gameOfFleets(tb testing.TB, n int, scenario []byte) *vault.Game {
	tb.Helper()
	var captains []vault.Captain
	for i := range n {
		captains = append(captains, vault.Captain{Address: fmt.Sprintf("s%d@example.org", i), Ships: []string{fmt.Sprintf("S%d", i)}})
	}
	dir := filepath.Join(tb.TempDir(), "fleets")
	if _, err := turn.Create(dir, catalogue(), turn.Setup{
		Scenario: scenario, Captains: captains, Mail: vault.DefaultMail(), Secret: dice.FromSeed(1),
		Options: turn.Options{Now: noon(0)},
	}); err != nil {
		tb.Fatal(err)
	}
	g, err := vault.Open(directory.At(dir), catalogue())
	if err != nil {
		tb.Fatal(err)
	}
	for n := 1; n <= 2; n++ {
		if _, err := turn.Resolve(g, turn.Options{Missing: vault.PolicyRobot, Now: noon(n)}); err != nil {
			tb.Fatal(err)
		}
	}
	p := load(tb, g)
	for _, id := range p.State().InFight() {
		text, err := p.Robot(id)
		if err != nil {
			tb.Fatal(err)
		}
		s, _ := p.State().Ship(id)
		if err := g.Orders.Put(vault.At(3), s.Name, []byte(text), time.Time{}); err != nil {
			tb.Fatal(err)
		}
	}
	return g
}

// BenchmarkTurn measures all of `starpost turn` except the start of the process: read the directory, check all sets,
// resolve, render, compose, write and sync. It prints the CPU time for each captain, all processors together.
func BenchmarkTurn(b *testing.B) {
	for _, n := range []int{2, 20} {
		b.Run(fmt.Sprintf("%d captains", n), func(b *testing.B) {
			sound := newFleets(b, n)
			var cpu time.Duration
			b.ReportAllocs()
			for b.Loop() {
				b.StopTimer()
				dir := filepath.Join(b.TempDir(), "fleets")
				copyAll(b, dir, sound.Dir())
				b.StartTimer()
				start := processortest.Time(b)
				g, err := vault.Open(directory.At(dir), catalogue())
				if err != nil {
					b.Fatal(err)
				}
				if _, err := turn.Resolve(g, turn.Options{Now: noon(3)}); err != nil {
					b.Fatal(err)
				}
				cpu += processortest.Time(b) - start
			}
			b.ReportMetric(float64(cpu.Microseconds())/float64(b.N)/float64(n), "cpu-µs/captain")
		})
	}
}

// BenchmarkDrawnMail draws the mail with a captain's report, from what its turn has stored.
func BenchmarkDrawnMail(b *testing.B) {
	for _, n := range []int{2, 20} {
		b.Run(fmt.Sprintf("%d captains", n), func(b *testing.B) {
			g := newFleets(b, n)
			b.ReportAllocs()
			for b.Loop() {
				d, err := turn.Draw(g, vault.At(2))
				if err != nil {
					b.Fatal(err)
				}
				d.Composer = "https://club.example/compose/v1/"
				if _, without, err := d.Mail(d.MailTo("S1")); err != nil || without != nil {
					b.Fatal(err, without)
				}
			}
		})
	}
}

// BenchmarkDryRun is BenchmarkTurn without writing.
func BenchmarkDryRun(b *testing.B) {
	for _, n := range []int{2, 20} {
		b.Run(fmt.Sprintf("%d captains", n), func(b *testing.B) {
			g := newFleets(b, n)
			b.ReportAllocs()
			start := processortest.Time(b)
			for b.Loop() {
				if _, err := turn.Resolve(g, turn.Options{Now: noon(3), DryRun: true}); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64((processortest.Time(b)-start).Microseconds())/float64(b.N)/float64(n), "cpu-µs/captain")
		})
	}
}

// BenchmarkTurnInTheDark is BenchmarkDryRun of the same fleets, alternately in an open and a blind game, and reports
// the cost of the blind game relative to the open one.
func BenchmarkTurnInTheDark(b *testing.B) {
	for _, rules := range []string{"stcs-basic", "stcs-graduate"} {
		for _, n := range []int{2, 20} {
			b.Run(fmt.Sprintf("%s/%d captains", rules, n), func(b *testing.B) {
				scenario := fleets(rules, n, [2]string{"constitution-hood", "d-10-wolf"}, [2]int{24, 10})
				games := [2]*vault.Game{gameOfFleets(b, n, scenario), gameOfFleets(b, n, append(scenario, "[blind]\n"...))}
				var cpu [2]time.Duration
				for b.Loop() {
					for dark, g := range games {
						start := processortest.Time(b)
						if _, err := turn.Resolve(g, turn.Options{Now: noon(3), DryRun: true}); err != nil {
							b.Fatal(err)
						}
						cpu[dark] += processortest.Time(b) - start
					}
				}
				b.ReportMetric(float64(cpu[0].Microseconds())/float64(b.N)/1000, "open-cpu-ms")
				b.ReportMetric(float64(cpu[1].Microseconds())/float64(b.N)/1000, "dark-cpu-ms")
				b.ReportMetric(float64(cpu[1])/float64(cpu[0]), "dark/open")
			})
		}
	}
}

func copyAll(b *testing.B, to, from string) {
	b.Helper()
	if err := copyTree(to, from); err != nil {
		b.Fatal(err)
	}
}
