package site

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"starpost/pbem/cup"
	"starpost/templates/pages"
)

// cupOf returns a Swiss cup with that many entrants and one paired round.
func cupOf(tb testing.TB, entrants int) *cup.Cup {
	tb.Helper()
	all := cup.In(tb.TempDir())
	s, err := cup.ParseSettings("name = \"summer\"\ntitle = \"Summer cup\"\nformat = \"swiss\"\nscenario = \"x\"\nsides = \"once\"\n")
	if err != nil {
		tb.Fatal(err)
	}
	day := cup.Source{By: cup.ByReferee, Now: time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)}
	if err := all.New(s, day.Now); err != nil {
		tb.Fatal(err)
	}
	for i := 0; i < entrants; i += 100 {
		_, err := all.Change("summer", func(c *cup.Cup) (entries []cup.Entry, err error) {
			for k := i; k < min(entrants, i+100); k++ {
				e, err := c.Enter(day, fmt.Sprintf("Player %d", k), []cup.Member{{Address: fmt.Sprintf("p%d@home.example", k)}})
				if err != nil {
					return nil, err
				}
				entries = append(entries, e)
			}
			return entries, nil
		})
		if err != nil {
			tb.Fatal(err)
		}
	}
	c, err := all.Change("summer", func(c *cup.Cup) ([]cup.Entry, error) {
		e, err := c.Pair(day)
		return []cup.Entry{e}, err
	})
	if err != nil {
		tb.Fatal(err)
	}
	return c
}

// TestCupPageLinksGamesThatHavePages also checks that the page contains no address.
func TestCupPageLinksGamesThatHavePages(t *testing.T) {
	page := cupPage(cupOf(t, 5), map[string]bool{"summer-r1-2": true})
	text, err := pages.Site{Name: "Here", Cups: true}.Cup(page)
	if err != nil {
		t.Fatal(err)
	}
	for what, want := range map[string]int{`<a href="../games/summer-r1-2.html">`: 1, "../games/summer-r1-1": 0, "Player 4 sits out": 1, "@home": 0, "cups.html\" aria-current": 1} {
		if got := strings.Count(string(text), what); got != want {
			t.Errorf("%s stands %d times on the page, want %d:\n%s", what, got, want, text)
		}
	}
}

// BenchmarkCupPage draws the page of a cup of 1,000.
func BenchmarkCupPage(b *testing.B) {
	c := cupOf(b, 1000)
	for b.Loop() {
		if _, err := (pages.Site{Name: "Here", Cups: true}).Cup(cupPage(c, nil)); err != nil {
			b.Fatal(err)
		}
	}
}
