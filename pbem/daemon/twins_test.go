package daemon_test

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"starpost/engine/testkit/enginetest"
	"starpost/pbem/config"
	"starpost/pbem/daemon"
	"starpost/pbem/daemon/process"
	"starpost/pbem/mailbox"
)

// twin is a mailbox in which the marks of two processes name the same process, as after copying a running machine.
// Each process takes the marks for its own.
type twin struct {
	process.Inbox
	marks markKeeper
	own   *string // the name that the process uses for itself
}

type markKeeper interface {
	Marks(ctx context.Context, folder string) ([]mailbox.Mark, error)
	PutMark(ctx context.Context, folder string, m mailbox.Mark) error
	BeatMark(ctx context.Context, uid uint32, beat int) error
	DropMark(ctx context.Context, uid uint32) error
}

func (s twin) Marks(ctx context.Context, folder string) ([]mailbox.Mark, error) {
	all, err := s.marks.Marks(ctx, folder)
	for i := range all {
		if *s.own != "" {
			all[i].Run = *s.own
		}
	}
	return all, err
}

func (s twin) PutMark(ctx context.Context, folder string, m mailbox.Mark) error {
	*s.own, m.Run = m.Run, "twin"
	return s.marks.PutMark(ctx, folder, m)
}

func (s twin) BeatMark(ctx context.Context, uid uint32, beat int) error {
	return s.marks.BeatMark(ctx, uid, beat)
}

func (s twin) DropMark(ctx context.Context, uid uint32) error { return s.marks.DropMark(ctx, uid) }

// asTwin makes a daemon's marks name a shared process.
func asTwin(o process.Options) process.Options {
	open, own := o.Inbox, new(string)
	o.Inbox = func(ctx context.Context, box config.Mailbox) (process.Inbox, error) {
		in, err := open(ctx, box)
		return twin{in, in.(markKeeper), own}, err
	}
	return o
}

// If the marks of two processes name the same one, one gives way, and no turn is played twice. If the flags
// differ, it is the stopped one, at once, and one mail goes out twice. If they are equal by chance, it is either of
// them, and no mail goes out three times.
func TestTwins(t *testing.T) {
	enginetest.Sequential(t)
	for name, equal := range map[string]bool{"other flags": false, "equal": true} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(w *world) { stopTwin(w, equal) })
		})
	}
}

func stopTwin(w *world, equal bool) {
	t := w.t
	all := rivals(w, 2)
	first, second, folder := all[0], all[1], all[0].folder
	second.cfg.Games, second.out = first.cfg.Games, first.out
	for i := range 6 {
		first.game(fmt.Sprintf("g%d", i), schedule())
	}
	f := &frost{at: "sent", n: 4}
	first.serves(asTwin(first.frosty(f)))
	if !f.stopped() || len(folder.all()) != 1 {
		t.Fatalf("it was not stopped, or put other marks: %+v\n%s", folder.all(), first.log.String())
	}
	left := folder.all()[0].Beat
	if err := os.CopyFS(second.cfg.State, os.DirFS(first.cfg.State)); err != nil {
		t.Fatal(err)
	}
	serves := func() {
		second.serves(asTwin(second.options()))
		time.Sleep(5 * time.Second)
	}
	serves()
	for (folder.all()[0].Beat == left) != equal { // each start chooses the flags at random
		second.stop()
		serves()
	}
	g := first.load("g0")
	first.box.put(first.order(g, "Kirk", "final"))
	first.box.put(first.order(g, "Kor", "final"))
	time.Sleep(3 * time.Minute)
	f.melt()
	time.Sleep(30 * time.Minute)
	errs, stays := []error{first.gone(), second.gone()}, second
	if equal && errs[0] == nil {
		slices.Reverse(errs)
		stays = first
	}
	if !daemon.NeedsOperator(errs[0]) || errs[1] != nil || !stays.works(2*time.Minute) {
		t.Fatalf("they ended with %v, the other one works no more\nthe first:\n%s\nthe second:\n%s", errs, first.log.String(), second.log.String())
	}
	stays.stop()
	ids := map[string]int{}
	for _, env := range first.out.take() {
		ids[idOf(env)]++
	}
	for id, n := range ids {
		if n > 2 || n == 2 && !equal && id != f.flying {
			t.Errorf("%d times: %s", n, id)
		}
	}
	if ids[f.flying] != 2 {
		t.Errorf("%d times went out what the second one cannot know of: %q", ids[f.flying], f.flying)
	}
	// Reports, answers, reports of turn 1, and the answer that shows that the other one works.
	if want := 12 + 2 + 2 + 1; len(ids) != want || first.turnOf(first.load("g0")) != 1 {
		t.Errorf("%d mails, want %d: %v", len(ids), want, ids)
	}
	if n := strings.Count(first.log.String()+second.log.String(), "turn resolved"); n != 1 {
		t.Errorf("the turn was resolved %d times", n)
	}
}
