package games

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"starpost/engine"
	"starpost/pbem/clock"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
)

// overdue reports whether the captain of a ship has sent no orders for so many turns in a row that
// the game's rule on missed turns applies.
func (st *turnStatus) overdue(s turn.ShipState, rule vault.MissedTurnsRule) bool {
	return rule.Turns > 0 && slices.ContainsFunc(st.absent, func(a turn.Absent) bool {
		return a.Captain == s.Captain && a.Turns >= rule.Turns && !relievable(a, rule)
	})
}

// relievable reports whether a is an officer whom the rule on missed turns leaves to the captain to
// relieve: missing orders of such an officer neither give up the ship nor hold the game.
func relievable(a turn.Absent, rule vault.MissedTurnsRule) bool {
	return a.Officer && (rule.Then == vault.ThenAsk || rule.Then == vault.ThenForfeit)
}

// reminder identifies a reminder. A reminder for a moved deadline differs from the one for the
// original deadline.
func (st *turnStatus) reminder(which clock.Span) string {
	name := st.inRound(which.String())
	if !st.timing.Moved() {
		return name
	}
	return fmt.Sprintf("%s-%d", name, st.timing.Deadline.Unix())
}

// options returns the options for resolving the due turn.
func (st *turnStatus) options(d *stepper, g *Game, dec clock.Decision) turn.Options {
	o := turn.Options{Now: d.Clock.Now(), MissingOf: st.policies, Templates: d.Config.For(g.Worker.Box).Templates}
	if dec.Missing != "" || !st.ready.AllIn() {
		o.Missing = g.Vault.Settings().Mail.Missing
	}
	return o
}

// brief returns the displayed status of a game.
func (st *turnStatus) brief() GameStatus {
	deadline := st.status.Deadline
	if st.status.GraceEnds.After(deadline) {
		deadline = st.status.GraceEnds
	}
	return GameStatus{Turn: st.ready.Due, Deadline: deadline, Missing: len(st.missing), Paused: st.status.Paused}
}

// turnStatus is what the clock needs to know about a turn, and related facts.
type turnStatus struct {
	pos      *turn.Position
	ready    turn.Readiness
	timing   vault.Timing
	status   clock.Status
	schedule clock.Schedule
	missing  []turn.ShipState       // ships whose captains still owe orders
	back     map[engine.Seat]string // until when a captain is away
	absent   []turn.Absent          // captains who sent no orders for the last turn
	policies map[engine.Seat]string // how the rule on missed turns replaces missing orders
	asks     bool                   // the rule on missed turns makes the game wait for missing orders
	heard    bool                   // all captains have sent something for the due round
	graces   int                    // how often the grace period was started
}

// turnStatus examines the due turn.
func (d *stepper) turnStatus(ctx context.Context, g *Game) (*turnStatus, error) {
	st := &turnStatus{}
	var err error
	if st.pos, err = turn.Load(g.Vault); err != nil {
		return nil, err
	}
	if st.ready, err = st.pos.Ready(); err != nil || st.ready.Due == 0 {
		return st, err
	}
	settings := g.Vault.Settings()
	st.schedule = g.Vault.Schedule()
	if st.timing, err = g.Vault.Timing(); err != nil {
		return nil, err
	}
	if st.absent, err = turn.CaptainsMissing(g.Vault); err != nil {
		return nil, err
	}
	rule := settings.Mail.MissedRule()
	final := len(st.ready.Ships) > 0
	st.heard, st.policies = true, map[engine.Seat]string{}
	for _, s := range st.ready.Ships {
		switch c, ok := settings.Captain(s.Captain); {
		case s.Vacant, s.Unasked: // a robot plays it, or it owes no orders
		case s.In:
			final = final && s.Final
		case s.Covered: // earlier orders suffice, but the captain may send more
			final, st.heard = false, false
		case settings.Mail.Missing == vault.PolicyRobot && (!ok || c.Address == ""):
			// No captain can write for it: its robot's orders always count as in.
		case st.overdue(s, rule) && rule.Then == vault.ThenRobot:
			st.policies[s.Seat] = vault.PolicyRobot // the game does not wait for this captain
		default:
			final = false
			st.missing = append(st.missing, s)
			switch rule.Then {
			case vault.ThenAsk: // if a referee plays the turns, the referee decides anyway
				st.asks = st.asks || st.overdue(s, rule) && !st.pos.PlayedByReferee()
			case vault.ThenForfeit:
				if st.overdue(s, rule) {
					st.policies[s.Seat] = vault.PolicyForfeit
				}
			}
		}
	}
	st.status = clock.Status{
		Now: d.Clock.Now(), Deadline: st.timing.Deadline, GraceEnds: st.timing.GraceEnds, AllFinal: final && len(st.missing) == 0,
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
	if st.back, err = turn.Away(g.Vault, st.missing, st.status.Now); err != nil {
		return nil, err
	}
	if len(st.missing) == 0 || !st.schedule.Reminding(st.status) {
		return st, nil
	}
	sent, err := d.Store.Reminders(ctx, g.Key, st.ready.Due)
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
			return nil, fmt.Errorf("reminder %q of %s in the store: %w", which, g.Vault.ID(), err)
		}
		st.status.Reminded = append(st.status.Reminded, span)
	}
	return st, nil
}

// names lists the ships with missing orders, for captains.
func (st *turnStatus) names(ships []turn.ShipState) []string {
	return slices.Sorted(slices.Values(turn.NamesAway(ships, st.back)))
}

// names returns the sorted names of ships.
func names(ships []turn.ShipState) []string {
	var out []string
	for _, s := range ships {
		out = append(out, s.Name)
	}
	slices.Sort(out)
	return out
}

// stage returns the due stage.
func (st *turnStatus) stage() vault.Stage {
	return vault.Stage{Turn: st.ready.Due, Round: st.ready.Round}
}

// due names the due stage as at the start of a subject.
func (st *turnStatus) due() string { return "T" + st.stage().String()[1:] }

// inRound makes the name of an event specific to the due round.
func (st *turnStatus) inRound(what string) string {
	if st.ready.Round == 0 {
		return what
	}
	return strings.TrimPrefix(fmt.Sprintf("%s-p%d", what, st.ready.Round), "-")
}
