package games

import (
	"context"
	"fmt"

	"starpost/pbem/referee"
	"starpost/pbem/report"
	"starpost/pbem/vault"
	"starpost/pbem/vault/journal"
	"starpost/templates"
)

// handleDisputes pauses or resumes the clock of a game as its disputes require, and sends notices
// about referees' actions in them that have not been sent yet.
func (d *stepper) handleDisputes(ctx context.Context, g *Game) error {
	st, err := g.Vault.AdminState()
	if err != nil || len(st.Disputes) == 0 {
		return err
	}
	if err := referee.UpdateDisputeClock(g.Vault, d.Clock.Now()); err != nil {
		return err
	}
	entries, err := g.Vault.Journal.Entries()
	if err != nil {
		return err
	}
	for _, of := range st.Disputes {
		if opened := entries[of.Seq-1]; opened.By != string(of.Captain) && opened.Turn+1 >= g.Vault.Turn() {
			if err := d.tellOpened(ctx, g, of, opened); err != nil {
				return err
			}
		}
		for _, step := range of.Steps {
			at := entries[step.Seq-1].Turn
			if at+1 < g.Vault.Turn() {
				continue // too old: a store that was rebuilt does not know who was told
			}
			err := d.once(ctx, g, at, eventTold, fmt.Sprint(step.Seq), journal.Dispute, func() error { return d.tellDispute(ctx, g, of, step) })
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// tellOpened tells a captain, once, that a referee opened a dispute for them.
func (d *teller) tellOpened(ctx context.Context, g *Game, of vault.Dispute, opened journal.Entry) error {
	return d.once(ctx, g, opened.Turn, eventTold, fmt.Sprint(opened.Seq), journal.Protest, func() error {
		c, ok := g.Vault.Settings().Captain(of.Captain)
		if !ok || c.Address == "" {
			return nil
		}
		return d.TellCaptain(ctx, g, of.Turn, disputeWord(g, opened.Seq), c, fmt.Sprintf("Your protest against event %d.%d", of.Turn, of.Event), []string{
			fmt.Sprintf("%s has recorded your protest against event %d.%d as dispute %d: %s", report.UpperFirst(vault.Who(opened.By)), of.Turn, of.Event, of.Number, of.Reason),
			"You will get a mail with the decision.",
		})
	})
}

// tellDispute mails a step of a dispute. The captain who protested gets all of it; the others get
// the public text of the final step.
func (d *teller) tellDispute(ctx context.Context, g *Game, of vault.Dispute, step vault.DisputeStep) error {
	event, err := referee.Protested(g.Vault, of)
	if err != nil {
		return err
	}
	for _, c := range g.Vault.Settings().Captains {
		own := c.Name == of.Captain
		switch {
		case c.Address == "", !own && step.Step == journal.DisputeAnswer, !d.mayKnow(g, c, journal.Entry{Captain: of.Captain}):
			continue
		}
		subject := fmt.Sprintf("A protest on turn %d was %s", of.Turn, referee.Verdict(step.Step))
		text := []string{referee.Public(of, step)}
		if own {
			subject = fmt.Sprintf("Your protest against event %d.%d was %s", of.Turn, of.Event, referee.Verdict(step.Step))
			text = []string{fmt.Sprintf("You protested against event %d.%d: %s", of.Turn, of.Event, of.Reason)}
			if event != "" {
				text = append(text, "The event: "+event)
			}
			if step.Step == journal.DisputeAnswer {
				subject = fmt.Sprintf("The referee on your protest against event %d.%d", of.Turn, of.Event)
				text = append(text, "The referee answers:", step.Text, "The dispute stays open.")
			} else {
				text = append(text, fmt.Sprintf("The protest was %s. The referee says:", referee.Verdict(step.Step)), step.Text)
			}
		}
		if own && step.Revision > 0 {
			// A change that does not show in the captain's report is not mentioned.
			at, err := g.Vault.Stages.EditionAt(step.DisputeData.Turn, step.Revision, c.Name)
			if err != nil {
				return err
			}
			if at > 1 && at == step.Revision {
				text = append(text, fmt.Sprintf("Your report of turn %d has been corrected.", step.DisputeData.Turn))
			}
		}
		if err := d.TellCaptain(ctx, g, of.Turn, disputeWord(g, step.Seq), c, subject, text); err != nil {
			return err
		}
	}
	text := []string{step.Text}
	if event != "" {
		text = []string{"The event: " + event, step.Text}
	}
	if step.Step != journal.DisputeAnswer {
		text = append(text, "The other captains read: "+referee.Public(of, step))
	}
	d.Log.Info("dispute notice sent", "game", g.Vault.ID(), "turn", of.Turn, "kind", step.Step)
	return d.tellStep(ctx, g, of, step, text)
}

// tellStep tells all referees of the game about a step.
func (d *teller) tellStep(ctx context.Context, g *Game, of vault.Dispute, step vault.DisputeStep, text []string) error {
	subject := fmt.Sprintf("Dispute %d of %s: %s", of.Number, of.Captain, referee.Verdict(step.Step))
	if step.Step == journal.DisputeAnswer {
		subject = fmt.Sprintf("Dispute %d of %s: answered", of.Number, of.Captain)
	}
	n := templates.Notice{
		Kind: templates.Plain,
		Text: append([]string{fmt.Sprintf("From %s to %s, about event %d.%d of the captain's report:", step.By, of.Captain, of.Turn, of.Event)}, text...),
	}
	return d.mailReferees(ctx, g, fmt.Sprintf("dispute-%d", step.Seq), subject, n)
}
