package games

import (
	"context"
	"errors"
	"fmt"
	"time"

	"starpost/pbem/daemon/watch"
	"starpost/pbem/vault"
)

// leaseFor is how long a daemon keeps the lease of a game: longer than any turn takes to resolve.
// Others that want to change the game wait for as long after this daemon was cut off.
const leaseFor = 10 * time.Minute

// mayChange makes sure, before a game is locked and before each write to it, that this daemon still
// serves the mailbox and holds the game's lease. A process that was suspended may believe in a lock
// and a lease that others now hold. g.Mu is held.
func (d *Keeper) mayChange(g *Game) error {
	ctx := g.Within
	if ctx == nil {
		ctx = context.Background()
	}
	if g.shared && !g.Worker.Presence.Has() {
		return nil // another host plays it; the lock of the record in the database keeps changes apart
	}
	switch err := g.Worker.Presence.MayAct(ctx); {
	case errors.Is(err, watch.ErrUnproven):
		return &vault.Error{
			Path: g.Vault.Dir(), Problem: err.Error(), Way: "wait until the mailbox " + g.Worker.Box.Address + " can be read",
			Err: errors.Join(err, vault.ErrLocked),
		}
	case err != nil || g.shared: // locks in the database work across hosts, so no lease is needed
		return err
	}
	return d.lease(ctx, g)
}

// lease makes sure that no other daemon on the same store changes a game. The lock of the game's
// directory excludes processes on one machine, but perhaps not those of several machines on a shared
// file system. A lease is renewed when half of it is over, so frequent changes cost almost nothing.
// Its holder is the state directory, which only one process at a time has: a restart after a crash
// has its leases at once. g.Mu is held.
func (d *Keeper) lease(ctx context.Context, g *Game) error {
	now := d.Clock.Now()
	if left := g.Leased.Sub(now); left > leaseFor/2 && left <= leaseFor {
		return nil
	}
	l, err := d.Store.Lease(ctx, g.Key, d.holder, now, now.Add(leaseFor))
	if err != nil {
		return fmt.Errorf("lease game %s: %w", g.ID, err)
	}
	if l.Holder != d.holder {
		g.Leased = time.Time{}
		return &vault.Error{
			Path: g.Vault.Dir(), Problem: fmt.Sprintf("another daemon on the same store (%s) holds the game until %s", l.Holder, l.Until.UTC().Format(time.DateTime+" UTC")),
			Way: fmt.Sprintf("wait: this daemon takes over when the other stops or stays idle until then; if that is more than %s away, a clock is wrong: stop the other daemon to release the game", leaseFor), Err: vault.ErrLocked,
		}
	}
	g.Leased = now.Add(leaseFor)
	d.leased.Store(true)
	return nil
}

// Close releases the keeper's resources and leases.
func (d *Keeper) Close() error {
	err := d.Games.listen.close()
	if d.shared != nil {
		err = errors.Join(err, d.shared.Close())
	}
	if d.leased.Load() && d.Stopped.Load() == nil { // after a simulated kill, do nothing
		err = errors.Join(err, d.Store.EndLeases(context.Background(), d.holder))
	}
	return err
}
