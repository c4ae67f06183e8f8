package turn

import (
	"fmt"
	"maps"
	"strconv"
	"strings"

	"starpost/engine"
	"starpost/engine/scenario"
	"starpost/orders"
	"starpost/pbem/vault"
)

// A game may take its turns in rounds: each exchange of mails resolves a part of
// the turn, from the state after the turn before and the sets of all its rounds so
// far. The rule set says which part; here rounds are counted, no more.

// headWords is how the head of an order set names a stage.
func headWords(at vault.Stage) string {
	if at.Round == 0 {
		return fmt.Sprintf("turn %d", at.Turn)
	}
	return fmt.Sprintf("turn %d phase %d", at.Turn, at.Round)
}

// roundOf is the round that a set is for: its first, if the head names none.
func (p *Position) roundOf(h orders.Head) int {
	if p.vault.Rounds() == 0 {
		return 0
	}
	return max(h.Phase, 1)
}

// ahead tells whether a set is for a later turn or round than the one that is due.
func (p *Position) ahead(s Set) bool {
	due := p.Due()
	return s.Turn > due || s.Turn == due && s.Round > p.round()
}

// checkPhase looks at the phase of a head.
func (p *Position) checkPhase(h orders.Head, say sayFunc) {
	rounds, due, round := p.vault.Rounds(), p.Due(), p.round()
	at := p.roundOf(h)
	switch {
	case rounds == 0 && h.Phase > 0:
		say(h.PhasePos, orders.Warning, CodeNoPhase, "leave out phase", "this game takes orders for a whole turn at a time; phase %d is passed over", h.Phase)
	case rounds == 0:
	case at > rounds:
		say(h.PhasePos, orders.Error, CodeOtherPhase, fmt.Sprintf("1 to %d", rounds), "a turn has no phase %d", h.Phase)
	case h.Turn != due:
	case at < round && h.Phase == 0:
		say(h.TurnPos, orders.Error, CodePastTurn, "write "+headWords(p.DueStage()), "without a phase these orders are for phase 1 of turn %d, which is already resolved; phase %d is due", due, round)
	case at < round:
		say(h.PhasePos, orders.Error, CodePastTurn, "write "+headWords(p.DueStage()), "phase %d of turn %d is already resolved; phase %d is due", at, due, round)
	case at > round:
		say(h.PhasePos, orders.Warning, CodeLaterTurn, "", "these orders are for phase %d of turn %d; phase %d is due. They are kept and looked at again when their time comes", at, due, round)
	}
}

// votes are those for a draw that count in a turn. Where a turn has rounds they may
// have come too late for the one before.
func votes(st vault.AdminState, turn, round int) map[engine.CaptainName]string {
	if round == 0 {
		return st.Votes[turn]
	}
	all := maps.Clone(st.Votes[turn-1])
	if all == nil {
		all = map[engine.CaptainName]string{}
	}
	maps.Copy(all, st.Votes[turn])
	return all
}

// OrdersIn is where, in the directory of a turn, the sets of one of its rounds lie:
// those of the first where those of a turn that has no rounds do, which is 0.
func OrdersIn(round int) string {
	if round < 2 {
		return vault.OrdersDir
	}
	return vault.OrdersDir + "/p" + strconv.Itoa(round)
}

// RoundIn is the round whose sets lie in a directory; 0 for another
// directory. A turn that has no rounds has its sets where those of the first lie.
func RoundIn(dir string) int {
	if dir == vault.OrdersDir {
		return 1
	}
	n, err := strconv.Atoi(strings.TrimPrefix(dir, vault.OrdersDir+"/p"))
	if err != nil || n < 2 || OrdersIn(n) != dir {
		return 0
	}
	return n
}

// dueAfter is the turn that is due after a state.
func dueAfter(state *engine.Game) int {
	if state.Round > 0 {
		return state.Turn
	}
	return state.Turn + 1
}

// cadence is what one exchange of mails of a new game resolves: what is wished, or
// else what the scenario suggests. "" is a turn.
func cadence(wished string, sc *scenario.Scenario, r *engine.Rules) (string, error) {
	c, where := wished, "--cadence"
	if c == "" {
		c, where = sc.Cadence, "scenario.toml"
	}
	if (vault.Settings{Cadence: c}).InRounds() && r.Rounds() < 2 {
		return "", &vault.Error{
			Path: where, Problem: fmt.Sprintf("the turns of rule set %s cannot be cut into phases", r.Name),
			Way: fmt.Sprintf("cadence %q", vault.CadenceTurn), Err: vault.ErrSettings,
		}
	}
	return c, nil
}
