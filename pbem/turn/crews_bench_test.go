package turn_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"starpost/pbem/testkit/processortest"

	"starpost/engine/dice"
	"starpost/engine/rules/fasa"
	"starpost/pbem/record/directory"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
)

// newCrews returns four-and-four with an address for each of its eight officers, or a battle of
// eight ships with a captain each, after one turn, with the template of each seat as its orders.
func newCrews(tb testing.TB, officers bool) *vault.Game {
	tb.Helper()
	all, err := fasa.Scenarios()
	if err != nil {
		tb.Fatal(err)
	}
	s := turn.Setup{Scenario: all["four-and-four"], Mail: vault.DefaultMail(), Secret: dice.FromSeed(4), Options: turn.Options{Now: noon(0)}}
	if officers {
		for _, ship := range []string{"Resolve", "Targ"} {
			s.Captains = append(s.Captains, vault.Captain{Address: ship + "@example.org", Ships: []string{ship}})
			for _, post := range []string{"engineer", "helm", "science"} {
				s.Captains = append(s.Captains, vault.Captain{Address: ship + "." + post + "@example.org", Posts: []string{ship + "." + post}})
			}
		}
	} else {
		s.Scenario = fleets("stcs-command", 8, [2]string{"constitution-ii", "d-7s"}, [2]int{31, 3})
		for i := range 8 {
			s.Captains = append(s.Captains, vault.Captain{Address: fmt.Sprintf("s%d@example.org", i), Ships: []string{fmt.Sprintf("S%d", i)}})
		}
	}
	dir := filepath.Join(tb.TempDir(), "crews")
	if _, err := turn.Create(dir, catalogue(), s); err != nil {
		tb.Fatal(err)
	}
	g, err := vault.Open(directory.At(dir), catalogue())
	if err != nil {
		tb.Fatal(err)
	}
	if out, err := turn.Resolve(g, turn.Options{Missing: vault.PolicyRobot, Now: noon(1)}); err != nil || out.State.Result != nil {
		tb.Fatal("over after a turn: ", err)
	}
	for _, c := range g.Settings().Captains {
		seats := append(slices.Clone(c.Ships), c.Posts...)
		for _, name := range seats {
			seat, err := load(tb, g).FindSeat(name)
			if err != nil {
				tb.Fatal(err)
			}
			text, err := load(tb, g).SeatTemplate(seat)
			if err != nil {
				tb.Fatal(err)
			}
			if err := g.Orders.Put(vault.At(2), name, []byte(text), time.Time{}); err != nil {
				tb.Fatal(err)
			}
		}
	}
	return g
}

// BenchmarkCrews measures the cost of a turn per report, with eight officers on two ships and with
// eight captains of eight ships: read the directory, check all sets, resolve, render, compose,
// write and sync.
func BenchmarkCrews(b *testing.B) {
	for name, officers := range map[string]bool{"8 captains": false, "8 officers": true} {
		b.Run(name, func(b *testing.B) {
			sound := newCrews(b, officers)
			var cpu time.Duration
			pages := 0
			b.ReportAllocs()
			for b.Loop() {
				b.StopTimer()
				dir := filepath.Join(b.TempDir(), "crews")
				copyAll(b, dir, sound.Dir())
				b.StartTimer()
				start := processortest.Time(b)
				g, err := vault.Open(directory.At(dir), catalogue())
				if err != nil {
					b.Fatal(err)
				}
				out, err := turn.Resolve(g, turn.Options{Now: noon(2)})
				if err != nil {
					b.Fatal(err)
				}
				cpu += processortest.Time(b) - start
				pages += len(out.Mails)
			}
			b.ReportMetric(float64(cpu.Microseconds())/float64(pages), "cpu-µs/page")
			b.ReportMetric(float64(pages)/float64(b.N), "pages")
		})
	}
}
