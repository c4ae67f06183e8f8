package effect

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"starpost/pbem/auth"
	"starpost/pbem/outgoing"
	"starpost/pbem/referee"
	"starpost/pbem/vault"
	"starpost/templates"
)

// keyLine returns the sentence that tells a referee their key.
func keyLine(key string, noPlus bool) string {
	if noPlus {
		return fmt.Sprintf("Your key as referee, until the next turn: add key %s to each command.", key)
	}
	return fmt.Sprintf("Your key as referee, until the next turn: key %s. A reply to this mail carries it in its address.", key)
}

// RefereeWord returns the name of a referee in a Message-ID.
func RefereeWord(name string) string { return "r" + vault.Hash([]byte(strings.ToLower(name)))[:10] }

// RefereeContact is an address that gets the referees' mails about a game.
type RefereeContact struct {
	vault.Referee        // without a name: the address in the configuration, which has no rights
	Key           string // "" for that address
}

// RefereeContacts returns the addresses that get mails about a game: those of its referees, and the
// one in the configuration.
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

// RefereeMail returns a mail to a contact with the words of a notice, and the referee's key if
// there is one. The caller sets the Message-ID.
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
