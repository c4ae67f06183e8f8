package engine

import (
	"fmt"

	"starpost/orders"
)

// Filing is what a rule set says of the reports that a referee files, for rule
// sets whose turns a referee plays: a turn of theirs is not resolved from the
// orders alone, but from the orders and a filing.
type Filing struct {
	// Language is that of the rulings in a filing, for its reference.
	Language *orders.Language
	// Check diagnoses a filing for the turn that is due; g is not changed.
	Check func(g *Game, data []byte) []orders.Diagnostic
	// Phases are those of a turn that is played with a filing which has no errors.
	Phases func(data []byte) []Phase
	// Blank is a filing to be filled in for the turn that is due, with the orders
	// in it as remarks.
	Blank func(g *Game, sheets []Sheet) string
}

// FilingError says what is wrong with a filing; at least one of its diagnostics
// is an error.
type FilingError struct{ Diagnostics []orders.Diagnostic }

// Error gives the first remark.
func (e *FilingError) Error() string {
	if len(e.Diagnostics) == 0 {
		return "the filing cannot be used"
	}
	return "the filing cannot be used: " + e.Diagnostics[0].String()
}

// Filed is the rule set with the phases of a turn for which a referee filed that.
func (r *Rules) Filed(before *Game, filed []byte) (*Rules, error) {
	if r.Filing == nil {
		return nil, fmt.Errorf("turns of rule set %s are not filed", r.Name)
	}
	if ds := r.Filing.Check(before, filed); orders.HasErrors(ds) {
		return nil, &FilingError{ds}
	}
	with := *r
	with.Phases = r.Filing.Phases(filed)
	return &with, nil
}
