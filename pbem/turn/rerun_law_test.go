package turn_test

import (
	"errors"
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"starpost/engine"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
)

// TestSequencesOfCorrections: whatever is ruled, rolled back and resolved again,
// in whatever order, every resolution of every turn can be played again to the
// same bytes. A thousand of them: -run Sequences -rapid.checks 1000.
func TestSequencesOfCorrections(t *testing.T) {
	t.Parallel() // it mostly waits for the disk
	began := newWolf(t, 7).Dir()
	rapid.Check(t, func(r *rapid.T) {
		g := copyWolf(t, began)
		o := turn.Options{Missing: vault.Robot, Workers: 1}
		play := func() {
			if due, err := g.Due(); err != nil || due == 0 {
				return
			}
			o.Now = noon(g.Turn() + 1)
			if _, err := turn.Resolve(g, o); err != nil {
				r.Fatal(err)
			}
		}
		play()
		for range rapid.IntRange(1, 6).Draw(r, "acts") {
			last := g.Turn()
			switch rapid.SampledFrom([]string{"play", "rule", "rule", "rollback", "rerun"}).Draw(r, "act") {
			case "play":
				play()
			case "rule":
				n := last
				if rapid.IntRange(0, 2).Draw(r, "earlier") == 0 {
					n = rapid.IntRange(0, last).Draw(r, "turn")
				}
				later := turn.Later{Rerun: rapid.Bool().Draw(r, "rerun"), Aside: true, Keep: rapid.Bool().Draw(r, "keep")}
				_, err := turn.Correct(g, n, ruled(drawRuling(r, g, n)), later, o)
				if _, ok := errors.AsType[*engine.RulingError](err); err != nil && !ok {
					r.Fatal(err)
				}
			case "rollback":
				if last == 0 {
					continue
				}
				to := rapid.IntRange(0, last-1).Draw(r, "to")
				var keep []vault.OrderFile
				if rapid.Bool().Draw(r, "keep") {
					var err error
					if keep, err = turn.SetsOf(g, to+1); err != nil {
						r.Fatal(err)
					}
				}
				if _, err := g.Rollback(vault.Deed{By: "Rita", Now: noon(30)}, to, noon(40), keep); err != nil {
					r.Fatal(err)
				}
			case "rerun":
				n := rapid.IntRange(0, last).Draw(r, "turn")
				if _, err := turn.Correct(g, n, ruled(), turn.Later{Rerun: true}, o); err != nil {
					r.Fatal(err)
				}
			}
		}
		play()
		again, err := vault.Open(g.Dir(), stcsCatalogue())
		if err != nil {
			r.Fatal(err)
		}
		found, err := turn.Verify(again, nil)
		if err != nil || len(found) > 0 {
			r.Fatalf("%v, %v", found, err)
		}
	})
}

func copyWolf(tb testing.TB, dir string) *vault.Game {
	tb.Helper()
	to := tb.TempDir()
	if err := copyTree(to, dir); err != nil {
		tb.Fatal(err)
	}
	g, err := vault.Open(to, stcsCatalogue())
	if err != nil {
		tb.Fatal(err)
	}
	return g
}

// drawRuling draws a ruling that may be, more or less, given on a turn.
func drawRuling(r *rapid.T, g *vault.Game, n int) string {
	state, err := g.State(n)
	if err != nil {
		r.Fatal(err)
	}
	events, err := g.Events(n)
	if err != nil {
		r.Fatal(err)
	}
	s := rapid.SampledFrom(state.Ships).Draw(r, "ship")
	d := rapid.SampledFrom(s.System.(engine.Dialled).Dials()).Draw(r, "dial")
	value := fmt.Sprint(rapid.IntRange(d.Low, d.High).Draw(r, "value"))
	if d.Choices != nil {
		value = rapid.SampledFrom(d.Choices).Draw(r, "word")
	}
	all := []string{
		"set " + s.Name + " " + d.Name + " " + value, "repair " + s.Name + " all", "kill " + s.Name, "revive " + s.Name,
		fmt.Sprintf("move %s %02d%02d %c", s.Name, rapid.IntRange(1, 20).Draw(r, "column"), rapid.IntRange(1, 20).Draw(r, "row"), 'A'+rune(rapid.IntRange(0, 5).Draw(r, "heading"))),
		"damage " + s.Name + " superstructure 2",
	}
	for _, e := range events {
		if roll, ok := e.Body.(*engine.Roll); ok {
			low, high := roll.Dice.Range()
			all = append(all, fmt.Sprintf("roll %s %d", roll.Name, rapid.IntRange(low, high).Draw(r, "die")))
		}
	}
	return rapid.SampledFrom(all).Draw(r, "ruling")
}
