package daemon

import (
	"context"
	"time"

	"starpost/pbem/clock"
)

// resolveAgreedDraw ends a game on whose draw all captains agreed. Nothing is waited for
// but that the mailbox was read: a vote that was taken back may lie in it.
func (d *Daemon) resolveAgreedDraw(ctx context.Context, g *game, st *turnStatus, fresh bool) (again bool, next time.Time, err error) {
	if !fresh {
		return false, d.clock.Now().Add(d.cfg.Poll.Duration()), nil
	}
	return d.resolve(ctx, g, st, clock.Decision{Action: clock.Resolve, Reason: "the captains agreed on a draw"})
}
