package daemon_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"starpost/pbem/daemon/process"
	"starpost/pbem/store"
	"starpost/pbem/store/sqlite"
	"starpost/pbem/vault"
)

// troubled is a store that calls before for each mail that is about to be acted on. n counts the calls from 0.
// queue is called, unless it is nil, before mails are queued.
type troubled struct {
	process.Store
	tries  int
	before func(n int, m store.Mail) error
	queue  func() error
}

// trouble gives the world's next daemons such a store.
func (w *world) trouble(before func(n int, m store.Mail) error) { w.with(troubled{before: before}) }

// with gives the world's next daemons a store with such trouble.
func (w *world) with(t troubled) {
	w.store = func() (process.Store, error) {
		l, err := sqlite.Open(filepath.Join(w.cfg.State, "ledger.db"))
		t.Store = l
		return &t, err
	}
}

func (s *troubled) SimilarActed(ctx context.Context, m store.Mail) ([]store.ActedMail, error) {
	s.tries++
	if s.before != nil {
		if err := s.before(s.tries-1, m); err != nil {
			return nil, err
		}
	}
	return s.Store.SimilarActed(ctx, m)
}

func (s *troubled) Queue(ctx context.Context, messages ...store.OutboxMessage) (added int, err error) {
	if s.queue != nil {
		if err := s.queue(); err != nil {
			return 0, err
		}
	}
	return s.Store.Queue(ctx, messages...)
}

func (s *troubled) QueueTurn(ctx context.Context, game string, turn int, messages ...store.OutboxMessage) (added int, err error) {
	if s.queue != nil {
		if err := s.queue(); err != nil {
			return 0, err
		}
	}
	return s.Store.QueueTurn(ctx, game, turn, messages...)
}

var errCut = &store.Failure{Err: errors.New("connection reset by peer")}

// A mail that cannot be handled for a moment, because the connection to the store is cut or the disk fails, is not
// overtaken by a later one of the same captain: the last set counts, and a copy of an earlier set changes nothing.
func TestTroubleLetsNoMailOvertake(t *testing.T) {
	for name, times := range map[string]int{"one cut": 1, "two cuts": 2, "one bad write": -1} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			g := w.game("wolf", schedule())
			w.run()
			folder := filepath.Join(g.Dir(), "orders")
			w.trouble(func(n int, _ store.Mail) error {
				switch {
				case n < times:
					return errCut
				case times < 0 && n == 0: // a file is where the folder for orders should be
					return errors.Join(os.Rename(folder, folder+".away"), os.WriteFile(folder, nil, 0o600))
				case times < 0 && n == 1:
					return errors.Join(os.Remove(folder), os.Rename(folder+".away", folder))
				}
				return nil
			})
			first := w.order(g, "Kirk", "power", "  move 3")
			w.box.put(first)
			w.box.put(w.order(g, "Kirk", "power", "  move 5"))
			w.box.put(first)
			answers := w.run()
			w.store = nil
			for range 2 {
				answers = append(answers, w.run()...)
			}
			if n := len(answers.to(kirk, "accepted")); n != 2 || w.box.left() != 0 {
				t.Errorf("%d answers, %d mails are left:\n%s", n, w.box.left(), answers)
			}
			files, err := g.Orders.For(vault.At(1))
			if err != nil || len(files) != 1 || !strings.Contains(string(files[0].Text), "move 5\n") {
				t.Errorf("in force: %v, %v", files, err)
			}
		})
	}
}

// A mail that the store refuses each time holds no other up.
func TestOneMailThatTheStoreRefuses(t *testing.T) {
	w := newWorld(t)
	g := w.game("wolf", schedule())
	w.run()
	bad, asked := w.mail(anybody, "Hello."), 0
	hash := store.ContentHash([]byte(bad))
	w.trouble(func(_ int, m store.Mail) error {
		if m.SHA256 != hash {
			return nil
		}
		asked++
		return errCut
	})
	w.box.put(bad)
	w.box.put(w.order(g, "Kirk", "final"))
	if sent := w.run(); len(sent.to(kirk, "accepted")) != 1 || w.box.left() != 1 || asked < 2 {
		t.Errorf("%d mails are left, sent after %d tries:\n%s", w.box.left(), asked, sent)
	}
}

// A turn waits for a mail that waits for its game. When the mails of a round are tried again one by one, because the
// connection to the store was cut, and the game is free by then, the turn waits no more.
func TestTurnRunsAfterItsMailHasWaited(t *testing.T) {
	w := newWorld(t)
	g := w.game("wolf", schedule())
	w.run()
	referee := w.load("wolf")
	w.trouble(func(n int, _ store.Mail) error {
		switch n {
		case 0:
			return referee.Lock()
		case 1:
			return errors.Join(referee.Unlock(), errCut)
		}
		return nil
	})
	w.box.put(w.order(g, "Kirk", "final"))
	w.box.put(w.order(g, "Kor", "final"))
	if sent := w.run(); len(sent.to(kirk, "accepted")) != 1 || len(sent.to(kor, "accepted")) != 1 || w.turnOf(g) != 1 {
		t.Errorf("turn %d was the last, %d mails are left, sent:\n%s", w.turnOf(g), w.box.left(), sent)
	}
}
