package daemon_test

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"starpost/pbem/config"
	"starpost/pbem/daemon"
	"starpost/pbem/daemon/process"
	"starpost/pbem/store/sqlite"
	"starpost/pbem/turn/proof"
	"starpost/pbem/vault"
)

// onDisk returns a world on a file system of its own with size KiB.
func onDisk(t *testing.T, size int) *world {
	t.Helper()
	w := newWorld(t)
	if err := syscall.Mount("tmpfs", w.dir, "tmpfs", 0, fmt.Sprintf("size=%dk", size)); err != nil {
		t.Skipf("no file system may be mounted: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(w.dir, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	return w
}

// fill leaves that many KiB free on the disk.
func (w *world) fill(left int) {
	w.t.Helper()
	var st syscall.Statfs_t
	if err := syscall.Statfs(w.dir, &st); err != nil {
		w.t.Fatal(err)
	}
	n := int64(st.Bavail)*st.Bsize - int64(left)<<10
	if err := os.WriteFile(filepath.Join(w.dir, "rubbish"), make([]byte, max(n, 0)), 0o600); err != nil && !errors.Is(err, syscall.ENOSPC) {
		w.t.Fatal(err)
	}
}

func (w *world) empty() {
	w.t.Helper()
	if err := os.Remove(filepath.Join(w.dir, "rubbish")); err != nil {
		w.t.Fatal(err)
	}
}

// room is the disk space that a campaign needs, in KiB; nearly all of it is for the store.
const room = 3000

// Whenever the disk becomes full, nothing is lost or done twice. The same run goes on once there is
// room again, and so does the next one.
func TestFullDisk(t *testing.T) {
	ref := newWorld(t)
	ref.campaign()
	ref.run()
	want, err := ref.load("wolf").Stages.File(vault.At(1), vault.StateFile)
	if err != nil {
		t.Fatal(err)
	}
	failed, whole := 0, false
	for left := 0; !whole; left += 12 {
		t.Run(fmt.Sprint(left), func(t *testing.T) {
			w := onDisk(t, room)
			w.campaign()
			d := w.open()
			w.fill(left)
			_, err := d.Once(t.Context())
			if err != nil {
				failed++
				if !errors.Is(err, syscall.ENOSPC) && !strings.Contains(err.Error(), "full") {
					t.Errorf("error %v", err)
				}
			}
			whole = err == nil
			sent := w.delivered()
			w.empty()
			if left%24 == 0 {
				if err := d.Close(); err != nil {
					t.Fatal(err)
				}
				d = w.open()
			}
			w.clock.Advance(time.Hour) // for deferred mails
			if _, err := d.Once(t.Context()); err != nil {
				t.Fatalf("when there is room again: %v", err)
			}
			w.checkCampaign(fmt.Sprintf("%d KiB were left", left), append(sent, w.delivered()...), want)
			if err := d.Close(); err != nil {
				t.Fatal(err)
			}
		})
		if left > room {
			t.Fatal("it is never enough")
		}
	}
	if failed < 5 {
		t.Errorf("only %d runs met a full disk", failed)
	}
}

// watched returns channels that report when the daemon waits, and to whom mails were sent.
func (w *world) watched() (idle <-chan struct{}, sent <-chan string) {
	waits, out := make(chan struct{}, 1), make(chan string, 100)
	w.watch = func(e process.Event) {
		switch e.Kind {
		case process.Idle:
			select {
			case waits <- struct{}{}:
			default:
			}
		case process.Sent:
			out <- e.Detail
		}
	}
	return waits, out
}

// The daemon waits for room, and resumes by itself. A mail that was sent while that could not be
// recorded is not sent again.
func TestServeOnAFullDisk(t *testing.T) {
	w := onDisk(t, room)
	g := w.game("wolf", schedule())
	idle, sent := w.watched()
	d := w.open()
	ctx, cancel := contextOf(t)
	ended := make(chan error, 1)
	go func() { ended <- d.Serve(ctx) }()
	await(sent, 2)
	w.fill(0)
	w.box.put(w.order(g, "Kirk", "final"))
	for range 5 { // it keeps trying
		<-idle
		w.clock.Advance(20 * time.Minute)
	}
	if w.box.left() != 1 {
		t.Errorf("%d mails are left", w.box.left())
	}
	w.empty()
	for done := false; !done; {
		select {
		case to := <-sent:
			done = to == kirk
		case <-idle:
			w.clock.Advance(20 * time.Minute)
		}
	}
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if err := d.Close(); err != nil {
		t.Error(err)
	}
	ids := map[string]bool{}
	for _, m := range w.delivered() {
		if ids[m.MessageID] {
			t.Errorf("sent twice: %s", m.Subject)
		}
		ids[m.MessageID] = true
	}
}

// In a read-only directory nothing changes. Once it is writable again, the daemon goes on.
func TestReadOnlyDisk(t *testing.T) {
	w := onDisk(t, room)
	mails := w.campaign()
	d := w.open()
	remount := func(flags uintptr) {
		t.Helper()
		if err := syscall.Mount("", w.dir, "", syscall.MS_REMOUNT|flags, ""); err != nil {
			t.Skipf("cannot be mounted anew: %v", err)
		}
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	remount(syscall.MS_RDONLY)
	if _, err := daemon.Open(process.Options{Config: w.cfg, Catalogue: w.cat}); !errors.Is(err, syscall.EROFS) {
		t.Errorf("error %v", err)
	}
	if w.box.left() != len(mails) || len(w.delivered()) != 0 {
		t.Errorf("%d mails are left", w.box.left())
	}
	remount(0)
	sent := w.run()
	state, err := w.load("wolf").Stages.File(vault.At(1), vault.StateFile)
	if err != nil {
		t.Fatal(err)
	}
	w.checkCampaign("the disk was read-only", sent, state)
}

// A mail that was sent just when the disk became full, and could not be recorded, is recorded later
// instead of being sent repeatedly.
func TestSentOnAFullDisk(t *testing.T) {
	w := onDisk(t, room)
	w.game("wolf", schedule())
	full := false
	w.before = func(step string) error {
		if step == "send" && !full {
			full = true
			w.fill(0)
		}
		return nil
	}
	d := w.open()
	for range 5 {
		if _, err := d.Once(t.Context()); err == nil {
			t.Error("the full disk went unnoticed")
		}
		w.clock.Advance(time.Hour)
	}
	first := w.delivered()
	if len(first) == 0 {
		t.Error("no mail sent")
	}
	w.empty()
	if _, err := d.Once(t.Context()); err != nil {
		t.Error(err)
	}
	seen := map[string]bool{}
	for _, m := range append(first, w.delivered()...) {
		if seen[m.MessageID] {
			t.Errorf("%s was sent again", m.MessageID)
		}
		seen[m.MessageID] = true
	}
	if len(seen) != 2 {
		t.Errorf("%d mails were sent, want 2", len(seen))
	}
	if err := d.Close(); err != nil {
		t.Error(err)
	}
}

// If any directory becomes read-only under a running daemon, the daemon does nothing that it could
// not record. Once the directory is writable again, the daemon resumes by itself. Nothing is lost
// or done twice.
func TestServeOnAReadOnlyDirectory(t *testing.T) {
	for _, where := range []string{"games", "state", "."} {
		t.Run(where, func(t *testing.T) {
			w := watchedWorld(t)
			var logged bytes.Buffer
			w.log = slog.New(slog.NewTextHandler(&logged, nil))
			g := w.game("wolf", schedule())
			idle, sent := w.watched()
			d := w.open()
			ctx, cancel := contextOf(t)
			ended := make(chan error, 1)
			go func() { ended <- d.Serve(ctx) }()
			await(sent, 2)
			writable := readOnly(t, filepath.Join(w.dir, where))
			w.box.put(w.order(g, "Kirk", "final"))
			w.box.put(w.order(g, "Kor", "final"))
			for range 5 {
				<-idle
				w.clock.Advance(20 * time.Minute)
			}
			// The store's files are open, and stay writable in such a directory.
			if where != "state" && (w.box.left() != 2 || len(sent) != 0 || w.turnOf(g) != 0) {
				t.Errorf("%d mails are left, %d were sent, turn %d", w.box.left(), len(sent), w.turnOf(g))
			}
			writable()
			for n := 0; n < 4; { // two answers, two reports
				select {
				case <-sent:
					n++
				case <-idle:
					w.clock.Advance(20 * time.Minute)
				}
			}
			cancel()
			if err := errors.Join(<-ended, d.Close()); err != nil {
				t.Error(err)
			}
			if !strings.Contains(logged.String(), "read-only") {
				t.Errorf("the daemon has not noticed:\n%s", logged.String())
			}
			subjects := map[string]int{}
			for _, m := range w.delivered() {
				subjects[m.To[0].Addr+" "+m.Subject]++
			}
			want := map[string]int{}
			for to, ship := range map[string]string{kirk: "Hood", kor: "Riskadh"} {
				want[to+" [wolf] The Big Bad Wolf begins: "+ship+", orders for turn 1"] = 1
				want[to+" [wolf] Turn 1: orders for "+ship+" accepted, 1 warning"] = 1
				want[to+" [wolf] Turn 1: report for "+ship] = 1
			}
			if !maps.Equal(subjects, want) {
				t.Errorf("sent %v", subjects)
			}
			if w.turnOf(g) != 1 || w.box.left() != 0 {
				t.Errorf("turn %d, %d mails are left", w.turnOf(g), w.box.left())
			}
			if found, err := proof.Verify(w.load("wolf"), nil); err != nil || len(found) > 0 {
				t.Errorf("%v, %v", found, err)
			}
		})
	}
}

// readOnly makes a directory read-only. Files that are open for writing stay writable. It returns a
// function that reverts it.
func readOnly(t *testing.T, dir string) (writable func()) {
	t.Helper()
	// Made elsewhere first, where no file is open: a file open for writing would forbid it.
	other := t.TempDir()
	mount := func(from, to string, flags uintptr) {
		t.Helper()
		if err := syscall.Mount(from, to, "", syscall.MS_BIND|flags, ""); err != nil {
			t.Skipf("no directory may be mounted: %v", err)
		}
	}
	unmount := func(dir string) func() {
		return sync.OnceFunc(func() {
			if err := syscall.Unmount(dir, syscall.MNT_DETACH); err != nil {
				t.Error(err)
			}
		})
	}
	mount(dir, other, 0)
	t.Cleanup(unmount(other))
	mount("", other, syscall.MS_REMOUNT|syscall.MS_RDONLY)
	mount(other, dir, 0)
	writable = unmount(dir)
	t.Cleanup(writable)
	return writable
}

// If the disk becomes full in the middle of mails, the remaining ones stay in the mailbox and the
// health check reports it. After there is room again, it costs only seconds.
func TestDiskFillsInTheMiddleOfMails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := onDisk(t, 12_000)
		time.Sleep(time.Until(began))
		w.clock.Set(time.Now())
		w.cfg.Strangers = config.StrangersIgnore
		g := w.game("wolf", schedule())
		w.machine = bubbled{start: time.Now()}
		end := w.serve()
		defer end()
		synctest.Wait()
		w.delivered()
		w.fill(1000)
		const many = 40
		for i := range many {
			w.box.put(w.mail(anybody, strings.Repeat(fmt.Sprintf("this is mail %d%s\n", i, strings.Repeat(".", 900)), 200)))
		}
		w.box.put(w.order(g, "Kirk", "final"))
		for range 10 {
			time.Sleep(w.cfg.Poll.Duration())
			synctest.Wait()
			if got := problems(w, time.Now()); !strings.Contains(got, "mails cannot be handled") || !strings.Contains(got, "no space left") {
				t.Errorf("health: %q", got)
			}
		}
		if w.box.left() == 0 || len(w.delivered().to(kirk, "")) != 0 {
			t.Errorf("%d mails are left", w.box.left())
		}
		w.empty()
		time.Sleep(shortly)
		synctest.Wait()
		if sent := w.delivered(); len(sent.to(kirk, "accepted")) != 1 || w.box.left() != 0 {
			t.Errorf("%d mails are left, sent:\n%s", w.box.left(), sent)
		}
		if got := problems(w, time.Now()); got != "" {
			t.Errorf("health afterwards: %q", got)
		}
		w.inStore(func(l *sqlite.Store) error {
			whole, damaged, err := l.VerifyRaws(t.Context())
			if whole != many+1 || len(damaged) != 0 {
				t.Errorf("%d mails are stored, %v damaged", whole, damaged)
			}
			return err
		})
	})
}
