package daemon

import (
	"context"
	"fmt"
	"strings"

	"starpost/engine/dice"
	"starpost/pbem/referee"
	"starpost/pbem/report"
	"starpost/pbem/store"
	"starpost/pbem/vault"
	"starpost/pbem/vault/journal"
	"starpost/templates"
)

// handleDisputes has the clock of a game wait for its disputes, or go on, and tells of
// what referees did in them if that was not told yet.
func (d *stepper) handleDisputes(ctx context.Context, g *game) error {
	st, err := g.vault.AdminState()
	if err != nil || len(st.Disputes) == 0 {
		return err
	}
	if err := referee.UpdateDisputeClock(g.vault, d.clock.Now()); err != nil {
		return err
	}
	entries, err := g.vault.Journal()
	if err != nil {
		return err
	}
	for _, of := range st.Disputes {
		if opened := entries[of.Seq-1]; opened.By != string(of.Captain) && opened.Turn+1 >= g.vault.Turn() {
			if err := d.tellOpened(ctx, g, of, opened); err != nil {
				return err
			}
		}
		for _, step := range of.Steps {
			at := entries[step.Seq-1].Turn
			if at+1 < g.vault.Turn() {
				continue // of old: a store that was rebuilt does not know who was told
			}
			err := d.once(ctx, g, at, eventTold, fmt.Sprint(step.Seq), journal.Dispute, func() error { return d.tellDispute(ctx, g, of, step) })
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// tellOpened tells a captain, once, that a referee opened a dispute for him.
func (d *teller) tellOpened(ctx context.Context, g *game, of vault.Dispute, opened journal.Entry) error {
	return d.once(ctx, g, opened.Turn, eventTold, fmt.Sprint(opened.Seq), journal.Protest, func() error {
		c, ok := g.vault.Settings().Captain(of.Captain)
		if !ok || c.Address == "" {
			return nil
		}
		return d.tellCaptain(ctx, g, of.Turn, disputeWord(g, opened.Seq), c, fmt.Sprintf("Your protest against event %d.%d", of.Turn, of.Event), []string{
			fmt.Sprintf("%s has noted a protest of yours against event %d.%d of your report, as dispute %d: %s", report.UpperFirst(vault.Who(opened.By)), of.Turn, of.Event, of.Number, of.Reason),
			"You get a mail when it is decided.",
		})
	})
}

// tellDispute mails a step: to the captain who protested all of it, and when it is
// the last one to the others the words that are meant for all.
func (d *teller) tellDispute(ctx context.Context, g *game, of vault.Dispute, step vault.DisputeStep) error {
	event, err := referee.Protested(g.vault, of)
	if err != nil {
		return err
	}
	for _, c := range g.vault.Settings().Captains {
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
				text = append(text, "The event is "+event)
			}
			if step.Step == journal.DisputeAnswer {
				subject = fmt.Sprintf("The referee on your protest against event %d.%d", of.Turn, of.Event)
				text = append(text, "The referee answers:", step.Text, "The dispute stays open.")
			} else {
				text = append(text, fmt.Sprintf("The protest was %s. The referee says:", referee.Verdict(step.Step)), step.Text)
			}
		}
		if own && step.Revision > 0 {
			// A change that does not show in his report is not told of.
			at, err := g.vault.EditionAt(step.DisputeData.Turn, step.Revision, c.Name)
			if err != nil {
				return err
			}
			if at > 1 && at == step.Revision {
				text = append(text, fmt.Sprintf("Your report of turn %d is corrected because of it.", step.DisputeData.Turn))
			}
		}
		if err := d.tellCaptain(ctx, g, of.Turn, disputeWord(g, step.Seq), c, subject, text); err != nil {
			return err
		}
	}
	text := []string{step.Text}
	if event != "" {
		text = []string{"The event is " + event, step.Text}
	}
	if step.Step != journal.DisputeAnswer {
		text = append(text, "The other captains are told: "+referee.Public(of, step))
	}
	d.log.Info("dispute notice sent", "game", g.vault.ID(), "turn", of.Turn, "kind", step.Step)
	return d.tellStep(ctx, g, of, step, text)
}

// disputeWord tells a step of a dispute from others in a Message-ID.
func disputeWord(g *game, seq int) string { return entryWord(g, "dispute", seq) }

// entryWord names an entry of the journal in a Message-ID, without telling how many
// stand before it: among them are changes that not everybody sees.
func entryWord(g *game, kind string, seq int) string {
	return fmt.Sprintf("%s-%x", kind, dice.DeriveKey(g.vault.Secret(), kind, fmt.Sprint(seq))[:6])
}

// tellCaptain queues a notice to a captain, in the thread of a turn.
func (d *teller) tellCaptain(ctx context.Context, g *game, n int, what string, c vault.Captain, subject string, text []string) error {
	due, err := g.vault.Due()
	if err != nil {
		return err
	}
	m, err := g.worker.desk.CaptainMail(g.vault, c, vault.Stage{Turn: min(n, g.vault.Turn())}, subject, d.clock.Now(), templates.Notice{Kind: templates.Plain, Turn: due, Robot: g.worker.box.Address, Text: text})
	if err != nil {
		return err
	}
	m.MessageID = relatedMessageID(m.InReplyTo, what)
	return d.queue(ctx, store.Notice, g.key, nil, m)
}

// tellStep tells the referees of a step: there may be several who look after a
// game.
func (d *teller) tellStep(ctx context.Context, g *game, of vault.Dispute, step vault.DisputeStep, text []string) error {
	subject := fmt.Sprintf("Dispute %d of %s: %s", of.Number, of.Captain, referee.Verdict(step.Step))
	if step.Step == journal.DisputeAnswer {
		subject = fmt.Sprintf("Dispute %d of %s: answered", of.Number, of.Captain)
	}
	n := templates.Notice{
		Kind: templates.Plain,
		Text: append([]string{fmt.Sprintf("By %s, to %s about event %d.%d of his report:", step.By, of.Captain, of.Turn, of.Event)}, text...),
	}
	return d.mailReferees(ctx, g, fmt.Sprintf("dispute-%d", step.Seq), subject, n)
}

// relatedMessageID is a Message-ID next to another one.
func relatedMessageID(id, what string) string {
	local, domain, _ := strings.Cut(strings.Trim(id, "<>"), "@")
	return fmt.Sprintf("<%s.%s@%s>", local, what, domain)
}
