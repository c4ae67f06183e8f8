package desk

import (
	"fmt"
	"slices"
	"strings"

	"starpost/engine"
	"starpost/pbem/vault"
	"starpost/templates"
)

// tellAboard mails others on a ship what the rules have them know at once of a set that is
// stored for the turn that is due, and who else may write for its post that it came.
func (c *Decision) tellAboard(s *orderResult, n int) error {
	rules, seat := s.game.Rules(), s.set.Seat()
	ship, ok := s.pos.State().Ship(seat.Ship)
	if !ok || len(rules.Posts()) == 0 || s.set.Stage() != s.pos.DueStage() {
		return nil
	}
	settings := s.game.Settings()
	if seat.Post != "" && !s.cancel {
		if err := c.tellPartners(s, n); err != nil {
			return err
		}
	}
	if rules.Tell == nil || s.cancel {
		return nil
	}
	for i, w := range rules.Tell(s.set.View, seat, s.set.Block) {
		var told []string // one may man several of the posts
		for _, post := range w.Posts {
			name := ship.Holder(post)
			to, ok := settings.Captain(name)
			if !ok || to.Address == "" || name == s.captain.Name || slices.Contains(told, name) {
				continue
			}
			told = append(told, name)
			text := append([]string{fmt.Sprintf("Of the orders for %s for %s, as they stand now:", engine.OrderSetName(ship.Name, seat.Post), s.set.Stage())}, w.Lines...)
			if err := c.toldAboard(s, to, fmt.Sprintf("%d.%d", n, i+1), fmt.Sprintf("%s, %s: %s", ship.Name, s.set.Stage(), w.Title), text); err != nil {
				return err
			}
		}
	}
	return nil
}

// tellPartners tells the other addresses from which orders for a post may come that a set came
// from one of them: the last good set counts.
func (c *Decision) tellPartners(s *orderResult, n int) error {
	var rest []string
	for _, a := range s.captain.Addresses() {
		if !strings.EqualFold(a, c.to) {
			rest = append(rest, a)
		}
	}
	for i, address := range rest {
		to := s.captain
		to.Address = address
		text := []string{fmt.Sprintf("Orders for %s for %s came from another address of this seat. They are in force now, in place of any that came before; a new set, from either address, replaces them.", s.name(), s.set.Stage())}
		if err := c.toldAboard(s, to, fmt.Sprintf("%d.p%d", n, i+1), fmt.Sprintf("Orders for %s came from another address", s.name()), text); err != nil {
			return err
		}
	}
	return nil
}

// toldAboard adds a mail to an officer of the ship of a set.
func (c *Decision) toldAboard(s *orderResult, to vault.Captain, mark, subject string, text []string) error {
	m, err := c.desk.CaptainMail(s.game, to, s.game.Newest(), subject, c.in.Received, templates.Notice{Kind: templates.Plain, Turn: s.pos.Due(), Text: text})
	if err != nil {
		return err
	}
	_, domain, _ := strings.Cut(c.desk.Address, "@")
	m.MessageID = fmt.Sprintf("<%s.%s.s%s.%s@%s>", KindTold, c.in.SHA256[:min(32, len(c.in.SHA256))], mark, captainWord(s.game.Settings(), to.Name), domain)
	c.Mails = append(c.Mails, Outgoing{Kind: KindTold, Game: s.game.ID(), Message: m})
	return nil
}
