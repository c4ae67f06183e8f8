package intake

import (
	"context"
	"fmt"
	"strings"
	"time"

	"starpost/pbem/auth"
	"starpost/pbem/daemon/games"
	"starpost/pbem/desk/effect"
	"starpost/pbem/fault"
	"starpost/pbem/mime"
	"starpost/pbem/outgoing"
	"starpost/pbem/store"
	"starpost/pbem/vault"
	"starpost/templates"
)

// handleBounce handles a mail server's report that a mail of ours did not arrive. Anyone can write
// such a report, so it counts only if the mail is known to have been sent. It is never answered.
func (s *Intake) handleBounce(ctx context.Context, m store.Mail, b mime.Bounce) error {
	log := s.log.With("sha256", m.SHA256, "message_id", b.MessageID, "status", b.Status)
	sent, known, err := s.sentMessage(ctx, b.MessageID)
	if err != nil {
		return err
	}
	if !known {
		log.Info("ignored bounce for unknown Message-ID")
		return nil
	}
	if b.Action == mime.BounceDelayed {
		log.Info("mail delayed", "kind", sent.Kind, "reason", b.Diagnostic)
	}
	note := store.Bounce{
		Cause: m.SHA256, MessageID: sent.MessageID, Address: sent.To, At: m.ReceivedAt,
		Permanent: b.Action == mime.BounceFailed, Status: b.Status, Diagnostic: b.Diagnostic,
	}
	if err := s.Before("bounce"); err != nil {
		return err
	}
	words := strings.TrimSpace(b.Status + " " + b.Diagnostic)
	ofSender := note.Permanent && outgoing.Classify("", 0, words) == outgoing.RefusedSender
	if ofSender {
		note.Permanent = false // the address is not to blame
		if err := s.Store.MarkReturned(ctx, sent.ID, words); err != nil {
			return err
		}
	}
	if _, err := s.Store.RecordBounce(ctx, note); err != nil || !note.Permanent && !ofSender {
		return err
	}
	log.Warn("mail bounced", "kind", sent.Kind, "reason", b.Diagnostic)
	if err := s.tellAsker(ctx, sent, strings.TrimSpace(b.Status+" "+b.Diagnostic)); err != nil {
		return err
	}
	return s.tellBounce(ctx, sent, note, ofSender && sent.Path != "")
}

// sentMessage finds a sent mail by a Message-ID in an incoming mail.
func (s *Intake) sentMessage(ctx context.Context, id string) (store.OutboxMessage, bool, error) {
	id = strings.Trim(id, "<>")
	if id == "" {
		return store.OutboxMessage{}, false, nil
	}
	sent, known, err := s.Store.Message(ctx, "<"+id+">")
	return sent, known && sent.To != "", err
}

// gameOf returns the game that a mail belongs to, taken; nil if there is none, or if it is no
// longer served.
func (s *Intake) gameOf(l store.OutboxMessage) (*games.Game, error) {
	g := s.keeper.Games.WithKey(l.Game)
	if g == nil {
		return nil, nil //nolint:nilnil // none is no error
	}
	return g, s.take(g)
}

// bounceSubject tells the referee what a mail to an address was about.
func (s *Intake) bounceSubject(l store.OutboxMessage) (string, error) {
	g, err := s.gameOf(l)
	if err != nil || g == nil {
		return "", err
	}
	switch asked, ok := effect.QuestionOf(g.Vault, l.MessageID, l.To); {
	case ok && asked.Moves:
		return fmt.Sprintf("It asked whether mails for captain %s of game %s should go there from now on. Nothing has changed, and the captain is notified at the old address.", asked.Captain.Name, g.ID), nil
	case ok:
		return fmt.Sprintf("It offered the seat of captain %s of game %s, which stays free.", asked.Captain.Name, g.ID), nil
	}
	return fmt.Sprintf("It is about game %s.", g.ID), nil
}

// tellAsker tells a captain that the request to confirm a new address could not be delivered there,
// and why. s.keeper.Mu is held.
func (s *Intake) tellAsker(ctx context.Context, l store.OutboxMessage, why string) error {
	g, err := s.gameOf(l)
	if err != nil || g == nil {
		return err
	}
	asked, ok := effect.QuestionOf(g.Vault, l.MessageID, l.To)
	if !ok || !asked.Moves {
		return nil
	}
	return s.keeper.Steps.TellCaptain(ctx, g, g.Vault.Turn(), "unheard-"+vault.Hash([]byte(l.MessageID))[:16], asked.Captain, "Your new address cannot be reached", []string{
		fmt.Sprintf("You asked for the game's mails to go to %s. The mail to confirm this could not be delivered: %s", l.To, why),
		"Nothing has changed: the game's mails still come here. If the address was misspelt, send the command address again.",
	})
}

// tellBounce tells the referee that mails to an address are lost: once a day for each address, and
// once more when the address counts as failing. s.keeper.Mu is held.
func (s *Intake) tellBounce(ctx context.Context, l store.OutboxMessage, b store.Bounce, again bool) error {
	if of := s.Config.For(s.Box).Referee; of == "" || strings.EqualFold(l.To, of) {
		return nil
	}
	all, _, err := s.Store.Bounces(ctx, l.To)
	if err != nil {
		return err
	}
	n := templates.Notice{
		Kind:   templates.Trouble,
		Reason: fmt.Sprintf("A mail (%s) to %s could not be delivered.", l.Kind, l.To),
		Text:   []string{strings.TrimSpace(b.Status + " " + b.Diagnostic), "Its Message-ID is " + l.MessageID + "."},
	}
	about, err := s.bounceSubject(l)
	if err != nil {
		return err
	}
	if about != "" {
		n.Text = append(n.Text, about)
	}
	if who := s.captainsAt(l.To); len(who) > 0 {
		n.Text = append(n.Text, "The address belongs to "+strings.Join(who, ", ")+".")
	}
	what, subject := "bounce", "A mail to "+l.To+" could not be delivered"
	if again {
		n.Text = append(n.Text, "Once the address works, send the mail again with starpost doctor --resend.")
	}
	if all.Mails >= store.FailingAfter {
		what, subject = "failing", "Mails to "+l.To+" could not be delivered: the address fails"
		n.Text = append(n.Text, fmt.Sprintf("%d mails have come back since the last mail from this address. The robot keeps sending to it, and turns run by their deadlines. "+
			"Ask the captain by other means for a working address and put it into game.toml, or find someone else for the ship.", all.Mails))
	} else {
		n.Text = append(n.Text, "You hear about this address at most once a day. For the count, see starpost doctor.")
	}
	word := fmt.Sprintf("%s.%s.%s", what, vault.Hash([]byte(auth.Canonical(l.To)))[:16], b.At.UTC().Format(time.DateOnly))
	return s.MailReferee(ctx, s.Box, l.Game, word, subject, n)
}

// captainsAt describes the captains with an address, for the referee.
func (s *Intake) captainsAt(address string) []string {
	var out []string
	for _, settings := range s.keeper.Games.Settings() {
		for _, c := range settings.Captains {
			if auth.HasAddress(c.Addresses(), address) {
				out = append(out, fmt.Sprintf("captain %s of game %s", c.Name, settings.ID))
			}
		}
	}
	return out
}

// RecordRefusal records that the server permanently refused a mail, and tells the referee.
func (s *Intake) RecordRefusal(ctx context.Context, l store.OutboxMessage, attempt int, cause error) error {
	words := cause.Error()
	if hint := fault.Hint(cause); hint != "" {
		words += " (" + hint + ")"
	}
	s.keeper.Mu.Lock()
	defer s.keeper.Mu.Unlock()
	defer s.giveBack()
	if err := s.Before("bounce"); err != nil {
		return err
	}
	b := store.Bounce{
		Cause: fmt.Sprintf("refused at try %d", attempt), MessageID: l.MessageID, Address: l.To, At: s.Clock.Now(), Permanent: true, Diagnostic: words,
	}
	if _, err := s.Store.RecordBounce(ctx, b); err != nil {
		return err
	}
	if err := s.tellAsker(ctx, l, cause.Error()); err != nil {
		return err
	}
	return s.tellBounce(ctx, l, b, true)
}
