package sqlite

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"time"

	"starpost/pbem/fault"
	"starpost/pbem/store"
)

// Error is trouble with the store that a person can mend.
type Error = fault.Fault

// hinted adds the way out to an error about the store in the file path, where
// there is one.
func hinted(path string, err error) error {
	if errors.Is(err, store.ErrNewer) {
		return &Error{Way: "use the version of starpost that wrote it, or a later one", Err: err}
	}
	if store.IsDamaged(err) {
		return damaged(path, err)
	}
	return err
}

func damaged(path string, err error) error {
	return &Error{
		Way: fmt.Sprintf("start the daemon again, or run `starpost doctor --repair`: %s is moved aside and restored from its copy", path),
		Err: err,
	}
}

// errCheck is the damage that SQLite found.
var errCheck = &store.Failure{Damaged: true, Err: errors.New("the store is damaged")}

// Check has SQLite look through the whole file and reports the first damage.
func (l *Store) Check(ctx context.Context) error {
	word, err := get[string](ctx, l.db, "check store", "PRAGMA quick_check(1)")
	if err != nil {
		return err
	}
	if word != "ok" {
		return fmt.Errorf("check store: %w: %s", errCheck, word)
	}
	return nil
}

// Waiting counts the mails that are still to be sent.
func (l *Store) Waiting(ctx context.Context) (int, error) {
	return get[int](ctx, l.db, "count waiting mails", "SELECT count(*) FROM outbox WHERE state IN ('queued', 'ambiguous')")
}

// Overview is what a look into a store gives.
type Overview struct {
	Waiting  int              // mails that are still to be sent
	GivenUp  int              // mails that Resend would send
	Bouncing []store.Bouncing // addresses from which mails came back, sorted
}

// Inspect looks through a store without changing it, also while a daemon uses
// it. Errors about damage have a way out (Error); one that is fs.ErrNotExist says
// that there is none yet.
func Inspect(ctx context.Context, path string) (o Overview, err error) {
	if _, err := os.Stat(path); err != nil {
		return o, fmt.Errorf("open store: %w", err)
	}
	err = look(ctx, path, readOnly, func(l *Store, version int) error {
		if err := l.Check(ctx); err != nil {
			return hinted(path, fmt.Errorf("%s: %w", path, err))
		}
		if version == 0 {
			return nil // made, and not written yet
		}
		var err error
		if o.GivenUp, err = l.GivenUp(ctx, time.Now()); err != nil {
			return err
		}
		if o.Waiting, err = l.Waiting(ctx); err != nil || version < 2 {
			return err
		}
		o.Bouncing, err = l.allBounces(ctx)
		return err
	})
	return o, err
}

// Rates are how many mails went out in a time, and how many of all came back for good in it.
type Rates struct{ Sent, Bounced int }

// RatesSince counts the mails since a time, also while a daemon uses the store. An error that is fs.ErrNotExist
// says that there is no store yet.
func RatesSince(ctx context.Context, path string, since time.Time) (r Rates, err error) {
	if _, err := os.Stat(path); err != nil {
		return r, fmt.Errorf("open store: %w", err)
	}
	err = View(ctx, path, func(l *Store) (err error) {
		if r.Sent, err = get[int](ctx, l.db, "count mails that were sent", "SELECT count(*) FROM outbox WHERE state = 'sent' AND settled_at >= ?", stamp(since)); err != nil {
			return err
		}
		r.Bounced, err = get[int](ctx, l.db, "count bounces", "SELECT count(DISTINCT message_id) FROM bounces WHERE permanent AND at >= ?", stamp(since))
		return err
	})
	return r, err
}

// View hands over a store to read in, also while a daemon uses it; see must
// change nothing, and cannot. One that is not there, or was never written, is not
// handed over.
func View(ctx context.Context, path string, see func(*Store) error) error {
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return look(ctx, path, readOnly, func(l *Store, version int) error {
		if version < len(migrations) {
			return nil // the daemon has yet to bring it to this version
		}
		return see(l)
	})
}

// readOnly is how a store is opened that is only looked at.
const readOnly = "mode=ro&_pragma=busy_timeout(5000)&_pragma=query_only(1)"

// look opens a store that a daemon may use meanwhile, for see alone.
func look(ctx context.Context, path, how string, see func(l *Store, version int) error) (err error) {
	db, err := connect(ctx, path, how)
	if err != nil {
		return hinted(path, fmt.Errorf("open store %s: %w", path, err))
	}
	l := storeOf(db, path)
	defer func() { err = errors.Join(err, l.db.Close()) }()
	version, err := get[int](ctx, l.db, "look into the store", "PRAGMA user_version")
	if err != nil {
		return hinted(path, fmt.Errorf("%s: %w", path, err))
	}
	if version > len(migrations) {
		return hinted(path, fmt.Errorf("%s: %w", path, store.ErrNewer))
	}
	return see(l, version)
}

// Received gives the mails that came at or after since and before until, each
// once, in the order in which they came; a zero until is now.
func (l *Store) Received(ctx context.Context, since, until time.Time) (all []store.Mail, err error) {
	end := int64(math.MaxInt64)
	if !until.IsZero() {
		end = stamp(until)
	}
	came, err := l.mails(ctx, "list mails in the store", "received_at >= ? AND received_at < ? ORDER BY received_at, uid", stamp(since), end)
	seen := map[string]bool{}
	for _, m := range came {
		if !seen[m.SHA256] {
			seen[m.SHA256] = true
			all = append(all, m)
		}
	}
	return all, err
}

// Recent gives the mails that were queued last, newest first, at most limit of
// them, without their bytes.
func (l *Store) Recent(ctx context.Context, limit int) ([]store.OutboxMessage, error) {
	return l.outboxWhere(ctx, "list the last mails", "id > (SELECT coalesce(max(id), 0) - ? FROM outbox) ORDER BY id DESC", limit)
}

// Snapshot copies the store in the file from, as it is at one moment, to a new
// file, and tells how many mails that came are in it. A daemon may use it meanwhile. Its
// leases are left out: who has the copy is no one of those who hold them.
func Snapshot(ctx context.Context, from, to string) (mails int, err error) {
	if _, err := os.Stat(from); err != nil {
		return 0, fmt.Errorf("copy the store: %w", err)
	}
	db, err := connect(ctx, from, "mode=ro&_pragma=busy_timeout(5000)")
	if err == nil {
		err = db.use(ctx, func() error {
			_, err := db.run(ctx, "VACUUM INTO ?", to)
			return errors.Join(err, os.Chmod(to, 0o600))
		})
		if err = errors.Join(err, db.Close()); err == nil {
			err = dropLeases(ctx, to)
		}
	}
	if err != nil {
		return 0, hinted(from, fmt.Errorf("copy the store %s: %w", from, err))
	}
	return mails, View(ctx, to, func(l *Store) error {
		mails, err = get[int](ctx, l.db, "count mails", "SELECT count(*) FROM raws")
		return err
	})
}

// dropLeases takes the leases out of a copy; an older store has none.
func dropLeases(ctx context.Context, path string) (err error) {
	db, err := connect(ctx, path, "mode=rw")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	l := storeOf(db, "")
	if n, err := get[int](ctx, l.db, "look for leases", "SELECT count(*) FROM sqlite_master WHERE name = 'leases'"); err != nil || n == 0 {
		return err
	}
	return db.use(ctx, func() error {
		_, err := db.run(ctx, "DELETE FROM leases")
		return err
	})
}
