package report_test

import (
	"fmt"
	"strings"
	"testing"

	"starpost/engine"
	"starpost/engine/rules/fasa"
	"starpost/pbem/report"
	"starpost/templates"
)

// brawl plays some turns of the fleet action, in which every ship fires.
func brawl(tb testing.TB, turns int) []moment {
	tb.Helper()
	all, err := fasa.Scenarios()
	if err != nil {
		tb.Fatal(err)
	}
	r := rules(tb)
	sc := strings.Replace(string(all["fleet-action"]), "last_turn = 10", fmt.Sprintf("last_turn = %d", turns+1), 1)
	return fight(tb, r, []byte(sc), 1)[:turns+1]
}

// TestWhatConcernsTheReaderComesFirst checks that in a big battle the lines about the
// reader's own ship come first, and that the report has each line of the turn once.
func TestWhatConcernsTheReaderComesFirst(t *testing.T) {
	r := rules(t)
	split := 0
	for _, m := range brawl(t, 3)[1:] {
		for _, ship := range []engine.ShipID{"kiev", "riskadh"} {
			v := view(t, r, m, ship)
			own, _ := v.Ship(ship)
			if own.Status != engine.Active {
				continue
			}
			split++
			rep := report.Build(r, v, facts())
			if len(rep.Elsewhere) == 0 {
				t.Fatalf("turn %d: all is told at once", v.Turn)
			}
			seen := map[int]bool{}
			lines := 0
			for i, phases := range [][]string{text(rep.Phases, seen), text(rep.Elsewhere, seen)} {
				for _, l := range phases {
					if strings.Contains(l, own.Name) != (i == 0) {
						t.Errorf("turn %d, part %d: %s", v.Turn, i, l)
					}
				}
				lines += len(phases)
			}
			told := 0
			for _, c := range r.Present(v).Phases {
				for _, l := range c.Lines {
					if l.Depth == 0 {
						told++
					}
				}
			}
			if lines != told || len(seen) != told {
				t.Errorf("turn %d: %d lines with %d numbers, want %d", v.Turn, lines, len(seen), told)
			}
			out, err := report.Render(r, v, facts(), nil)
			if err != nil {
				t.Fatal(err)
			}
			page := string(out.Text)
			first, then := strings.Index(page, "== What concerned you ="), strings.Index(page, "== What happened elsewhere =")
			if first < 0 || then < first || !strings.Contains(page[first:then], "\n* ") || strings.Contains(page[then:], "\n* ") {
				t.Errorf("turn %d: the text is in another order:\n%s", v.Turn, page)
			}
		}
	}
	if split < 2 {
		t.Errorf("only %d reports were looked at", split)
	}
}

// text returns the lines that begin with an event, and records their numbers in seen.
func text(phases []templates.Phase, seen map[int]bool) []string {
	var out []string
	for _, ph := range phases {
		for _, l := range ph.Lines {
			if l.Depth == 0 {
				out = append(out, l.Text)
				seen[l.N] = l.N > 0
			}
		}
	}
	return out
}

// TestEventsInWords checks that each event is described in words, not by the fields
// of its record, and that EventLines has every line of the report.
func TestEventsInWords(t *testing.T) {
	r := rules(t)
	for _, m := range append(brawl(t, 3), battle(t, r, 2)...) {
		for _, s := range m.game.Ships[:2] {
			v := view(t, r, m, s.ID)
			for n := 1; n <= len(v.Events); n++ {
				words := report.EventLine(r, v, n)
				if rest, ok := strings.CutPrefix(words, fmt.Sprintf("%d.%d", v.Turn, n)); !ok || len(rest) < 10 || strings.ContainsAny(words, "{}") || strings.Contains(words, ", ship:") {
					t.Fatalf("turn %d of %s: %s", v.Turn, s.ID, words)
				}
			}
			list := strings.Join(report.EventLines(r, v), "\n")
			for _, c := range r.Present(v).Phases {
				for _, l := range c.Lines {
					if !strings.Contains(list, l.Text) {
						t.Fatalf("turn %d of %s: %q is not told", v.Turn, s.ID, l.Text)
					}
				}
			}
		}
	}
}

// TestHeadlineSaysWhoseHits checks that the headline counts shots by the reader,
// at the reader and elsewhere separately.
func TestHeadlineSaysWhoseHits(t *testing.T) {
	r := rules(t)
	for _, m := range brawl(t, 3) {
		for _, s := range m.game.Ships {
			v := view(t, r, m, s.ID)
			shots, hits := map[string]int{}, map[string]int{}
			for _, shot := range r.Present(v).Shots {
				whose := "elsewhere"
				switch s.ID {
				case shot.From:
					whose = "your fire"
				case shot.To:
					whose = "fire at you"
				}
				if shots[whose]++; shot.Hit {
					hits[whose]++
				}
			}
			got := strings.ToLower(report.Build(r, v, facts()).Headline)
			for _, whose := range []string{"your fire", "fire at you", "elsewhere"} {
				want := fmt.Sprintf("%s: %d of %d shots hit", whose, hits[whose], shots[whose])
				switch {
				case shots[whose] == 0:
					if strings.Contains(got, whose+":") {
						t.Errorf("turn %d, %s: %q, and there was none", v.Turn, s.ID, got)
					}
					continue
				case shots[whose] == 1 && hits[whose] == 0:
					want = whose + ": 1 shot missed"
				case shots[whose] == 1:
					want = whose + ": 1 shot hit"
				case hits[whose] == 0:
					want = fmt.Sprintf("%s: all %d shots missed", whose, shots[whose])
				case hits[whose] == shots[whose]:
					want = fmt.Sprintf("%s: all %d shots hit", whose, shots[whose])
				}
				if !strings.Contains(got, want) {
					t.Errorf("turn %d, %s: %q, want %q", v.Turn, s.ID, got, want)
				}
			}
		}
	}
}
