package daemon

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"

	"starpost/pbem/store"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
)

// The store's notes that the reports of a stage are in the outbox.
const (
	eventRound   = "round"   // of a round; the subject is what it is called among all that ever were
	eventRevised = "revised" // of a later revision of a turn; the subject is its number
)

// queueTurns puts the reports of turns into the outbox that are not there yet:
// after a turn, after a crash, or for a game that the store does not know. Of
// such a game only those of the newest stage are sent: the others count as sent
// already, by another daemon. Corrected reports go out likewise, behind those that they
// correct.
func (d *teller) queueTurns(ctx context.Context, g *game) error {
	if !g.behind() {
		return nil
	}
	head, err := g.vault.JournalHead()
	if err != nil {
		return err
	}
	last, known, err := d.store.QueuedTurn(ctx, g.key)
	if err != nil {
		return err
	}
	queue := func(turn int) error {
		stages, err := g.vault.Stages(turn)
		if err != nil {
			return err
		}
		for _, at := range stages {
			passed := turn <= last || !known && at != g.vault.Newest()
			if err := d.queueStage(ctx, g, at, passed, ""); err != nil {
				return err
			}
		}
		return nil
	}
	for ; g.queued <= g.vault.Turn(); g.queued++ {
		if g.queued <= last {
			continue
		}
		if err := queue(g.queued); err != nil {
			return err
		}
	}
	if round := g.vault.InProgress(); round != "" && round != g.round {
		if err := queue(g.vault.Turn() + 1); err != nil {
			return err
		}
		g.round = round
	}
	for _, r := range g.vault.Revisions() {
		if r.Revision == 1 || r.Aside != 0 { // of turns that were taken back nothing goes out
			continue
		}
		at := vault.Stage{Turn: r.Turn, Revision: r.Revision}
		if err := d.queueStage(ctx, g, at, !known && r.Turn < g.vault.Turn(), r.Why); err != nil {
			return err
		}
	}
	g.revised = head
	return nil
}

// queueStage puts the reports of a stage into the outbox, unless the store has noted
// that they are there. Mails that are there already stay as they are. Those that are
// passed count as sent. Why is noted with a revision.
func (d *teller) queueStage(ctx context.Context, g *game, at vault.Stage, passed bool, why string) error {
	event, subject, turn := "", "", at.Turn
	switch {
	case at.Round > 0: // its reports go with the turn before its own
		event, subject, turn = eventRound, filepath.Base(g.vault.StageDir(at))+" "+g.vault.RoundMark(at), at.Turn-1
	case at.Revision > 1:
		event, subject = eventRevised, strconv.Itoa(at.Revision)
	}
	if event != "" {
		_, noted, err := d.store.Event(ctx, g.key, at.Turn, event, subject)
		if err != nil || noted {
			return err
		}
	}
	messages, err := d.stageReports(g, at, !passed)
	if err != nil {
		return err
	}
	if at.Round == 0 && !passed && event == "" { // first: what counts as queued is not looked at again
		if err := d.queueObservers(ctx, g, at); err != nil {
			return err
		}
	}
	if err := d.before("queue turn"); err != nil {
		return err
	}
	added := 0
	switch {
	case passed:
		err = d.store.RecordTurnSent(ctx, messages...)
	case event == eventRevised:
		added, err = d.store.Queue(ctx, messages...)
	default:
		added, err = d.store.QueueTurn(ctx, g.key, turn, messages...)
	}
	if err != nil {
		return err
	}
	if added > 0 {
		d.log.Info("reports queued", "game", g.vault.ID(), "turn", at.Turn, "revision", max(at.Revision, 1), "mails", added)
		nudge(g.worker.queued)
	}
	if event != "" {
		_, err = d.recordEvent(ctx, g, at.Turn, event, subject, why)
	}
	return err
}

// stageReports are the reports of a stage as messages for the outbox; of a whole turn
// those of its first revision, which later ones correct: none if it was taken back. With
// draw they come as they go out: however often that is tried, and whichever version of the
// program tries it, they are the same then.
func (d *teller) stageReports(g *game, at vault.Stage, draw bool) ([]store.OutboxMessage, error) {
	if at.Round == 0 && at.Revision == 0 {
		if slices.ContainsFunc(g.vault.Revisions(), func(r vault.Revision) bool { return r.Turn == at.Turn && r.Revision == 1 && r.Aside != 0 }) {
			return nil, nil
		}
		at.Revision = 1
	}
	mails, err := g.vault.StageOutbox(at)
	if err != nil {
		return nil, err
	}
	drawing, err := turn.Draw(g.vault, at)
	if err != nil {
		return nil, err
	}
	drawing.Templates, drawing.Foot, drawing.Composer = d.cfg.Templates, d.foot(store.Report, g.vault.SharedSettings()), d.o.Composer
	messages := make([]store.OutboxMessage, 0, len(mails))
	for _, m := range mails {
		path, err := filepath.Abs(m.Path)
		if err != nil {
			return nil, fmt.Errorf("queue mails of %s: %w", g.vault.ID(), err)
		}
		message := store.OutboxMessage{
			Game: g.key, Kind: store.Report, MessageID: m.MessageID, From: g.worker.box.Address, To: m.To, Path: path, QueuedAt: d.clock.Now(),
		}
		if draw {
			if message.Bytes, err = d.drawMail(drawing, m.Name, m.MessageID); err != nil { // the others are not to blame
				d.log.Error("drawing a mail failed, will be tried when it is sent", "message_id", m.MessageID, "err", err)
			}
		}
		messages = append(messages, message)
	}
	return messages, nil
}
