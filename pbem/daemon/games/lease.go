package games

import (
	"context"
	"errors"
	"fmt"
	"time"

	"starpost/pbem/daemon/watch"
	"starpost/pbem/vault"
)

// leaseFor is how long a daemon may change a game that it has changed: longer than any turn takes
// to resolve, and for as long others wait that would change it after this daemon was cut off.
const leaseFor = 10 * time.Minute

// mayChange makes sure, before a game is locked, and before each thing that is written to it, that
// this daemon is still the one that may: of its mailbox, and of the store. A process that was stopped
// meanwhile holds a lock and a lease which others have since. g.mu is held.
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

// lease makes sure that no other daemon on the same store changes a game. The
// lock of the game's directory tells processes of one machine apart; on a file system that several
// machines share it may not. A lease is renewed when half of it is over, so it costs next to nothing
// where games change often. Its holder is the state directory, which one process at a time has: who
// starts again after a crash has its leases at once. g.mu is held.
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

// Close gives back what the daemon has of games.
func (d *Keeper) Close() error {
	err := d.Games.listen.close()
	if d.shared != nil {
		err = errors.Join(err, d.shared.Close())
	}
	if d.leased.Load() && d.Stopped.Load() == nil { // after a kill nothing is done
		err = errors.Join(err, d.Store.EndLeases(context.Background(), d.holder))
	}
	return err
}
