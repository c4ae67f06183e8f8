package referee

import (
	"errors"
	"fmt"
	"time"

	"starpost/pbem/turn"
	"starpost/pbem/vault"
	"starpost/pbem/vault/journal"
)

// errPlayed means that a turn was resolved before.
var errPlayed = errors.New("the turn was resolved before")

// Preview resolves the due turn and writes nothing. It returns the whole outcome, with each
// captain's report. Missing orders need no policy: standing orders apply, and the outcome says so.
func Preview(g *vault.Game, missing string, now time.Time) (*turn.Outcome, error) {
	if missing == "" || missing == vault.PolicyHold {
		missing = vault.PolicyStanding
	}
	return turn.Resolve(g, turn.Options{Missing: missing, Now: now, DryRun: true, Keep: true})
}

// Process resolves a named turn now. If it was resolved before, played is true and nothing is done:
// a late command changes nothing. A paused game needs force; missing orders need force or a policy.
func Process(g *vault.Game, a Act, n int, force bool, o turn.Options) (out *turn.Outcome, played bool, err error) {
	if err := g.LockFresh(); err != nil {
		return nil, false, err
	}
	defer g.Release(&err)
	due, err := g.Due()
	switch {
	case err != nil:
		return nil, false, err
	case n >= 1 && n <= g.Turn():
		return nil, true, nil
	case due == 0:
		return nil, false, &Error{Problem: fmt.Sprintf("game %s is over since turn %d", g.ID(), g.Turn()), Way: "see: " + g.CommandLine("status"), Err: ErrOver}
	case n != due:
		return nil, false, &Error{Problem: fmt.Sprintf("turn %d of %s is not due, turn %d is", n, g.ID(), due), Way: g.CommandLine("referee", "process", due), Err: errPlayed}
	}
	if force && o.Missing == "" {
		if o.Missing = g.Settings().Mail.Missing; o.Missing == vault.PolicyHold {
			o.Missing = vault.PolicyStanding
		}
	}
	o.Now = a.Now
	t, err := g.Timing()
	if err != nil {
		return nil, false, err
	}
	if t.Paused != nil && !force {
		out, err = turn.Resolve(g, o) // returns the error about the pause
		return out, false, err
	}
	if g.SharedSettings().PublicDice() {
		if err := closeNow(g, a, o); err != nil {
			return nil, false, err
		}
		out, err = turn.Resolve(g, o)
		return out, false, err
	}
	try := o
	try.DryRun = true
	if _, err := turn.Resolve(g, try); err != nil { // before anything is recorded
		return nil, false, err
	}
	if t.Paused != nil && force {
		if _, err := Resume(g, a); err != nil {
			return nil, false, err
		}
	}
	if err := entry(g, a, journal.Process, "", journal.ProcessData{Missing: o.Missing}); err != nil {
		return nil, false, err
	}
	out, err = turn.Resolve(g, o)
	return out, false, err
}

// closeNow closes the orders of a turn with public dice early, and records that in the journal.
func closeNow(g *vault.Game, a Act, o turn.Options) error {
	if closing, err := vault.ClosingOf(g); closing != nil || err != nil {
		return err
	}
	if _, err := turn.Close(g, a.By, o); err != nil {
		return err
	}
	return entry(g, a, journal.Process, "", journal.ProcessData{Missing: o.Missing})
}

// Alternative is a tried alternative for a turn, with its result.
type Alternative struct {
	Name   string       `json:"name"`
	Turns  []Difference `json:"turns"`
	Aside  int          `json:"aside,omitempty"`
	Result string       `json:"result,omitempty"`
}

// WhatIf tries each of several plans on the present game independently, and writes nothing.
func WhatIf(g *vault.Game, a Act, plans ...Plan) ([]Alternative, error) {
	var out []Alternative
	for i, p := range plans {
		run, err := PreviewRerun(g, a, p)
		if err != nil {
			return nil, fmt.Errorf("case %d: %w", i+1, err)
		}
		c := Alternative{Name: fmt.Sprintf("case %d", i+1), Aside: run.Aside}
		if c.Turns, err = Differ(g.Rules(), run); err != nil {
			return nil, err
		}
		last := run.Turns[len(run.Turns)-1].Is.State
		if last.Result != nil {
			c.Result = last.Result.Describe(func(id string) string { return id })
		}
		out = append(out, c)
	}
	return out, nil
}
