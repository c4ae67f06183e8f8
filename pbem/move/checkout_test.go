package move_test

import (
	"errors"
	"fmt"
	"maps"
	"strings"
	"testing"
	"time"

	"starpost/pbem/move"
	"starpost/pbem/record"
	"starpost/pbem/record/memory"
	"starpost/pbem/vault"
)

// keeper is a record that keeps its lock, and in which a move is stopped.
type keeper struct {
	stopped
	holder *string
	fence  *record.Fence
}

func (k keeper) Lock() (record.Fence, error) {
	if *k.holder != "" {
		return 0, record.ErrLocked
	}
	f, err := k.Tree.Lock()
	*k.fence = f
	return f, err
}

func (k keeper) Keep(_ record.Fence, holder string) error {
	return k.change(func() error { *k.holder = holder; return nil })
}

func (k keeper) Kept() (record.Fence, string, error) { return *k.fence, *k.holder, nil }

func (k keeper) Unlock(f record.Fence, tell bool) error {
	if *k.holder == "" {
		return k.Tree.Unlock(f, tell)
	}
	return k.change(func() error {
		*k.holder = ""
		return k.Tree.Unlock(f, tell)
	})
}

// A checkout and its return are stopped anywhere, as by a kill: the game never continues in both places, and repeating
// the call completes it.
func TestCheckoutIsStoppedAnywhere(t *testing.T) {
	all := files(t)
	steps := 0
	for at := 1; at == steps+1; at++ {
		for _, after := range []bool{false, true} {
			t.Run(fmt.Sprintf("at %d, after it %v", at, after), func(t *testing.T) {
				base, dir := memory.New("db/wolf", time.Now), memory.New("wolf", time.Now)
				if err := base.Create(all); err != nil {
					t.Fatal(err)
				}
				s := &stops{at: at, after: after}
				in := keeper{stopped{base, s}, new(string), new(record.Fence)}
				out := func() error {
					_, err := move.Out(in, stopped{dir, s}, move.Checkout{Store: "db", Game: "wolf"}, "to wolf", rules(), func(int) {})
					return err
				}
				back := func() error {
					c, err := move.ReadCheckout(dir)
					if err == nil {
						_, err = move.In(stopped{dir, s}, in, c, rules(), func(int) {})
					}
					return err
				}
				both := func() bool { return counts(dir) && *in.holder == "" }
				again := func(do func() error) {
					t.Helper()
					err := do()
					if both() {
						t.Error("the game goes on at both places")
					}
					if errors.Is(err, errStopped) {
						err = do()
					}
					if err != nil || both() {
						t.Fatalf("once more: %v; at both places: %v", err, both())
					}
				}
				again(out)
				if !counts(dir) || *in.holder == "" {
					t.Error("it is not checked out")
				}
				// Work in the directory.
				f, err := dir.Lock()
				if err == nil {
					err = errors.Join(dir.Commit(f, nil, record.Change{Put: []record.File{{Name: "orders/Hood.txt", Data: []byte("late")}}}), dir.Unlock(f, false))
				}
				if err != nil {
					t.Fatal(err)
				}
				want := held(t, dir)
				delete(want, vault.CheckedOutFile)
				again(back)
				if got := held(t, base); !maps.Equal(got, want) || counts(dir) || *in.holder != "" {
					t.Errorf("got %d files, want %d; counts in the directory: %v", len(got), len(want), counts(dir))
				}
				if s.made >= at {
					steps = at
				}
			})
		}
	}
	if steps < 6 {
		t.Errorf("%d changes were stopped", steps)
	}
}

// A copy does not overwrite a checkout that was cancelled, or a game that has continued.
func TestReturnAfterTheCheckoutIsOver(t *testing.T) {
	base, dir := memory.New("db/wolf", time.Now), memory.New("wolf", time.Now)
	if err := base.Create(files(t)); err != nil {
		t.Fatal(err)
	}
	in := keeper{stopped{base, &stops{}}, new(string), new(record.Fence)}
	if _, err := move.Out(in, dir, move.Checkout{Store: "db", Game: "wolf"}, "to wolf", rules(), func(int) {}); err != nil {
		t.Fatal(err)
	}
	c, err := move.ReadCheckout(dir)
	if err != nil {
		t.Fatal(err)
	}
	*in.holder = ""
	*in.fence++
	before := held(t, base)
	_, err = move.In(dir, in, c, rules(), func(int) {})
	if !errors.Is(err, record.ErrFenced) || !strings.Contains(err.Error(), "the checkout is over") || !counts(dir) || !maps.Equal(held(t, base), before) {
		t.Errorf("got %v", err)
	}
}
