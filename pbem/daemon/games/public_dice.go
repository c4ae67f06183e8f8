package games

import (
	"context"
	"errors"
	"fmt"
	"time"

	"starpost/pbem/beacon/relay"
	"starpost/pbem/clock"
	"starpost/pbem/publicdice"
	"starpost/pbem/referee"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
	"starpost/pbem/vault/journal"
)

// publicDice plays turns with dice from a beacon. It closes the orders and tells all captains, and plays when the
// beacon round that the closing names is available. See turn.Close.
type publicDice struct{ d *stepper }

// close closes the orders of the due stage, unless the relays show that the clock is wrong: a clock that is behind
// would name a round that is already known.
func (p publicDice) close(ctx context.Context, g *Game, st *turnStatus, dec clock.Decision) (again bool, next time.Time, err error) {
	d := p.d
	chain, err := publicdice.ChainOf(g.Vault)
	if err != nil {
		return false, time.Time{}, err
	}
	switch pending, err := p.d.Relays.Clock(ctx, chain, func() { p.d.waking(g) }); {
	case pending, wrongClock(err):
		return false, d.Clock.Now().Add(relay.Again), err
	case err != nil: // the beacon may come by mail
		d.Log.Warn("relays do not show the time", "err", err)
	}
	if err := d.Before("close"); err != nil {
		return false, time.Time{}, err
	}
	c, err := turn.Close(g.Vault, referee.ByDaemon, st.options(d, g, dec))
	if err != nil {
		return st.unresolved(ctx, d, g, err)
	}
	d.Log.Info("orders closed", "game", g.Vault.ID(), "turn", c.Turn, "reason", dec.Reason, "sets", c.Sets, "beacon", c.CloseData.Round)
	return true, time.Time{}, d.Before("closed")
}

func wrongClock(err error) bool { _, wrong := errors.AsType[*relay.ClockError](err); return wrong }

// play does what is due for a stage with closed orders: it waits for the beacon, requests it, and plays.
func (p publicDice) play(ctx context.Context, g *Game, st *turnStatus, c vault.Closed) (again bool, next time.Time, err error) {
	d := p.d
	chain, err := publicdice.ChainOf(g.Vault)
	if err != nil {
		return false, time.Time{}, err
	}
	now, there := d.Clock.Now(), chain.TimeOf(c.Round)
	if now.Before(there) {
		return false, there, nil
	}
	closing, err := vault.ClosingOf(g.Vault)
	if err != nil {
		return false, time.Time{}, err
	}
	o := turn.Options{Now: now, Templates: d.Config.For(g.Worker.Box).Templates}
	if closing.Beacon == nil {
		var pending bool
		var a relay.Answer
		a, pending, err = p.d.Relays.Beacon(ctx, chain, c.Round, func() { p.d.waking(g) })
		for _, why := range a.Refused {
			p.d.Log.Warn("a relay gave no valid beacon, another one did", "game", g.Vault.ID(), "err", why)
		}
		o.Beacon = a.Beacon
		wait := g.Vault.SharedSettings().Beacon.OwnAfter()
		switch {
		case pending:
			return false, now.Add(relay.Again), nil
		case err != nil && wait > 0 && !now.Before(there.Add(wait)):
			if err := p.own(g, st, err); err != nil {
				return false, time.Time{}, err
			}
		case err != nil:
			return false, now.Add(relay.Again), fmt.Errorf("%s of %s waits for its dice: %w", st.due(), g.Vault.ID(), err)
		}
	}
	return d.play(ctx, g, st, o, "its beacon is there")
}

// own records that a stage uses the host's own dice, which the settings of the game allow from its start.
func (p publicDice) own(g *Game, st *turnStatus, why error) error {
	e := journal.NewEntry(journal.OwnDice, referee.ByDaemon, p.d.Clock.Now(), nil)
	e.Turn, e.Why = st.ready.Due, "no beacon was available"
	p.d.Log.Warn("turn uses the host's own dice", "game", g.Vault.ID(), "turn", st.ready.Due, "err", why)
	_, err := g.Vault.Append(e)
	return err
}
