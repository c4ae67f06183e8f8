package games

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"starpost/pbem/clock"
	"starpost/pbem/daemon/process"
	"starpost/pbem/daemon/watch"
	"starpost/pbem/fault"
	"starpost/pbem/referee"
	"starpost/pbem/report"
	"starpost/pbem/vault"
	"starpost/templates"
)

// WatchClock checks whether the clock has jumped since the last check, or is before the last
// heartbeat, and pauses all games if so. Called with d.Mu held.
func (d *Keeper) WatchClock(ctx context.Context) error {
	w, skew := d.guard, d.Config.Guard.Skew.Duration()
	now, elapsed := d.Clock.Now().Round(0), d.Clock.Elapsed()
	w.Mu.Lock()
	first, wall := !w.Checked, w.Wall.Add(elapsed-w.Elapsed) // what the clock should show
	w.Checked, w.Wall, w.Elapsed = true, now, elapsed
	if first {
		wall = w.Last
	}
	jump := now.Sub(wall)
	if !first && skew > 0 && jump.Abs() > skew {
		w.Shift(jump) // not a gap between two reads
	}
	w.Mu.Unlock()
	switch {
	case skew <= 0 || wall.IsZero():
		return nil
	case first && jump < -skew:
		return d.InterruptGames(ctx, watch.Interruption{Why: fmt.Sprintf("the machine's clock is %s behind its value when the robot last ran", watch.Roughly(-jump)), Since: wall})
	case !first && jump > skew:
		return d.InterruptGames(ctx, watch.Interruption{Why: fmt.Sprintf("the machine's clock was set forward by %s", watch.Roughly(jump)), Since: wall})
	case !first && jump < -skew:
		return d.InterruptGames(ctx, watch.Interruption{Why: fmt.Sprintf("the machine's clock was set back by %s", watch.Roughly(-jump)), Since: wall})
	}
	return nil
}

// InterruptGames pauses every game that an interruption concerns. Called with d.Mu held.
func (d *Keeper) InterruptGames(ctx context.Context, t watch.Interruption) error {
	t.At = d.Clock.Now().UTC().Round(0)
	t.Since = t.Since.UTC().Round(0)
	if after := d.Config.Guard.ResumeAfter; after > 0 {
		t.Until = t.At.Add(clock.Span(after).Duration()).Truncate(time.Second)
	}
	t.ID = cmp.Or(t.Mailbox, "all") + "-" + t.Since.Format("20060102T150405.000Z")
	d.Log.Error("outage or clock jump, games paused", "reason", t.Why, "since", t.Since, "until", t.Until, "of", cmp.Or(t.Mailbox, "all mailboxes"))
	d.Emit(process.Event{Kind: process.Trouble, Detail: t.Why})
	d.guard.Mu.Lock()
	d.guard.Now.Interruptions = append(d.guard.Now.Interruptions, t)
	d.guard.Mu.Unlock()
	if err := d.guard.Beat(time.Time{}, true); err != nil {
		return err
	}
	return d.applyInterruptions(ctx)
}

// applyInterruptions pauses the games that interruptions concern and that are not paused yet. A
// game that is locked by another process is paused later; until all are, no mailbox counts as read.
// Its error is fatal. Called with d.Mu held.
func (d *Keeper) applyInterruptions(ctx context.Context) error {
	d.guard.Mu.Lock()
	stops := slices.Clone(d.guard.Now.Interruptions)
	d.guard.Mu.Unlock()
	for _, t := range stops {
		done, err := d.applyInterruption(ctx, t)
		if err != nil {
			return err
		}
		if !done {
			continue
		}
		d.guard.Mu.Lock()
		d.guard.Now.Interruptions = slices.DeleteFunc(slices.Clone(d.guard.Now.Interruptions), func(o watch.Interruption) bool { return o.ID == t.ID })
		d.guard.Mu.Unlock()
		if err := d.guard.Beat(time.Time{}, true); err != nil {
			return err
		}
	}
	return nil
}

// applyInterruption pauses the games that an interruption concerns, and tells the referee when all
// are paused. Its error is fatal.
func (d *Keeper) applyInterruption(ctx context.Context, t watch.Interruption) (done bool, err error) {
	var lines []string
	done = true
	for _, g := range d.Games.Games {
		if !t.Concerns(g.Worker.Box.Address) {
			continue
		}
		line, news, err := d.pauseGame(g, t)
		switch {
		case err != nil && process.Fatal(ctx, err):
			return false, err
		case errors.Is(err, referee.ErrOver), errors.Is(err, vault.ErrDamaged), errors.Is(err, vault.ErrSettings):
			continue // none of its turns can be resolved
		case err != nil:
			done = false
			continue
		}
		if news {
			g.Worker.Agenda.Now(g)
			process.Nudge(g.Worker.Wake)
		}
		lines = append(lines, line)
	}
	if !done || len(lines) == 0 {
		return done, nil
	}
	slices.Sort(lines)
	if err := d.mailInterruption(ctx, t, lines); err != nil {
		if process.Fatal(ctx, err) {
			return false, err
		}
		d.Log.Error("notice to the referee failed, will retry", "err", err)
		return false, nil
	}
	return true, nil
}

// pauseGame pauses one game, and returns the line about it for the referee, and whether this is the
// first call that did. If the game cannot be paused yet, pauseGame remembers that.
func (d *Keeper) pauseGame(g *Game, t watch.Interruption) (line string, news bool, err error) {
	g.Mu.Lock()
	defer g.Mu.Unlock()
	defer g.Used()
	defer process.Recovered("pause "+g.ID, &err)
	if err := d.Before("pause"); err != nil {
		return "", false, err
	}
	a := referee.Act{By: referee.ByDaemon, Why: t.Why, Cause: "stop " + t.ID, Now: t.At}
	timing, err := referee.Interrupt(g.Vault, a, t.Since, t.Until)
	switch {
	case err == nil:
		news = g.pause.done != t.ID
		g.pause = pausing{done: t.ID}
		return pauseLine(g, timing), news, nil
	case process.Ends(err), errors.Is(err, referee.ErrOver), errors.Is(err, vault.ErrDamaged), errors.Is(err, vault.ErrSettings):
	default:
		if g.pause.pending == "" {
			d.Log.Error("pausing the game failed, will retry", "game", g.ID, "err", err, "hint", fault.Hint(err))
		}
		g.pause.pending = t.ID
	}
	return "", false, err
}

// pauseLine describes a paused game in a line for the referee.
func pauseLine(g *Game, t vault.Timing) string {
	line := fmt.Sprintf("%s, turn %d", g.Vault.ID(), t.Turn)
	switch {
	case t.Opening != nil:
		return line + ": it has not begun"
	case t.Paused == nil:
		return line + ": it is already running"
	case t.Paused.By != referee.ByDaemon:
		return line + ": it was already paused, by " + vault.Who(t.Paused.By)
	case t.Paused.Until.IsZero():
		return line + ": until you resume it"
	}
	return fmt.Sprintf("%s: until %s; the deadline is %s", line, report.FormatTime(t.Paused.Until, g.Vault.Zone()), report.FormatTime(t.Deadline, g.Vault.Zone()))
}

// mailInterruption sends one mail about an interruption, however many games it paused.
func (d *Keeper) mailInterruption(ctx context.Context, t watch.Interruption, lines []string) error {
	if d.Config.Referee == "" {
		return nil
	}
	at, games := d.WorkerOf(t.Mailbox), fmt.Sprintf("%d games are", len(lines))
	if len(lines) == 1 {
		games = "1 game is"
	}
	n := templates.Notice{Kind: templates.Plain, Text: []string{strings.ToUpper(t.Why[:1]) + t.Why[1:] + ". No turn is resolved meanwhile; " + games + " paused:"}}
	const most = 200
	if more := len(lines) - most; more > 0 {
		lines = append(lines[:most:most], fmt.Sprintf("and %d more", more))
	}
	n.Example = strings.Join(lines, "\n")
	return d.MailOperator(ctx, at.Box, at.Box, "", "stop."+vault.Hash([]byte(t.ID))[:32], games+" paused: "+t.Why, n, "\nTo resume a game earlier: starpost referee DIR resume\n")
}
