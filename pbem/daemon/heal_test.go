package daemon_test

import (
	"bytes"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"starpost/pbem/clock"
	"starpost/pbem/config"
	"starpost/pbem/daemon"
	"starpost/pbem/daemon/process"
	"starpost/pbem/fault"
	"starpost/pbem/turn/proof"
)

// noRoom makes the store refuse mails.
const noRoom = "CREATE TRIGGER full BEFORE INSERT ON raws BEGIN SELECT RAISE(FAIL, 'no room'); END"

// shortly is how soon the daemon resumes after trouble of its own.
const shortly = 15 * time.Second

// Files removed or truncated in the state directory while the daemon runs are repaired within
// seconds, and no mail is lost.
func TestServeRebuildsALostStore(t *testing.T) {
	db := "ledger.db"
	for name, harm := range map[string]func(state string) error{
		"shm cut":            func(s string) error { return os.Truncate(filepath.Join(s, db+"-shm"), 0) },
		"shm removed":        func(s string) error { return os.Remove(filepath.Join(s, db+"-shm")) },
		"wal removed":        func(s string) error { return os.Remove(filepath.Join(s, db+"-wal")) },
		"wal cut":            func(s string) error { return os.Truncate(filepath.Join(s, db+"-wal"), 0) },
		"copy removed":       func(s string) error { return os.Remove(filepath.Join(s, db+".copy")) },
		"copy's log removed": func(s string) error { return os.Remove(filepath.Join(s, db+".copy-wal")) },
		"copy cut":           func(s string) error { return os.Truncate(filepath.Join(s, db+".copy"), 5000) },
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(w *world) {
				t := w.t
				g := w.game("wolf", schedule())
				end := w.serve()
				synctest.Wait()
				w.delivered()
				if err := harm(w.cfg.State); err != nil {
					t.Fatal(err)
				}
				w.box.put(w.order(g, "Kirk", "final"))
				time.Sleep(shortly)
				synctest.Wait()
				if sent := w.delivered(); len(sent.to(kirk, "accepted")) != 1 || w.box.left() != 0 {
					t.Errorf("%d mails are left, sent:\n%s", w.box.left(), sent)
				}
				time.Sleep(time.Hour) // no longer counts as lost again at once
				w.box.put(w.order(g, "Kor", "final"))
				time.Sleep(shortly)
				synctest.Wait()
				if sent := w.delivered(); len(sent.to(kor, "Turn 1: report")) != 1 || len(sent.to(kirk, "Turn 1: report")) != 1 {
					t.Errorf("sent:\n%s", sent)
				}
				end()
				if found, err := proof.Verify(w.load("wolf"), nil); err != nil || len(found) > 0 {
					t.Errorf("%v, %v", found, err)
				}
				if sent := w.run(); len(sent) != 0 {
					t.Errorf("after a restart:\n%s", sent)
				}
			})
		})
	}
}

// A state directory that vanishes, or is replaced, ends the daemon with an error that names it, and
// nothing is created in its place.
func TestServeWithoutItsStateDirectory(t *testing.T) {
	for name, harm := range map[string]func(state string) error{
		"removed": func(s string) error { return errors.Join(os.Rename(s, s+"-x"), os.RemoveAll(s+"-x")) },
		"moved":   func(s string) error { return os.Rename(s, s+"-x") },
		"another": func(s string) error { return errors.Join(os.Rename(s, s+"-x"), os.Mkdir(s, 0o700)) },
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(w *world) {
				t := w.t
				w.cfg.Poll = clock.Span(24 * time.Hour)
				w.game("wolf", schedule())
				d := w.open()
				ended := make(chan error, 1)
				go func() { ended <- d.Serve(t.Context()) }()
				synctest.Wait()
				if err := harm(w.cfg.State); err != nil {
					t.Fatal(err)
				}
				w.clock.Advance(2 * time.Minute) // for the heartbeat
				select {
				case err := <-ended:
					if err == nil || !strings.Contains(err.Error(), "the state directory "+w.cfg.State+" is gone") || !strings.Contains(fault.Hint(err), "mounted") {
						t.Errorf("error %v, hint %q", err, fault.Hint(err))
					}
				case <-time.After(time.Minute):
					t.Fatal("it does not end")
				}
				if err := d.Close(); err != nil {
					t.Error(err)
				}
				if left, err := os.ReadDir(w.cfg.State); err == nil && len(left) > 0 {
					t.Errorf("made where it was: %v", left)
				}
			})
		})
	}
}

// While mails cannot be handled, the health check says so, and stops when they can. The log and the
// referee are told once.
func TestHealthWhileMailsCannotBeHandled(t *testing.T) {
	inBubble(t, func(w *world) {
		t := w.t
		var logged bytes.Buffer
		w.log = slog.New(slog.NewTextHandler(&logged, nil))
		g := w.game("wolf", schedule())
		w.machine = bubbled{start: time.Now()}
		end := w.serve()
		defer end()
		synctest.Wait()
		w.delivered()
		w.executeIn(noRoom, "ledger.db")
		w.box.put(w.order(g, "Kirk", "final"))
		for range 10 {
			time.Sleep(w.cfg.Poll.Duration())
			synctest.Wait()
			if got := problems(w, time.Now()); !strings.HasPrefix(got, "mailbox "+robot+": mails cannot be handled (began ") || !strings.Contains(got, "no room") {
				t.Errorf("health: %q", got)
			}
		}
		if sent := w.delivered(); len(sent) != 1 || !strings.Contains(sent[0].Text, "cannot write to its store") || sent[0].to != refAddress {
			t.Errorf("sent:\n%s", sent)
		}
		w.executeIn("DROP TRIGGER full", "ledger.db")
		time.Sleep(shortly)
		synctest.Wait()
		if sent := w.delivered(); len(sent.to(kirk, "accepted")) != 1 {
			t.Errorf("sent:\n%s", sent)
		}
		if got := problems(w, time.Now()); got != "" {
			t.Errorf("afterwards: %q", got)
		}
		if n := strings.Count(logged.String(), "level=ERROR msg=\"disk or store failed"); n != 1 {
			t.Errorf("it is logged %d times:\n%s", n, logged.String())
		}
	})
}

// A server that is down for two polls, or that needs a person, is reported too.
func TestHealthWhileAServerIsDown(t *testing.T) {
	for name, c := range map[string]struct {
		why   error
		after time.Duration
	}{
		"down":          {&trouble{"the mailbox is down", true}, 20 * time.Minute},
		"login refused": {&trouble{"the mailbox refused the login", false}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(w *world) {
				t := w.t
				w.cfg.Poll = clock.Span(10 * time.Minute)
				w.machine = bubbled{start: time.Now()}
				end := w.serve()
				defer end()
				synctest.Wait()
				w.box.fail(c.why)
				time.Sleep(w.cfg.Poll.Duration() + time.Second)
				synctest.Wait()
				if got := problems(w, time.Now()); (got == "") != (c.after > 0) {
					t.Errorf("at once: %q", got)
				}
				time.Sleep(c.after)
				synctest.Wait()
				if got := problems(w, time.Now()); !strings.HasPrefix(got, "mailbox "+robot) || !strings.Contains(got, c.why.Error()) {
					t.Errorf("after two polls: %q", got)
				}
			})
		})
	}
}

// Doctor reports the problems of a running daemon, and none of one that does not run.
func TestDoctorWhileMailsCannotBeHandled(t *testing.T) {
	w := newWorld(t)
	w.onLoopback()
	g := w.game("wolf", schedule())
	for _, harm := range []bool{true, false} {
		d, err := daemon.Open(process.Options{Config: w.cfg, Catalogue: w.cat, Clock: clock.Real{}, Inbox: w.box.open, Sender: w.out.open})
		if err != nil {
			t.Fatal(err)
		}
		if harm {
			w.box.put(w.order(g, "Kirk", "final"))
			w.executeIn(noRoom, "ledger.db")
		}
		if _, err := d.Once(t.Context()); (err != nil) != harm {
			t.Errorf("error %v", err)
		}
		if c, told := look(t, w)["daemon,"]; told != harm || harm && (c.OK() || !strings.Contains(c.Problem, "no room")) {
			t.Errorf("doctor, %v: %+v", harm, c)
		}
		if harm {
			w.executeIn("DROP TRIGGER full", "ledger.db")
		}
		if err := d.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// Trouble of our own is retried soon, however long it lasts.
func TestDiskErrorsAreRetriedSoon(t *testing.T) {
	inBubble(t, func(w *world) {
		w.cfg.Strangers = config.StrangersIgnore
		at := w.tries(w.t, func(int) (process.Inbox, error) {
			return nil, &os.PathError{Op: "open", Path: "ca.pem", Err: os.ErrNotExist}
		}, time.Hour)
		for _, gap := range gaps(at) {
			if gap > shortly {
				w.t.Fatalf("tried again after %s", gap)
			}
		}
		if len(at) < 200 {
			w.t.Errorf("%d tries in an hour", len(at))
		}
	})
}
