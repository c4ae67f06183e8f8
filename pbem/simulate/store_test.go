package simulate_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"starpost/pbem/disk"
	"starpost/pbem/store"
	"starpost/pbem/store/sqlite"
	"starpost/pbem/vault"
)

// hostStore is the store of a host: SQLite in a file, which takes time where goroutines of a daemon meet, and fails
// for a killed daemon.
type hostStore struct {
	*sqlite.Store
	life *life
}

func openStore(l *life) (*hostStore, error) {
	w := l.host.w
	if w.shared != nil {
		return &hostStore{w.shared, l}, nil
	}
	s, err := openFile(w.storeOf(l.host.name))
	if err != nil {
		return nil, err
	}
	return &hostStore{s, l}, nil
}

// openFile opens a store. A new one starts as a copy of an empty one, as creating it takes longer than a turn.
func openFile(path string) (*sqlite.Store, error) {
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		data, err := emptyStore()
		if err == nil {
			err = os.WriteFile(path, data, 0o600)
		}
		if err != nil {
			return nil, err
		}
	}
	return sqlite.Open(path)
}

var emptyStore = sync.OnceValues(func() (data []byte, err error) {
	dir, err := os.MkdirTemp("", "starpost-store")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	path := filepath.Join(dir, "empty.db")
	s, err := sqlite.Open(path)
	if err == nil {
		err = s.Close()
	}
	if err != nil {
		return nil, err
	}
	return os.ReadFile(path)
})

// Close leaves a shared store open.
func (s *hostStore) Close() error {
	if s.Store == s.life.host.w.shared {
		return nil
	}
	return s.Store.Close()
}

// inGroup marks a context in which the store is already held.
type inGroup struct{}

// pace waits, unless the store is already held.
func (s *hostStore) pace(ctx context.Context, op string) error {
	if ctx.Value(inGroup{}) != nil {
		if s.life.killed.Load() {
			return errKilled
		}
		return nil
	}
	if err := s.life.pace(op, 5*time.Millisecond); err != nil {
		return err
	}
	if s.life.host.isCut("store") {
		return &store.Failure{Err: errWire}
	}
	return nil
}

func (s *hostStore) CheckFiles() (err error) {
	if err = s.pace(context.Background(), "CheckFiles"); err != nil {
		return err
	}
	return s.Store.CheckFiles()
}

func (s *hostStore) Cursor(ctx context.Context, mailbox string) (c store.Cursor, err error) {
	if err = s.pace(ctx, "Cursor"); err != nil {
		return c, err
	}
	return s.Store.Cursor(ctx, mailbox)
}

func (s *hostStore) MoveCursor(ctx context.Context, mailbox string, c store.Cursor) (err error) {
	if err = s.pace(ctx, "MoveCursor"); err != nil {
		return err
	}
	return s.Store.MoveCursor(ctx, mailbox, c)
}

func (s *hostStore) Unfinished(ctx context.Context, mailbox string) (all []store.Mail, err error) {
	if err = s.pace(ctx, "Unfinished"); err != nil {
		return all, err
	}
	return s.Store.Unfinished(ctx, mailbox)
}

func (s *hostStore) RecordMoved(ctx context.Context, mails ...store.Mail) (err error) {
	if err = s.pace(ctx, "RecordMoved"); err != nil {
		return err
	}
	return s.Store.RecordMoved(ctx, mails...)
}

func (s *hostStore) RecordAnswered(ctx context.Context, outcome string, mails ...store.Mail) (err error) {
	if err = s.pace(ctx, "RecordAnswered"); err != nil {
		return err
	}
	return s.Store.RecordAnswered(ctx, outcome, mails...)
}

func (s *hostStore) Queue(ctx context.Context, messages ...store.OutboxMessage) (added int, err error) {
	if err = s.pace(ctx, "Queue"); err != nil {
		return added, err
	}
	return s.Store.Queue(ctx, messages...)
}

func (s *hostStore) QueueTurn(ctx context.Context, game string, turn int, messages ...store.OutboxMessage) (added int, err error) {
	if err = s.pace(ctx, "QueueTurn"); err != nil {
		return added, err
	}
	return s.Store.QueueTurn(ctx, game, turn, messages...)
}

func (s *hostStore) Due(ctx context.Context, now time.Time, limit int, from ...string) (due []store.OutboxMessage, err error) {
	if err = s.pace(ctx, "Due"); err != nil {
		return due, err
	}
	due, err = s.Store.Due(ctx, now, limit, from...)
	if s.life.host.w.plan.planted == markedTooSoon {
		for _, m := range due {
			err = errors.Join(err, s.Store.MarkSent(ctx, m.ID, m.Attempts+1, now))
		}
	}
	return due, err
}

func (s *hostStore) NextDue(ctx context.Context, from ...string) (at time.Time, waits bool, err error) {
	if err = s.pace(ctx, "NextDue"); err != nil {
		return at, waits, err
	}
	return s.Store.NextDue(ctx, from...)
}

func (s *hostStore) Waiting(ctx context.Context) (n int, err error) {
	if err = s.pace(ctx, "Waiting"); err != nil {
		return n, err
	}
	return s.Store.Waiting(ctx)
}

func (s *hostStore) MarkSent(ctx context.Context, id int64, attempt int, at time.Time) (err error) {
	if err = s.pace(ctx, "MarkSent"); err != nil {
		return err
	}
	return s.Store.MarkSent(ctx, id, attempt, at)
}

func (s *hostStore) MarkRetry(ctx context.Context, id int64, attempt int, next time.Time, reason string) (err error) {
	if err = s.pace(ctx, "MarkRetry"); err != nil {
		return err
	}
	return s.Store.MarkRetry(ctx, id, attempt, next, reason)
}

func (s *hostStore) MarkAmbiguous(ctx context.Context, id int64, attempt int, next time.Time, reason string) (err error) {
	if err = s.pace(ctx, "MarkAmbiguous"); err != nil {
		return err
	}
	return s.Store.MarkAmbiguous(ctx, id, attempt, next, reason)
}

func (s *hostStore) MarkFailed(ctx context.Context, id int64, attempt int, at time.Time, reason string) (err error) {
	if err = s.pace(ctx, "MarkFailed"); err != nil {
		return err
	}
	return s.Store.MarkFailed(ctx, id, attempt, at, reason)
}

func (s *hostStore) RecordEvent(ctx context.Context, e store.Event) (first bool, err error) {
	if err = s.pace(ctx, "RecordEvent"); err != nil {
		return first, err
	}
	return s.Store.RecordEvent(ctx, e)
}

func (s *hostStore) Lease(ctx context.Context, game, holder string, now, until time.Time) (lease store.Lease, err error) {
	if err = s.pace(ctx, "Lease"); err != nil {
		return lease, err
	}
	if s.life.host.w.plan.planted == noFence {
		return store.Lease{Holder: holder, Until: until}, nil
	}
	return s.Store.Lease(ctx, game, holder, now, until)
}

func (s *hostStore) EndLeases(ctx context.Context, holder string) (err error) {
	if err = s.pace(ctx, "EndLeases"); err != nil {
		return err
	}
	return s.Store.EndLeases(ctx, holder)
}

// Group commits nothing of a daemon that was killed meanwhile.
func (s *hostStore) Group(ctx context.Context, f func(context.Context) error) error {
	return s.GroupWith(ctx, &disk.Batch{}, f)
}

// GroupWith is Group for records that depend on files, which are not on disk until it ends.
func (s *hostStore) GroupWith(ctx context.Context, soon *disk.Batch, f func(context.Context) error) error {
	if err := s.pace(ctx, "Group"); err != nil {
		return err
	}
	l := s.life
	err := s.Store.GroupWith(ctx, soon, func(ctx context.Context) error {
		if l.unsynced == nil || time.Since(l.since) > flushedAfter {
			l.unsynced, l.since = l.host.w.readOrders(), time.Now()
		}
		if err := f(context.WithValue(ctx, inGroup{}, true)); err != nil {
			return err
		}
		if l.killed.Load() {
			return errKilled
		}
		return nil
	})
	if err == nil && l.host.w.plan.planted != syncLeftOut {
		l.unsynced = nil
	}
	return err
}

// flushedAfter is when a system writes data to disk without a sync.
const flushedAfter = 30 * time.Second

// readOrders reads the order sets that wait for their turn, by file.
func (w *world) readOrders() map[string]string {
	sets := map[string]string{}
	names, err := filepath.Glob(filepath.Join(w.game, vault.OrdersDir, "*.txt"))
	for _, name := range names {
		data, rerr := os.ReadFile(name)
		err = errors.Join(err, rerr)
		sets[name] = string(data)
	}
	if err != nil {
		w.broke("read order sets: %w", err)
	}
	return sets
}

// losePower removes what a killed daemon had not synced: the previous sets come back.
func (l *life) losePower() {
	w := l.host.w
	if l.unsynced == nil || time.Since(l.since) > flushedAfter {
		return
	}
	w.note(l.host.name, "loses what was not synced")
	var all []error
	for name := range w.readOrders() {
		if _, known := l.unsynced[name]; !known {
			all = append(all, os.Remove(name))
		}
	}
	for name, data := range l.unsynced {
		all = append(all, os.WriteFile(name, []byte(data), 0o600))
	}
	if err := errors.Join(all...); err != nil {
		w.broke("lose power: %w", err)
	}
}
