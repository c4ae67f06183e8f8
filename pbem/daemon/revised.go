package daemon

import (
	"context"
	"slices"
	"strconv"

	"starpost/pbem/vault"
)

// eventRevised is the ledger's note that the reports of a later revision of a turn
// are in the outbox; the subject is the revision's number.
const eventRevised = "revised"

// firstOutbox is the mails of a stage; of a whole turn those of its first
// revision, which later ones correct: none if it was taken back.
func (g *game) firstOutbox(at vault.Stage) ([]vault.OutMail, error) {
	if at.Round > 0 {
		return g.vault.StageOutbox(at)
	}
	if slices.ContainsFunc(g.vault.Revisions(), func(r vault.Revision) bool { return r.Turn == at.Turn && r.Revision == 1 && r.Aside != 0 }) {
		return nil, nil
	}
	return g.vault.StageOutbox(vault.Stage{Turn: at.Turn, Revision: 1})
}

// queueRevisions puts the reports of later revisions into the outbox, each once.
// Of turns that were taken back nothing goes out. Known tells that the ledger knew
// the game before.
func (d *Daemon) queueRevisions(ctx context.Context, g *game, known bool) error {
	owing, err := d.ledger.Owing(ctx)
	if err != nil {
		return err
	}
	for _, r := range g.vault.Revisions() {
		if r.Revision == 1 || r.Aside != 0 {
			continue
		}
		if err := d.queueRevision(ctx, g, r, !known && r.Turn < g.vault.Turn(), owing); err != nil {
			return err
		}
	}
	return nil
}

// queueRevision puts the reports of a revision into the outbox unless the ledger
// says that they are there. Those that are to count as sent pass, as turns do.
func (d *Daemon) queueRevision(ctx context.Context, g *game, r vault.Revision, pass, owing bool) error {
	subject := strconv.Itoa(r.Revision)
	_, done, err := d.ledger.Event(ctx, g.key(), r.Turn, eventRevised, subject)
	if err != nil || done && !owing {
		return err
	}
	mails, err := g.vault.StageOutbox(vault.Stage{Turn: r.Turn, Revision: r.Revision})
	if err != nil {
		return err
	}
	messages, err := d.outboxMessages(g, mails)
	if err != nil {
		return err
	}
	if err := d.before("queue turn"); err != nil {
		return err
	}
	added := 0
	if pass || done {
		added, err = d.ledger.PassTurn(ctx, g.key(), r.Turn, messages...)
	} else {
		added, err = d.ledger.Queue(ctx, messages...)
	}
	if err != nil {
		return err
	}
	if added > 0 {
		d.log.Info("reports queued", "game", g.vault.ID(), "turn", r.Turn, "revision", r.Revision, "mails", added)
		nudge(g.worker.queued)
	}
	_, err = d.recordEvent(ctx, g, r.Turn, eventRevised, subject, r.Why)
	return err
}
