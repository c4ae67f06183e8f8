package daemon

import (
	"context"
	"fmt"
	"time"

	"starpost/pbem/vault"
)

// leaseFor is how long a daemon may change a game that it has changed: longer than any turn takes
// to resolve, and for as long others wait that would change it after this daemon was cut off.
const leaseFor = 10 * time.Minute

// lease makes sure, before a game is changed, that no other daemon on the same store changes it. The
// lock of the game's directory tells processes of one machine apart; on a file system that several
// machines share it may not. A lease is renewed when half of it is over, so it costs next to nothing
// where games change often. Its holder is the state directory, which one process at a time has: who
// starts again after a crash has its leases at once. g.mu is held.
func (d *Daemon) lease(g *game) error {
	now := d.clock.Now()
	if left := g.leased.Sub(now); left > leaseFor/2 && left <= leaseFor {
		return nil
	}
	ctx := g.within
	if ctx == nil {
		ctx = context.Background()
	}
	l, err := d.store.Lease(ctx, g.key, d.holder, now, now.Add(leaseFor))
	if err != nil {
		return fmt.Errorf("lease game %s: %w", g.id, err)
	}
	if l.Holder != d.holder {
		g.leased = time.Time{}
		return &vault.Error{
			Path: g.vault.Dir(), Problem: fmt.Sprintf("another daemon on the same store (%s) has the game until %s", l.Holder, l.Until.UTC().Format(time.TimeOnly+" UTC")),
			Way: "wait: it is this daemon's turn when the other stops, or changes nothing for that long", Err: vault.ErrLocked,
		}
	}
	g.leased = now.Add(leaseFor)
	d.leased.Store(true)
	return nil
}

// endLeases gives back what the daemon has of games.
func (d *Daemon) endLeases() error {
	if d.leased.Load() && d.stopped.Load() == nil { // after a kill nothing is done
		return d.store.EndLeases(context.Background(), d.holder)
	}
	return nil
}
