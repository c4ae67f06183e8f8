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

// overdue is the captain of a ship, if the game's rule on missed turns must be
// followed about him: he has sent no orders for so many turns in a row.
func (st *turnStatus) overdue(s turn.ShipState, rule vault.MissedTurnsRule) bool {
	return rule.Turns > 0 && slices.ContainsFunc(st.absent, func(a turn.Absent) bool {
		return a.Captain == s.Captain && a.Turns >= rule.Turns && !relievable(a, rule)
	})
}

// relievable tells of an officer whom the rule on missed turns leaves to his captain: his silence
// neither gives up the ship nor holds the game.
func relievable(a turn.Absent, rule vault.MissedTurnsRule) bool {
	return a.Officer && (rule.Then == vault.ThenAsk || rule.Then == vault.ThenForfeit)
}

// reminder names a reminder: that before a deadline which was moved is another
// one than that before the deadline which was announced.
func (st *turnStatus) reminder(which clock.Span) string {
	name := st.inRound(which.String())
	if !st.timing.Moved() {
		return name
	}
	return fmt.Sprintf("%s-%d", name, st.timing.Deadline.Unix())
}

// options are what the turn that is due is resolved with.
func (st *turnStatus) options(d *stepper, g *Game, dec clock.Decision) turn.Options {
	o := turn.Options{Now: d.Clock.Now(), MissingOf: st.policies, Templates: d.Config.For(g.Worker.Box).Templates}
	if dec.Missing != "" || !st.ready.AllIn() {
		o.Missing = g.Vault.Settings().Mail.Missing
	}
	return o
}

// brief is what is shown of a game.
func (st *turnStatus) brief() GameStatus {
	deadline := st.status.Deadline
	if st.status.GraceEnds.After(deadline) {
		deadline = st.status.GraceEnds
	}
	return GameStatus{Turn: st.ready.Due, Deadline: deadline, Missing: len(st.missing), Paused: st.status.Paused}
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

// turnStatus looks at the turn that is due.
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
