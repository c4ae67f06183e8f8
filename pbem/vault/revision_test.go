package vault

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"starpost/pbem/record"
	"starpost/pbem/record/directory"

	"starpost/engine"
)

// redone returns a new version of a turn of the pond, with a mark that distinguishes its state from
// the first one.
func redone(tb testing.TB, turn int, mark string) Redone {
	tb.Helper()
	state, files := content(tb, turn)
	state.Title = mark
	data, err := engine.EncodeGame(state)
	if err != nil {
		tb.Fatal(err)
	}
	files[0].Data = data
	return Redone{Manifest: Manifest{Turn: turn, Resolved: day(20), Deadline: day(23), Mails: map[string]Envelope{"bob.eml": {Captain: "Bob"}}}, Fill: Files(files...)}
}

func set(turn int, name string) []byte {
	return fmt.Appendf(nil, "#orders pond turn %d ship %s\n#end\n", turn, name)
}

// played returns a game of three turns, with orders for turns 4 and, ahead, 5.
func played(tb testing.TB) *Game {
	tb.Helper()
	g := open(tb, create(tb))
	play(tb, g)
	return g
}

func play(tb testing.TB, g *Game) {
	tb.Helper()
	for n := 1; n <= 4; n++ {
		for _, name := range []string{"Ada", "Bea"} {
			if err := g.Orders.Put(Stage{Turn: n}, name, set(n, name), day(n)); err != nil {
				tb.Fatal(err)
			}
		}
		if n == 4 {
			break
		}
		if err := commitNext(tb, g); err != nil {
			tb.Fatal(err)
		}
	}
	if err := g.Orders.Put(Stage{Turn: 5}, "Ada", set(5, "Ada"), day(4)); err != nil {
		tb.Fatal(err)
	}
}

func act(cause string) Act {
	return Act{By: "referee", Why: "a mistake", Cause: cause, Now: day(20), Changes: []string{"set Ada points 2"}}
}

// stands describes the state of a game: its turns and their revisions, titles of their states, and
// the sets in force.
func stands(tb testing.TB, g *Game) string {
	tb.Helper()
	var b strings.Builder
	for n := range g.Turn() + 1 {
		rev, err := g.Stages.Current(n)
		if err != nil {
			tb.Fatal(err)
		}
		s, err := g.Stages.State(At(n))
		if err != nil {
			tb.Fatal(err)
		}
		if _, err := g.Stages.Outbox(Stage{Turn: n}); err != nil {
			tb.Fatal(err)
		}
		a, err := g.Stages.Audit(Stage{Turn: n})
		if err != nil || a.Problem != "" || len(a.Damaged) > 0 {
			tb.Fatalf("turn %d: %s %v %v", n, a.Problem, a.Damaged, err)
		}
		fmt.Fprintf(&b, "%d.r%d %s; ", n, rev, s.Title)
	}
	files, err := g.Orders.For(At(g.Turn() + 1))
	if err != nil {
		tb.Fatal(err)
	}
	for _, f := range files {
		fmt.Fprintf(&b, "%s:%.30q ", f.Name, f.Text)
	}
	return b.String()
}

func settled(tb testing.TB, g *Game) string {
	tb.Helper()
	if err := errors.Join(g.Lock(), g.Unlock()); err != nil {
		tb.Fatal(err)
	}
	return stands(tb, g)
}

// acts are the changes of the past that a kill may interrupt.
var acts = map[string]struct {
	act  func(t *testing.T, g *Game) error
	want string // state of the game afterwards
}{
	"revise the last turn": {
		func(t *testing.T, g *Game) error {
			t.Helper()
			_, err := Revise(g, act("x#1"), []Redone{redone(t, 3, "Second")}, nil)
			return err
		},
		`0.r1 The Pond; 1.r1 The Pond; 2.r1 The Pond; 3.r2 Second; Ada:"#orders pond turn 4 ship Ada\n#" Bea:"#orders pond turn 4 ship Bea\n#" `,
	},
	"revise and resolve again": {
		func(t *testing.T, g *Game) error {
			t.Helper()
			_, err := Revise(g, act("x#1"), []Redone{redone(t, 2, "Second"), redone(t, 3, "Third")}, nil)
			return err
		},
		`0.r1 The Pond; 1.r1 The Pond; 2.r2 Second; 3.r2 Third; Ada:"#orders pond turn 4 ship Ada\n#" Bea:"#orders pond turn 4 ship Bea\n#" `,
	},
	"revise and set aside": {
		func(t *testing.T, g *Game) error {
			t.Helper()
			_, err := Revise(g, act("x#1"), []Redone{redone(t, 1, "Second")}, []OrderFile{{Name: "Bea", Text: set(2, "Bea"), Modified: day(2)}})
			return err
		},
		`0.r1 The Pond; 1.r2 Second; Bea:"#orders pond turn 2 ship Bea\n#" `,
	},
	"roll back": {
		func(_ *testing.T, g *Game) error {
			_, err := Rollback(g, act("x#1"), 1, day(30), nil)
			return err
		},
		`0.r1 The Pond; 1.r1 The Pond; `,
	},
	"roll back and keep orders": {
		func(_ *testing.T, g *Game) error {
			_, err := Rollback(g, act("x#1"), 2, day(30), []OrderFile{{Name: "Ada", Text: set(3, "Ada"), Modified: day(3)}})
			return err
		},
		`0.r1 The Pond; 1.r1 The Pond; 2.r1 The Pond; Ada:"#orders pond turn 3 ship Ada\n#" `,
	},
	"amend": {
		func(_ *testing.T, g *Game) error {
			_, err := Amend(g, act("x#1"), "Bob", "Bea", []byte("other orders"))
			return err
		},
		`0.r1 The Pond; 1.r1 The Pond; 2.r1 The Pond; 3.r1 The Pond; Ada:"#orders pond turn 4 ship Ada\n#" Bea:"other orders" `,
	},
	"play again after a rollback": {
		func(t *testing.T, g *Game) error {
			t.Helper()
			if _, err := Rollback(g, act("x#1"), 1, day(30), []OrderFile{{Name: "Ada", Text: set(2, "Ada"), Modified: day(3)}}); err != nil {
				return err
			}
			if g.Turn() == 2 {
				return nil // it was done before the kill
			}
			return commitNext(t, g)
		},
		`0.r1 The Pond; 1.r1 The Pond; 2.r2 The Pond; `,
	},
}

// TestKilledInTheMiddleOfTheCorrection kills each change of the past before each of its steps: the
// game is in its old or its new state, and after repeating the change everything is as if nothing
// had happened.
func TestKilledInTheMiddleOfTheCorrection(t *testing.T) {
	sound := played(t).Dir()
	was := settled(t, open(t, copyOf(t, sound)))
	for name, a := range acts {
		t.Run(name, func(t *testing.T) {
			whole := open(t, copyOf(t, sound))
			var steps []string
			whole.stopBy(func(step string) error { steps = append(steps, step); return nil })
			if err := a.act(t, whole); err != nil {
				t.Fatal(err)
			}
			whole.stopBy(nil)
			if got := settled(t, whole); got != a.want {
				t.Fatalf("got  %s\nwant %s", got, a.want)
			}
			if got := settled(t, open(t, whole.Dir())); got != a.want {
				t.Fatalf("opened anew: %s", got)
			}
			want := tree(t, whole.Dir())
			before, after := 0, 0
			for i, step := range steps {
				g := open(t, copyOf(t, sound))
				n := 0
				g.stopBy(func(string) error {
					if n++; n > i {
						return record.ErrStopped
					}
					return nil
				})
				if err := a.act(t, g); !errors.Is(err, record.ErrStopped) {
					t.Fatalf("%d %s: %v", i, step, err)
				}
				g.stopBy(nil)
				if err := g.Unlock(); err != nil { // the kernel releases the lock of a dead process
					t.Fatal(err)
				}
				again := open(t, g.Dir())
				switch got := settled(t, again); {
				case got == was:
					before++
				case got == a.want:
					after++
				case name != "play again after a rollback": // this one is two acts
					t.Fatalf("%d %s: it stands in between: %s", i, step, got)
				}
				if err := a.act(t, again); err != nil {
					t.Fatalf("%d %s: again: %v", i, step, err)
				}
				if got := settled(t, again); got != a.want {
					t.Errorf("%d %s: again: %s", i, step, got)
				}
				if got := tree(t, g.Dir()); !maps.Equal(got, want) {
					for _, f := range slices.Sorted(maps.Keys(got)) {
						if got[f] != want[f] {
							t.Errorf("%d %s: %s is %q, not %q", i, step, f, got[f], want[f])
						}
					}
					t.Errorf("%d %s: %d files, not %d", i, step, len(got), len(want))
				}
			}
			if before == 0 || after == 0 && !strings.HasPrefix(name, "roll back") && name != "amend" {
				t.Errorf("%d kills left the game as it was, %d as it is to be", before, after)
			}
		})
	}
}

// TestTheFirstRevisionStays checks that committed files are neither moved nor changed, and can
// still be read.
func TestTheFirstRevisionStays(t *testing.T) {
	g := played(t)
	before := tree(t, filepath.Join(g.Dir(), "turns"))
	if _, err := Revise(g, act(""), []Redone{redone(t, 3, "Second")}, nil); err != nil {
		t.Fatal(err)
	}
	if _, err := Revise(g, act(""), []Redone{redone(t, 3, "Third")}, nil); err != nil {
		t.Fatal(err)
	}
	if _, err := Rollback(g, act(""), 1, time.Time{}, nil); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if err := commitNext(t, g); err != nil {
			t.Fatal(err)
		}
	}
	after := tree(t, filepath.Join(g.Dir(), "turns"))
	for name, data := range before {
		if after[name] != data {
			t.Errorf("%s was changed", name)
		}
	}
	var got []string
	for _, r := range g.Stages.Revisions() {
		got = append(got, fmt.Sprintf("%d.%d %t %d", r.Turn, r.Revision, r.Current, r.Aside))
		s, err := g.Stages.State(Stage{Turn: r.Turn, Revision: r.Revision})
		if err != nil {
			t.Fatal(err)
		}
		if want := map[string]string{"3.2": "Second", "3.3": "Third"}[fmt.Sprintf("%d.%d", r.Turn, r.Revision)]; want != "" && s.Title != want {
			t.Errorf("turn %d revision %d: %s", r.Turn, r.Revision, s.Title)
		}
		if a, err := g.Stages.Audit(Stage{Turn: r.Turn, Revision: r.Revision}); err != nil || a.Problem != "" || len(a.Damaged) > 0 {
			t.Errorf("turn %d revision %d: %s %v %v", r.Turn, r.Revision, a.Problem, a.Damaged, err)
		}
		if _, err := g.Stages.Events(Stage{Turn: r.Turn, Revision: r.Revision}); err != nil {
			t.Error(err)
		}
	}
	want := []string{"0.1 true 0", "1.1 true 0", "2.1 false 3", "2.2 true 0", "3.1 false 0", "3.2 false 0", "3.3 false 3", "3.4 true 0", "4.1 true 0"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
	for _, bad := range [][2]int{{3, 5}, {9, 1}, {-1, 1}, {3, -1}} {
		if _, err := g.Stages.Manifest(Stage{Turn: bad[0], Revision: bad[1]}); !errors.Is(err, ErrNoTurn) || hinted(err) == "" {
			t.Errorf("turn %d revision %d: %v", bad[0], bad[1], err)
		}
		if _, err := g.Stages.Audit(Stage{Turn: bad[0], Revision: bad[1]}); !errors.Is(err, ErrNoTurn) {
			t.Errorf("turn %d revision %d: %v", bad[0], bad[1], err)
		}
	}
}

// TestAnotherProcessSees checks that it sees what was changed while it had the game open.
func TestAnotherProcessSees(t *testing.T) {
	g := played(t)
	other := open(t, g.Dir())
	if _, err := other.Stages.State(At(3)); err != nil {
		t.Fatal(err)
	}
	if _, err := Revise(g, act(""), []Redone{redone(t, 3, "Second")}, nil); err != nil {
		t.Fatal(err)
	}
	if err := other.Refresh(); err != nil {
		t.Fatal(err)
	}
	if s, err := other.Stages.State(At(3)); err != nil || s.Title != "Second" {
		t.Errorf("%v, %v", s.Title, err)
	}
	if _, err := Rollback(g, act(""), 0, day(30), nil); err != nil {
		t.Fatal(err)
	}
	if err := other.Lock(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := other.Unlock(); err != nil {
			t.Error(err)
		}
	}()
	if other.Turn() != 0 {
		t.Errorf("turn %d", other.Turn())
	}
	if at, err := other.Timing(); err != nil || at.Turn != 1 || !at.Deadline.Equal(day(30)) {
		t.Errorf("%+v, %v", at, err)
	}
	// If the other holds the lock, any writer fails, and the error says who holds it.
	before := tree(t, g.Dir())
	for name, a := range acts {
		if err := a.act(t, g); !errors.Is(err, ErrLocked) || !strings.Contains(err.Error(), fmt.Sprintf("pid %d on ", os.Getpid())) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if !maps.Equal(tree(t, g.Dir()), before) {
		t.Error("the game was changed without the lock")
	}
}

// TestOnce checks that a repeated act, as in a mail, is done once.
func TestOnce(t *testing.T) {
	for name, a := range acts {
		if name == "play again after a rollback" {
			continue
		}
		g := played(t)
		if err := a.act(t, g); err != nil {
			t.Fatal(err)
		}
		before := tree(t, g.Dir())
		if err := a.act(t, g); err != nil {
			t.Fatal(err)
		}
		if got := tree(t, g.Dir()); !maps.Equal(got, before) {
			t.Errorf("%s: done twice", name)
		}
	}
}

func TestRefusedChangesOfThePast(t *testing.T) {
	g := played(t)
	before := tree(t, g.Dir())
	for name, err := range map[string]error{
		"no such turn": second(Revise(g, act(""), []Redone{redone(t, 4, "x")}, nil)),
		"too many":     second(Revise(g, act(""), []Redone{redone(t, 3, "x"), redone(t, 4, "x")}, nil)),
		"none":         second(Revise(g, act(""), nil, nil)),
		"the last":     second(Rollback(g, act(""), 3, day(9), nil)),
		"beyond":       second(Rollback(g, act(""), 7, day(9), nil)),
		"below":        second(Rollback(g, act(""), -1, day(9), nil)),
	} {
		if !errors.Is(err, ErrNoTurn) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, err := range map[string]error{
		"a gap":         second(Revise(g, act(""), []Redone{redone(t, 2, "x"), redone(t, 1, "x")}, nil)),
		"a bad name":    second(Amend(g, act(""), "Bob", "../x", nil)),
		"no captain":    second(Amend(g, act(""), "", "Bea", nil)),
		"a bad keeping": second(Rollback(g, act(""), 1, day(9), []OrderFile{{Name: "a/b"}})),
	} {
		if err == nil {
			t.Errorf("%s is taken", name)
		}
	}
	if err := errors.Join(g.Lock(), g.Unlock()); err != nil {
		t.Fatal(err)
	}
	got := tree(t, g.Dir())
	for name := range got {
		if strings.HasPrefix(name, "turns/0002.r2/") { // of the gap: begun, but never named
			delete(got, name)
		}
	}
	if !maps.Equal(got, before) {
		for name := range got {
			if got[name] != before[name] {
				t.Errorf("%s is new or changed", name)
			}
		}
		t.Error("a refusal changed the game")
	}
}

func second(_ bool, err error) error { return err }

// TestAlteredRevisions checks that the journal has the hash of each manifest.
func TestAlteredRevisions(t *testing.T) {
	g := played(t)
	if _, err := Revise(g, act(""), []Redone{redone(t, 3, "Second")}, nil); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(g.Stages.Dir(At(3)), ManifestFile)
	if filepath.Base(filepath.Dir(path)) != "0003.r2" {
		t.Fatal(path)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(strings.Replace(string(data), "2026-03-24", "2026-03-25", 1)), 0o644); err != nil {
		t.Fatal(err)
	}
	again := open(t, g.Dir())
	if _, err := again.Stages.Manifest(At(3)); !errors.Is(err, ErrDamaged) || !strings.Contains(err.Error(), "a different hash") {
		t.Errorf("got %v", err)
	}
	if a, err := again.Stages.Audit(Stage{Turn: 3}); err != nil || !strings.Contains(a.Problem, "the journal has a different hash") {
		t.Errorf("%q, %v", a.Problem, err)
	}
	if err := os.RemoveAll(g.Stages.Dir(At(3))); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(directory.At(g.Dir()), catalogue); !errors.Is(err, ErrDamaged) || !strings.Contains(err.Error(), "the journal has revision 2 of turn 3") {
		t.Errorf("got %v", err)
	}
}

func TestTurnBase(t *testing.T) {
	for _, tc := range []struct {
		turn, revision int
		want           string
	}{{3, 1, "0003"}, {3, 2, "0003.r2"}, {0, 11, "0000.r11"}} {
		if got := (Stage{Turn: tc.turn, Revision: tc.revision}).Base(); got != tc.want {
			t.Errorf("%s, not %s", got, tc.want)
		}
	}
}
