package games

import (
	"context"
	"fmt"
	"strings"

	"starpost/pbem/desk/command"
	"starpost/pbem/desk/effect"
	"starpost/pbem/referee"
	"starpost/pbem/report"
	"starpost/pbem/store"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
	"starpost/pbem/vault/journal"
	"starpost/templates"
)

// eventKey records that a referee key was sent while a turn was due. The subject is
// effect.RefereeWord and the number of renewals.
const eventKey = "key"

// mailRefereeKeys sends each referee of a game their key, once for each due turn and each key.
func (d *teller) mailRefereeKeys(ctx context.Context, g *Game) error {
	for _, u := range g.Worker.Desk.RefereeContacts(g.Vault) {
		if u.Key == "" {
			continue
		}
		due := g.Vault.Turn() + 1
		word := fmt.Sprintf("%s-%d", effect.RefereeWord(u.Name), g.Vault.RefereeKeys(u.Name))
		again := 0 // how often the turn was taken back
		for _, r := range g.Vault.Stages.Revisions() {
			if r.Turn == due && r.Aside != 0 {
				again++
			}
		}
		if again > 0 {
			word += fmt.Sprintf("-b%d", again)
		}
		err := d.once(ctx, g, due, eventKey, word, u.Name, func() error {
			n, subject, err := d.turnOut(g, u, again > 0)
			if err != nil {
				return err
			}
			d.Log.Info("referee key sent", "game", g.Vault.ID(), "turn", due)
			return d.mailReferee(ctx, g, u, fmt.Sprintf("%d.key-%s", due, word), subject, n)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// turnOut returns the mail that tells a referee the state of the game, and carries the key.
func (d *teller) turnOut(g *Game, u effect.RefereeContact, again bool) (n templates.Notice, subject string, err error) {
	n = templates.Notice{Kind: templates.Plain, Turn: g.Vault.Turn()}
	due, err := g.Vault.Due()
	if err != nil {
		return n, "", err
	}
	if due == 0 {
		n.Text = []string{fmt.Sprintf("The game ended with turn %d. The reports are out.", g.Vault.Turn())}
		return n, "The game is over", nil
	}
	t, err := g.Vault.Timing()
	if err != nil {
		return n, "", err
	}
	subject = fmt.Sprintf("Turn %d is out, turn %d is due", due-1, due)
	n.Text = []string{fmt.Sprintf("The reports of turn %d are out. Orders for turn %d are due by %s.", due-1, due, report.FormatTime(t.Ends(), g.Vault.Zone()))}
	if due == 1 {
		subject = "The game begins"
		n.Text[0] = fmt.Sprintf("The first reports are out. Orders for turn 1 are due by %s.", report.FormatTime(t.Ends(), g.Vault.Zone()))
	}
	if again {
		subject = fmt.Sprintf("Turn %d is due again", due)
		n.Text[0] = fmt.Sprintf("Turn %d is due again, by %s.", due, report.FormatTime(t.Ends(), g.Vault.Zone()))
	}
	n.Text = append(n.Text, "To act on the game, reply with commands, one per line, such as #show. For a list, send #help.")
	st, err := g.Vault.AdminState()
	if err != nil {
		return n, "", err
	}
	pos, err := turn.Load(g.Vault)
	if err != nil {
		return n, "", err
	}
	for _, c := range g.Vault.Settings().Captains {
		if st.Become[c.Name] != u.Name {
			continue
		}
		n.Text = append(n.Text, fmt.Sprintf("You command %s. Use the order sets below as templates. For a report: #preview --as SHIP.", strings.Join(c.SetNames(), ", ")))
		sets, err := pos.Template(c.Name, false)
		if err != nil {
			return n, "", err
		}
		n.Example += sets
	}
	return n, subject, nil
}

// tellSeats tells the captains about referees' actions that concern seats or hidden facts and that
// they have not been told of yet.
func (d *teller) tellSeats(ctx context.Context, g *Game) error {
	entries, err := g.Vault.Journal.Entries()
	if err != nil {
		return err
	}
	for _, e := range entries {
		if e.Turn+1 < g.Vault.Turn() {
			continue // too old: a store that was rebuilt does not know who was told
		}
		if e.Kind == journal.Tell {
			if err := d.once(ctx, g, e.Turn, eventTold, fmt.Sprint(e.Seq), e.Kind, func() error { return d.tellOne(ctx, g, e) }); err != nil {
				return err
			}
			continue
		}
		if e.Kind == journal.Resign {
			if err := d.once(ctx, g, e.Turn, eventOffered, fmt.Sprint(e.Seq), e.Kind, func() error { return d.offerSeat(ctx, g, e) }); err != nil {
				return err
			}
		}
		text, subject := seatWords(e)
		if text == "" && e.Kind != journal.Invite {
			continue
		}
		err := d.once(ctx, g, e.Turn, eventTold, fmt.Sprint(e.Seq), e.Kind, func() error {
			d.Log.Info("captains notified of referee action", "game", g.Vault.ID(), "turn", e.Turn, "kind", e.Kind)
			return d.tellSeat(ctx, g, e, subject, text)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// tellOne mails a referee's private message to its captain.
func (d *teller) tellOne(ctx context.Context, g *Game, e journal.Entry) error {
	c, ok := g.Vault.Settings().Captain(e.Captain)
	if !ok || c.Address == "" {
		return nil
	}
	words := journal.DataOf[journal.TellData](e)
	d.Log.Info("captain notified by referee", "game", g.Vault.ID(), "turn", e.Turn)
	all, err := g.Vault.Journal.Entries()
	if err != nil {
		return err
	}
	asked := "" // the ID of its acknowledgement, which is in the thread of the captain's question
	if q := command.LastAsked(all, c.Name, e.Time); q != nil {
		asked = g.Worker.Desk.AnswerID(*q)
	}
	return d.answerCaptain(ctx, g, min(e.Turn, g.Vault.Turn()), entryWord(g, "tell", e.Seq), c, "A word from the referee", []string{
		report.UpperFirst(vault.Who(e.By)) + " tells you alone:", words.Text,
	}, asked)
}

// seatWords describes an entry for all captains; "" if it is not about seats, or the captain caused
// it.
func seatWords(e journal.Entry) (text, subject string) {
	captain, why := string(e.Captain), ""
	if e.Why != "" {
		why = ": " + strings.TrimSuffix(e.Why, ".")
	}
	switch e.Kind {
	case journal.Resign:
		if strings.EqualFold(e.By, captain) || e.By == referee.ByDaemon { // the latter when the game begins
			return "", ""
		}
		if e.By == referee.ByMissed {
			return fmt.Sprintf("By the %s, captain %s has lost the command%s. A robot plays the seat until someone joins; anyone may.", e.By, captain, why), captain + " has lost the command"
		}
		return fmt.Sprintf("The referee %s has relieved captain %s%s. A robot plays the seat until someone takes it.", e.By, captain, why), captain + " has lost the command"
	case journal.Replace:
		return fmt.Sprintf("The referee %s has given captain %s's seat to someone else%s.", e.By, captain, why), captain + " has a new captain"
	case journal.Become:
		return fmt.Sprintf("The referee %s also commands captain %s's ships%s.", e.By, captain, why), "The referee also commands for " + captain
	case journal.GiveBack:
		return fmt.Sprintf("The referee %s no longer commands captain %s's ships%s.", e.By, captain, why), "The referee no longer commands for " + captain
	case journal.Referee:
		d := journal.DataOf[journal.RefereeData](e)
		return fmt.Sprintf("%s is now a referee of the game%s.", d.Name, why), "The game has another referee"
	case journal.Looked:
		d := journal.DataOf[journal.LookedData](e)
		return fmt.Sprintf("The referee %s, who also plays, has used a command that may show facts hidden from that side: %s, turn %d.", e.By, d.What, d.At), "The referee has looked at hidden facts"
	}
	return "", ""
}

// tellSeat tells all captains about an entry, and the people that it concerns what they need to
// know.
func (d *teller) tellSeat(ctx context.Context, g *Game, e journal.Entry, subject, text string) error {
	s := g.Vault.Settings()
	if e.Kind == journal.Invite {
		return d.invite(ctx, g, e)
	}
	what := disputeWord(g, e.Seq)
	n := min(e.Turn, g.Vault.Turn())
	for _, c := range s.Captains {
		if c.Address == "" || !d.mayKnow(g, c, e) {
			continue
		}
		words := []string{text}
		if e.Kind == journal.Replace && c.Name == e.Captain {
			if err := d.welcome(ctx, g, e, c); err != nil {
				return err
			}
			continue
		}
		if err := d.TellCaptain(ctx, g, n, what, c, subject, words); err != nil {
			return err
		}
	}
	return d.tellLeaver(ctx, g, e, subject, text)
}

// tellLeaver tells the person from whom a referee took a seat.
func (d *teller) tellLeaver(ctx context.Context, g *Game, e journal.Entry, subject, text string) error {
	old := ""
	switch e.Kind {
	case journal.Resign:
		r := journal.DataOf[journal.ResignData](e)
		old = r.Address
	case journal.Replace:
		r := journal.DataOf[journal.ReplaceData](e)
		old = r.Old
	}
	if old == "" {
		return nil
	}
	m, err := g.Worker.Desk.CaptainMail(g.Vault, vault.Captain{Name: e.Captain, Address: old}, vault.Stage{Turn: min(e.Turn, g.Vault.Turn())}, subject, d.Clock.Now(), templates.Notice{
		Kind: templates.Plain, Robot: g.Worker.Box.Address, Gone: true,
		Text: []string{text, "This address gets no more mails about the game. For the reason, ask the referee."},
	})
	if err != nil {
		return err
	}
	m.MessageID = relatedMessageID(m.InReplyTo, disputeWord(g, e.Seq)+"-left")
	return d.Queue(ctx, store.Notice, g.Key, nil, m)
}

// welcome sends the last report to the new holder of a seat.
func (d *teller) welcome(ctx context.Context, g *Game, e journal.Entry, c vault.Captain) error {
	m, err := g.Worker.Desk.ReportMail(g.Vault, turn.Repeat{
		Turn: g.Vault.Newest().Turn, Round: g.Vault.Newest().Round, Captain: c, Changes: g.Vault.Changes(c.Name),
		ID: g.messageID(disputeWord(g, e.Seq) + "-welcome"), Now: d.Clock.Now(),
	})
	if err != nil {
		return err
	}
	return d.Queue(ctx, store.Notice, g.Key, nil, m)
}

// invite mails an invitation to take a seat.
func (d *teller) invite(ctx context.Context, g *Game, e journal.Entry) error {
	data := journal.DataOf[journal.JoinData](e)
	m, err := command.Invitation(&g.Worker.Desk.Robot, g.Vault, e.Captain, data.Address, e.By, e.Time)
	if err != nil {
		return err
	}
	if _, err := d.Store.RecordAnswer(ctx, effect.ToAddress(data.Address), effect.KindConfirm, m.MessageID, d.Clock.Now()); err != nil {
		return err
	}
	return d.Queue(ctx, store.Notice, g.Key, nil, m)
}
