package games

import (
	"context"
	"errors"
	"time"

	"starpost/pbem/daemon/process"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
)

// play resolves the due turn and queues its mails.
func (d *stepper) play(ctx context.Context, g *Game, st *turnStatus, o turn.Options, reason string) (again bool, next time.Time, err error) {
	if err := d.Before("resolve"); err != nil {
		return false, time.Time{}, err
	}
	out, err := resolved(g, o)
	if err != nil {
		return st.unresolved(ctx, d, g, err)
	}
	d.Log.Info("turn resolved", "game", g.Vault.ID(), "turn", out.Turn, "reason", reason, "missing", len(out.Missing), "events", len(out.Events))
	if err := d.Before("resolved"); err != nil {
		return false, time.Time{}, err
	}
	kind := process.Resolved
	if out.State.Result != nil {
		kind = process.Over
		d.Log.Info("game over", "game", g.Vault.ID(), "turn", out.Turn, "side", out.State.Result.Side, "why", out.State.Result.Why)
	}
	d.Emit(process.Event{Kind: kind, Mailbox: g.Worker.Box.Address, Game: g.Vault.ID(), Turn: out.Turn})
	return true, time.Time{}, d.QueueTurns(ctx, g)
}

// unresolved handles a turn that could not be resolved.
func (st *turnStatus) unresolved(ctx context.Context, d *stepper, g *Game, err error) (again bool, next time.Time, _ error) {
	notReady, changed := errors.AsType[*turn.NotReadyError](err)
	switch {
	case changed:
		d.Log.Info("orders changed before the turn could run", "game", notReady.Game, "turn", notReady.Due)
		return true, time.Time{}, nil
	case errors.Is(err, vault.ErrLocked):
		return false, d.Clock.Now().Add(RetryLocked), nil
	case errors.Is(err, vault.ErrCommitted):
		return true, time.Time{}, g.Vault.Refresh() // another process was first
	}
	return false, time.Time{}, d.broken(ctx, g, st, err)
}

// resolved resolves the due turn. A panic of the rules becomes an error.
func resolved(g *Game, o turn.Options) (out *turn.Outcome, err error) {
	defer process.Recovered("resolve "+g.Vault.ID(), &err)
	return turn.Resolve(g.Vault, o)
}

// broken holds a game whose turn cannot be resolved. It returns cause if the trouble is only with
// the disk or another process, so that the turn is tried again.
func (d *stepper) broken(ctx context.Context, g *Game, st *turnStatus, cause error) error {
	due := st.ready.Due
	if !isBroken(cause) {
		return cause
	}
	var err error
	if g.brokenAt, err = vault.Touched(g.Vault); err != nil {
		return errors.Join(cause, err)
	}
	d.Log.Error("turn failed, game on hold until its files change", "game", g.Vault.ID(), "turn", due, "err", cause)
	d.Emit(process.Event{Kind: process.Trouble, Game: g.Vault.ID(), Turn: due, Detail: cause.Error()})
	err = d.once(ctx, g, due, eventBroken, st.inRound(""), cause.Error(), func() error {
		return d.mailTrouble(ctx, g, due, st.inRound("broken"), "The turn could not be resolved, because the program broke one of its own rules. Nothing was committed. The game is on hold until its files change.", cause.Error())
	})
	if err != nil {
		return errors.Join(cause, err)
	}
	return nil
}
