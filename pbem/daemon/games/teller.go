package games

import (
	"context"
	"fmt"
	"strings"
	"time"

	"starpost/engine/dice"
	"starpost/pbem/auth"
	"starpost/pbem/desk/effect"
	"starpost/pbem/outgoing"
	"starpost/pbem/report"
	"starpost/pbem/store"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
	"starpost/pbem/vault/journal"
	"starpost/templates"
)

// disputeWord identifies a step of a dispute in a Message-ID.
func disputeWord(g *Game, seq int) string { return entryWord(g, "dispute", seq) }

// entryWord identifies an entry of the journal in a Message-ID. It does not reveal the entry's
// number, which counts changes that not everyone may see.
func entryWord(g *Game, kind string, seq int) string {
	return fmt.Sprintf("%s-%x", kind, dice.DeriveKey(g.Vault.Secret(), kind, fmt.Sprint(seq))[:6])
}

// TellCaptain queues a notice to a captain, in the thread of a turn.
func (d *teller) TellCaptain(ctx context.Context, g *Game, n int, what string, c vault.Captain, subject string, text []string) error {
	return d.answerCaptain(ctx, g, n, what, c, subject, text, "")
}

// answerCaptain is TellCaptain, also in the thread of the mail with the given Message-ID; "" for
// none.
func (d *teller) answerCaptain(ctx context.Context, g *Game, n int, what string, c vault.Captain, subject string, text []string, to string) error {
	due, err := g.Vault.Due()
	if err != nil {
		return err
	}
	m, err := g.Worker.Desk.CaptainMail(g.Vault, c, vault.Stage{Turn: min(n, g.Vault.Turn())}, subject, d.Clock.Now(), templates.Notice{Kind: templates.Plain, Turn: due, Robot: g.Worker.Box.Address, Text: text})
	if err != nil {
		return err
	}
	m.MessageID = relatedMessageID(m.InReplyTo, what)
	if to != "" {
		m.InReplyTo, m.References = to, append(m.References, to)
	}
	return d.Queue(ctx, store.Notice, g.Key, nil, m)
}

// relatedMessageID derives a Message-ID from another one.
func relatedMessageID(id, what string) string {
	local, domain, _ := strings.Cut(strings.Trim(id, "<>"), "@")
	return fmt.Sprintf("<%s.%s@%s>", local, what, domain)
}

// Names of events in the store.
const (
	eventRules   = "rules"   // the game waits for its referee to accept a version of the rules; the subject is that version
	eventHalt    = "halt"    // the game waits for missing orders
	eventCouncil = "council" // a reminder to those whose orders are due before the others
	eventBroken  = "broken"  // the turn cannot be resolved
	eventBad     = "bad"     // an order file cannot be read; subject is its name
)

// recordEvent records an event and reports whether it is new.
func (d *teller) recordEvent(ctx context.Context, g *Game, turn int, name, subject, detail string) (bool, error) {
	return d.Store.RecordEvent(ctx, store.Event{
		Game: g.Key, Turn: turn, Name: name, Subject: subject, At: d.Clock.Now(), Detail: detail,
	})
}

// once calls do, for example to send a notice about a turn, unless the store has the given event.
// It then records the event.
func (d *teller) once(ctx context.Context, g *Game, turn int, name, subject, detail string, do func() error) error {
	if _, known, err := d.Store.Event(ctx, g.Key, turn, name, subject); err != nil || known {
		return err
	}
	if err := do(); err != nil {
		return err
	}
	_, err := d.recordEvent(ctx, g, turn, name, subject, detail)
	return err
}

// captainOwing is a captain and the ships for which orders are missing.
type captainOwing struct {
	captain vault.Captain
	ships   []string
}

// owing lists the captains with an address who owe orders and are not away. For a captain who is
// away, the stand-in is listed, if there is one.
func owing(g *Game, st *turnStatus) []captainOwing {
	var out []captainOwing
	for _, c := range g.Vault.Settings().Captains {
		if c.Address == "" {
			continue
		}
		one := captainOwing{captain: c}
		standIns := c.StandInsAt(st.status.Now)
		if len(standIns) > 0 {
			one.captain.Address = standIns[0]
		}
		for _, s := range st.missing {
			if s.Captain.Is(c.Name) && (st.back[s.Seat] == "" || len(standIns) > 0) {
				one.ships = append(one.ships, s.Name)
			}
		}
		if len(one.ships) > 0 {
			out = append(out, one)
		}
	}
	return out
}

// notice fills in the common parts of a game's notices.
func (d *teller) notice(g *Game, st *turnStatus, kind templates.NoticeKind, c captainOwing, deadline time.Time) (templates.Notice, error) {
	s := g.Vault.Settings()
	n := templates.Notice{
		Kind: kind, Game: s.ID, Title: s.Title, Turn: st.ready.Due, Ship: strings.Join(c.ships, ", "), Captain: string(c.captain.Name),
		Robot: g.Worker.Box.Address, Deadline: report.TimeFor(deadline, st.schedule.Zone, c.captain.Zone), Left: report.TimeLeft(d.Clock.Now(), deadline),
	}
	if s.Mail.ShowMissing {
		plain, err := st.pos.Shown(c.captain.Name)
		if err != nil {
			return templates.Notice{}, err
		}
		n.Missing = st.names(plain.Only(st.missing))
	}
	n.Text = []string{"Reply to this mail with an order set; your last report ends with one."}
	if !g.Worker.Box.Plus {
		n.Text[0] += " Leave the turn key on its #orders line."
	}
	return n, nil
}

// notify queues a notice to a captain, in the thread of the game. Game, turn, what and captain
// identify it.
func (d *teller) notify(ctx context.Context, g *Game, st *turnStatus, kind store.Kind, what string, c vault.Captain, subject string, n templates.Notice) error {
	m, err := g.Worker.Desk.CaptainMail(g.Vault, c, g.Vault.Newest(), "", d.Clock.Now(), n)
	if err != nil {
		return err
	}
	m.Subject, m.MessageID = subject, relatedMessageID(m.InReplyTo, what)
	m.ReplyTo = outgoing.Address{Name: m.From.Name, Addr: auth.WithKey(g.Worker.Box.Address, st.pos.Key(c.Name))}
	return d.Queue(ctx, kind, g.Key, nil, m)
}

// mailTrouble tells the referees about trouble.
func (d *teller) mailTrouble(ctx context.Context, g *Game, due int, what, reason, detail string) error {
	n := templates.Notice{Kind: templates.Trouble, Turn: due, Reason: reason}
	for line := range strings.Lines(detail) {
		if line = strings.TrimSpace(line); line != "" && len(n.Text) < 40 {
			n.Text = append(n.Text, line)
		}
	}
	return d.mailReferees(ctx, g, fmt.Sprintf("%d.%s", due, what), fmt.Sprintf("Turn %d: trouble", due), n)
}

// mailReferee queues a notice to one referee. what identifies it in its Message-ID.
func (d *teller) mailReferee(ctx context.Context, g *Game, r effect.RefereeContact, what, subject string, n templates.Notice) error {
	m, err := g.Worker.Desk.RefereeMail(g.Vault, r, subject, d.Clock.Now(), n)
	if err != nil {
		return err
	}
	if r.Key != "" {
		what += "." + effect.RefereeWord(r.Name)
	}
	m.MessageID = g.messageID(what)
	return d.Queue(ctx, store.Notice, g.Key, nil, m)
}

// mailReferees queues a notice to all referees of a game.
func (d *teller) mailReferees(ctx context.Context, g *Game, what, subject string, n templates.Notice) error {
	for _, r := range g.Worker.Desk.RefereeContacts(g.Vault) {
		if err := d.mailReferee(ctx, g, r, what, subject, n); err != nil {
			return err
		}
	}
	return nil
}

// mayKnow reports whether a captain may know of the captain in an entry. A captain whose ships have
// all yet to arrive is known only to their own side.
func (d *teller) mayKnow(g *Game, to vault.Captain, e journal.Entry) bool {
	if e.Captain == "" || e.Captain == to.Name {
		return true
	}
	pos, err := turn.Load(g.Vault)
	return err == nil && turn.Known(pos.State(), to.Name, e.Captain)
}

// eventTold records that captains were told of an entry of the journal. The subject is the number
// of the entry.
const eventTold = "told"
