package turn

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"starpost/engine"
	"starpost/orders"
	"starpost/pbem/fault"
	"starpost/pbem/vault"
)

// Filed is what a referee files for a turn of a rule set whose turns he plays.
type Filed struct {
	Turn    int // that it is for
	Data    []byte
	By, Why string
}

// note is what the manifest says of a filing; nil for none, and of a turn that
// its captains ended instead.
func (f *Filed) note(ready Readiness) *vault.Filed {
	if f == nil || len(ready.Draw) > 0 {
		return nil
	}
	return &vault.Filed{By: f.By, Why: f.Why}
}

// refile puts another filing in the place of the one that a turn was played with.
func (t *Redone) refile(c Change) {
	if c.Filed == nil {
		return
	}
	t.in.filed = c.Filed
	t.manifest.Filed = &vault.Filed{By: c.By, Why: c.Why}
}

// unfit says of which turn a filing does not fit, where that is not the one that
// is filed now.
func unfit(g *vault.Game, turn int, c Change, err error) error {
	if bad, ok := errors.AsType[*engine.FilingError](err); ok && c.Filed == nil {
		return &fault.Fault{
			Problem: fmt.Sprintf("what was filed for turn %d of %s does not go with it any more: %v", turn, g.ID(), bad), Err: bad,
			Way: "set the later turns aside, and file them again: --later aside",
		}
	}
	return err
}

// FiledBefore diagnoses a filing for a turn that was played already, as the game
// stood before it.
func FiledBefore(g *vault.Game, turn int, data []byte) ([]orders.Diagnostic, error) {
	if g.Rules().Filing == nil {
		return nil, notFiled(g)
	}
	state, err := g.State(turn - 1)
	if err != nil {
		return nil, err
	}
	return g.Rules().Filing.Check(state, data), nil
}

// Fileable refuses to file a turn that is not due, or of a game whose turns are
// not filed.
func (p *Position) Fileable(turn int) error {
	switch {
	case p.Due() == 0:
		return fmt.Errorf("file turn %d of %s: %w since turn %d", turn, p.state.ID, ErrOver, p.state.Result.Turn)
	case p.rules.Filing == nil:
		return notFiled(p.vault)
	case turn != p.Due():
		way := fmt.Sprintf("file turn %d first", p.Due())
		if turn < p.Due() {
			way = "the turn is played already; nothing was changed. To file it in another way: --again"
		}
		return fault.New(way, "the filing is for turn %d of %s, but turn %d is due", turn, p.state.ID, p.Due())
	}
	return nil
}

// wantFiled refuses a turn that a referee plays without his filing, and a filing
// where there is no place for one. Once the orders are with him, those that did
// not come are his to deal with: the turn is not refused for them.
func (p *Position) wantFiled(o *Options, ready Readiness, refuse *bool) error {
	switch {
	case len(ready.Draw) > 0:
		return nil
	case p.rules.Filing == nil && o.Filed == nil:
		return nil
	case o.Filed == nil:
		return fault.New(fmt.Sprintf("what was ordered, as a filing to be filled in: starpost referee %s file %d --blank", p.vault.Dir(), ready.Due),
			"turn %d of %s is not resolved by itself: it waits for the referee", ready.Due, p.state.ID)
	}
	if err := p.Fileable(o.Filed.Turn); err != nil {
		return err
	}
	t, err := p.vault.Timing()
	if err != nil {
		return err
	}
	if !t.Ready.IsZero() && o.Missing == "" && len(ready.blocking()) == 0 {
		o.Missing, *refuse = vault.PolicyStanding, false
	}
	return nil
}

// notFiled is a filing for a game whose turns are resolved by themselves.
func notFiled(g *vault.Game) error {
	return fault.New("to play the turn: starpost turn "+g.Dir(), "turns of %s are not filed: its rules, %s, are played by the program", g.ID(), g.Rules().Name)
}

// PlayedByReferee reports whether the turns of the game are played by a referee.
func (p *Position) PlayedByReferee() bool { return p.rules.Filing != nil }

// CheckFiled looks at a filing for the turn that is due.
func (p *Position) CheckFiled(data []byte) []orders.Diagnostic {
	return p.rules.Filing.Check(p.state, data)
}

// BlankFiling is a filing for the turn that is due, to be filled in: the orders
// that are in stand in it as remarks.
func (p *Position) BlankFiling() (string, error) {
	ready, err := p.ready(true)
	if err != nil {
		return "", err
	}
	in, err := p.gather(ready, func(engine.Seat) string { return vault.PolicyStanding })
	if err != nil {
		return "", err
	}
	sheets, err := in.sheets(p.rules, p.state)
	if err != nil {
		return "", err
	}
	return p.rules.Filing.Blank(p.state, sheets), nil
}

// policyError refuses a policy for missing orders that a rule set has no use for:
// a robot that it does not have, or anything but waiting where a referee deals
// with what is missing. Where is what has it.
func policyError(r *engine.Rules, policy, where string) error {
	var known []string
	switch {
	case r.Filing != nil:
		known = []string{vault.PolicyHold, vault.PolicyStanding}
	case r.Robot == nil:
		known = []string{vault.PolicyHold, vault.PolicyStanding, vault.PolicyForfeit}
	}
	if known == nil || policy == "" || slices.Contains(known, policy) {
		return nil
	}
	return &vault.Error{
		Path: where, Problem: fmt.Sprintf("rule set %s knows no policy %q for missing orders", r.Name, policy),
		Way: "one of: " + strings.Join(known, ", "), Err: vault.ErrSettings,
	}
}
