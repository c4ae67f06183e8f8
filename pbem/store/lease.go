package store

import (
	"context"
	"time"
)

// Lease is who may change a game, and until when.
type Lease struct {
	Holder string
	Until  time.Time
}

// Lease gives a game to a holder until a moment, unless another has it now, and tells who
// has it then. Who has it already does not lose time. Processes that have the file open
// see one another's leases; between machines their clocks must agree.
func (l *Store) Lease(ctx context.Context, game, holder string, now, until time.Time) (got Lease, err error) {
	err = l.Group(ctx, func(ctx context.Context) error {
		if _, err := l.exec(ctx, "lease "+game, `INSERT INTO leases (game, holder, until) VALUES (?1, ?2, ?3)
			ON CONFLICT (game) DO UPDATE SET holder = ?2, until = CASE WHEN holder = ?2 THEN max(until, ?3) ELSE ?3 END
			WHERE holder = ?2 OR until <= ?4`, game, holder, stamp(until), stamp(now)); err != nil {
			return err
		}
		got, _, err = first(ctx, l, "look up the lease of "+game, func(row scanner) (got Lease, err error) {
			err = row.Scan(&got.Holder, (*micros)(&got.Until))
			return got, err
		}, "SELECT holder, until FROM leases WHERE game = ?", game)
		return err
	})
	return got, err
}

// ForgetLeases gives back all games, whoever has them: for a store that one process at a time has.
func (l *Store) ForgetLeases(ctx context.Context) error {
	_, err := l.exec(ctx, "forget leases", "DELETE FROM leases")
	return err
}

// EndLeases gives back all games of a holder.
func (l *Store) EndLeases(ctx context.Context, holder string) error {
	_, err := l.exec(ctx, "end leases", "DELETE FROM leases WHERE holder = ?", holder)
	return err
}
