package daemon

import (
	"context"
	"errors"
	"fmt"
	"time"

	"starpost/pbem/beacon"
	"starpost/pbem/clock"
	"starpost/pbem/referee"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
)

// A turn with public dice is closed, which all captains are told, and played when the round of the beacon is there
// that the closing names. See turn.Close.

// closeOrders closes the orders of the stage that is due, unless the relays show that the clock is wrong: a clock
// that is late would name a round that is known already.
func (d *Daemon) closeOrders(ctx context.Context, g *game, st *turnStatus, dec clock.Decision) (again bool, next time.Time, err error) {
	if _, pending, err := d.relays.ask(ctx, g, "", d.checkClock); pending {
		return false, d.clock.Now().Add(askAgain), nil
	} else if wrong, ok := errors.AsType[*beacon.ClockError](err); ok {
		return false, d.clock.Now().Add(askAgain), wrong
	}
	if err := d.before("close"); err != nil {
		return false, time.Time{}, err
	}
	c, err := turn.Close(g.vault, referee.ByDaemon, d.options(g, st, dec))
	if err != nil {
		return d.unresolved(ctx, g, st, err)
	}
	d.log.Info("orders closed", "game", g.vault.ID(), "turn", c.Turn, "reason", dec.Reason, "sets", c.Sets, "beacon", c.CloseData.Round)
	return true, time.Time{}, d.before("closed")
}

// closed does what is due of a stage whose orders are closed: it waits for the beacon, asks for it, and plays.
func (d *Daemon) closed(ctx context.Context, g *game, st *turnStatus, c vault.Closed) (again bool, next time.Time, err error) {
	chain, err := turn.ChainOf(g.vault)
	if err != nil {
		return false, time.Time{}, err
	}
	now, there := d.clock.Now(), chain.TimeOf(c.Round)
	if now.Before(there) {
		return false, there, nil
	}
	closing, err := g.vault.Closing()
	if err != nil {
		return false, time.Time{}, err
	}
	o := turn.Options{Now: now, Templates: d.cfg.Templates}
	if closing.Beacon == nil {
		var pending bool
		o.Beacon, pending, err = d.relays.ask(ctx, g, fmt.Sprint(c.Chain, "/", c.Round), func(ctx context.Context) (*beacon.Beacon, error) {
			return d.relays.source.Get(ctx, chain, c.Round)
		})
		wait := g.vault.SharedSettings().Beacon.OwnAfter()
		switch {
		case pending:
			return false, now.Add(askAgain), nil
		case err != nil && wait > 0 && !now.Before(there.Add(wait)):
			if err := d.ownDice(g, st, err); err != nil {
				return false, time.Time{}, err
			}
		case err != nil:
			return false, now.Add(askAgain), fmt.Errorf("%s of %s waits for its dice: %w", st.due(), g.vault.ID(), err)
		}
	}
	return d.play(ctx, g, st, o, "its beacon is there")
}

// ownDice notes that a stage has the host's own dice, as the settings of the game have it from its start.
func (d *Daemon) ownDice(g *game, st *turnStatus, why error) error {
	e := vault.NewEntry(vault.JournalOwnDice, referee.ByDaemon, d.clock.Now(), nil)
	e.Turn, e.Why = st.ready.Due, "no beacon could be had"
	d.log.Warn("turn has the host's own dice", "game", g.vault.ID(), "turn", st.ready.Due, "err", why)
	_, err := g.vault.Append(e)
	return err
}

// checkClock holds the machine's clock against the relays'. That none can be asked is no error: the beacon may
// come by mail.
func (d *Daemon) checkClock(ctx context.Context) (*beacon.Beacon, error) {
	if d.relays.source == nil {
		return nil, nil
	}
	err := d.relays.source.CheckClock(ctx, d.clock.Now)
	if _, wrong := errors.AsType[*beacon.ClockError](err); err != nil && !wrong {
		d.log.Warn("relays do not tell the time", "err", err)
		return nil, nil
	}
	return nil, err
}
