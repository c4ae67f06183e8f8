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

// A game may take its turns in rounds: each exchange of mails resolves a part of the turn, from the
// state after the previous turn and the sets of all its rounds so far. The rule set defines the
// parts; here rounds are only counted.

// votes returns the votes for a draw that count in a turn. If turns have rounds, votes may have
// come too late for the previous turn.
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

// OrdersIn returns the directory, within that of a turn, of the sets of a round. The first round
// has the same directory as a turn without rounds, which is round 0.
func OrdersIn(round int) string {
	if round < 2 {
		return vault.OrdersDir
	}
	return vault.OrdersDir + "/p" + strconv.Itoa(round)
}

// RoundIn returns the round of the order sets in a directory; 0 for another directory. A turn without
// rounds has its sets in the directory of the first.
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

// dueAfter returns the turn that is due after a state.
func dueAfter(state *engine.Game) int {
	if state.Round > 0 {
		return state.Turn
	}
	return state.Turn + 1
}

// cadence returns what one exchange of mails of a new game resolves: as requested, or as the
// scenario suggests. "" is a turn.
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
