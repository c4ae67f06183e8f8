package turn

import (
	"fmt"

	"starpost/engine"
	"starpost/orders"
	"starpost/pbem/fault"
	"starpost/pbem/vault"
)

// note returns the manifest's entry for a filing; nil for none, and for a turn that its captains
// ended instead.
func (f *Filed) note(ready Readiness) *vault.Filed {
	if f == nil || len(ready.Draw) > 0 {
		return nil
	}
	return &vault.Filed{By: f.By, Why: f.Why}
}

// FiledBefore checks a filing for an already played turn against the game before it.
func FiledBefore(g *vault.Game, turn int, data []byte) ([]orders.Diagnostic, error) {
	if g.Rules().Filing == nil {
		return nil, notFiled(g)
	}
	state, err := g.Stages.State(vault.At(turn - 1))
	if err != nil {
		return nil, err
	}
	return g.Rules().Filing.Check(state, data), nil
}

// Fileable returns an error if a turn is not due, or if the turns of the game are not filed.
func (p *Position) Fileable(turn int) error {
	switch {
	case p.Due() == 0:
		return fmt.Errorf("file turn %d of %s: %w since turn %d", turn, p.state.ID, ErrOver, p.state.Result.Turn)
	case p.rules.Filing == nil:
		return notFiled(p.vault)
	case turn != p.Due():
		way := fmt.Sprintf("file turn %d first", p.Due())
		if turn < p.Due() {
			way = "the turn has already been played; nothing was changed. To file it differently: --again"
		}
		return fault.New(way, "the filing is for turn %d of %s, but turn %d is due", turn, p.state.ID, p.Due())
	}
	return nil
}

// wantFiled refuses to play a referee's turn without a filing, and a filing where none is possible.
// Once the referee has the orders, missing ones are the referee's to deal with: the turn is not
// refused because of them.
func (p *Position) wantFiled(o *Options, ready Readiness, refuse *bool) error {
	switch {
	case len(ready.Draw) > 0:
		return nil
	case p.rules.Filing == nil && o.Filed == nil:
		return nil
	case o.Filed == nil:
		return fault.New("what was ordered, as a filing to be filled in: "+p.vault.CommandLine("referee", "file", ready.Due, "--blank"),
			"turn %d of %s is not resolved automatically: it waits for the referee", ready.Due, p.state.ID)
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

// notFiled returns the error for filing a turn of a game that resolves turns automatically.
func notFiled(g *vault.Game) error {
	return fault.New("to play the turn: "+g.CommandLine("turn"), "turns of %s are not filed: the program plays its rules, %s", g.ID(), g.Rules().Name)
}

// PlayedByReferee reports whether the turns of the game are played by a referee.
func (p *Position) PlayedByReferee() bool { return p.rules.Filing != nil }

// CheckFiled checks a filing for the due turn.
func (p *Position) CheckFiled(data []byte) []orders.Diagnostic {
	return p.rules.Filing.Check(p.state, data)
}

// BlankFiling returns a filing for the due turn, to be filled in. It contains the received orders
// as remarks.
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
