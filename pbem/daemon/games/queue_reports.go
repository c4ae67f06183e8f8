package games

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"starpost/pbem/daemon/process"
	"starpost/pbem/desk/effect"
	"starpost/pbem/store"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
)

// queueObservers queues the mails about a turn to observers of a game. A mail that is already in the outbox is not
// queued again.
func (d *teller) queueObservers(ctx context.Context, g *Game, at vault.Stage) error {
	h, s := g.Worker.Desk.Hosting, g.Vault.SharedSettings()
	if h == nil || at.Turn == 0 || at != g.Vault.Newest() || !s.Watched().May {
		return nil
	}
	var to []string
	for _, o := range h.Requests.ObserversAs("") {
		if o.Watches() && strings.EqualFold(o.Game, s.ID) {
			to = append(to, o.Address)
		}
	}
	if len(to) == 0 {
		return nil
	}
	m, ok, err := g.Worker.Desk.WatchMail(g.Vault, d.Clock.Now())
	if err != nil || !ok {
		return err
	}
	_, domain, _ := strings.Cut(g.Worker.Box.Address, "@")
	for _, address := range to {
		m.To.Addr = address
		m.MessageID = fmt.Sprintf("<watch.%s.%d.%s@%s>", g.Key, at.Turn, effect.AddressWord(s, address), domain)
		if known, err := d.Store.InOutbox(ctx, m.MessageID); err != nil {
			return err
		} else if known {
			continue
		}
		if err := d.Queue(ctx, store.Notice, g.Key, nil, m); err != nil {
			return err
		}
	}
	d.Log.Info("observers notified", "game", g.Vault.ID(), "turn", at.Turn, "mails", len(to))
	return nil
}

// queueStandIns queues a report to the current stand-ins of captains. A mail that is already in the outbox is not
// queued again.
func (d *teller) queueStandIns(ctx context.Context, g *Game, at vault.Stage) error {
	if at != g.Vault.Newest() {
		return nil
	}
	for _, c := range g.Vault.SharedSettings().Captains {
		for _, address := range c.StandInsAt(d.Clock.Now()) {
			to, changes := c, g.Vault.Changes(c.Name)
			to.Address = address
			report, err := turn.MessageID(g.Vault, at, c.Name)
			if err != nil {
				return err
			}
			id := relatedMessageID(report, effect.StandInWord(g.Vault.SharedSettings(), address))
			if known, err := d.Store.InOutbox(ctx, id); err != nil {
				return err
			} else if known {
				continue
			}
			m, err := g.Worker.Desk.ReportMail(g.Vault, turn.Repeat{Turn: at.Turn, Round: at.Round, Captain: to, Changes: changes, ID: id, Now: d.Clock.Now()})
			if err != nil {
				return err
			}
			if err := d.Queue(ctx, store.Notice, g.Key, nil, m); err != nil {
				return err
			}
		}
	}
	return nil
}

// The store's events for a stage with reports in the outbox.
const (
	eventRound   = "round"   // of a round; the subject identifies it among all that ever were
	eventRevised = "revised" // of a later revision of a turn; the subject is its number
)

// QueueTurns queues the reports of turns that are not in the outbox yet: after a turn, after a crash, or for a game
// that the store does not know. Of an unknown game only the reports of the newest stage are sent; the others count as
// already sent by another daemon. Corrected reports follow those that they correct.
func (d *teller) QueueTurns(ctx context.Context, g *Game) error {
	if !g.Behind() {
		return nil
	}
	head, err := g.Vault.Journal.Head()
	if err != nil {
		return err
	}
	// Another process may have written to the journal: read what it added, at least up to that head.
	if err := g.Vault.Refresh(); err != nil {
		return err
	}
	last, known, err := d.Store.QueuedTurn(ctx, g.Key)
	if err != nil {
		return err
	}
	queue := func(turn int) error {
		stages, err := g.Vault.Stages.Of(turn)
		if err != nil {
			return err
		}
		for _, at := range stages {
			passed := turn <= last || !known && at != g.Vault.Newest()
			if err := d.queueStage(ctx, g, at, passed, ""); err != nil {
				return err
			}
		}
		return nil
	}
	for ; g.Queued <= g.Vault.Turn(); g.Queued++ {
		if g.Queued <= last {
			continue
		}
		if err := queue(g.Queued); err != nil {
			return err
		}
	}
	if round := g.Vault.Stages.InProgress(); round != "" && round != g.Round {
		if err := queue(g.Vault.Turn() + 1); err != nil {
			return err
		}
		g.Round = round
	}
	for _, r := range g.Vault.Stages.Revisions() {
		if r.Revision == 1 || r.Aside != 0 { // nothing is sent of turns that were taken back
			continue
		}
		at := vault.Stage{Turn: r.Turn, Revision: r.Revision}
		if err := d.queueStage(ctx, g, at, !known && r.Turn < g.Vault.Turn(), r.Why); err != nil {
			return err
		}
	}
	g.Revised = head
	return nil
}

// queueStage queues the reports of a stage, unless the store has recorded that they are in the outbox. Mails that are
// already there stay unchanged. With passed they count as sent. why is recorded with a revision.
func (d *teller) queueStage(ctx context.Context, g *Game, at vault.Stage, passed bool, why string) error {
	event, subject, turn := "", "", at.Turn
	switch {
	case at.Round > 0: // its reports go with the previous turn
		event, subject, turn = eventRound, filepath.Base(g.Vault.Stages.Dir(at))+" "+g.Vault.Stages.Mark(at), at.Turn-1
	case at.Revision > 1:
		event, subject = eventRevised, strconv.Itoa(at.Revision)
	}
	if event != "" {
		_, noted, err := d.Store.Event(ctx, g.Key, at.Turn, event, subject)
		if err != nil || noted {
			return err
		}
	}
	messages, err := d.stageReports(g, at, !passed)
	if err != nil {
		return err
	}
	if at.Round == 0 && !passed && event == "" { // first: once the stage counts as queued, it is not looked at again
		if err := d.queueObservers(ctx, g, at); err != nil {
			return err
		}
	}
	if !passed && at.Revision < 2 {
		if err := d.queueStandIns(ctx, g, at); err != nil {
			return err
		}
	}
	if err := d.Before("queue turn"); err != nil {
		return err
	}
	added := 0
	switch {
	case passed:
		err = d.Store.RecordTurnSent(ctx, messages...)
	case event == eventRevised:
		added, err = d.Store.Queue(ctx, messages...)
	default:
		added, err = d.Store.QueueTurn(ctx, g.Key, turn, messages...)
	}
	if err != nil {
		return err
	}
	if added > 0 {
		d.Log.Info("reports queued", "game", g.Vault.ID(), "turn", at.Turn, "revision", max(at.Revision, 1), "mails", added)
		process.Nudge(g.Worker.Queued)
	}
	if event != "" {
		_, err = d.recordEvent(ctx, g, at.Turn, event, subject, why)
	}
	return err
}

// stageReports returns the reports of a stage as messages for the outbox. For a whole turn these are the reports of
// its first revision, which later ones correct; none if it was taken back. With draw the final bytes are included, so
// that every try and every version of the program sends the same bytes.
func (d *teller) stageReports(g *Game, at vault.Stage, draw bool) ([]store.OutboxMessage, error) {
	if at.Round == 0 && at.Revision == 0 {
		if slices.ContainsFunc(g.Vault.Stages.Revisions(), func(r vault.Revision) bool { return r.Turn == at.Turn && r.Revision == 1 && r.Aside != 0 }) {
			return nil, nil
		}
		at.Revision = 1
	}
	mails, err := g.Vault.Stages.Outbox(at)
	if err != nil {
		return nil, err
	}
	drawing, err := turn.Draw(g.Vault, at)
	if err != nil {
		return nil, err
	}
	d.Dress(drawing, g.Worker.Box, g.Vault.SharedSettings())
	messages := make([]store.OutboxMessage, 0, len(mails))
	for _, m := range mails {
		path := m.Path
		if !g.shared {
			if path, err = filepath.Abs(path); err != nil {
				return nil, fmt.Errorf("queue mails of %s: %w", g.Vault.ID(), err)
			}
		}
		message := store.OutboxMessage{
			Game: g.Key, Kind: store.Report, MessageID: m.MessageID, From: g.Worker.Box.Address, To: m.To, Path: path, QueuedAt: d.Clock.Now(),
		}
		if draw {
			if message.Bytes, err = d.DrawMail(drawing, m.Name, m.MessageID); err != nil { // the other mails are not to blame
				d.Log.Error("rendering a mail failed, will retry when sending", "message_id", m.MessageID, "err", err)
			}
		}
		messages = append(messages, message)
	}
	return messages, nil
}
