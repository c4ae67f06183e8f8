package referee

import (
	"errors"
	"fmt"
	"time"

	"starpost/pbem/clock"
	"starpost/pbem/fault"
	"starpost/pbem/vault"
	"starpost/pbem/vault/journal"
)

// The authors of acts in the journal.
const (
	ByReferee = "referee"
	ByDaemon  = "daemon"
)

// Act says who acts, why, and when.
type Act = vault.Act

// The kinds of refusals that callers distinguish.
var (
	ErrOver      = errors.New("the game is over")
	ErrPaused    = errors.New("the game is paused")
	errNotPaused = errors.New("the game is not paused")
	errTime      = errors.New("the deadline cannot be moved there")
)

// overError returns the refusal for a game that is over.
func overError(g *vault.Game) error {
	return &Error{Problem: fmt.Sprintf("game %s is over", g.ID()), Way: "see: " + g.CommandLine("status"), Err: ErrOver}
}

// Error is a refused act with a hint; Err is one of the kinds.
type Error = fault.Fault

// Pause stops the clock of a game until Resume, and saves the time that is left of the turn. The
// error is ErrPaused if it is paused already.
func Pause(g *vault.Game, a Act) (vault.Timing, error) {
	return do(g, a, func(t vault.Timing, _ clock.Schedule) (string, any, error) {
		if t.Paused != nil && t.Paused.Until.IsZero() {
			return "", nil, &Error{
				Problem: fmt.Sprintf("game %s is already paused, by %s", g.ID(), vault.Who(t.Paused.By)),
				Way:     "resume it: " + g.CommandLine("referee", "resume"), Err: ErrPaused,
			}
		}
		return journal.Pause, journal.PauseData{Left: clock.Span(left(t, a.Now))}, nil
	})
}

// Interrupt pauses a game after the daemon was down, or the clock jumped, since a given time. The
// game resumes at until, or when someone resumes it if until is zero. It then has the time that was
// left of the turn at since, but at least what a captain needs (see clock.Schedule.MinNotice). A
// game that was interrupted before keeps the time from the first interruption. A game that someone
// paused, or that waits for its referee, stays as it is, because its clock stood still.
func Interrupt(g *vault.Game, a Act, since, until time.Time) (vault.Timing, error) {
	return do(g, a, func(t vault.Timing, s clock.Schedule) (string, any, error) {
		if own := t.Paused != nil && t.Paused.By == ByDaemon; t.Stands() && !own {
			return "", nil, nil
		}
		d := journal.PauseData{Left: clock.Span(left(t, since)), Until: until}
		if until.IsZero() {
			return journal.Pause, d, nil
		}
		deadline, err := s.NextAllowed(until.Add(max(d.Left.Duration(), s.MinNotice())))
		d.Deadline = deadline.UTC()
		return journal.Pause, d, err
	})
}

// Begin starts a game that waited for captains: its clock runs from now on. Free seats go to
// robots, and anybody may take them over.
func Begin(g *vault.Game, a Act) (vault.Timing, error) {
	opening, err := g.Opening()
	if err != nil || opening == nil || !opening.Cancelled.IsZero() {
		return vault.Timing{}, err
	}
	err = locked(g, func() error {
		for _, name := range opening.Free {
			free := a
			free.Why = "the seat was free when the game began"
			if err := entry(g, free, journal.Resign, name, journal.ResignData{Open: g.Settings().Mail.Open}); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return vault.Timing{}, err
	}
	return do(g, a, func(_ vault.Timing, s clock.Schedule) (string, any, error) {
		deadline, err := s.NextDeadline(a.Now)
		return journal.Begin, journal.DeadlineData{Deadline: deadline.UTC()}, err
	})
}

// Cancel calls off a game that has not begun.
func Cancel(g *vault.Game, a Act) error {
	return locked(g, func() error {
		opening, err := g.Opening()
		if err != nil || opening == nil || !opening.Cancelled.IsZero() {
			return err
		}
		return entry(g, a, journal.Cancel, "", nil)
	})
}

// left returns the time left of the turn at a given time; for a paused game, when it resumes. It is
// not negative.
func left(t vault.Timing, at time.Time) time.Duration {
	switch p := t.Paused; {
	case p == nil:
	case !p.Until.IsZero():
		at = p.Until
	case !p.Moved:
		return p.Left.Duration()
	}
	return max(t.Ends().Sub(at), 0)
}

// Resume resumes a paused game. Its captains have the time that was left of the turn, or a deadline
// set during the pause, but at least the time that they need. The error is errNotPaused for a
// running game.
func Resume(g *vault.Game, a Act) (vault.Timing, error) {
	return do(g, a, func(t vault.Timing, s clock.Schedule) (string, any, error) {
		p := t.Paused
		if t.Waits != nil {
			return "", nil, t.Waits
		}
		if p == nil {
			return "", nil, &Error{Problem: fmt.Sprintf("game %s is not paused", g.ID()), Way: "see: " + g.CommandLine("status"), Err: errNotPaused}
		}
		least := a.Now.Add(s.MinNotice())
		want := t.Ends()
		switch {
		case p.Until.IsZero() && !p.Moved:
			if on := a.Now.Add(max(p.Left.Duration(), s.MinNotice())); on.After(want) {
				want = on
			}
		case p.Moved && want.After(a.Now): // a referee moved it on purpose
		case want.Before(least):
			want = least
		}
		if want.Equal(t.Ends()) {
			return journal.Resume, journal.ResumeData{}, nil
		}
		deadline, err := s.NextAllowed(want)
		return journal.Resume, journal.ResumeData{Deadline: deadline.UTC()}, err
	})
}

// Extend sets a new deadline for the due turn, after now. A deadline before the present one needs
// shorten. The error is errTime for an impossible deadline.
func Extend(g *vault.Game, a Act, to func(vault.Timing, clock.Schedule) (time.Time, error), shorten bool) (vault.Timing, error) {
	return do(g, a, func(t vault.Timing, s clock.Schedule) (string, any, error) {
		deadline, err := to(t, s)
		if err != nil {
			return "", nil, err
		}
		refused := func(way, format string, args ...any) (string, any, error) {
			return "", nil, &Error{Problem: fmt.Sprintf(format, args...), Way: way, Err: errTime}
		}
		deadline = deadline.UTC().Truncate(time.Second)
		switch {
		case t.Closed != nil:
			return refused("wait for its beacon; then it is played", "turn %d is closed and waits for its dice", t.Turn)
		case !deadline.After(a.Now):
			return refused("give a later one", "the deadline %s is past", deadline.Format(time.RFC3339))
		case deadline.Sub(a.Now) > clock.MaxSpan.Duration():
			return refused("give an earlier one", "the deadline %s is more than ten years away", deadline.Format(time.RFC3339))
		case deadline.Equal(t.Deadline):
			return refused("give another one", "the deadline is %s already", deadline.Format(time.RFC3339))
		case deadline.Before(t.Ends()) && !shorten:
			return refused("to have it earlier all the same, add --shorten", "the deadline %s is earlier than %s, which the captains know",
				deadline.Format(time.RFC3339), t.Ends().UTC().Format(time.RFC3339))
		}
		return journal.Deadline, journal.DeadlineData{Deadline: deadline}, nil
	})
}

// DeadlineLater returns a deadline that much later than the present one, or than now if that has
// passed. Whole days keep the hour.
func DeadlineLater(more clock.Span, now time.Time) func(vault.Timing, clock.Schedule) (time.Time, error) {
	return func(t vault.Timing, s clock.Schedule) (time.Time, error) {
		from := t.Ends()
		if from.Before(now) {
			from = now
		}
		return clock.Schedule{Every: more, Zone: s.Zone}.NextDeadline(from)
	}
}

// DeadlineAt returns a deadline in the game's time zone: "2026-12-01 20:00".
func DeadlineAt(text string) func(vault.Timing, clock.Schedule) (time.Time, error) {
	return func(_ vault.Timing, s clock.Schedule) (time.Time, error) { return s.ParseLocal(text) }
}

// do determines the state of the clock and records an act, or nothing for an empty kind, under the
// game's lock. It returns the new state of the clock.
func do(g *vault.Game, a Act, entry func(vault.Timing, clock.Schedule) (kind string, data any, err error)) (t vault.Timing, err error) {
	if err := g.LockFresh(); err != nil {
		return t, err
	}
	defer g.Release(&err)
	if t, err = g.Timing(); err != nil {
		return t, err
	}
	if t.Turn == 0 {
		return t, overError(g)
	}
	kind, data, err := entry(t, g.Schedule())
	if err != nil || kind == "" {
		return t, err
	}
	if _, err := g.Append(a.Entry(kind, t.Turn, "", data)); err != nil {
		return t, err
	}
	return g.Timing()
}

// errVersion means a version of the rules that a game cannot switch to.
var errVersion = errors.New("the game cannot go on by that version")

// Rules switches a game to the program's version of its rule set, which must be the named one, from
// the due turn on. If the deadline passed while the game waited for that, the captains have a whole
// turn's time from now.
func Rules(g *vault.Game, a Act, version string) (t vault.Timing, err error) {
	if err := g.LockFresh(); err != nil {
		return t, err
	}
	defer g.Release(&err)
	if known, err := g.Journal.Noted(journal.Rules, a.Cause); known || err != nil {
		return t, errors.Join(err, onlyTiming(g, &t))
	}
	if t, err = g.Timing(); err != nil {
		return t, err
	}
	s := g.Settings()
	switch has := g.Rules().Version; {
	case t.Turn == 0:
		return t, overError(g)
	case t.Waits != nil && !t.Waits.Later():
		return t, t.Waits
	case version != has && version != s.Version:
		return t, &Error{Problem: fmt.Sprintf("this program has version %s of rule set %s, not version %s", has, s.Rules, version), Way: "what it has: starpost rules " + s.Rules, Err: errVersion}
	case t.Waits == nil:
		return t, &Error{Problem: fmt.Sprintf("game %s is played by version %s of rule set %s already", g.ID(), s.Version, s.Rules), Way: "there is nothing to do", Err: errVersion}
	case version == s.Version:
		return t, t.Waits
	}
	deadline := t.Ends()
	if deadline.After(a.Now) {
		deadline = t.Deadline
	} else if deadline, err = g.Schedule().NextDeadline(a.Now); err != nil {
		return t, err
	}
	if _, err := vault.ChangeRules(g, a, deadline.UTC()); err != nil {
		return t, err
	}
	return t, onlyTiming(g, &t)
}
