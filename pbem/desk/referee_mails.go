package desk

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"starpost/engine"
	"starpost/pbem/auth"
	"starpost/pbem/outgoing"
	"starpost/pbem/referee"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
	"starpost/templates"
)

// keyLine is the sentence that brings a referee his key.
func keyLine(key string, noPlus bool) string {
	if noPlus {
		return fmt.Sprintf("Your key as referee, until the next turn: write key %s behind each command.", key)
	}
	return fmt.Sprintf("Your key as referee, until the next turn: key %s. An answer to this mail carries it in its address.", key)
}

// RefereeWord names a referee in a Message-ID.
func RefereeWord(name string) string { return "r" + vault.Hash([]byte(strings.ToLower(name)))[:10] }

// RefereeContact is an address that gets the referees' mails about a game.
type RefereeContact struct {
	vault.Referee        // without a name: the address of the configuration, which has no rights
	Key           string // "" for that address
}

// RefereeContacts are the addresses that get mails about a game: its referees, and the
// one of the configuration.
func (d *Robot) RefereeContacts(g *vault.Game) []RefereeContact {
	var out []RefereeContact
	for _, r := range g.Settings().Referees {
		out = append(out, RefereeContact{r, referee.Key(g, g.Turn()+1, r.Name)})
	}
	if d.Referee != "" && !slices.ContainsFunc(out, func(r RefereeContact) bool { return auth.SameAddress(r.Address, d.Referee) }) {
		out = append(out, RefereeContact{Referee: vault.Referee{Address: d.Referee}})
	}
	return out
}

// RefereeMail is a mail to one of them with the words of a notice, and his key if he has
// one. The Message-ID is left to the caller.
func (d *Robot) RefereeMail(g *vault.Game, r RefereeContact, subject string, at time.Time, n templates.Notice) (outgoing.Message, error) {
	s := g.Settings()
	m := d.mail(s, outgoing.Address{Name: r.Name, Addr: r.Address}, subject, at)
	n.Game, n.Title, n.Captain, n.Referee = s.ID, s.Title, "Referee", true
	if r.Key != "" {
		n.Captain, n.Text = r.Name, append(slices.Clone(n.Text), keyLine(r.Key, d.NoPlus))
		if !d.NoPlus {
			m.ReplyTo = outgoing.Address{Name: m.From.Name, Addr: auth.WithKey(d.Address, r.Key)}
		}
	}
	var err error
	m.Text, err = d.Templates.NoticeText(n)
	return m, err
}

// tellReferee mails the referees of the command's game, and the address of the
// configuration.
func (c *task) tellReferee(d *commandResult, subject string, text ...string) error {
	n := templates.Notice{Kind: templates.Plain, Turn: d.pos.Due(), Text: text}
	if d.cmd.Verb.Name == "protest" {
		n.Words = d.cmd.Text
	}
	for _, r := range c.robot.RefereeContacts(d.game) {
		m, err := c.robot.RefereeMail(d.game, r, subject, c.in.Received, n)
		if err != nil {
			return err
		}
		word := "referee"
		if r.Key != "" {
			word = RefereeWord(r.Name)
		}
		m.MessageID = c.id(KindTold, d, word)
		c.Mails = append(c.Mails, Outgoing{Kind: KindTold, Game: d.game.ID(), Message: m})
	}
	return nil
}

// Invitation is the mail that asks an address, for a referee, whether it takes a
// vacant seat of a game; at is when he asked for it.
func Invitation(r *Robot, g *vault.Game, captain engine.CaptainName, address, by string, at time.Time) (outgoing.Message, error) {
	pos, err := turn.Load(g)
	if err != nil {
		return outgoing.Message{}, err
	}
	of, _ := g.Settings().Captain(captain)
	who := &commandResult{game: g, pos: pos, captain: of}
	s, host := g.SharedSettings(), "The referee "+by
	if maker := slices.IndexFunc(s.Captains, func(o vault.Captain) bool { return o.Address != "" }); by == referee.ByDaemon && maker >= 0 { // he asked for it when he had the game made
		host = who.inviter(s.Captains[maker], "who had the game made")
	}
	text, err := who.offered(r, fmt.Sprintf("%s invites you to take the seat of %s in %s.", host, who.titled(), s.Title))
	if err != nil {
		return outgoing.Message{}, err
	}
	return r.ask(who.query("Invitation to "+s.Title, auth.Claim{Kind: claimInvite, Game: g.ID(), Captain: of.Name, Changes: g.Changes(of.Name), Address: address}), at.UTC(), text...)
}
