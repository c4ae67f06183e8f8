package vault

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// MissedTurnsRule says what is done about a captain who has sent no orders for some turns in a
// row, while the policy for missing orders had the game go on.
type MissedTurnsRule struct {
	Turns int    `toml:"turns"` // in a row; 0: nothing is ever done
	Then  string `toml:"then"`  // see thens
}

// What may be done then.
const (
	ThenAsk     = "ask"     // the next turn without orders of his waits for the referee
	ThenPause   = "pause"   // the game is paused at once, after each such turn
	ThenRobot   = "robot"   // a robot gives the orders, and no one waits for him, until he writes again
	ThenReplace = "replace" // he loses his seat, and anybody may join it
	ThenForfeit = "forfeit" // when the time of the next turn is up without orders of his, his ships surrender
)

// thens lists what may be done about a captain who misses turns.
func thens() []string { return []string{ThenAsk, ThenPause, ThenRobot, ThenReplace, ThenForfeit} }

// missedTurns is after how many turns something is done where a game says nothing else.
const missedTurns = 2

// MissedRule is the rule on missed turns that holds: the zero value of Missed is that
// of a game that says nothing, whose referee is asked after two turns.
func (m MailSettings) MissedRule() MissedTurnsRule {
	if m.Missed == (MissedTurnsRule{}) {
		m.Missed.complete(false)
	}
	return m.Missed
}

// complete fills in what a rule that is given leaves out.
func (m *MissedTurnsRule) complete(turns bool) {
	if !turns {
		m.Turns = missedTurns
	}
	m.Then = cmp.Or(m.Then, ThenAsk)
}

// maxMissed bounds Missed.Turns.
const maxMissed = 1000

// wrong says what cannot be, with the way out.
func (m MissedTurnsRule) wrong() (problem, way string) {
	switch {
	case m.Turns < 0 || m.Turns > maxMissed:
		return fmt.Sprintf("missed: turns = %d cannot be", m.Turns), fmt.Sprintf("from 0 (nothing is done) to %d", maxMissed)
	case !slices.Contains(thens(), m.Then):
		return fmt.Sprintf("missed: then = %q is not known", m.Then), "one of: " + strings.Join(thens(), ", ")
	}
	return "", ""
}

// missedForm makes the value as game.toml has it of a shorter one: "3", or "3 robot".
func missedForm(value string) string {
	words := strings.FieldsFunc(value, func(r rune) bool { return r == ' ' || r == ',' })
	if len(words) == 1 {
		return fmt.Sprintf("{ turns = %s }", words[0])
	}
	if len(words) == 2 {
		return fmt.Sprintf("{ turns = %s, then = %s }", words[0], strconv.Quote(words[1]))
	}
	return value
}
