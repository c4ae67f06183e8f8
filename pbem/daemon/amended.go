package daemon

import (
	"context"
	"fmt"
	"strings"

	"starpost/pbem/store"
	"starpost/pbem/vault/journal"
	"starpost/templates"
)

// tellAmended tells a captain that a referee has replaced orders of his for the turn
// that is due: he must not learn it from the report.
func (d *teller) tellAmended(ctx context.Context, g *game, st *turnStatus) error {
	entries, err := g.vault.Journal()
	if err != nil {
		return err
	}
	for _, e := range entries {
		if e.Kind != journal.Amend || e.Turn != st.ready.Due {
			continue
		}
		err := d.once(ctx, g, e.Turn, eventTold, fmt.Sprint(e.Seq), e.Kind, func() error { return d.amendNotice(ctx, g, st, e) })
		if err != nil {
			return err
		}
	}
	return nil
}

func (d *teller) amendNotice(ctx context.Context, g *game, st *turnStatus, e journal.Entry) error {
	c, ok := g.vault.Settings().Captain(e.Captain)
	if !ok || c.Address == "" {
		return nil
	}
	data := journal.DataOf[journal.AmendData](e)
	n, err := d.notice(g, st, templates.Plain, captainOwing{captain: c}, st.timing.Deadline)
	if err != nil {
		return err
	}
	whose := strings.TrimPrefix(data.Name, "@")
	what := "The referee has replaced the orders of " + whose
	if data.Before == "" {
		what = "The referee has given orders for " + whose
	}
	if e.Why != "" {
		what += ": " + strings.TrimRight(e.Why, ".")
	}
	n.Text = []string{what + ".", "What you send from now on replaces them in turn; the word status, as the first line of a mail, brings what is in force for you."}
	subject := fmt.Sprintf("[%s] %s: orders for %s from the referee", g.vault.ID(), st.due(), whose)
	return d.notify(ctx, g, st, store.Notice, entryWord(g, "amend", e.Seq), c, subject, n)
}
