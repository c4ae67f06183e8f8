package daemon_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"starpost/pbem/clock"
	"starpost/pbem/config"
	"starpost/pbem/daemon/watch"
	"starpost/pbem/referee"
	"starpost/pbem/vault"
)

// guarded returns a world with the default guard, and a game.
func guarded(t *testing.T) (*world, *vault.Game) {
	t.Helper()
	w := newWorld(t)
	w.cfg.Guard = config.DefaultGuard()
	return w, w.game("wolf", schedule())
}

// every runs the daemon n times as from cron, at intervals of d.
func (w *world) every(d time.Duration, n int) {
	w.t.Helper()
	for range n {
		w.clock.Advance(d)
		w.run()
	}
}

// timing returns the current timing of a game.
func (w *world) timing(g *vault.Game) vault.Timing {
	w.t.Helper()
	if err := g.Refresh(); err != nil {
		w.t.Fatal(err)
	}
	t, err := g.Timing()
	if err != nil {
		w.t.Fatal(err)
	}
	return t
}

func (w *world) kinds(g *vault.Game) string {
	w.t.Helper()
	entries, err := g.Journal.Entries()
	if err != nil {
		w.t.Fatal(err)
	}
	var out []string
	for _, e := range entries {
		out = append(out, e.Kind)
	}
	return strings.Join(out, " ")
}

// paused checks for the mails of a pause: one to each captain, one to the referee, and no others
// except those given.
func paused(t *testing.T, sent sentMails, why string, others ...string) {
	t.Helper()
	for _, to := range []string{kirk, kor} {
		m := sent.to(to, "Turn 1: the game is paused")
		if len(m) != 1 || !strings.Contains(unwrapped(m[0].Text), why) {
			t.Errorf("%s is not told once of a pause because %q:\n%s\n%v", to, why, sent, m)
		}
	}
	if m := sent.to(refAddress, "1 game is paused: "); len(m) != 1 || !strings.Contains(m[0].Text, "wolf, turn 1: until ") {
		t.Errorf("the referee is not told once:\n%s\n%v", sent, m)
	}
	if len(sent) != 3+len(others) {
		t.Errorf("sent:\n%s", sent)
	}
	for _, o := range others {
		if !slices.ContainsFunc(sent, func(l sentMail) bool { return strings.Contains(l.Subject, o) }) {
			t.Errorf("nothing about %q was sent:\n%s", o, sent)
		}
	}
}

func unwrapped(text string) string { return strings.Join(strings.Fields(text), " ") }

func TestOutage(t *testing.T) {
	w, g := guarded(t)
	w.run()
	w.every(10*time.Minute, 6)
	w.box.put(w.order(g, "Kirk", "final"))
	w.box.put(w.order(g, "Kor", "final"))
	w.clock.Advance(9 * time.Hour)
	sent := w.run() // ten hours after the start
	paused(t, sent, "the robot could not read its mail for 9 hours. It resumes at Mon 2 Mar 2026, 10:00 UTC, or earlier if the referee resumes it. Turn 1 is due by Thu 5 Mar 2026, 09:00 UTC.",
		"orders for Hood accepted", "orders for Riskadh accepted")
	if ack := sent.to(kirk, "accepted")[0]; !strings.Contains(unwrapped(ack.Text), "The game has been paused since Sun 1 Mar 2026, 22:00 UTC, by the robot") || strings.Contains(ack.Text, "the turn runs now") {
		t.Errorf("the answer does not tell of the pause:\n%s", ack.Text)
	}
	// 71 hours were left when the mailbox was last read.
	got := w.timing(g)
	if want := began.Add(22 * time.Hour); g.Turn() != 0 || got.Paused == nil || !got.Paused.Until.Equal(want) || !got.Deadline.Equal(want.Add(71*time.Hour)) {
		t.Fatalf("%+v", got)
	}
	w.clock.Advance(10 * time.Minute)
	if sent := w.run(); len(sent) != 0 || w.turnOf(g) != 0 {
		t.Errorf("again:\n%s", sent)
	}
	w.every(time.Hour, 11)
	w.clock.Set(began.Add(22 * time.Hour))
	if sent := w.run(); w.turnOf(g) != 1 || len(sent) != 2 || len(sent.to(kirk, "Turn 1: report")) != 1 {
		t.Errorf("turn %d when the pause is over, sent:\n%s", g.Turn(), sent)
	}
	if got := w.kinds(g); got != "pause resume" {
		t.Errorf("journal: %s", got)
	}
}

// The tolerated gap between two runs depends on the usual gap.
func TestRareRunsAreNoOutage(t *testing.T) {
	w, g := guarded(t)
	w.run()
	w.every(24*time.Hour, 2)
	if got := w.kinds(g); got != "" {
		t.Fatalf("journal: %s", got)
	}
	w.clock.Advance(60 * time.Hour)
	if w.run(); w.kinds(g) != "grace" {
		t.Errorf("journal: %s", w.kinds(g))
	}
	w.clock.Advance(73 * time.Hour)
	if w.run(); w.kinds(g) != "grace pause" || w.turnOf(g) != 0 {
		t.Errorf("turn %d, journal: %s", g.Turn(), w.kinds(g))
	}
}

// A game that was created long ago, or a new state directory, is no outage.
func TestFirstRunIsNoOutage(t *testing.T) {
	w, g := guarded(t)
	w.clock.Advance(40 * time.Hour)
	if sent := w.run(); len(sent) != 2 || w.timing(g).Paused != nil {
		t.Errorf("sent:\n%s", sent)
	}
	w.clock.Advance(9 * time.Hour)
	w.run() // the usual gap is not known yet
	if w.timing(g).Paused != nil {
		t.Error("paused")
	}
	if err := os.Remove(filepath.Join(w.cfg.State, watch.HeartbeatFile)); err != nil {
		t.Fatal(err)
	}
	w.clock.Advance(9 * time.Hour)
	if w.run(); w.timing(g).Paused != nil {
		t.Error("paused without a heartbeat")
	}
}

func TestClockBehindAtTheStart(t *testing.T) {
	w, g := guarded(t)
	w.clock.Advance(50 * time.Hour)
	w.run()
	w.clock.Jump(-time.Minute)
	if w.run(); w.timing(g).Paused != nil {
		t.Fatal("a minute is too much")
	}
	w.clock.Jump(-3 * time.Hour)
	paused(t, w.run(), "the machine's clock is 3 hours behind its value when the robot last ran")
	// 22 hours were left: they become a day.
	if got := w.timing(g); !got.Deadline.Equal(w.clock.Now().Add(36 * time.Hour)) {
		t.Errorf("%+v", got)
	}
	w.clock.Jump(3 * time.Hour)
	if sent := w.run(); len(sent) != 0 {
		t.Errorf("the clock is right again, sent:\n%s", sent)
	}
}

func TestResumeByHand(t *testing.T) {
	w, g := guarded(t)
	w.run()
	w.every(time.Hour, 3)
	w.clock.Advance(20 * time.Hour)
	paused(t, w.run(), "for 20 hours")
	told := w.timing(g).Deadline
	if _, err := referee.Resume(g, referee.Act{By: referee.ByReferee, Why: "all is well", Now: w.clock.Now()}); err != nil {
		t.Fatal(err)
	}
	sent := w.run()
	if m := sent.to(kor, "Turn 1: the game goes on"); len(sent) != 2 || len(m) != 1 || !strings.Contains(unwrapped(m[0].Text), "The referee has resumed the game: all is well.") {
		t.Errorf("sent:\n%s\n%v", sent, m)
	}
	if got := w.timing(g); got.Paused != nil || !got.Deadline.Equal(told) {
		t.Errorf("%+v", got)
	}
	w.box.put(w.order(g, "Kirk", "final"))
	w.box.put(w.order(g, "Kor", "final"))
	if w.run(); w.turnOf(g) != 1 {
		t.Error("it does not go on")
	}
}

func TestResumeAfterNeverWaitsForTheReferee(t *testing.T) {
	w, g := guarded(t)
	w.cfg.Guard.ResumeAfter = 0
	w.run()
	w.every(time.Hour, 3)
	w.clock.Advance(20 * time.Hour)
	sent := w.run()
	if m := sent.to(kirk, "paused"); len(m) != 1 || !strings.Contains(unwrapped(m[0].Text), "It resumes when the referee resumes it. The time left for Turn 1 is then 2 days 21 hours.") {
		t.Fatalf("sent:\n%s\n%v", sent, m)
	}
	if m := sent.to(refAddress, ""); len(m) != 1 || !strings.Contains(m[0].Text, "wolf, turn 1: until you resume it") {
		t.Errorf("the referee: %v", m)
	}
	w.every(4*time.Hour, 20)
	if got := w.timing(g); g.Turn() != 0 || got.Paused == nil {
		t.Fatalf("%+v", got)
	}
	w.out.take()
	if _, err := referee.Resume(g, referee.Act{By: referee.ByReferee, Now: w.clock.Now()}); err != nil {
		t.Fatal(err)
	}
	sent = w.run()
	if m := sent.to(kirk, "the game goes on"); len(sent) != 2 || len(m) != 1 || !strings.Contains(m[0].Text, "2 days 21 hours") {
		t.Errorf("sent:\n%s\n%v", sent, m)
	}
}

// A referee's actions are announced once, whether the daemon was running or not.
func TestRefereeActsAreAnnouncedOnce(t *testing.T) {
	w := newWorld(t)
	g := w.game("wolf", schedule())
	w.run()
	act := func(why string) referee.Act {
		return referee.Act{By: referee.ByReferee, Why: why, Now: w.clock.Now()}
	}
	if _, err := referee.Extend(g, act("a storm"), referee.DeadlineLater(clock.Day, w.clock.Now()), false); err != nil {
		t.Fatal(err)
	}
	sent := w.run()
	m := sent.to(kirk, "[wolf] Turn 1: another deadline")
	if len(sent) != 2 || len(m) != 1 || !strings.Contains(unwrapped(m[0].Text), "The referee has set another deadline: a storm. Turn 1 is due by Thu 5 Mar 2026, 12:00 UTC (left: 4 days). The last report said Wed 4 Mar 2026, 12:00 UTC.") {
		t.Fatalf("sent:\n%s\n%v", sent, m)
	}
	// Reminders follow the current deadline.
	w.clock.Set(began.Add(48 * time.Hour))
	if sent := w.run(); len(sent) != 0 {
		t.Errorf("reminded too early:\n%s", sent)
	}
	w.clock.Set(began.Add(72 * time.Hour))
	if sent := w.run(); len(sent.to(kor, "orders are missing")) != 1 {
		t.Errorf("not reminded:\n%s", sent)
	}
	// Several actions make one mail. In a pause no one is reminded, and no turn is played.
	for _, f := range []func() (vault.Timing, error){
		func() (vault.Timing, error) { return referee.Pause(g, act("I am ill")) },
		func() (vault.Timing, error) { return referee.Resume(g, act("")) },
		func() (vault.Timing, error) {
			return referee.Extend(g, act("for what was lost"), referee.DeadlineLater(clock.Day, w.clock.Now()), false)
		},
		func() (vault.Timing, error) { return referee.Pause(g, act("I am ill again")) },
	} {
		if _, err := f(); err != nil {
			t.Fatal(err)
		}
	}
	sent = w.run()
	m = sent.to(kor, "the game is paused")
	if len(sent) != 2 || len(m) != 1 || !strings.Contains(unwrapped(m[0].Text), "The referee has paused the game: I am ill. The referee has resumed the game. "+
		"The referee has set another deadline: for what was lost. The game has been paused since Wed 4 Mar 2026, 12:00 UTC, by the referee: I am ill again.") {
		t.Errorf("sent:\n%s\n%v", sent, m)
	}
	w.box.put(w.order(g, "Kirk", "final"))
	w.box.put(w.order(g, "Kor", "final"))
	w.clock.Advance(1000 * time.Hour)
	if sent := w.run(); len(sent) != 2 || w.turnOf(g) != 0 {
		t.Errorf("turn %d, sent:\n%s", g.Turn(), sent)
	}
	if _, err := referee.Resume(g, act("")); err != nil {
		t.Fatal(err)
	}
	if sent := w.run(); w.turnOf(g) != 1 || len(sent.to(kirk, "Turn 1: report")) != 1 {
		t.Errorf("turn %d, sent:\n%s", g.Turn(), sent)
	}
}

// forget deletes the store.
func (w *world) forget() {
	w.t.Helper()
	found, err := filepath.Glob(filepath.Join(w.cfg.State, "ledger.db*"))
	if err != nil || len(found) == 0 {
		w.t.Fatal(found, err)
	}
	for _, f := range found {
		if err := os.Remove(f); err != nil {
			w.t.Fatal(err)
		}
	}
}

// A lost store changes no decision, and a notice that is sent again has the old Message-ID.
func TestTimingSurvivesALostStore(t *testing.T) {
	w, g := guarded(t)
	w.run()
	w.every(time.Hour, 72)
	if w.kinds(g) != "grace" || !w.timing(g).GraceEnds.Equal(began.Add(84*time.Hour)) {
		t.Fatalf("journal: %s", w.kinds(g))
	}
	w.forget()
	w.every(time.Hour, 1)
	if w.kinds(g) != "grace" || !w.timing(g).GraceEnds.Equal(began.Add(84*time.Hour)) {
		t.Errorf("journal: %s", w.kinds(g))
	}
	w.delivered()
	w.clock.Advance(9 * time.Hour)
	before := w.run()
	paused(t, before, "for 9 hours")
	told := w.timing(g)
	w.forget()
	after := w.run()
	if w.timing(g).Deadline != told.Deadline || w.kinds(g) != "grace pause" {
		t.Errorf("journal: %s", w.kinds(g))
	}
	for _, to := range []string{kirk, kor} {
		for _, m := range after.to(to, "paused") {
			if m.MessageID != before.to(to, "paused")[0].MessageID {
				t.Errorf("told again to %s: %v", to, m)
			}
		}
	}
}

// After a kill at any step of a pause, all games end up paused, once, and everyone has had one
// mail.
func TestKilledWhilePausing(t *testing.T) {
	base, _ := guarded(t)
	orders := base.load("wolf")
	base.game("lamb", schedule())
	base.run()
	base.every(time.Hour, 3)
	base.clock.Advance(9 * time.Hour)
	base.box.put(base.order(orders, "Kirk", "final"))
	base.box.put(base.order(orders, "Kor", "final"))
	for _, step := range []string{"pause", "vault journal write", "vault journal sync", "beat", "queue", "store"} {
		for n := 1; n <= 3; n++ {
			w := base.again(t)
			g, other := w.load("wolf"), w.load("lamb")
			left := n
			w.before = func(s string) error {
				if s == step {
					if left--; left == 0 {
						return errors.New("killed")
					}
				}
				return nil
			}
			_, err := w.once()
			w.before = nil
			sent := append(w.delivered(), w.run()...)
			if err == nil && left > 0 {
				continue // the step does not occur that often
			}
			for _, g := range []*vault.Game{g, other} {
				if got := w.kinds(g); got != "pause" || w.turnOf(g) != 0 || !w.timing(g).Paused.Until.Equal(began.Add(24*time.Hour)) {
					t.Errorf("killed before %s %d: journal of %s: %s, %+v", step, n, g.ID(), got, w.timing(g))
				}
			}
			ids := map[string]string{}
			for _, m := range sent {
				if strings.Contains(m.Subject, "paused") {
					ids[m.MessageID] = m.to
				}
			}
			if len(ids) != 5 || len(sent.to(refAddress, "2 games are paused")) != 1 {
				t.Errorf("killed before %s %d, sent:\n%s", step, n, sent)
			}
		}
	}
}

// A game that is locked by another process is paused later, and not played before.
func TestLockedGameIsPausedLater(t *testing.T) {
	w, g := guarded(t)
	w.run()
	w.every(time.Hour, 3)
	w.box.put(w.order(g, "Kirk", "final"))
	w.run()
	w.clock.Advance(80 * time.Hour)
	if err := g.Lock(); err != nil {
		t.Fatal(err)
	}
	if _, err := w.once(); err != nil {
		t.Fatal(err)
	}
	if err := g.Unlock(); err != nil {
		t.Fatal(err)
	}
	if w.kinds(g) != "" || w.turnOf(g) != 0 {
		t.Fatalf("turn %d, journal: %s", g.Turn(), w.kinds(g))
	}
	w.delivered()
	w.clock.Advance(time.Minute)
	paused(t, w.run(), "for 3 days 8 hours")
	if w.kinds(g) != "pause" || w.turnOf(g) != 0 {
		t.Errorf("turn %d, journal: %s", g.Turn(), w.kinds(g))
	}
}

// A grace period that ended during a gap too short for an outage is extended by what was left of
// it.
func TestGraceIsExtendedAfterASilence(t *testing.T) {
	w, g := guarded(t)
	w.run()
	w.every(time.Hour, 82) // two hours of the grace period are left
	w.clock.Advance(5 * time.Hour)
	w.delivered()
	sent := w.run()
	if w.turnOf(g) != 0 || w.kinds(g) != "grace grace" || len(sent) != 2 || len(sent.to(kor, "of grace")) != 1 {
		t.Fatalf("turn %d, journal: %s, sent:\n%s", g.Turn(), w.kinds(g), sent)
	}
	if want := began.Add(89 * time.Hour); !w.timing(g).GraceEnds.Equal(want) {
		t.Errorf("%+v", w.timing(g))
	}
	// ... but only once.
	w.clock.Advance(5 * time.Hour)
	if w.run(); w.turnOf(g) != 1 {
		t.Errorf("turn %d, journal: %s", g.Turn(), w.kinds(g))
	}
}

// wall is a machine's clock in a synctest bubble that can be set.
type wall struct {
	start  time.Time
	offset *atomic.Int64 // nanoseconds
}

func (c wall) Now() time.Time                         { return time.Now().Round(0).Add(time.Duration(c.offset.Load())) }
func (c wall) Elapsed() time.Duration                 { return time.Since(c.start) }
func (c wall) After(d time.Duration) <-chan time.Time { return time.After(d) }

// served runs the daemon in a bubble with a clock that can be set.
func served(t *testing.T, f func(w *world, g *vault.Game, set func(time.Duration))) {
	t.Helper()
	inBubble(t, func(w *world) {
		w.cfg.Guard = config.DefaultGuard()
		w.cfg.Guard.ResumeAfter = config.ResumeAfter(time.Hour)
		w.cfg.Poll = clock.Span(10 * time.Minute)
		mail := schedule()
		mail.Deadline, mail.Grace, mail.Remind = clock.Span(12*time.Hour), clock.Span(4*time.Hour), []clock.Span{clock.Span(time.Hour)}
		g := w.game("wolf", mail)
		var offset atomic.Int64
		w.machine = wall{time.Now(), &offset}
		end := w.serve()
		defer func() { end() }()
		synctest.Wait()
		w.delivered()
		f(w, g, func(by time.Duration) {
			time.Sleep(3 * time.Minute)
			offset.Add(int64(by))
			time.Sleep(2 * time.Minute)
			synctest.Wait()
		})
	})
}

func TestClockJumps(t *testing.T) {
	for _, by := range []time.Duration{-1000 * time.Hour, 3 * time.Minute, 9000 * time.Hour} {
		served(t, func(w *world, g *vault.Game, set func(time.Duration)) {
			t := w.t
			time.Sleep(time.Hour)
			set(by)
			sent := w.delivered()
			way := "set forward by"
			if by < 0 {
				way = "set back by"
			}
			paused(t, sent, "the machine's clock was "+way)
			got := w.timing(g)
			if got.Paused == nil || g.Turn() != 0 || w.kinds(g) != "pause" {
				t.Fatalf("after a jump by %s: %+v", by, got)
			}
			// The time left before is left afterwards.
			left := 12 * time.Hour // of a turn shorter than a day, all of it is left
			if d := got.Deadline.Sub(got.Paused.Until) - left; d.Abs() > time.Minute {
				t.Errorf("after a jump by %s the deadline is %s off", by, d)
			}
			// Back again: a second pause, and the deadline is where it was, except for the pause.
			set(-by)
			got = w.timing(g)
			if want := began.Add(14 * time.Hour); got.Deadline.Sub(want).Abs() > 20*time.Minute || w.kinds(g) != "pause pause" {
				t.Errorf("after a jump by %s and back: %+v, journal %s", by, got, w.kinds(g))
			}
			time.Sleep(time.Hour + 10*time.Minute)
			synctest.Wait()
			if got = w.timing(g); got.Paused != nil || w.kinds(g) != "pause pause resume" {
				t.Errorf("it does not go on: %+v, journal %s", got, w.kinds(g))
			}
		})
	}
}

// While nothing can be queued, because the store is away, games are paused all the same and the daemon stays. The mails
// are queued later.
func TestClockJumpsWhileTheStoreIsAway(t *testing.T) {
	inBubble(t, func(w *world) {
		t := w.t
		w.cfg.Guard = config.DefaultGuard()
		w.cfg.Digest = &config.Digest{At: "07:00", Zone: "UTC"}
		w.digest = func(context.Context, time.Time) (subject, text string, err error) {
			return "A digest", "All is well.", nil
		}
		g := w.game("wolf", schedule())
		var offset atomic.Int64
		w.machine = wall{time.Now(), &offset}
		var away atomic.Bool
		w.with(troubled{queue: func() error {
			if away.Load() {
				return errCut
			}
			return nil
		}})
		end := w.serve()
		defer func() { end() }()
		time.Sleep(time.Hour)
		synctest.Wait()
		w.delivered()
		away.Store(true)
		offset.Add(int64(30 * time.Hour))
		time.Sleep(20 * time.Minute)
		synctest.Wait()
		if sent := w.delivered(); len(sent) != 0 || w.timing(g).Paused == nil {
			t.Errorf("journal: %s; sent:\n%s", w.kinds(g), sent)
		}
		away.Store(false)
		time.Sleep(20 * time.Minute)
		synctest.Wait()
		paused(t, w.delivered(), "the machine's clock was set forward by", "A digest")
	})
}

// A clock that is corrected repeatedly by small amounts has not jumped.
func TestSlewedClockIsNoJump(t *testing.T) {
	served(t, func(w *world, g *vault.Game, set func(time.Duration)) {
		for range 20 {
			set(50 * time.Second)
			set(-20 * time.Second)
		}
		if got := w.kinds(g); got != "" {
			w.t.Errorf("journal: %s", got)
		}
	})
}

// While the mailbox cannot be read, no one is told that orders are missing, and no grace period
// begins: it may contain the orders. After a long time it is an outage.
func TestDeadlineWhileTheMailboxIsDown(t *testing.T) {
	for _, long := range []bool{false, true} {
		served(t, func(w *world, g *vault.Game, _ func(time.Duration)) {
			t := w.t
			time.Sleep(10*time.Hour + 30*time.Minute)
			w.delivered()
			w.box.fail(errors.New("down"))
			w.box.put(w.order(g, "Kirk", "final"))
			time.Sleep(5 * time.Hour)
			if long {
				time.Sleep(2 * time.Hour)
			}
			synctest.Wait()
			if sent := w.delivered(); len(sent) != 0 || w.kinds(g) != "" {
				t.Fatalf("journal: %s, sent:\n%s", w.kinds(g), sent)
			}
			w.box.fail(nil)
			time.Sleep(20 * time.Minute)
			synctest.Wait()
			sent := w.delivered()
			if long {
				paused(t, sent, "the robot could not read its mail for", "orders for Hood accepted")
				return
			}
			m := sent.to(kor, "of grace")
			if len(m) != 1 || len(sent.to(kirk, "of grace")) != 0 || w.timing(g).GraceEnds.Before(began.Add(19*time.Hour+30*time.Minute)) {
				t.Errorf("journal: %s, %+v, sent:\n%s", w.kinds(g), w.timing(g), sent)
			}
		})
	}
}

func TestHeartbeat(t *testing.T) {
	served(t, func(w *world, _ *vault.Game, _ func(time.Duration)) {
		t := w.t
		h, err := watch.ReadHeartbeat(w.cfg.State)
		if err != nil || h.PID != os.Getpid() || h.Version != "1.2.3" || !h.Time.Equal(began) || !h.Next.Equal(began.Add(10*time.Minute)) {
			t.Errorf("%+v, %v", h, err)
		}
		// The heartbeat is written every minute, though the mailbox is read every ten.
		time.Sleep(5*time.Minute + time.Second)
		synctest.Wait()
		h, err = watch.ReadHeartbeat(w.cfg.State)
		if err != nil || !h.Time.Equal(began.Add(5*time.Minute)) || !h.Mailboxes[robot].Looked.Equal(began) || h.Mailboxes[robot].Mode != watch.ModeServe {
			t.Errorf("%+v, %v", h, err)
		}
	})
	w, _ := guarded(t)
	w.run()
	w.every(10*time.Minute, 9)
	h, err := watch.ReadHeartbeat(w.cfg.State)
	if gaps := h.Mailboxes[robot].Gaps; err != nil || len(gaps) != 5 || gaps[0] != clock.Span(10*time.Minute) || h.Mailboxes[robot].Mode != watch.ModeOnce {
		t.Errorf("%+v, %v", h, err)
	}
	// An unreadable heartbeat is treated like none.
	path := filepath.Join(w.cfg.State, watch.HeartbeatFile)
	if err := os.WriteFile(path, []byte(`{"time": "yest`), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := watch.ReadHeartbeat(w.cfg.State); err == nil {
		t.Error("a torn heartbeat is read")
	}
	w.clock.Advance(100 * time.Hour)
	if sent := w.run(); len(sent.to("", "paused")) != 0 {
		t.Errorf("sent:\n%s", sent)
	}
	data, err := os.ReadFile(path)
	if err != nil || !json.Valid(data) {
		t.Errorf("%s %v", data, err)
	}
}
