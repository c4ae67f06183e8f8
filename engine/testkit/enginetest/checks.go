package enginetest

import (
	"bytes"
	"flag"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"starpost/engine"
)

// Fewer returns how many of n made-up battles, kills and the like to try under the race detector: at least one.
func Fewer(n int) int { return (n + Share - 1) / Share }

// Sequential is called by a test in which one thing happens after another, of a package that make test runs with and
// without the race detector: under it the test is skipped.
func Sequential(t *testing.T) {
	t.Helper()
	if Share > 1 {
		t.Skip("tried in the run without the race detector")
	}
}

// FewChecks sets the number of rapid's checks in a test, reduced by [Fewer] under the race detector, unless the
// command line sets it.
func FewChecks(t *testing.T, checks int) {
	t.Helper()
	f := flag.Lookup("rapid.checks")
	if f == nil || f.Value.String() != f.DefValue {
		return
	}
	if err := f.Value.Set(strconv.Itoa(Fewer(checks))); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := f.Value.Set(f.DefValue); err != nil {
			t.Error(err)
		}
	})
}

// Told returns everything that the holder of a seat is told about a turn, and the answers to some order sets given
// without first and last line. Invariants about secrets compare it.
func Told(r *engine.Rules, g *engine.Game, events []engine.Event, seat engine.Seat, tries ...string) ([]byte, error) {
	s, ok := g.Ship(seat.Ship)
	if !ok {
		return nil, fmt.Errorf("no ship %q", seat.Ship)
	}
	who, err := r.SeatViewer(g, seat)
	if err != nil {
		return nil, err
	}
	v, err := engine.BuildView(r, g, events, who)
	if err != nil {
		return nil, err
	}
	data, err := engine.Marshal(v)
	if err != nil {
		return nil, err
	}
	b := bytes.NewBuffer(data)
	p := r.Present(v)
	for _, c := range p.Phases {
		for _, l := range c.Lines {
			fmt.Fprintf(b, "\n%s: %s [%s]", c.Title, l.Text, l.Cite)
		}
	}
	fmt.Fprintf(b, "\n%+v\n%+v\n%+v\n", p.Panels, p.Shots, p.Marks)
	for i := range v.Events {
		fmt.Fprintf(b, "%+v\n", r.Words(v, i))
	}
	if s.Status != engine.Active || g.Result != nil {
		return b.Bytes(), nil
	}
	b.WriteString(r.Template(v, s.ID).String() + "\n" + r.Robot(v, s.ID).String())
	for _, try := range tries {
		answer, err := Answer(r, v, s, try)
		if err != nil {
			return nil, err
		}
		b.Write(answer)
	}
	return b.Bytes(), nil
}

// Answer returns what the holder of a view is told about an order set for a ship, without first and last line: the
// last part of [Told], for tests that try many sets in one state.
func Answer(r *engine.Rules, v *engine.View, s *engine.Ship, try string) ([]byte, error) {
	block, _ := r.Language.Block("ship", try)
	block, made, faults := r.Navigate(v, s.ID, block)
	return fmt.Appendf(nil, "%+v\n%+v\n%+v\n", made, faults, r.Check(v, s.ID, block)), nil
}

// WithoutHashes replaces every run of eight or more lower-case hexadecimal digits by (hash). Hashes of the whole
// record are keyed, so they reveal nothing, but they differ in twins. Everything that tests of secrets compare goes
// through this function; a regular expression was too slow.
func WithoutHashes(text string) string {
	var b strings.Builder
	kept := 0
	for i := 0; i < len(text); {
		from := i
		for i < len(text) && (text[i] >= '0' && text[i] <= '9' || text[i] >= 'a' && text[i] <= 'f') {
			i++
		}
		if i-from >= 8 {
			b.WriteString(text[kept:from] + "(hash)")
			kept = i
		}
		if i == from {
			i++
		}
	}
	return b.String() + text[kept:]
}
