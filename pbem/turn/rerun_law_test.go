package turn_test

import (
	"errors"
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"starpost/engine"
	"starpost/engine/ruling"
	"starpost/engine/testkit/enginetest"
	"starpost/orders"
	"starpost/pbem/orderset"
	"starpost/pbem/record/directory"
	"starpost/pbem/turn"
	"starpost/pbem/turn/proof"
	"starpost/pbem/vault"
)

// TestSequencesOfCorrections: after any sequence of rulings, amendments, rollbacks and reruns, with
// power failures at any point, every resolution of every turn can be played again to the same
// bytes, and an interrupted action has left the game either as before or as intended. For a
// thousand sequences use -run Sequences -rapid.checks 1000.
func TestSequencesOfCorrections(t *testing.T) {
	enginetest.Sequential(t)
	began := newWolf(t, 7).Dir()
	enginetest.FewChecks(t, 25)
	rapid.Check(t, func(r *rapid.T) {
		s := &sequence{t: r, g: copyWolf(t, began)}
		s.play()
		for range rapid.IntRange(1, 6).Draw(r, "acts") {
			s.act()
		}
		s.play()
		s.replayed()
	})
}

// sequence is a game under a sequence of random actions.
type sequence struct {
	t *rapid.T
	g *vault.Game
}

func (s *sequence) play() {
	if due, err := s.g.Due(); err != nil || due == 0 {
		return
	}
	if err := playDue(s.g); err != nil {
		s.t.Fatal(err)
	}
}

// playDue plays a turn. A turn waits if a ruling has made its amended orders impossible.
func playDue(g *vault.Game) error {
	_, err := turn.Resolve(g, turn.Options{Missing: vault.PolicyRobot, Workers: 1, Now: noon(g.Turn() + 1)})
	if waits, ok := errors.AsType[*turn.NotReadyError](err); ok && len(waits.Bad) > 0 {
		return nil
	}
	return err
}

// act performs one action, sometimes interrupts it and opens the game again.
func (s *sequence) act() {
	do := s.draw()
	if rapid.IntRange(0, 2).Draw(s.t, "cut") > 0 {
		if err := do(s.g); err != nil {
			s.t.Fatal(err)
		}
		return
	}
	left := rapid.IntRange(0, 40).Draw(s.t, "steps")
	was := s.counting()
	s.g.OnStep(func(string) error {
		if left--; left < 0 {
			return errKilled
		}
		return nil
	})
	err := do(s.g)
	if err != nil && !errors.Is(err, errKilled) {
		s.t.Fatal(err)
	}
	var oerr error
	if s.g, oerr = vault.Open(directory.At(s.g.Dir()), catalogue()); oerr != nil {
		s.t.Fatal(oerr)
	}
	if err != nil && s.counting() == was { // then it is done again
		if err := do(s.g); err != nil {
			s.t.Fatal(err)
		}
	}
	s.replayed()
}

var errKilled = errors.New("the power failed")

// counting names the current resolutions.
func (s *sequence) counting() string {
	out := ""
	for n := range s.g.Turn() + 1 {
		rev, err := s.g.Stages.Current(n)
		if err != nil {
			s.t.Fatal(err)
		}
		out += fmt.Sprintf(" %d.%d", n, rev)
	}
	return out
}

// draw returns a random action. It does nothing if it is impossible.
func (s *sequence) draw() func(*vault.Game) error {
	r, o := s.t, turn.Options{Workers: 1}
	last := s.g.Turn()
	later := turn.Later{Rerun: rapid.Bool().Draw(r, "rerun"), Aside: true, Keep: rapid.Bool().Draw(r, "keep")}
	correct := func(n int, c turn.Change) func(*vault.Game) error {
		return func(g *vault.Game) error {
			_, err := turn.Correct(g, n, c, later, nil, o)
			if _, ok := errors.AsType[*ruling.Error](err); ok {
				return nil
			}
			return err
		}
	}
	nothing := func(*vault.Game) error { return nil }
	switch rapid.SampledFrom([]string{"play", "rule", "rule", "amend", "amend due", "rollback", "rerun"}).Draw(r, "act") {
	case "rule":
		n := last
		if rapid.IntRange(0, 2).Draw(r, "earlier") == 0 {
			n = rapid.IntRange(0, last).Draw(r, "turn")
		}
		return correct(n, ruled(drawRuling(r, s.g, n)))
	case "amend":
		if last == 0 {
			return nothing
		}
		n := rapid.IntRange(1, last).Draw(r, "turn")
		c := ruled()
		if c.Orders = s.set(n); c.Orders == nil {
			return nothing
		}
		return correct(n, c)
	case "amend due":
		due, err := s.g.Due()
		if err != nil || due == 0 {
			return nothing
		}
		sets := s.set(due)
		if sets == nil {
			return nothing
		}
		return func(g *vault.Game) error {
			_, err := vault.Amend(g, vault.Act{By: "Rita", Now: noon(30)}, sets[0].Captain, sets[0].Name, []byte(sets[0].Text))
			return err
		}
	case "rollback":
		if last == 0 {
			return nothing
		}
		to := rapid.IntRange(0, last-1).Draw(r, "to")
		return func(g *vault.Game) error {
			if g.Turn() == to {
				return nil
			}
			var keep []vault.OrderFile
			if later.Keep {
				var err error
				if keep, err = turn.SetsOf(g, to+1); err != nil {
					return err
				}
			}
			_, err := vault.Rollback(g, vault.Act{By: "Rita", Now: noon(30)}, to, noon(40), keep)
			return err
		}
	case "rerun":
		later.Rerun = true
		return correct(rapid.IntRange(0, last).Draw(r, "turn"), ruled())
	}
	return func(g *vault.Game) error {
		due, err := g.Due()
		if err != nil || due == 0 {
			return err
		}
		return playDue(g)
	}
}

// set returns random orders for a turn; nil if none are possible.
func (s *sequence) set(n int) []orderset.Set {
	ship := rapid.SampledFrom([]string{"Hood", "Riskadh"}).Draw(s.t, "ship")
	text := fmt.Sprintf("#orders wolf turn %d ship %s\npower\n  move %d\n  shields 2:%d\nphase 1\n  move %s\n#end\n", n, ship,
		rapid.IntRange(0, 12).Draw(s.t, "move"), rapid.IntRange(0, 9).Draw(s.t, "shield"), rapid.SampledFrom([]string{"F", "L", "R"}).Draw(s.t, "way"))
	read, err := turn.Amended(s.g, n, []byte(text))
	if err != nil {
		s.t.Fatal(err)
	}
	if orders.HasErrors(read.Diagnostics) {
		return nil
	}
	return read.Sets
}

// replayed plays all turns again, in all their revisions.
func (s *sequence) replayed() {
	again, err := vault.Open(directory.At(s.g.Dir()), catalogue())
	if err != nil {
		s.t.Fatal(err)
	}
	found, err := proof.Verify(again, nil)
	if err != nil || len(found) > 0 {
		s.t.Fatalf("%v, %v", found, err)
	}
}

func copyWolf(tb testing.TB, dir string) *vault.Game {
	tb.Helper()
	to := tb.TempDir()
	if err := copyTree(to, dir); err != nil {
		tb.Fatal(err)
	}
	g, err := vault.Open(directory.At(to), catalogue())
	if err != nil {
		tb.Fatal(err)
	}
	return g
}

// drawRuling draws a ruling, usually a possible one, on a turn.
func drawRuling(r *rapid.T, g *vault.Game, n int) string {
	state, err := g.Stages.State(vault.At(n))
	if err != nil {
		r.Fatal(err)
	}
	events, err := g.Stages.Events(vault.At(n))
	if err != nil {
		r.Fatal(err)
	}
	s := rapid.SampledFrom(state.Ships).Draw(r, "ship")
	d := rapid.SampledFrom(s.System.(ruling.Editable).Fields()).Draw(r, "dial")
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
