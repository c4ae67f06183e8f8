package daemon_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"starpost/pbem/disk"
)

// TestPollsAskForWhatTheyHearOf: a poll does not check the files of an idle game that is watched. A change
// that causes no notification, such as one through another name of a file, is found within sixty polls, and
// at once after more changes than the system queues.
func TestPollsAskForWhatTheyHearOf(t *testing.T) {
	ears, err := disk.Listen()
	if err != nil {
		t.Fatal(err)
	}
	_, err = ears.Add(t.TempDir())
	if cerr := ears.Close(); cerr != nil {
		t.Fatal(cerr)
	}
	if err != nil {
		t.Skipf("nothing can be heard here: %v", err)
	}
	atRest(t, func(w *world, l *looks) {
		t := w.t
		w.game("bear", schedule())
		w.game("fox", schedule())
		set, alias := filepath.Join(w.dir, "games", "fox", "orders", "Hood.txt"), filepath.Join(w.dir, "alias")
		write := func(path, text string) {
			t.Helper()
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		write(set, "#orders fox turn 1 ship Hood\nfinal\n#end\n")
		if err := os.Link(set, alias); err != nil {
			t.Fatal(err)
		}
		end := w.serve()
		defer end()
		poll := func(n int) string {
			time.Sleep(time.Duration(n) * w.cfg.Poll.Duration())
			synctest.Wait()
			return l.take()
		}
		poll(70)
		write(alias, "#orders fox turn 1 ship Hood\nfinal ; aye\n#end\n")
		if got := poll(1); got != "" {
			t.Errorf("a change that is not heard was asked for at once, in %s", got)
		}
		if got := poll(60); got != "fox" {
			t.Errorf("after sixty polls games were looked at: %q, want fox", got)
		}
		poll(5)
		write(alias, "#orders fox turn 1 ship Hood\nfinal ; aye, aye\n#end\n")
		many := filepath.Join(w.dir, "games", "bear", "orders", "many")
		for range 10_000 {
			if err := errors.Join(os.Mkdir(many, 0o700), os.Remove(many)); err != nil {
				t.Fatal(err)
			}
		}
		if got := poll(1); got != "bear fox" {
			t.Errorf("after very many changes games were looked at: %q, want both", got)
		}
	})
}
