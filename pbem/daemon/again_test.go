package daemon_test

import (
	"strings"
	"testing"

	"starpost/pbem/vault"
)

// TestSecondCopyDisplacesNothing: a mail that is delivered twice is acted on once. A copy behind a
// newer set must not replace that set, even if all are taken in together.
func TestSecondCopyDisplacesNothing(t *testing.T) {
	w := newWorld(t)
	g := w.game("wolf", schedule())
	first := w.order(g, "Kirk", "power", "  shields 2:4")
	w.box.put(first)
	w.box.put(w.order(g, "Kirk", "power", "  shields 2:5"))
	w.box.put(first)
	sent := w.run()
	files, err := g.Orders.For(vault.At(1))
	if err != nil || len(files) != 1 || !strings.Contains(string(files[0].Text), "2:5") {
		t.Errorf("in force: %v %s", err, files[0].Text)
	}
	if n := len(sent.to(kirk, "accepted")); n != 2 {
		t.Errorf("%d answers to two mails and a copy:\n%s", n, sent)
	}
	if n := len(w.box.folders["Starpost/Done"]); n != 3 || w.box.left() != 0 {
		t.Errorf("%d mails are done, %d left", n, w.box.left())
	}
}
