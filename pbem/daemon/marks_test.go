package daemon_test

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"starpost/pbem/clock"
	"starpost/pbem/config"
	"starpost/pbem/daemon"
	"starpost/pbem/daemon/process"
	"starpost/pbem/fault"
	"starpost/pbem/mailbox"
)

// markFolder is a mailbox's folder of marks in memory.
type markFolder struct {
	mu     sync.Mutex
	next   uint32
	marks  []mailbox.Mark
	stuck  bool  // flags are not kept
	broken error // returned by every operation
}

// all returns the current marks.
func (f *markFolder) all() []mailbox.Mark {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.marks)
}

type markedSession struct {
	*boxSession
	folder *markFolder
}

func (s *markedSession) Marks(context.Context, string) ([]mailbox.Mark, error) {
	s.folder.mu.Lock()
	defer s.folder.mu.Unlock()
	return slices.Clone(s.folder.marks), s.folder.broken
}

func (s *markedSession) PutMark(_ context.Context, _ string, m mailbox.Mark) error {
	f := s.folder
	f.mu.Lock()
	defer f.mu.Unlock()
	f.next++
	if m.UID = f.next; m.Place == 0 {
		m.Place = m.UID
	}
	if f.stuck {
		m.Beat = 0
	}
	f.marks = append(f.marks, m)
	return f.broken
}

func (s *markedSession) BeatMark(_ context.Context, uid uint32, beat int) error {
	f := s.folder
	f.mu.Lock()
	defer f.mu.Unlock()
	for i := range f.marks {
		if f.marks[i].UID == uid && !f.stuck {
			f.marks[i].Beat = beat
		}
	}
	return f.broken
}

func (s *markedSession) DropMark(_ context.Context, uid uint32) error {
	s.folder.mu.Lock()
	defer s.folder.mu.Unlock()
	s.folder.marks = slices.DeleteFunc(s.folder.marks, func(m mailbox.Mark) bool { return m.UID == uid })
	return s.folder.broken
}

// sharedText is a log that one goroutine reads while others write to it.
type sharedText struct {
	mu   sync.Mutex
	text strings.Builder
}

func (s *sharedText) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.Write(p)
}

func (s *sharedText) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.String()
}

// rival is one of several daemons with separate states on one mailbox.
type rival struct {
	*world
	folder *markFolder
	cancel context.CancelFunc
	ended  chan error
	log    sharedText
	over   bool      // start with TakeOver
	hosts  *register // of hosts that share a database; nil for none
}

func rivals(w *world, n int) []*rival {
	folder := &markFolder{}
	var all []*rival
	for range n {
		r := &rival{world: watchedWorld(w.t), folder: folder}
		r.box = w.box
		all = append(all, r)
	}
	return all
}

func (r *rival) options() process.Options {
	return process.Options{
		Config: r.cfg, Catalogue: r.cat, Clock: bubbled{clock.Real{}, time.Now()}, Sender: r.out.open, TakeOver: r.over, Log: slog.New(slog.NewTextHandler(&r.log, nil)),
		Inbox: func(context.Context, config.Mailbox) (process.Inbox, error) {
			return &markedSession{&boxSession{r.box}, r.folder}, nil
		},
	}
}

// start serves until stop, or until the daemon ends by itself.
func (r *rival) start() {
	r.t.Helper()
	r.serves(r.options())
}

func (r *rival) serves(o process.Options) {
	r.t.Helper()
	d, err := daemon.Open(o)
	if err != nil {
		r.t.Fatal(err)
	}
	if r.hosts != nil {
		r.cfg.Store = &config.Store{Lease: clock.Span(30 * time.Second)}
		d.Hosts = r.hosts
	}
	var ctx context.Context
	ctx, r.cancel = contextOf(r.t)
	r.ended = make(chan error, 1)
	go func() { r.ended <- errors.Join(d.Serve(ctx), d.Close()) }()
	synctest.Wait()
}

// stop ends it like a kill, as far as its mark is concerned.
func (r *rival) stop() {
	r.t.Helper()
	r.cancel()
	if err := <-r.ended; err != nil {
		r.t.Error(err)
	}
}

// works reports whether it takes in a mail within a time.
func (r *rival) works(within time.Duration) bool {
	r.t.Helper()
	before := strings.Count(r.log.String(), "mail handled")
	r.box.put(r.mail(anybody, "hello\n"))
	time.Sleep(within)
	synctest.Wait()
	return strings.Count(r.log.String(), "mail handled") > before
}

// gone returns the error with which it ended by itself, nil if it did not.
func (r *rival) gone() error {
	synctest.Wait()
	select {
	case err := <-r.ended:
		return err
	default:
		return nil
	}
}

// Of two daemons with separate states on one mailbox, the later one reads nothing and exits, with a hint and an error
// that a person must resolve.
func TestSecondDaemonOnAMailbox(t *testing.T) {
	inBubble(t, func(w *world) {
		t := w.t
		all := rivals(w, 2)
		first, second := all[0], all[1]
		first.start()
		time.Sleep(time.Hour + 17*time.Second)
		second.start()
		if !first.works(7*time.Minute) || strings.Contains(second.log.String(), "mail handled") {
			t.Errorf("the second one reads mails:\n%s", second.log.String())
		}
		err := second.gone()
		if err == nil || !strings.Contains(err.Error(), "another daemon serves the mailbox "+robot) || !strings.Contains(fault.Hint(err), "--take-over") || !daemon.NeedsOperator(err) {
			t.Fatalf("the second one: %v, hint %q", err, fault.Hint(err))
		}
		time.Sleep(24 * time.Hour)
		if err := first.gone(); err != nil || !first.works(time.Minute) {
			t.Errorf("the first one: %v", err)
		}
		first.stop()
		if n := strings.Count(first.log.String(), "second daemon started on this mailbox"); n != 1 {
			t.Errorf("the first one tells of it %d times:\n%s", n, first.log.String())
		}
		if len(first.folder.all()) != 1 {
			t.Errorf("marks %+v", first.folder.all())
		}
	})
}

// However often mails come between polls, a daemon renews its mark as often as the mark says.
func TestMarkIsRenewedInTime(t *testing.T) {
	for _, poll := range []time.Duration{time.Minute, 3 * time.Minute, 5 * time.Minute, 7 * time.Minute} {
		inBubble(t, func(w *world) {
			r := rivals(w, 1)[0]
			r.cfg.Poll = clock.Span(poll)
			r.start()
			last, since := r.folder.all()[0].Beat, time.Now()
			for n := range 3600 {
				if n%257 == 0 {
					r.box.put(r.mail(anybody, "hello\n"))
				}
				time.Sleep(time.Second)
				synctest.Wait()
				switch m := r.folder.all()[0]; {
				case m.Beat != last:
					last, since = m.Beat, time.Now()
				case time.Since(since) > m.Every+30*time.Second:
					w.t.Fatalf("poll %s: the mark says every %s, and is unchanged after %s", poll, m.Every, time.Since(since))
				}
			}
			r.stop()
		})
	}
}

// A daemon that a supervisor restarts whenever it was turned away never replaces a running one, whatever it saw of
// that one's mark before, and soon replaces a dead one.
func TestStandbyWaitsForTheDead(t *testing.T) {
	inBubble(t, func(w *world) {
		t := w.t
		all := rivals(w, 2)
		first, second := all[0], all[1]
		first.start()
		for n := range 40 {
			time.Sleep(time.Duration(n) * time.Minute)
			second.start()
			time.Sleep(8 * time.Minute)
			if err := second.gone(); !daemon.NeedsOperator(err) || !first.works(time.Minute) {
				t.Fatalf("start %d beside one at work: %v\n%s", n, err, second.log.String())
			}
		}
		first.stop()
		for range 10 {
			second.start()
			time.Sleep(2 * time.Minute)
			if second.gone() == nil {
				break
			}
		}
		if !second.works(10 * time.Minute) {
			t.Errorf("no one serves the mailbox:\n%s", second.log.String())
		}
		second.stop()
	})
}

// Whatever the second daemon does, the first one restarts as if it were not there: while the second one waits, after
// it was turned away, or after it was killed.
func TestRestartBesideAnother(t *testing.T) {
	for name, c := range map[string]struct {
		lasts  time.Duration
		killed bool
	}{"waits": {time.Minute, false}, "turned away": {7 * time.Minute, false}, "killed": {20 * time.Second, true}} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(w *world) {
				t := w.t
				all := rivals(w, 2)
				first, second := all[0], all[1]
				first.start()
				time.Sleep(time.Hour)
				second.start()
				time.Sleep(c.lasts)
				if c.killed {
					second.stop()
				}
				for range 3 {
					first.stop()
					first.start()
					if !first.works(time.Minute) {
						t.Fatalf("it does not go on at once:\n%s", first.log.String())
					}
				}
				time.Sleep(20 * time.Minute)
				if err := first.gone(); err != nil || !first.works(time.Minute) {
					t.Errorf("the first one: %v", err)
				}
				first.stop()
				if !c.killed && !daemon.NeedsOperator(second.gone()) {
					t.Errorf("the second one is still there:\n%s", second.log.String())
				}
				if len(first.folder.all()) != 1 {
					t.Errorf("marks %+v", first.folder.all())
				}
			})
		})
	}
}

// Started from cron, the later daemon does nothing either.
func TestSecondDaemonFromCron(t *testing.T) {
	inBubble(t, func(w *world) {
		t := w.t
		all := rivals(w, 2)
		first, second := all[0], all[1]
		first.start()
		var last error
		for range 5 {
			time.Sleep(10*time.Minute + time.Second)
			d, err := daemon.Open(second.options())
			if err != nil {
				t.Fatal(err)
			}
			_, last = d.Once(t.Context())
			if err := d.Close(); err != nil || last == nil {
				t.Fatal(err, last)
			}
			if daemon.NeedsOperator(last) {
				break
			}
		}
		if !daemon.NeedsOperator(last) || strings.Contains(second.log.String(), "mail handled") || !first.works(time.Minute) {
			t.Errorf("%v\n%s", last, second.log.String())
		}
		first.stop()
	})
}

// A restart, a crash, and a state that was moved or restored are not mistaken for another daemon: they continue at
// once.
func TestNoFalseAlarm(t *testing.T) {
	inBubble(t, func(w *world) {
		t := w.t
		r := rivals(w, 1)[0]
		for round := range 12 {
			r.start()
			if !r.works(time.Minute) {
				t.Fatalf("round %d: it does not go on at once:\n%s", round, r.log.String())
			}
			time.Sleep(time.Duration(round) * 3 * time.Minute)
			if err := r.gone(); err != nil {
				t.Fatalf("round %d: %v", round, err)
			}
			r.stop()
			switch round % 4 {
			case 1: // moved
				to := filepath.Join(r.dir, "elsewhere", string(rune('a'+round)))
				if err := errors.Join(os.MkdirAll(filepath.Dir(to), 0o700), os.Rename(r.cfg.State, to)); err != nil {
					t.Fatal(err)
				}
				r.cfg.State = to
			case 2: // restored from an older backup
				to := filepath.Join(r.dir, "restored", string(rune('a'+round)))
				if err := os.CopyFS(to, os.DirFS(r.cfg.State)); err != nil {
					t.Fatal(err)
				}
				r.cfg.State = to
			}
		}
		if strings.Contains(r.log.String(), "another daemon") {
			t.Errorf("an alarm:\n%s", r.log.String())
		}
		if len(r.folder.all()) != 1 {
			t.Errorf("marks %+v", r.folder.all())
		}
	})
}

// Nor does a kill right after the first mark was put raise an alarm.
func TestKilledAfterTheFirstMark(t *testing.T) {
	inBubble(t, func(w *world) {
		t := w.t
		r := rivals(w, 1)[0]
		o := r.options()
		o.Before = func(step string) error {
			if r.folder.next > 0 {
				return errKill
			}
			return nil
		}
		d, err := daemon.Open(o)
		if err != nil {
			t.Fatal(err)
		}
		r.box.put(r.mail(anybody, "hello\n"))
		if err := errors.Join(d.Serve(t.Context()), d.Close()); !errors.Is(err, errKill) || r.folder.next == 0 {
			t.Fatal(err)
		}
		r.start()
		if !r.works(time.Minute) {
			t.Errorf("it does not go on at once:\n%s", r.log.String())
		}
		r.stop()
	})
}

// A new state replaces a lost one after the time in which another daemon would renew its mark.
func TestLostStateIsReplaced(t *testing.T) {
	inBubble(t, func(w *world) {
		t := w.t
		all := rivals(w, 2)
		all[0].start()
		time.Sleep(time.Hour)
		all[0].stop()
		all[1].start()
		if all[1].works(5 * time.Minute) {
			t.Error("it did not wait")
		}
		if !all[1].works(2 * time.Minute) {
			t.Errorf("it waits still:\n%s", all[1].log.String())
		}
		time.Sleep(time.Hour)
		all[1].stop()
		all[1].start() // and the next time at once
		if !all[1].works(time.Minute) {
			t.Error("it waits again")
		}
		all[1].stop()
		if len(all[1].folder.all()) != 1 {
			t.Errorf("marks %+v", all[1].folder.all())
		}
	})
}

// A daemon that takes over serves at once, and the other one exits.
func TestTakeOver(t *testing.T) {
	inBubble(t, func(w *world) {
		t := w.t
		all := rivals(w, 2)
		all[0].start()
		time.Sleep(time.Hour)
		all[1].over = true
		all[1].start()
		time.Sleep(6 * time.Minute)
		if err := all[0].gone(); !daemon.NeedsOperator(err) || !strings.Contains(err.Error(), "taken over") {
			t.Errorf("the one that was there: %v", err)
		}
		if !all[1].works(time.Minute) {
			t.Errorf("the one that took over:\n%s", all[1].log.String())
		}
		all[1].stop()
	})
}

// A copy of a state directory is detected too, and the later daemon exits.
func TestCopiedState(t *testing.T) {
	inBubble(t, func(w *world) {
		t := w.t
		all := rivals(w, 2)
		all[0].start()
		time.Sleep(time.Hour + 2*time.Minute + time.Second) // between two heartbeats: no file is being written
		if err := os.CopyFS(all[1].cfg.State, os.DirFS(all[0].cfg.State)); err != nil {
			t.Fatal(err)
		}
		all[1].start()
		time.Sleep(7 * time.Minute)
		if err := all[1].gone(); !daemon.NeedsOperator(err) || !strings.Contains(err.Error(), "copy of this state") {
			t.Errorf("the copy: %v", err)
		}
		if err := all[0].gone(); err != nil || !all[0].works(time.Minute) {
			t.Errorf("the original: %v", err)
		}
		all[0].stop()
	})
}

// A host that has just lost the mailbox to this one may still put its mark there: this one replaces it and goes on. If that
// happens again and again, the other host does not share the database, and this one exits.
func TestMarksOfHosts(t *testing.T) {
	for name, times := range map[string]int{"late": 1, "of another database": 10} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(w *world) {
				t := w.t
				r := rivals(w, 1)[0]
				r.hosts = &register{clock: bubbled{}}
				r.start()
				if !r.works(time.Minute) {
					t.Fatalf("it does not serve:\n%s", r.log.String())
				}
				for range times {
					r.folder.mu.Lock()
					r.folder.next++
					r.folder.marks = []mailbox.Mark{{UID: r.folder.next, Place: r.folder.next, Owner: "hosts", Run: "another", Every: 5 * time.Minute}}
					r.folder.mu.Unlock()
					time.Sleep(7 * time.Minute)
				}
				switch err := r.gone(); {
				case times == 1:
					if err != nil || !r.works(time.Minute) {
						t.Errorf("%v\n%s", err, r.log.String())
					}
					r.stop()
					if all := r.folder.all(); len(all) > 0 && all[0].Run == "another" {
						t.Errorf("marks %+v", all)
					}
				case !daemon.NeedsOperator(err) || !strings.Contains(err.Error(), "another database with the same data"):
					t.Errorf("%v\n%s", err, r.log.String())
				}
			})
		})
	}
}

// A mailbox that stores no marks is served anyway, and the log says so once.
func TestMailboxWithoutMarks(t *testing.T) {
	for name, harm := range map[string]func(f *markFolder){
		"flags are not kept": func(f *markFolder) { f.stuck = true },
		"no folder": func(f *markFolder) {
			f.broken = &mailbox.Error{Op: "create", Kind: mailbox.KindRefused, Err: errors.New("no")}
		},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(w *world) {
				t := w.t
				r := rivals(w, 1)[0]
				harm(r.folder)
				r.start()
				for range 5 {
					if !r.works(10 * time.Minute) {
						t.Fatalf("it does not serve:\n%s", r.log.String())
					}
				}
				if err := r.gone(); err != nil {
					t.Fatal(err)
				}
				r.stop()
				if n := strings.Count(r.log.String(), "mailbox stores no marks"); n != 1 {
					t.Errorf("told %d times:\n%s", n, r.log.String())
				}
			})
		})
	}
}
