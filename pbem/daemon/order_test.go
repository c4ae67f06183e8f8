package daemon_test

import (
	"errors"
	"strings"
	"testing"

	"starpost/pbem/vault"
)

// TestLaterMailsDoNotOvertake: a later mail does not overtake one that waits for a locked game. The
// last order set is in force in the end.
func TestLaterMailsDoNotOvertake(t *testing.T) {
	w := newWorld(t)
	g, other := w.game("wolf", schedule()), w.game("cub", schedule())
	w.run()
	var hands *vault.Game
	w.before = func(step string) error {
		// The first mail finds the game locked; right after that it is unlocked.
		if step == "store" && hands != nil {
			return errors.Join(hands.Unlock(), func() error { hands = nil; return nil }())
		}
		return nil
	}
	hands = w.load("wolf")
	if err := hands.Lock(); err != nil {
		t.Fatal(err)
	}
	w.box.put(w.order(g, "Kirk", "power", "  shields 1:1"))
	w.box.put(w.order(other, "Kirk", "power", "  shields 1:1")) // unlocks the first game
	w.box.put(w.order(g, "Kirk", "power", "  shields 1:2"))
	if _, err := w.once(); err != nil {
		t.Fatal(err)
	}
	if hands != nil {
		t.Fatal("the game is still in use")
	}
	if _, err := w.once(); err != nil {
		t.Fatal(err)
	}
	files, err := g.Orders.For(vault.At(1))
	if err != nil || len(files) != 1 || !strings.Contains(string(files[0].Text), "shields 1:2") {
		t.Errorf("in force: %v %v", files, err)
	}
	if n := len(w.delivered().to(kirk, "[wolf] Turn 1: orders for Hood accepted")); n != 2 {
		t.Errorf("%d answers", n)
	}
}

// A map that has not changed is not drawn again in the next answer.
func TestAnswersDrawAMapOnce(t *testing.T) {
	w := newWorld(t)
	g := w.game("wolf", schedule())
	d := w.open()
	defer func() {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	}()
	for i, c := range []struct {
		way, shields string
		drawn        bool
	}{{"F", "1:2", true}, {"F", "1:3", false}, {"FR", "1:3", true}, {"FR", "1:4", false}} {
		w.box.put(w.order(g, "Kirk", "power", "  move 12", "  shields "+c.shields, "phase 2", "  move "+c.way))
		if _, err := d.Once(t.Context()); err != nil {
			t.Fatal(err)
		}
		sent := w.delivered().to(kirk, "accepted")
		if len(sent) != 1 {
			t.Fatalf("set %d: %v", i, sent)
		}
		if got := strings.Contains(sent[0].Text, "== Forecast"); got != c.drawn || got == strings.Contains(sent[0].Text, "see the map in the previous answer") || !strings.Contains(sent[0].Text, "shields "+c.shields) {
			t.Errorf("set %d: a map is drawn: %v\n%s", i, got, sent[0].Text)
		}
	}
}
