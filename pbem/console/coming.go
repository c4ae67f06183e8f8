package console

import (
	"context"
	"fmt"
	"io"
	"time"

	"starpost/engine"
	"starpost/orders"
	"starpost/pbem/referee"
	"starpost/pbem/report"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
)

// Due is the state of the due turn.
type Due struct {
	*StatusReport
	Sets  []Set          `json:"sets"`
	Post  []referee.Mail `json:"mails,omitempty"`
	state *engine.Game
}

// Set is an order set in force, with its mistakes.
type Set struct {
	Ship        string              `json:"ship"`
	Text        string              `json:"text"`
	Since       time.Time           `json:"since"`
	Diagnostics []orders.Diagnostic `json:"diagnostics,omitempty"`
}

// coming returns the due turn, with the mails for it.
func coming(ctx context.Context, g *vault.Game, bag referee.Postbag, now time.Time) (*Due, error) {
	st, state, err := Look(g, now)
	if err != nil {
		return nil, err
	}
	t := &Due{StatusReport: st, Sets: []Set{}, state: state}
	p, err := turn.Load(g)
	if err != nil {
		return nil, err
	}
	files, err := g.Orders.For(vault.At(st.Due))
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		read := p.CheckFile(file)
		t.Sets = append(t.Sets, Set{Ship: file.Name, Text: string(file.Text), Since: file.Modified, Diagnostics: read.Diagnostics})
	}
	last, err := g.Stages.Manifest(vault.At(g.Turn()))
	if err != nil {
		return nil, err
	}
	t.Post, err = bag.Mails(ctx, g, last.Resolved, time.Time{})
	return t, err
}

// Print prints it for people.
func (t *Due) Print(w io.Writer, now time.Time) error {
	if err := t.StatusReport.Print(w, t.state, now); err != nil {
		return err
	}
	heading(w, "Order sets")
	if len(t.Sets) == 0 {
		fmt.Fprintln(w, "none")
	}
	for _, s := range t.Sets {
		fmt.Fprintf(w, "%s, stored %s\n", s.Ship, report.FormatTime(s.Since, t.Zone))
		indent(w, s.Text)
		for _, d := range s.Diagnostics {
			fmt.Fprintf(w, "  %s\n", d)
		}
	}
	mails(w, t.Post, t.Zone)
	return nil
}
