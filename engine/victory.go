package engine

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"starpost/engine/blind"
)

// Describe returns a goal in words.
func (g Goal) Describe(game *Game) string { return g.DescribeBy(game, "all enemy ships") }

// DescribeBy is Describe with a phrase for the enemies if no ships are named.
func (g Goal) DescribeBy(game *Game, enemies string) string {
	who := enemies
	if g.OfOwn() {
		who = "all own ships"
	}
	if len(g.Ships) > 0 {
		names := make([]string, len(g.Ships))
		for i, id := range g.Ships {
			names[i] = string(id)
			if s, ok := game.Ship(id); ok {
				names[i] = s.Name
			}
		}
		who = strings.Join(names, ", ")
	}
	if g.Count > 0 {
		who = fmt.Sprintf("%d of %s", g.Count, who)
	}
	switch g.When {
	case GoalDestroy:
		return "destroy " + who
	case GoalCripple:
		return "cripple or destroy " + who
	case GoalDriveOff:
		return "destroy, cripple or drive off " + who
	case GoalExit:
		return fmt.Sprintf("take %s off the %s edge", who, g.Edge)
	case GoalFile:
		return fmt.Sprintf("take the file %s off the %s edge aboard %s", g.File, g.Edge, who)
	case GoalSurvive:
		return fmt.Sprintf("keep %s in the fight to the end of turn %d", who, g.Turn)
	default:
		return fmt.Sprintf("reach %d points", g.Points)
	}
}

func (g Goal) met(r *Rules, game *Game) bool {
	if g.When == GoalPoints {
		s, ok := game.Side(g.Side)
		return ok && s.Total() >= g.Points
	}
	if g.When == GoalSurvive && game.Turn < g.Turn {
		return false
	}
	own := g.OfOwn()
	total, met := 0, 0
	for _, s := range game.Ships {
		if s.Small() || s.Decoy() {
			continue
		}
		if len(g.Ships) > 0 {
			if !slices.Contains(g.Ships, s.ID) {
				continue
			}
		} else if (s.Side == g.Side) != own {
			continue
		}
		total++
		if g.metBy(r, s) && (g.When != GoalFile || slices.Contains(game.Labs.Aboard(s.ID), g.File)) {
			met++
		}
	}
	need := total
	if g.Count > 0 {
		need = g.Count
	}
	return total > 0 && met >= need
}

func (g Goal) metBy(r *Rules, s *Ship) bool {
	switch g.When {
	case GoalDestroy:
		return s.Status == Destroyed || s.Status == Surrendered || s.Status == Crippled && r.Spent != nil && r.Spent(s)
	case GoalCripple:
		return s.Status == Destroyed || s.Status == Surrendered || s.Status == Crippled
	case GoalDriveOff:
		return s.Status != Active && s.Status != Waiting
	case GoalExit, GoalFile:
		return s.Status == Left && slices.Contains(s.Exit, g.Edge)
	default: // survive
		return s.Status == Active
	}
}

// GoalsPhase returns a phase that checks, in the middle of a turn, the scenario's goals that need not wait for its
// end. The first side to reach one wins, and the game is over. Sides that reach one in the same phase draw. A side
// that alone still has ships in the fight wins. Cite is the rule set's citation for the end of a game.
func GoalsPhase(cite ...string) Phase {
	return Phase{Name: "goals", Step: "goals", Run: func(t *Turn) { t.decide(false, cite) }}
}

// EndPhase returns the last phase of every turn. It checks the scenario's goals as in [GoalsPhase], and those to
// survive or to reach points. After the last turn the points decide. Reinforcements for the next turn enter. Cite
// is the rule set's citation for the end of a game.
func EndPhase(cite ...string) Phase {
	return Phase{Name: "end", Step: "end", Run: func(t *Turn) { endTurn(t, cite) }}
}

// decide ends the game if it is won or drawn, and reports whether it is over. Last says whether the turn is at its
// end.
func (t *Turn) decide(last bool, cite []string) bool {
	g := t.Game
	var winners, why []string
	for _, sd := range g.Sides {
		for _, goal := range g.Victory.Goals {
			if goal.Side == sd.ID && (last || goal.When != GoalSurvive && goal.When != GoalPoints) && goal.met(t.Rules, g) {
				winners = append(winners, sd.ID)
				why = append(why, goal.Describe(g))
				break
			}
		}
	}
	var alive []string
	for _, s := range g.Ships {
		if (s.Status == Active || s.Status == Waiting) && !s.Small() && !s.Decoy() && !slices.Contains(alive, s.Side) {
			alive = append(alive, s.Side)
		}
	}
	over := len(winners) > 0 || len(alive) == 0 || len(alive) == 1 && len(g.Sides) > 1
	if over && t.referee != nil && t.referee.AtEnd() { // a referee's rulings on ships take precedence
		return t.decide(last, cite)
	}
	switch {
	case len(winners) == 1:
		t.Because(t.losses()...).Emit(&Won{Side: winners[0], Why: "goal reached: " + why[0]}, SeeAll(), append(slices.Clone(cite), "scenario")...)
	case len(winners) > 1:
		t.Because(t.losses()...).Emit(&Won{Draw: true, Why: "goals reached at the same time: " + strings.Join(why, "; ")}, SeeAll(), cite...)
	case len(alive) == 0:
		t.Because(t.losses()...).Emit(&Won{Draw: true, Why: "no ship is left in the fight"}, SeeAll(), "D24")
	case len(alive) == 1 && len(g.Sides) > 1:
		t.Because(t.losses()...).Emit(&Won{Side: alive[0], Why: "no enemy is left in the fight"}, SeeAll(), "D24")
	}
	return g.Result != nil
}

// losses returns the events in which ships dropped out of the fight in this turn, and those of the points for them.
func (t *Turn) losses() []Ref {
	var out []Ref
	for _, e := range t.events {
		switch e.Body.(type) {
		case *Out, *Score:
			out = append(out, Ref{Event: e.Seq})
		}
	}
	return out
}

func endTurn(t *Turn, cite []string) {
	if t.decide(true, cite) {
		return
	}
	g := t.Game
	if g.Victory.LastTurn > 0 && g.Turn >= g.Victory.LastTurn {
		t.decideByPoints()
		return
	}
	for _, s := range g.Ships {
		if s.Status == Waiting && s.Arrives == g.Turn+1 {
			t.Emit(&Arrive{Ship: s.ID, To: Place{Hex: s.Hex, Heading: s.Heading}}, t.Witness(s), "scenario")
		}
	}
}

func (t *Turn) decideByPoints() {
	best, tie := 0, true
	for i, sd := range t.Game.Sides {
		switch {
		case i == 0 || sd.Total() > t.Game.Sides[best].Total():
			best, tie = i, false
		case sd.Total() == t.Game.Sides[best].Total():
			tie = true
		}
	}
	if tie {
		t.Because(t.losses()...).Emit(&Won{Draw: true, Why: "the last turn is over and the points are equal"}, SeeAll(), "scenario")
		return
	}
	t.Because(t.losses()...).Emit(&Won{Side: t.Game.Sides[best].ID, Why: "most points after the last turn"}, SeeAll(), "scenario")
}

// SecretVotes reports whether captains are not told that one of them has voted for a draw.
func (g *Game) SecretVotes() bool { return g.Blind != nil && g.Blind.Votes == blind.VotesSecret }

// AgreeDraw ends a game as a draw that its captains agreed on. The turn that is due is not played: the end of the
// game is its only event. Like Resolve it returns the game after the turn and the events, and does not change
// before. Captains are the names of those who agreed, for the record; the caller has to check that they are all
// whose votes count.
func AgreeDraw(before *Game, captains []CaptainName) (after *Game, events []Event, err error) {
	no := before.Turn + 1
	if before.Result != nil {
		return nil, nil, fmt.Errorf("end %s in turn %d: the game is over", before.ID, no)
	}
	if len(captains) == 0 {
		return nil, nil, fmt.Errorf("end %s in turn %d: %w", before.ID, no, errNobodyAgreed)
	}
	e := Event{
		Seq: 1, Turn: no, Step: "end", Rule: []string{"captains"}, See: SeeAll(),
		Type: coreEvents.byName["victory"], Body: &Won{Draw: true, Why: "the captains agreed on a draw: " + blind.JoinNames(captains, ", ")},
	}
	after, err = Replay(before, []Event{e})
	if err != nil {
		return nil, nil, fmt.Errorf("end %s in turn %d: %w", before.ID, no, err)
	}
	return after, []Event{e}, nil
}

var errNobodyAgreed = errors.New("nobody agreed on a draw")
