package daemon

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"starpost/engine"
	"starpost/pbem/clock"
	"starpost/pbem/disk"
	"starpost/pbem/fault"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
)

// maxSteps bounds the work on one game before the next: a game whose captains
// sent all orders ahead could play to its end.
const maxSteps = 100

// tick does for games of the mailbox what is due: for all, or for those that a mail
// or a person touched or whose time has come. Nothing resolves unless fresh says that
// the mailbox was just read. It gives when to look again; zero for never.
func (d *keeper) tick(ctx context.Context, s *account, all, fresh bool) (next time.Time, err error) {
	due, err := d.due(ctx, s, all)
	if err != nil {
		return next, err
	}
	errs := make([]error, len(due))
	var failed atomic.Bool
	d.sideBySide(len(due), func(n int) {
		if failed.Load() {
			return
		}
		if errs[n] = d.look(ctx, s, due[n], fresh); errs[n] != nil {
			failed.Store(true)
		}
	})
	if failed.Load() {
		return next, errors.Join(errs...)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	return s.agenda.first(), nil
}

// due takes the games off the agenda whose time has come, or all.
func (d *keeper) due(ctx context.Context, s *account, all bool) ([]*game, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.watchClock(ctx); err != nil {
		return nil, err
	}
	if err := d.applyInterruptions(ctx); err != nil {
		return nil, err
	}
	if all {
		for _, g := range d.games.games {
			g.worker.agenda.now(g)
		}
	}
	due := s.agenda.due(d.clock.Now())
	slices.SortFunc(due, func(a, b *game) int { return strings.Compare(a.id, b.id) })
	for _, g := range due {
		s.agenda.drop(g)
		g.atRest, g.noted = false, false
	}
	return due, nil
}

// look looks at one game. The error is fatal.
func (d *keeper) look(ctx context.Context, s *account, g *game, fresh bool) error {
	next, at, err := d.lookAlone(ctx, s, g, fresh)
	if err != nil {
		return err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, o := range g.waiting {
		nudge(o.wake)
	}
	g.waiting = nil
	if at == s {
		s.agenda.at(g, next)
		g.atRest = g.problem == nil && g.brokenAt == "" && g.interruption == ""
		return nil
	}
	s.agenda.drop(g)
	g.worker = at // its robot has another address now
	at.agenda.now(g)
	nudge(at.wake)
	return nil
}

// lookAlone looks at one game while no one else may. It gives when to look again, and the
// mailbox that the game belongs to. The error is fatal.
func (d *keeper) lookAlone(ctx context.Context, s *account, g *game, fresh bool) (next time.Time, at *account, err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	defer g.used()
	now := d.clock.Now()
	next, at, err = d.tickGame(ctx, s, g, fresh)
	switch {
	case err != nil && fatal(ctx, err):
		return next, s, err
	case err != nil:
		next = now.Add(d.cfg.Poll.Duration())
		if disk.IsUnwritable(err) {
			next = earlier(next, now.Add(ownTroublePause))
		}
		if g.problem == nil || g.problem.Error() != err.Error() {
			s.log.Error("game check failed, will retry", "game", g.id, "err", err, "hint", fault.Hint(err))
			d.emit(Event{Kind: Trouble, Game: g.id, Detail: err.Error()})
		}
	}
	g.problem = err
	d.publish(g)
	return next, at, nil
}

// tickGame looks at one game until it has nothing more to do now, and gives the mailbox
// that it belongs to.
func (d *keeper) tickGame(ctx context.Context, s *account, g *game, fresh bool) (next time.Time, at *account, err error) {
	at = s
	defer recovered("game "+g.id, &err)
	if err := g.vault.Refresh(); err != nil {
		return time.Time{}, s, err
	}
	switch at, err := d.workerFor(g.vault); {
	case err != nil:
		return time.Time{}, s, err
	case at != s:
		return time.Time{}, at, nil
	}
	if err := d.steps.queueTurns(ctx, g); err != nil {
		return time.Time{}, s, err
	}
	if g.interruption != "" {
		return d.clock.Now().Add(retryLocked), s, nil
	}
	for range maxSteps {
		again, next, err := d.steps.stepGame(ctx, g, fresh)
		if err != nil || !again {
			return next, s, err
		}
	}
	return d.clock.Now(), s, nil
}

// turnStatus is what the clock has to know of a turn, and what goes with it.
type turnStatus struct {
	pos      *turn.Position
	ready    turn.Readiness
	timing   vault.Timing
	status   clock.Status
	schedule clock.Schedule
	missing  []turn.ShipState       // whose orders a captain still owes
	back     map[engine.Seat]string // of those whose captain is away: until when
	absent   []turn.Absent          // who sent no orders for the last turn
	policies map[engine.Seat]string // what the rule on missed turns has done if there are no orders
	asks     bool                   // orders are missing that the rule on missed turns has the game wait for
	heard    bool                   // all captains have spoken for the round that is due
	graces   int                    // how often the grace period was opened
}

// stepGame takes at most one decision about a game; again asks for another.
func (d *stepper) stepGame(ctx context.Context, g *game, fresh bool) (again bool, next time.Time, err error) {
	if g.brokenAt != "" {
		now, err := vault.Touched(g.vault)
		if err != nil || now == g.brokenAt {
			return false, time.Time{}, err
		}
		d.log.Info("game files changed, game released", "game", g.vault.ID())
		g.brokenAt = ""
	}
	switch err := d.handleDisputes(ctx, g); {
	case errors.Is(err, vault.ErrLocked): // perhaps a referee is at it
		return false, d.clock.Now().Add(retryLocked), nil
	case err != nil:
		return false, time.Time{}, err
	}
	switch err := d.handleMissed(ctx, g); {
	case errors.Is(err, vault.ErrLocked):
		return false, d.clock.Now().Add(retryLocked), nil
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
		if !fresh { // a vote that was taken back may lie in the mailbox
			return false, d.clock.Now().Add(d.cfg.Poll.Duration()), nil
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
		dec = clock.Decision{Action: clock.Resolve, Reason: "nothing happened that a captain wants to be asked at"}
	}
	d.log.Debug("game checked", "game", g.vault.ID(), "turn", st.ready.Due, "action", dec.Action, "until", dec.Until, "reason", dec.Reason)
	if !fresh && dec.Action != clock.Wait && dec.Action != clock.Resume {
		// An order may lie in the mailbox that cannot be read just now.
		return false, d.clock.Now().Add(d.cfg.Poll.Duration()), nil
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
	return false, time.Time{}, fmt.Errorf("game %s: action %s is not known", g.vault.ID(), dec.Action)
}

// turnStatus looks at the turn that is due.
func (d *stepper) turnStatus(ctx context.Context, g *game) (*turnStatus, error) {
	st := &turnStatus{}
	var err error
	if st.pos, err = turn.Load(g.vault); err != nil {
		return nil, err
	}
	if st.ready, err = st.pos.Ready(); err != nil || st.ready.Due == 0 {
		return st, err
	}
	settings := g.vault.Settings()
	st.schedule = g.vault.Schedule()
	if st.timing, err = g.vault.Timing(); err != nil {
		return nil, err
	}
	if st.absent, err = turn.CaptainsMissing(g.vault); err != nil {
		return nil, err
	}
	rule := settings.Mail.MissedRule()
	final := len(st.ready.Ships) > 0
	st.heard, st.policies = true, map[engine.Seat]string{}
	for _, s := range st.ready.Ships {
		switch c, ok := settings.Captain(s.Captain); {
		case s.Vacant, s.Unasked: // the robot has it, or it owes none
		case s.In:
			final = final && s.Final
		case s.Covered: // what he said earlier will do, but he may say more
			final, st.heard = false, false
		case settings.Mail.Missing == vault.PolicyRobot && (!ok || c.Address == ""):
			// No captain can write for it: its robot's orders are always in.
		case st.overdue(s, rule) && rule.Then == vault.ThenRobot:
			st.policies[s.Seat] = vault.PolicyRobot // he is not waited for
		default:
			final = false
			st.missing = append(st.missing, s)
			switch rule.Then {
			case vault.ThenAsk: // where a referee plays the turns, he is asked anyway
				st.asks = st.asks || st.overdue(s, rule) && !st.pos.PlayedByReferee()
			case vault.ThenForfeit:
				if st.overdue(s, rule) {
					st.policies[s.Seat] = vault.PolicyForfeit
				}
			}
		}
	}
	st.status = clock.Status{
		Now: d.clock.Now(), Deadline: st.timing.Deadline, GraceEnds: st.timing.GraceEnds, AllFinal: final && len(st.missing) == 0,
		Wait: st.ready.Wait(), LastSet: st.ready.LastSet(), Missing: clock.Policy(settings.Mail.Missing),
	}
	st.status.AllIn = len(st.missing) == 0 && (st.heard || !st.status.Now.Before(st.status.Ends()))
	if settings.Mail.Missing == vault.PolicyRobot {
		st.status.Missing = clock.Standing
	}
	if st.asks {
		st.status.Missing = clock.Hold
	}
	st.status.Paused = st.timing.Stands()
	if p := st.timing.Paused; p != nil && st.timing.Waits == nil {
		st.status.PauseEnds = p.Until
	}
	if st.back, err = turn.Away(g.vault, st.missing, st.status.Now); err != nil {
		return nil, err
	}
	sent, err := d.store.Reminders(ctx, g.key, st.ready.Due)
	if err != nil {
		return nil, err
	}
	for _, which := range sent {
		text, _, _ := strings.Cut(which, "-")
		span, err := clock.ParseSpan(text)
		if err == nil && which != st.reminder(span) {
			continue // it was for another deadline
		}
		if err != nil {
			return nil, fmt.Errorf("reminder %q of %s in the store: %w", which, g.vault.ID(), err)
		}
		st.status.Reminded = append(st.status.Reminded, span)
	}
	return st, nil
}

// resolve runs the turn that is due, or closes its orders in a game with public dice.
func (d *stepper) resolve(ctx context.Context, g *game, st *turnStatus, dec clock.Decision) (again bool, next time.Time, err error) {
	if g.vault.SharedSettings().PublicDice() && len(st.ready.Draw) == 0 {
		return publicDice{d}.close(ctx, g, st, dec)
	}
	return d.play(ctx, g, st, st.options(d, g, dec), dec.Reason)
}

// play resolves the turn that is due and queues its mails.
func (d *stepper) play(ctx context.Context, g *game, st *turnStatus, o turn.Options, reason string) (again bool, next time.Time, err error) {
	if err := d.before("resolve"); err != nil {
		return false, time.Time{}, err
	}
	out, err := resolved(g, o)
	if err != nil {
		return st.unresolved(ctx, d, g, err)
	}
	d.log.Info("turn resolved", "game", g.vault.ID(), "turn", out.Turn, "reason", reason, "missing", len(out.Missing), "events", len(out.Events))
	if err := d.before("resolved"); err != nil {
		return false, time.Time{}, err
	}
	kind := Resolved
	if out.State.Result != nil {
		kind = Over
		d.log.Info("game over", "game", g.vault.ID(), "turn", out.Turn, "side", out.State.Result.Side, "why", out.State.Result.Why)
	}
	d.emit(Event{Kind: kind, Mailbox: g.worker.box.Address, Game: g.vault.ID(), Turn: out.Turn})
	return true, time.Time{}, d.queueTurns(ctx, g)
}

// unresolved deals with a turn that was not resolved.
func (st *turnStatus) unresolved(ctx context.Context, d *stepper, g *game, err error) (again bool, next time.Time, _ error) {
	notReady, changed := errors.AsType[*turn.NotReadyError](err)
	switch {
	case changed:
		d.log.Info("orders changed before the turn could run", "game", notReady.Game, "turn", notReady.Due)
		return true, time.Time{}, nil
	case errors.Is(err, vault.ErrLocked):
		return false, d.clock.Now().Add(retryLocked), nil
	case errors.Is(err, vault.ErrCommitted):
		return true, time.Time{}, g.vault.Refresh() // another process was first
	}
	return false, time.Time{}, d.broken(ctx, g, st, err)
}

// retryLocked is how long to wait for another process that has a game.
const retryLocked = 5 * time.Second

// resolved is the turn that is due; a panic of the rules is an error.
func resolved(g *game, o turn.Options) (out *turn.Outcome, err error) {
	defer recovered("resolve "+g.vault.ID(), &err)
	return turn.Resolve(g.vault, o)
}

// badOrders deals with order files that cannot be taken. What was sent ahead
// and does not fit any more is dropped, and its captain told; anything else was
// put there by hand, and the game waits for the hand.
func (d *stepper) badOrders(ctx context.Context, g *game, st *turnStatus) (again bool, next time.Time, err error) {
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
				d.log.Error("order file invalid, turn waits", "game", g.vault.ID(), "turn", st.ready.Due, "file", bad.File, "err", strings.Join(all, "; "))
				d.emit(Event{Kind: Trouble, Game: g.vault.ID(), Turn: st.ready.Due, Detail: bad.File + ": " + strings.Join(all, "; ")})
			}
			continue
		}
		if err := d.droppedAhead(ctx, g, st, name, all); err != nil {
			return false, time.Time{}, err
		}
		if _, err := g.vault.DropOrders(st.ready.Due, name); err != nil {
			return false, time.Time{}, err
		}
		d.log.Info("dropped orders sent ahead that are no longer valid", "game", g.vault.ID(), "turn", st.ready.Due, "name", name)
		again = true
	}
	return again, time.Time{}, nil
}

// broken holds a game whose turn cannot be resolved. What is only the disk's or
// another process's trouble is tried again.
func (d *stepper) broken(ctx context.Context, g *game, st *turnStatus, cause error) error {
	due := st.ready.Due
	if !isBroken(cause) {
		return cause
	}
	var err error
	if g.brokenAt, err = vault.Touched(g.vault); err != nil {
		return errors.Join(cause, err)
	}
	d.log.Error("turn failed, game held until its files change", "game", g.vault.ID(), "turn", due, "err", cause)
	d.emit(Event{Kind: Trouble, Game: g.vault.ID(), Turn: due, Detail: cause.Error()})
	err = d.once(ctx, g, due, eventBroken, st.inRound(""), cause.Error(), func() error {
		return d.mailTrouble(ctx, g, due, st.inRound("broken"), "The turn could not be resolved and was not committed: the program broke one of its own rules. The game is held until its files are touched.", cause.Error())
	})
	if err != nil {
		return errors.Join(cause, err)
	}
	return nil
}

// names lists the ships whose orders are missing, for captains.
func (st *turnStatus) names(ships []turn.ShipState) []string {
	return slices.Sorted(slices.Values(turn.NamesAway(ships, st.back)))
}

// names lists ships for people.
func names(ships []turn.ShipState) []string {
	var out []string
	for _, s := range ships {
		out = append(out, s.Name)
	}
	slices.Sort(out)
	return out
}

// stage is what is due.
func (st *turnStatus) stage() vault.Stage {
	return vault.Stage{Turn: st.ready.Due, Round: st.ready.Round}
}

// due is what is due, as a subject line begins.
func (st *turnStatus) due() string { return "T" + st.stage().String()[1:] }

// inRound tells what is noted of a round of a turn from what is noted of another.
func (st *turnStatus) inRound(what string) string {
	if st.ready.Round == 0 {
		return what
	}
	return strings.TrimPrefix(fmt.Sprintf("%s-p%d", what, st.ready.Round), "-")
}
