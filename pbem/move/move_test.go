package move_test

import (
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"starpost/engine/dice"
	"starpost/engine/rules/fasa"
	"starpost/pbem/move"
	"starpost/pbem/record"
	"starpost/pbem/record/directory"
	"starpost/pbem/record/memory"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
)

func rules() vault.Catalogue { return vault.CatalogueOf(fasa.Family()) }

// files returns the files of a new game.
func files(t *testing.T) (all []record.File) {
	t.Helper()
	scenarios, err := fasa.Scenarios()
	if err != nil {
		t.Fatal(err)
	}
	dir, mail := filepath.Join(t.TempDir(), "wolf"), vault.DefaultMail()
	mail.Robot = "battles@example.org"
	if _, err := turn.Create(dir, rules(), turn.Setup{
		Scenario: scenarios["big-bad-wolf"], ID: "wolf", Mail: mail, Secret: dice.FromSeed(1), Options: turn.Options{Now: time.Unix(1e9, 0)},
		Captains: []vault.Captain{{Name: "Kirk", Address: "kirk@example.org", Ships: []string{"Hood"}}, {Name: "Kor", Address: "kor@example.org", Ships: []string{"Riskadh"}}},
	}); err != nil {
		t.Fatal(err)
	}
	for name, data := range held(t, directory.At(dir)) {
		all = append(all, record.File{Name: name, Data: []byte(data)})
	}
	return all
}

func held(t *testing.T, tree record.Tree) map[string]string {
	t.Helper()
	files, err := record.Files(tree, nil)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	for _, f := range files {
		all[f.Name] = string(f.Data)
	}
	return all
}

var errStopped = errors.New("stopped")

// stops says where a move is stopped: right before or after the change of that number, counted from 1.
type stops struct {
	at, made int
	after    bool
}

func (s *stops) change(do func() error) error {
	s.made++
	if s.made == s.at && !s.after {
		return errStopped
	}
	err := do()
	if s.made == s.at {
		err = errStopped
	}
	return err
}

// stopped is a record in which a move is stopped.
type stopped struct {
	record.Tree
	*stops
}

func (s stopped) Create(files []record.File) error {
	return s.change(func() error { return s.Tree.Create(files) })
}

func (s stopped) Commit(f record.Fence, base *record.Version, c record.Change) error {
	return s.change(func() error { return s.Tree.Commit(f, base, c) })
}

func counts(tree record.Tree) bool {
	_, err := tree.Stat("game.toml")
	return err == nil
}

// A move that is stopped anywhere leaves at most one game that counts; repeating it completes it, with everything that
// happened in the game until then.
func TestMoveIsStoppedAnywhere(t *testing.T) {
	all := files(t)
	steps := 0
	for at := 1; at == steps+1; at++ {
		for _, after := range []bool{false, true} {
			t.Run(fmt.Sprintf("at %d, after it %v", at, after), func(t *testing.T) {
				from, to := memory.New("wolf", time.Now), memory.New("db/wolf", time.Now)
				if err := from.Create(all); err != nil {
					t.Fatal(err)
				}
				s := &stops{at: at, after: after}
				_, err := move.Game(stopped{from, s}, stopped{to, s}, rules(), func(int) {})
				if s.made < at {
					if err != nil || counts(from) || !counts(to) {
						t.Errorf("a move that is not stopped: %v", err)
					}
					return
				}
				steps = at
				if !errors.Is(err, errStopped) {
					t.Fatalf("got %v, want that it is stopped", err)
				}
				if counts(from) && counts(to) {
					t.Error("the game counts at both places")
				}
				if counts(from) { // so it continues there
					f, err := from.Lock()
					if err == nil {
						err = errors.Join(from.Commit(f, nil, record.Change{Put: []record.File{{Name: "orders/Hood.txt", Data: []byte("late")}}}), from.Unlock(f, false))
					}
					if err != nil {
						t.Fatal(err)
					}
				}
				want := held(t, from)
				if !counts(from) {
					want["game.toml"] = want["game.toml.moved"]
					delete(want, "game.toml.moved")
					delete(want, vault.MovedFile)
				}
				done, err := move.Game(from, to, rules(), func(int) {})
				if err != nil || done.Files != len(want) {
					t.Fatalf("once more: %+v of %d files, %v", done, len(want), err)
				}
				if got := held(t, to); !maps.Equal(got, want) {
					t.Errorf("got %q, want %q", slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(want)))
				}
				if _, err := vault.Open(from, rules()); !errors.Is(err, vault.ErrNotAGame) || !strings.Contains(err.Error(), "moved to db/wolf") {
					t.Errorf("the old place: %v", err)
				}
				if _, err := move.Game(from, memory.New("elsewhere", time.Now), rules(), func(int) {}); !errors.Is(err, vault.ErrNotAGame) {
					t.Errorf("from there to a third place: %v", err)
				}
			})
		}
	}
	if steps != 3 {
		t.Errorf("a move has %d changes, want 3", steps)
	}
}

// A game that does not match its record is not moved.
func TestAlteredGameStays(t *testing.T) {
	all := files(t)
	for i, f := range all {
		if f.Name == "turns/0000/state.json" {
			all[i].Data = []byte(strings.Replace(string(f.Data), `"`, ` "`, 1))
		}
	}
	from, to := memory.New("wolf", time.Now), memory.New("db/wolf", time.Now)
	if err := from.Create(all); err != nil {
		t.Fatal(err)
	}
	if _, err := move.Game(from, to, rules(), func(int) {}); err == nil || !counts(from) || counts(to) {
		t.Errorf("it was moved: %v", err)
	}
}
