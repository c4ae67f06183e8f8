package vault

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"starpost/pbem/disk"
	"starpost/pbem/vault/journal"
)

// TestRememberedOrders checks that, whatever is stored and dropped under one lock, and by hand
// between locks, the game lists the same orders as one that reads them again.
func TestRememberedOrders(t *testing.T) {
	for seed := range uint64(20) {
		roll := rand.New(rand.NewPCG(seed, 1))
		dir := create(t)
		g := open(t, dir)
		var b disk.Batch
		names := []string{"Ada", "ada", "Bea", "@Bob"}
		for range 12 {
			var hand error
			if name := names[roll.IntN(len(names))]; roll.IntN(2) == 0 {
				hand = os.WriteFile(filepath.Join(dir, "orders", name+".txt"), fmt.Appendln(nil, "by hand", roll.IntN(3)), 0o644)
			}
			g.Orders.Defer(&b)
			if err := errors.Join(hand, g.Lock()); err != nil {
				t.Fatal(err)
			}
			for range roll.IntN(8) {
				name, turn := names[roll.IntN(len(names))], 1+roll.IntN(2)
				var err error
				if roll.IntN(4) == 0 {
					err = g.Orders.Drop(At(turn), name)
				} else {
					err = g.Orders.Put(Stage{Turn: turn}, name, fmt.Appendln(nil, "set", roll.IntN(2)), day(roll.IntN(5)))
				}
				if err != nil {
					t.Fatal(err)
				}
				for turn := 1; turn <= 2; turn++ {
					got, gerr := g.Orders.For(At(turn))
					want, werr := open(t, dir).Orders.For(At(turn))
					if gerr != nil || werr != nil || !slices.EqualFunc(got, want, sameOrders) {
						t.Fatalf("seed %d, turn %d: %v, %v\nread anew: %v, %v", seed, turn, got, gerr, want, werr)
					}
				}
			}
			if err := errors.Join(b.Sync(), g.Unlock()); err != nil {
				t.Fatal(err)
			}
			g.Orders.Defer(nil)
		}
	}
}

func sameOrders(a, b OrderFile) bool {
	same := a.Modified.Equal(b.Modified)
	a.Modified = b.Modified
	return same && reflect.DeepEqual(a, b)
}

// TestSameSetAgain checks that a set with the same text as the one in force changes only its time;
// the file stays unless someone touched it.
func TestSameSetAgain(t *testing.T) {
	dir := create(t)
	g := open(t, dir)
	var b disk.Batch
	g.Orders.Defer(&b)
	if err := g.Lock(); err != nil {
		t.Fatal(err)
	}
	path := g.Orders.Path("Ada")
	put := func(n int) os.FileInfo {
		t.Helper()
		if err := g.Orders.Put(Stage{Turn: 1}, "Ada", []byte("set"), day(n)); err != nil {
			t.Fatal(err)
		}
		files, err := g.Orders.For(At(1))
		if err != nil || len(files) != 1 || string(files[0].Text) != "set" || !files[0].Modified.Equal(day(n)) {
			t.Fatalf("%v %v", files, err)
		}
		info, err := os.Stat(path)
		if err != nil || !info.ModTime().Equal(day(n)) || info.Mode().Perm() != 0o600 {
			t.Fatalf("%v %v", info, err)
		}
		return info
	}
	first := put(1)
	if !os.SameFile(first, put(2)) {
		t.Error("the same set again was written again")
	}
	for i, touch := range []func() error{
		func() error { return os.WriteFile(path, []byte("by hand"), 0o644) },
		func() error {
			return errors.Join(os.WriteFile(path, []byte("SET"), 0o644), os.Chtimes(path, day(9), day(9)))
		},
		func() error { return os.Chmod(path, 0o600) },
		func() error { return os.Remove(path) },
	} {
		if err := touch(); err != nil {
			t.Fatal(err)
		}
		put(3 + i)
		if text, err := os.ReadFile(path); err != nil || string(text) != "set" {
			t.Errorf("touched in way %d: %q %v", i, text, err)
		}
	}
	if err := errors.Join(b.Sync(), g.Unlock()); err != nil {
		t.Error(err)
	}
}

// TestOnCause checks that the function is called for every mail that caused an entry, including
// entries of another process.
func TestOnCause(t *testing.T) {
	dir := create(t)
	g, other := open(t, dir), open(t, dir)
	bring := func(g *Game, cause string) {
		t.Helper()
		e := note(t, journal.Resign, 2, journal.ResignData{Address: "bob@example.org"})
		e.Cause = cause
		appended(t, g, e)
	}
	bring(g, "one#1")
	var told []string
	g.Journal.OnCause(func(mail string) { told = append(told, mail) })
	bring(g, "two#1")
	bring(other, "three#1")
	bring(other, "three#2")
	if err := g.Refresh(); err != nil {
		t.Fatal(err)
	}
	if want := []string{"one", "two", "three"}; !slices.Equal(told, want) {
		t.Errorf("told of %v, want %v", told, want)
	}
}

// TestOnSettings checks that the function is called when the settings change.
func TestOnSettings(t *testing.T) {
	dir := create(t)
	g, other := open(t, dir), open(t, dir)
	kept := g.Settings()
	g.OnSettings(func() { kept = g.Settings() })
	same := func(what string) {
		t.Helper()
		if err := g.Refresh(); err != nil {
			t.Fatal(err)
		}
		if now := g.Settings(); !reflect.DeepEqual(kept, now) {
			t.Errorf("after %s: %+v\nnow %+v", what, kept, now)
		}
	}
	before := kept
	gone := note(t, journal.Resign, 2, journal.ResignData{Address: "bob@example.org"})
	gone.Cause = "abc#1"
	appended(t, other, gone)
	same("an entry of another process")
	after := kept
	g.Disregard("abc")
	same("what it did is disregarded")
	if reflect.DeepEqual(before, after) || !reflect.DeepEqual(before, kept) {
		t.Errorf("%+v, then %+v, then %+v", before, after, kept)
	}
	edit(t, filepath.Join(dir, "game.toml"), `missing = `, `missing = "robot" #`)
	same("an edit")
	if kept.Mail.Missing != PolicyRobot {
		t.Errorf("%+v", kept.Mail)
	}
}
