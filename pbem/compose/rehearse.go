package compose

import (
	"errors"
	"fmt"
	"strings"

	"starpost/engine"
	"starpost/engine/rehearsal"
	"starpost/orders"
)

// rehearsed is the result of playing the turn many times, as tables.
type rehearsed struct {
	OK     bool    `json:"ok"`
	Panels []panel `json:"panels"`
}

// panel is a table with notes above it, or only notes.
type panel struct {
	Title   string     `json:"title"`
	Notes   []string   `json:"notes"`
	Columns []string   `json:"columns"`
	Rows    [][]string `json:"rows"`
}

// mostRehearsed limits the ships in all battles together: this many take a browser some seconds.
const mostRehearsed = 2000

// rehearse plays the turn with the orders, and with the given behaviour of the others.
func (d *Desk) rehearse(r request) (any, error) {
	read := d.read(r.Text)
	if len(read.Sets) == 0 || orders.HasErrors(read.Diagnostics) {
		return nil, refuse("correct them first", "the orders have mistakes")
	}
	ships := 0
	for _, s := range d.view.Ships {
		if s.Status == engine.Active && !s.Kind.Small() {
			ships++
		}
	}
	bands, err := rehearsal.Run(rehearsal.Task{
		Rules: d.game.Rules, View: d.view, Sets: read.Rehearsed(), Others: r.Others, Seed: 1, Most: max(1, mostRehearsed/max(1, ships)),
	})
	if refusal, ok := errors.AsType[*rehearsal.Refusal](err); ok {
		return nil, refuse(refusal.Hint(), "%s%s", refusal.Error(), listed(refusal.Diagnostics))
	}
	if err != nil {
		return nil, err
	}
	out := rehearsed{OK: true}
	for _, p := range bands.Panels() {
		shown := panel{Title: p.Title, Notes: p.Notes, Columns: []string{}, Rows: p.Rows}
		for _, c := range p.Columns {
			shown.Columns = append(shown.Columns, c.Name)
		}
		out.Panels = append(out.Panels, shown)
	}
	return out, nil
}

// listed returns the mistakes in orders as a part of a sentence.
func listed(all []orders.Diagnostic) string {
	var out strings.Builder
	for _, g := range all {
		if g.Severity == orders.Error {
			fmt.Fprintf(&out, "; line %d: %s", g.Pos.Line, g.Message)
		}
	}
	return out.String()
}
