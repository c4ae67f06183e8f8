package daemon_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"starpost/pbem/daemon"
	"starpost/pbem/daemon/process"
	"starpost/pbem/referee"
)

// looks records which games are looked at, from the log.
type looks struct {
	slog.Handler
	mu    sync.Mutex
	games []string
}

func (l *looks) Enabled(context.Context, slog.Level) bool { return true }

func (l *looks) Handle(_ context.Context, r slog.Record) error {
	if r.Message != "game checked" && r.Message != "captains notified of timing change" {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	r.Attrs(func(a slog.Attr) bool {
		if a.Key == "game" {
			l.games = append(l.games, a.Value.String())
		}
		return a.Key != "game"
	})
	return nil
}

func (l *looks) WithAttrs([]slog.Attr) slog.Handler { return l }

// take returns the games looked at since the last call, each once.
func (l *looks) take() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	games := slices.Compact(slices.Sorted(slices.Values(l.games)))
	l.games = nil
	return strings.Join(games, " ")
}

// atRest runs a test in fake time that begins an hour from now, so that newly created files have
// not changed for a while.
func atRest(t *testing.T, f func(w *world, l *looks)) {
	t.Helper()
	probe := filepath.Join(t.TempDir(), "now")
	if err := os.WriteFile(probe, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	now, err := os.Stat(probe)
	if err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		l := &looks{Handler: slog.DiscardHandler}
		w.log = slog.New(l)
		time.Sleep(time.Until(now.ModTime().Add(time.Hour)))
		w.clock.Set(time.Now())
		f(w, l)
	})
}

// TestPollLooksAtWhatChanged: a game that has not changed and is not due is left alone. One that
// someone touched is looked at within a poll, and no other.
func TestPollLooksAtWhatChanged(t *testing.T) {
	atRest(t, func(w *world, l *looks) {
		t := w.t
		for _, id := range []string{"bear", "fox", "wolf"} {
			w.game(id, schedule())
		}
		end := w.serve()
		defer end()
		poll := func(n int) string {
			time.Sleep(time.Duration(n) * w.cfg.Poll.Duration())
			synctest.Wait()
			return l.take()
		}
		poll(2) // the reports are sent
		if got := poll(10); got != "" {
			t.Errorf("nothing happens, and these are looked at: %s", got)
		}
		dir := filepath.Join(w.dir, "games", "fox")
		for _, c := range []struct {
			name   string
			change func() error
		}{
			{"settings written in place", func() error {
				path := filepath.Join(dir, "game.toml")
				text, err := os.ReadFile(path)
				return errors.Join(err, os.WriteFile(path, bytes.Replace(text, []byte(kor), []byte("worf@example.org"), 1), 0o600))
			}},
			{"orders put by hand", func() error {
				return os.WriteFile(filepath.Join(dir, "orders", "Hood.txt"), []byte("#orders fox turn 1 ship Hood\nfinal\n#end\n"), 0o600)
			}},
			{"orders written in place", func() error {
				return os.WriteFile(filepath.Join(dir, "orders", "Hood.txt"), []byte("#orders fox turn 1 ship Hood\nfinal ; aye\n#end\n"), 0o600)
			}},
			{"a command", func() error {
				_, err := referee.Pause(w.load("fox"), referee.Act{By: "Rita", Why: "tea", Now: time.Now()})
				return err
			}},
		} {
			if err := c.change(); err != nil {
				t.Fatal(err)
			}
			if got := poll(1); got != "fox" {
				t.Errorf("%s: looked at %q, want fox", c.name, got)
			}
			poll(3)
		}
	})
}

// TestStartLooksAtWhatChanged: a starting daemon looks only at games that are due, or whose files
// have changed since they were recorded as idle. It looks at all of them if the program or
// configuration has changed, or the store was lost.
func TestStartLooksAtWhatChanged(t *testing.T) {
	atRest(t, func(w *world, l *looks) {
		t := w.t
		for _, id := range []string{"bear", "fox", "wolf"} {
			w.game(id, schedule())
		}
		start := func() (looked string, games int) {
			d, end := w.serving()
			time.Sleep(3 * w.cfg.Poll.Duration())
			synctest.Wait()
			games = d.Status().Games.Running
			end()
			return l.take(), games
		}
		start()
		dir := filepath.Join(w.dir, "games", "fox")
		for _, c := range []struct {
			name   string
			change func() error
			want   string
		}{
			{"nothing", func() error { return nil }, ""},
			{"settings written in place", func() error {
				path := filepath.Join(dir, "game.toml")
				text, err := os.ReadFile(path)
				return errors.Join(err, os.WriteFile(path, bytes.Replace(text, []byte(kor), []byte("worf@example.org"), 1), 0o600))
			}, "fox"},
			{"nothing, after that", func() error { return nil }, ""},
			{"a command", func() error {
				_, err := referee.Pause(w.load("fox"), referee.Act{By: "Rita", Why: "tea", Now: time.Now()})
				return err
			}, "fox"},
			{"a line of the journal and no more, as a crash leaves it", func() error {
				path := filepath.Join(dir, "journal.jsonl")
				text, err := os.ReadFile(path)
				return errors.Join(err, os.WriteFile(path, append(text, '{'), 0o600))
			}, "fox"},
			{"the configuration", func() error { w.cfg.Referee = "rita@example.org"; return nil }, "bear fox wolf"},
			{"a lost store", func() error { return os.RemoveAll(w.cfg.State) }, "bear fox wolf"},
			{"the time", func() error { time.Sleep(30 * 24 * time.Hour); return nil }, "bear wolf"},
		} {
			if err := c.change(); err != nil {
				t.Fatal(err)
			}
			if got, games := start(); got != c.want || games < 2 {
				t.Errorf("%s changed: looked at %q, want %q; %d games run", c.name, got, c.want, games)
			}
		}
	})
}

// TestBrokenGamesLeaveTheOthersAlone: of many games some are broken, each in a different way. The
// others play, and the broken ones are reported by name.
func TestBrokenGamesLeaveTheOthersAlone(t *testing.T) {
	w := newWorld(t)
	g := w.game("game000", schedule())
	for i := 1; i < 40; i++ {
		w.game(fmt.Sprintf("game%03d", i), schedule())
	}
	var broken []string
	for i, name := range []string{"game.toml", "secret", filepath.Join("turns", "0000", "manifest.json"), filepath.Join("turns", "0000", "state.json"), "turns"} {
		dir := filepath.Join(w.dir, "games", fmt.Sprintf("game%03d", 10+i))
		broken = append(broken, dir)
		path := filepath.Join(dir, name)
		if err := errors.Join(os.RemoveAll(path), os.WriteFile(path, []byte("?"), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	var events []process.Event
	w.watch = func(e process.Event) {
		if e.Kind == process.Resolved {
			events = append(events, e)
		}
	}
	w.box.put(w.order(g, "Kirk", "final"))
	w.box.put(w.order(g, "Kor", "final"))
	_, err := w.once()
	for _, dir := range broken {
		if err == nil || !strings.Contains(err.Error(), dir) && !strings.Contains(err.Error(), filepath.Base(dir)) {
			t.Errorf("%s is broken and not told of: %v", dir, err)
		}
	}
	if strings.Contains(fmt.Sprint(err), "game020") {
		t.Errorf("a whole game is told of: %v", err)
	}
	if len(events) != 1 || events[0].Game != "game000" || w.turnOf(g) != 1 {
		t.Errorf("resolved %v, want turn 1 of game000", events)
	}
	if sent := w.delivered(); len(sent) < 2*35 {
		t.Errorf("%d mails went out, want the reports of 35 games", len(sent))
	}
}

// TestTurnsResolveSideBySide: the turns of different games resolve concurrently.
func TestTurnsResolveSideBySide(t *testing.T) {
	if runtime.GOMAXPROCS(0) < 2 {
		t.Skip("there is one processor")
	}
	w := watchedWorld(t)
	for _, id := range []string{"bear", "fox", "wolf"} {
		g := w.game(id, schedule())
		w.box.put(w.order(g, "Kirk", "final"))
		w.box.put(w.order(g, "Kor", "final"))
	}
	// The first two turns wait for each other.
	var begun atomic.Int32
	both := make(chan struct{})
	w.before = func(step string) error {
		if step != "resolve" {
			return nil
		}
		if n := begun.Add(1); n == 2 {
			close(both)
		}
		<-both
		return nil
	}
	if _, err := w.once(); err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"bear", "fox", "wolf"} {
		if n := w.turnOf(w.load(id)); n != 1 {
			t.Errorf("%s has turn %d, want 1", id, n)
		}
	}
}

// TestMailWaitsForAGameThatResolves: a mail to one mailbox about a game of another, which is
// resolving a turn, delays neither. It is handled right after.
func TestMailWaitsForAGameThatResolves(t *testing.T) {
	p := newPair(watchedWorld(t))
	g := p.game("wolf", schedule())
	p.box.put(p.order(g, "Kirk", "final"))
	p.box.put(p.order(g, "Kor", "final"))
	resolving, read, answered := make(chan struct{}), make(chan struct{}), make(chan struct{})
	var readOnce, answeredOnce sync.Once
	o := p.options()
	o.Clock = p.machine
	o.Before = func(step string) error {
		if step == "resolve" {
			close(resolving)
			<-read
		}
		return nil
	}
	o.Watch = func(e process.Event) {
		if e.Mailbox != club {
			return
		}
		switch e.Kind {
		case process.Handled:
			answeredOnce.Do(func() { close(answered) })
		case process.Looked:
			select {
			case <-resolving:
				readOnce.Do(func() { close(read) })
			default:
			}
		}
	}
	d, err := daemon.Open(o)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := contextOf(t)
	ended := make(chan error, 1)
	go func() { ended <- d.Serve(ctx) }()
	<-resolving
	p.sides[club].box.put(strings.Replace(p.mail(kirk, "status wolf\n"), robot, club, 1))
	<-read // by the other mailbox, while the turn resolves
	<-answered
	cancel()
	if err := errors.Join(<-ended, d.Close()); err != nil {
		t.Error(err)
	}
	if n := p.turnOf(g); n != 1 {
		t.Errorf("turn %d, want 1", n)
	}
}
