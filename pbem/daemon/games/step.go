package games

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"starpost/pbem/clock"
	"starpost/pbem/daemon/process"
	"starpost/pbem/vault"
)

// stepGame makes at most one decision about a game. If again is true, it must be called again.
func (d *stepper) stepGame(ctx context.Context, g *Game, fresh bool) (again bool, next time.Time, err error) {
	if g.brokenAt != "" {
		now, err := vault.Touched(g.Vault)
		if err != nil || now == g.brokenAt {
			return false, time.Time{}, err
		}
		d.Log.Info("game files changed, game released", "game", g.Vault.ID())
		g.brokenAt = ""
	}
	switch err := d.handleDisputes(ctx, g); {
	case errors.Is(err, vault.ErrLocked): // perhaps a referee is working on it
		return false, d.Clock.Now().Add(RetryLocked), nil
	case err != nil:
		return false, time.Time{}, err
	}
	switch err := d.handleMissed(ctx, g); {
	case errors.Is(err, vault.ErrLocked):
		return false, d.Clock.Now().Add(RetryLocked), nil
	case err != nil:
		return false, time.Time{}, err
	}
	if err := d.tellSeats(ctx, g); err != nil {
		return false, time.Time{}, err
	}
	if err := d.mailRefereeKeys(ctx, g); err != nil {
		return false, time.Time{}, err
	}
	st, err := d.turnStatus(ctx, g)
	if err == nil {
		g.status = st.brief()
		err = g.list(st.pos)
	}
	if err != nil || st.ready.Due == 0 {
		return false, time.Time{}, err
	}
	if err := d.tellTiming(ctx, g, st); err != nil {
		return false, time.Time{}, err
	}
	if err := d.tellAmended(ctx, g, st); err != nil {
		return false, time.Time{}, err
	}
	if st.timing.Waits != nil {
		return false, time.Time{}, d.tellRulesChange(ctx, g, st)
	}
	if st.timing.Opening != nil {
		return d.opening(ctx, g, st, fresh)
	}
	if c := st.timing.Closed; c != nil && !st.status.Paused {
		return publicDice{d}.play(ctx, g, st, *c)
	}
	if len(st.ready.Draw) > 0 && !st.status.Paused { // the captains agreed on a draw
		if !fresh { // the mailbox may contain a mail that takes a vote back
			return false, d.Clock.Now().Add(d.Config.Poll.Duration()), nil
		}
		return d.resolve(ctx, g, st, clock.Decision{Action: clock.Resolve, Reason: "the captains agreed on a draw"})
	}
	if len(st.ready.Bad) > 0 {
		return d.badOrders(ctx, g, st)
	}
	if !st.timing.Ready.IsZero() && !st.status.Paused {
		return false, time.Time{}, d.tellFiling(ctx, g, st)
	}
	dec := st.schedule.Decide(st.status)
	if st.pos.GoesOn() && !st.status.Paused {
		dec = clock.Decision{Action: clock.Resolve, Reason: "nothing happened that captains want to decide on"}
	}
	d.Log.Debug("game checked", "game", g.Vault.ID(), "turn", st.ready.Due, "action", dec.Action, "until", dec.Until, "reason", dec.Reason)
	if !fresh && dec.Action != clock.Wait && dec.Action != clock.Resume {
		// The mailbox, which cannot be read now, may contain an order.
		return false, d.Clock.Now().Add(d.Config.Poll.Duration()), nil
	}
	switch dec.Action {
	case clock.Wait:
		next, sent, err := d.council(ctx, g, st)
		if !next.IsZero() && (dec.Until.IsZero() || next.Before(dec.Until)) {
			dec.Until = next
		}
		return sent, dec.Until, err
	case clock.Remind:
		return true, time.Time{}, d.remind(ctx, g, st, dec.Reminder)
	case clock.Grace:
		return true, time.Time{}, d.openGrace(g, st, dec.Until)
	case clock.Halt:
		return false, time.Time{}, d.halt(ctx, g, st)
	case clock.Resume:
		return true, time.Time{}, d.resume(g)
	case clock.Resolve:
		if until, ok := g.graceAgain(st, dec); ok {
			return true, time.Time{}, d.openGrace(g, st, until)
		}
		if st.pos.PlayedByReferee() {
			return true, time.Time{}, d.handToReferee(g, st, dec)
		}
		return d.resolve(ctx, g, st, dec)
	}
	return false, time.Time{}, fmt.Errorf("game %s: unknown action %s", g.Vault.ID(), dec.Action)
}

// resolve runs the due turn, or closes its orders in a game with public dice.
func (d *stepper) resolve(ctx context.Context, g *Game, st *turnStatus, dec clock.Decision) (again bool, next time.Time, err error) {
	if g.Vault.SharedSettings().PublicDice() && len(st.ready.Draw) == 0 {
		return publicDice{d}.close(ctx, g, st, dec)
	}
	return d.play(ctx, g, st, st.options(d, g, dec), dec.Reason)
}

// badOrders handles order files that cannot be accepted. Orders sent ahead that no longer fit are
// dropped, and their captain is told. Any other bad file was put there by hand, and the game waits
// until it is fixed by hand.
func (d *stepper) badOrders(ctx context.Context, g *Game, st *turnStatus) (again bool, next time.Time, err error) {
	for _, bad := range st.ready.Bad {
		name := strings.TrimSuffix(filepath.Base(bad.File), ".txt")
		var all []string
		for _, diag := range bad.Diagnostics {
			all = append(all, diag.String())
		}
		ahead := filepath.Base(filepath.Dir(filepath.Dir(bad.File))) == "later"
		first, err := d.recordEvent(ctx, g, st.ready.Due, eventBad, st.inRound(filepath.Base(bad.File)), strings.Join(all, "; "))
		if err != nil {
			return false, time.Time{}, err
		}
		if !ahead {
			if first {
				d.Log.Error("order file invalid, turn waits", "game", g.Vault.ID(), "turn", st.ready.Due, "file", bad.File, "err", strings.Join(all, "; "))
				d.Emit(process.Event{Kind: process.Trouble, Game: g.Vault.ID(), Turn: st.ready.Due, Detail: bad.File + ": " + strings.Join(all, "; ")})
			}
			continue
		}
		if err := d.droppedAhead(ctx, g, st, name, all); err != nil {
			return false, time.Time{}, err
		}
		if err := g.Vault.Orders.Drop(vault.At(st.ready.Due), name); err != nil {
			return false, time.Time{}, err
		}
		d.Log.Info("dropped orders sent ahead, no longer valid", "game", g.Vault.ID(), "turn", st.ready.Due, "name", name)
		again = true
	}
	return again, time.Time{}, nil
}
