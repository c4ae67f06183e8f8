package turn

import (
	"fmt"
	"maps"
	"strconv"
	"strings"

	"starpost/engine"
	"starpost/engine/scenario"
	"starpost/pbem/vault"
)

// A game may take its turns in rounds: each exchange of mails resolves a part of
// the turn, from the state after the turn before and the sets of all its rounds so
// far. The rule set says which part; here rounds are counted, no more.

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
