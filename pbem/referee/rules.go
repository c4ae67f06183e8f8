package referee

import (
	"errors"
	"fmt"

	"starpost/pbem/vault"
	"starpost/pbem/vault/journal"
)

// errVersion is a version of the rules that a game cannot go on by.
var errVersion = errors.New("the game cannot go on by that version")

// Rules has a game go on by the program's version of its rule set, which must be
// the one that is named, from the turn that is due. Where the deadline has passed
// while the game waited for that, the captains have a whole turn's time from now.
func Rules(g *vault.Game, a Act, version string) (t vault.Timing, err error) {
	if err := g.LockFresh(); err != nil {
		return t, err
	}
	defer g.Release(&err)
	if known, err := g.Noted(journal.Rules, a.Cause); known || err != nil {
		return t, errors.Join(err, onlyTiming(g, &t))
	}
	if t, err = g.Timing(); err != nil {
		return t, err
	}
	s := g.Settings()
	switch has := g.Rules().Version; {
	case t.Turn == 0:
		return t, &Error{Problem: fmt.Sprintf("game %s is over", g.ID()), Way: "see: starpost status " + g.Dir(), Err: ErrOver}
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
	if _, err := g.ChangeRules(a, deadline.UTC()); err != nil {
		return t, err
	}
	return t, onlyTiming(g, &t)
}
