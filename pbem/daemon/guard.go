package daemon

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"starpost/pbem/clock"
	"starpost/pbem/fault"
	"starpost/pbem/referee"
	"starpost/pbem/report"
	"starpost/pbem/vault"
	"starpost/templates"
)

// guard pauses games after an outage, so that no turn is resolved because of it: the
// daemon was down, a mailbox could not be read, the clock jumped.
type guard struct {
	*process
	mu   sync.Mutex
	last time.Time // of the heartbeat that was found; zero for none
	now  Heartbeat // what is written next
	mode string    // how the daemon runs

	checked bool          // the clock was looked at
	wall    time.Time     // what it said then
	elapsed time.Duration // ... and how far time was

	wrote      bool
	named      bool          // the heartbeat on disk has the ID of now
	news       bool          // something stands in now that must be written at once
	written    time.Duration // the last heartbeat, by elapsed time
	complained bool
	ended      error // what Options.Before said: there is no further heartbeat
}

// Interruption is a reason to pause games.
type Interruption struct {
	ID      string    `json:"id"`
	Mailbox string    `json:"mailbox,omitempty"` // the address whose games are meant; "": all
	Why     string    `json:"why"`               // a clause for people
	Since   time.Time `json:"since"`             // what was left of a turn then is left to it
	At      time.Time `json:"at"`
	Until   time.Time `json:"until,omitzero"` // when the games resume; zero: when a referee resumes them
}

func (s Interruption) concerns(address string) bool {
	return s.Mailbox == "" || strings.EqualFold(s.Mailbox, address)
}

// outageFactor is how many times the usual gap between two looks no gap is an outage.
const outageFactor = 3

// watchClock looks whether the clock jumped since it was last looked at, or
// stands before the last heartbeat, and stops all games if so. Called with d.mu
// held.
func (d *keeper) watchClock(ctx context.Context) error {
	w, skew := d.guard, d.cfg.Guard.Skew.Duration()
	now, elapsed := d.clock.Now().Round(0), d.clock.Elapsed()
	w.mu.Lock()
	first, wall := !w.checked, w.wall.Add(elapsed-w.elapsed) // what the clock should say
	w.checked, w.wall, w.elapsed = true, now, elapsed
	if first {
		wall = w.last
	}
	jump := now.Sub(wall)
	if !first && skew > 0 && jump.Abs() > skew {
		w.shift(jump) // it is no gap between two looks
	}
	w.mu.Unlock()
	switch {
	case skew <= 0 || wall.IsZero():
		return nil
	case first && jump < -skew:
		return d.interruptGames(ctx, Interruption{Why: fmt.Sprintf("the clock of the machine is %s behind what it was when the robot last ran", roughly(-jump)), Since: wall})
	case !first && jump > skew:
		return d.interruptGames(ctx, Interruption{Why: fmt.Sprintf("the clock of the machine was put on by %s", roughly(jump)), Since: wall})
	case !first && jump < -skew:
		return d.interruptGames(ctx, Interruption{Why: fmt.Sprintf("the clock of the machine was put back by %s", roughly(-jump)), Since: wall})
	}
	return nil
}

// jumped tells whether the clock jumped since it was last looked at.
func (d *guard) jumped() bool {
	w, now, elapsed := d, d.clock.Now().Round(0), d.clock.Elapsed()
	w.mu.Lock()
	defer w.mu.Unlock()
	skew := d.cfg.Guard.Skew.Duration()
	return w.checked && skew > 0 && now.Sub(w.wall.Add(elapsed-w.elapsed)).Abs() > skew
}

// shift has the looks into the mailboxes lie as far back as they did before the
// clock jumped. Called with w.mu held.
func (w *guard) shift(jump time.Duration) {
	for box, h := range w.now.Mailboxes {
		if h.Looked.IsZero() {
			continue
		}
		h.Looked = h.Looked.Add(jump)
		w.now.Mailboxes[box] = h
	}
}

// checkOutage is called when a mailbox can be read, before any mail of it is taken in.
// If it could not for too long, its games are stopped.
func (s *intake) checkOutage(ctx context.Context) error {
	s.keeper.mu.Lock()
	defer s.keeper.mu.Unlock()
	if err := s.keeper.watchClock(ctx); err != nil {
		return err
	}
	s.silentSince = time.Time{}
	last, ok := s.guard.lastLook(s.box.Address)
	if !ok || s.cfg.Guard.Outage <= 0 {
		return nil // the first look of all, or one on which a stop waits
	}
	usual, known := last.usualGap(s.cfg.Poll)
	gap := s.clock.Now().Sub(last.Looked)
	switch limit := max(s.cfg.Guard.Outage.Duration(), outageFactor*usual); {
	case !known:
	case gap > limit:
		return s.keeper.interruptGames(ctx, Interruption{Mailbox: s.box.Address, Why: fmt.Sprintf("the robot could not read its mail for %s", roughly(gap)), Since: last.Looked})
	case gap > max(shortSilence, outageFactor*usual):
		s.silentSince = last.Looked
	}
	return nil
}

// shortSilence is how long the robot may hear nothing without anybody noticing.
const shortSilence = 10 * time.Minute

// lastLook is when the mailbox was read last.
func (s *guard) lastLook(address string) (last MailboxState, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	last, ok = s.now.Mailboxes[address]
	return last, ok && !last.Looked.IsZero() && !s.interrupted(address)
}

// interrupted tells whether games of a mailbox do not know yet that they are
// paused. Called with w.mu held.
func (w *guard) interrupted(mailbox string) bool {
	return slices.ContainsFunc(w.now.Interruptions, func(t Interruption) bool { return t.Mailbox == "" || t.Mailbox == mailbox })
}

// noteRead notes that the mailbox was read.
func (s *guard) noteRead(address string) {
	w := s
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.interrupted(address) {
		return // or a game that is not stopped yet would never be
	}
	now := s.clock.Now().UTC().Round(0)
	h, known := w.now.Mailboxes[address]
	if gap := now.Sub(h.Looked); known && !h.Looked.IsZero() && gap > 0 && h.Mode == ModeOnce && w.mode == ModeOnce {
		h.Gaps = append(slices.Clone(h.Gaps), clock.Span(gap))
		h.Gaps = h.Gaps[max(0, len(h.Gaps)-gapsKept):]
	}
	h.Looked, h.Mode = now, w.mode
	w.now.Mailboxes[address] = h
}

// setMode notes how the daemon runs.
func (d *guard) setMode(mode string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.mode = mode
}

// interruptGames pauses every game that a stop concerns. Called with d.mu held.
func (d *keeper) interruptGames(ctx context.Context, t Interruption) error {
	t.At = d.clock.Now().UTC().Round(0)
	t.Since = t.Since.UTC().Round(0)
	if after := d.cfg.Guard.ResumeAfter; after > 0 {
		t.Until = t.At.Add(clock.Span(after).Duration()).Truncate(time.Second)
	}
	t.ID = cmp.Or(t.Mailbox, "all") + "-" + t.Since.Format("20060102T150405.000Z")
	d.log.Error("outage or clock jump, games paused", "reason", t.Why, "since", t.Since, "until", t.Until, "of", cmp.Or(t.Mailbox, "all mailboxes"))
	d.emit(Event{Kind: Trouble, Detail: t.Why})
	d.guard.mu.Lock()
	d.guard.now.Interruptions = append(d.guard.now.Interruptions, t)
	d.guard.mu.Unlock()
	if err := d.guard.beat(time.Time{}, true); err != nil {
		return err
	}
	return d.applyInterruptions(ctx)
}

// applyInterruptions pauses the games that stops concern and that do not know of them
// yet. A game that someone else has at this moment is paused later; until all
// are, no mailbox counts as read. Called with d.mu held.
func (d *keeper) applyInterruptions(ctx context.Context) error {
	d.guard.mu.Lock()
	stops := slices.Clone(d.guard.now.Interruptions)
	d.guard.mu.Unlock()
	for _, t := range stops {
		done, err := d.applyInterruption(ctx, t)
		if err != nil {
			return err
		}
		if !done {
			continue
		}
		d.guard.mu.Lock()
		d.guard.now.Interruptions = slices.DeleteFunc(slices.Clone(d.guard.now.Interruptions), func(o Interruption) bool { return o.ID == t.ID })
		d.guard.mu.Unlock()
		if err := d.guard.beat(time.Time{}, true); err != nil {
			return err
		}
	}
	return nil
}

// applyInterruption pauses the games that a stop concerns, and tells the referee when all
// are.
func (d *keeper) applyInterruption(ctx context.Context, t Interruption) (done bool, err error) {
	var lines []string
	done = true
	for _, g := range d.games.games {
		if !t.concerns(g.worker.box.Address) {
			continue
		}
		line, err := d.pauseGame(g, t)
		switch {
		case err != nil && fatal(ctx, err):
			return false, err
		case errors.Is(err, referee.ErrOver), errors.Is(err, vault.ErrDamaged), errors.Is(err, vault.ErrSettings):
			continue // nothing of it can be resolved
		case err != nil:
			done = false
			continue
		}
		g.worker.agenda.now(g)
		nudge(g.worker.wake)
		lines = append(lines, line)
	}
	if !done || len(lines) == 0 {
		return done, nil
	}
	slices.Sort(lines)
	return true, d.mailInterruption(ctx, t, lines)
}

// pauseGame pauses one game, and gives the line about it for the referee. It remembers
// that one cannot be paused yet.
func (d *keeper) pauseGame(g *game, t Interruption) (line string, err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	defer g.used()
	defer recovered("pause "+g.id, &err)
	if err := d.before("pause"); err != nil {
		return "", err
	}
	a := referee.Act{By: referee.ByDaemon, Why: t.Why, Cause: "stop " + t.ID, Now: t.At}
	timing, err := referee.Interrupt(g.vault, a, t.Since, t.Until)
	switch {
	case err == nil:
		g.interruption = ""
		return pauseLine(g, timing), nil
	case over(err), errors.Is(err, referee.ErrOver), errors.Is(err, vault.ErrDamaged), errors.Is(err, vault.ErrSettings):
	default:
		if g.interruption == "" {
			d.log.Error("pausing the game failed, will retry", "game", g.id, "err", err, "hint", fault.Hint(err))
		}
		g.interruption = t.ID
	}
	return "", err
}

// pauseLine is how a paused game stands, in a line for the referee.
func pauseLine(g *game, t vault.Timing) string {
	line := fmt.Sprintf("%s, turn %d", g.vault.ID(), t.Turn)
	switch {
	case t.Opening != nil:
		return line + ": it has not begun"
	case t.Paused == nil:
		return line + ": it goes on already"
	case t.Paused.By != referee.ByDaemon:
		return line + ": it was paused already, by " + vault.Who(t.Paused.By)
	case t.Paused.Until.IsZero():
		return line + ": until you let it go on"
	}
	return fmt.Sprintf("%s: until %s; the deadline is %s", line, report.FormatTime(t.Paused.Until, g.vault.Zone()), report.FormatTime(t.Deadline, g.vault.Zone()))
}

// mailInterruption tells of a stop: one mail, however many games it paused.
func (d *keeper) mailInterruption(ctx context.Context, t Interruption, lines []string) error {
	if d.cfg.Referee == "" {
		return nil
	}
	at, games := d.workerOf(t.Mailbox), fmt.Sprintf("%d games are", len(lines))
	if len(lines) == 1 {
		games = "1 game is"
	}
	n := templates.Notice{Kind: templates.Plain, Text: []string{strings.ToUpper(t.Why[:1]) + t.Why[1:] + ". So nothing is resolved; " + games + " paused:"}}
	const most = 200
	if more := len(lines) - most; more > 0 {
		lines = append(lines[:most:most], fmt.Sprintf("and %d more", more))
	}
	n.Example = strings.Join(lines, "\n")
	return d.mailOperator(ctx, at.box, at.box, "", "stop."+vault.Hash([]byte(t.ID))[:32], games+" paused: "+t.Why, n, "\nTo let a game go on earlier: starpost referee DIR resume\n")
}

// roughly is a length of time in words that need not be exact.
func roughly(d time.Duration) string {
	if d < time.Minute {
		return "less than a minute"
	}
	now := time.Unix(0, 0)
	return report.TimeLeft(now, now.Add(d))
}
