package vault

import (
	"errors"
	"io/fs"
	"maps"
	"strings"
	"testing"
	"time"

	"starpost/pbem/record"
	"starpost/pbem/record/directory"
	"starpost/pbem/record/memory"
)

// Every operation on a game gives the same files, names and bytes, in a directory and in memory.
func TestGameIsTheSameWhereverItIsKept(t *testing.T) {
	dir := t.TempDir() + "/pond"
	places := []record.Tree{directory.At(dir), memory.New("pond", func() time.Time { return day(30) })}
	games := make([]*Game, len(places))
	for i, tree := range places {
		createIn(t, tree)
		g, err := Open(tree, catalogue)
		if err != nil {
			t.Fatal(err)
		}
		play(t, g)
		games[i] = g
	}
	for _, step := range []struct {
		name string
		act  func(g *Game) error
	}{
		{"it was played", func(*Game) error { return nil }},
		{"another set", func(g *Game) error { return g.Orders.Put(Stage{Turn: 4}, "ADA", set(4, "other"), day(9)) }},
		{"no set", func(g *Game) error { return g.Orders.Drop(At(5), "ada") }},
		{"an entry", func(g *Game) error { return pause(g, "tea") }},
		{"an amended set", func(g *Game) error { _, err := Amend(g, act("1"), "Bob", "Bea", set(4, "amended")); return err }},
		{"a revision", func(g *Game) error { _, err := Revise(g, act("2"), []Redone{redone(t, 2, "again")}, nil); return err }},
		{"a turn after it", func(g *Game) error { return commitNext(t, g) }},
		{"turns taken back", func(g *Game) error { _, err := Rollback(g, act("3"), 1, time.Time{}, nil); return err }},
		{"a turn played again", func(g *Game) error { return commitNext(t, g) }},
	} {
		for i, g := range games {
			if err := step.act(g); err != nil {
				t.Fatalf("%s, %T: %v", step.name, places[i], err)
			}
		}
		if one, other := lying(t, places[0]), lying(t, places[1]); !maps.Equal(one, other) {
			t.Errorf("%s: in a directory\n%q\nin memory\n%q", step.name, one, other)
		}
		again, err := Open(places[1], catalogue)
		if err != nil {
			t.Fatalf("%s: %v", step.name, err)
		}
		if one, other := stands(t, games[0]), stands(t, again); one != other {
			t.Errorf("%s: in a directory\n%s\nin memory\n%s", step.name, one, other)
		}
	}
	if err := errors.Join(games[1].Lock(), games[1].Unlock()); err != nil {
		t.Error(err)
	}
	for n := range games[1].Turn() + 1 {
		if a, err := games[1].Stages.Audit(Stage{Turn: n}); err != nil || a.Problem != "" || len(a.Damaged) > 0 {
			t.Errorf("turn %d: %s, %v, %v", n, a.Problem, a.Damaged, err)
		}
	}
}

// lying returns the files of a record, except those with a leading dot.
func lying(t *testing.T, tree record.Tree) map[string]string {
	t.Helper()
	out := map[string]string{}
	if err := fs.WalkDir(tree, ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || strings.HasPrefix(e.Name(), ".") {
			return err
		}
		data, err := tree.ReadFile(name)
		out[name] = string(data)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return out
}
