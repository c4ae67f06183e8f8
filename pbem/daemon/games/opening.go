package games

import (
	"context"
	"errors"
	"fmt"
	"time"

	"starpost/pbem/referee"
	"starpost/pbem/report"
	"starpost/pbem/store"
	"starpost/pbem/vault"
	"starpost/templates"
)

// opening starts a game, or calls it off, when the condition for its start is met.
func (d *stepper) opening(ctx context.Context, g *Game, st *turnStatus, fresh bool) (again bool, next time.Time, err error) {
	o := st.timing.Opening
	now, come := d.Clock.Now(), o.Full && len(o.Free) == 0
	if !o.At.IsZero() {
		come = !now.Before(o.At)
	}
	switch {
	case !o.Cancelled.IsZero() || st.timing.Paused != nil:
		return false, time.Time{}, nil
	case !come:
		return false, o.At, nil
	case !fresh: // an unread mail may say that someone leaves or joins
		return false, now.Add(d.Config.Poll.Duration()), nil
	}
	a := referee.Act{By: referee.ByDaemon, Why: "all seats are taken", Now: now}
	if len(o.Free) > 0 {
		a.Why = "its starting time has come, and a robot plays each free seat"
		if g.Vault.Settings().Mail.Fill == vault.FillCancel {
			return d.callOff(ctx, g, st)
		}
	}
	if err := d.Before("begin"); err != nil {
		return false, time.Time{}, err
	}
	t, err := referee.Begin(g.Vault, a)
	if errors.Is(err, vault.ErrLocked) {
		return false, now.Add(RetryLocked), nil
	}
	if err != nil {
		return false, time.Time{}, err
	}
	d.Log.Info("game begins", "game", g.Vault.ID(), "deadline", t.Deadline, "missing", len(o.Free))
	return true, time.Time{}, nil
}

// callOff tells the captains that too few joined, and ends the game before it starts. After that no
// one has a seat in it.
func (d *stepper) callOff(ctx context.Context, g *Game, st *turnStatus) (again bool, next time.Time, err error) {
	text := fmt.Sprintf("The game is called off: %s still free at its starting time.", report.Count(len(st.timing.Opening.Free), "seat"))
	for _, c := range g.Vault.Settings().Captains {
		if c.Address == "" {
			continue
		}
		n, err := d.notice(g, st, templates.Plain, captainOwing{captain: c}, time.Time{})
		if err != nil {
			return false, time.Time{}, err
		}
		n.Text, n.Missing, n.Gone = []string{text, "For a list of games you can join, send games as the first line of a mail."}, nil, true
		if err := d.notify(ctx, g, st, store.Notice, "cancel", c, fmt.Sprintf("[%s] The game is called off", g.Vault.ID()), n); err != nil {
			return false, time.Time{}, err
		}
	}
	if err := d.mailTrouble(ctx, g, st.ready.Due, "cancel", text, ""); err != nil {
		return false, time.Time{}, err
	}
	if err := d.Before("cancel"); err != nil {
		return false, time.Time{}, err
	}
	err = referee.Cancel(g.Vault, referee.Act{By: referee.ByDaemon, Why: text, Now: d.Clock.Now()})
	if errors.Is(err, vault.ErrLocked) {
		return false, d.Clock.Now().Add(RetryLocked), nil
	}
	d.Log.Info("game called off, seats were free", "game", g.Vault.ID(), "missing", len(st.timing.Opening.Free))
	return false, time.Time{}, err
}
