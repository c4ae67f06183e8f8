package chain

import (
	"slices"
	"strings"
	"time"

	"starpost/pbem/vault"
	"starpost/pbem/vault/journal"
)

// Message is a message of a captain to others through the robot.
type Message struct {
	At       time.Time
	Turn     int // the due turn
	From, To string
	Text     string // in lines, without mail addresses
}

// Press returns the published messages between captains: none before the game is over, and then those that
// were sent on the notice that they would be published, if the settings still say so. Questions to a
// referee are never included.
func Press(g *vault.Game) (out []Message, err error) {
	s := g.Settings()
	due, err := g.Due()
	if err != nil || due > 0 || s.Mail.Press == "" {
		return nil, err
	}
	all, err := g.Journal.Entries()
	if err != nil {
		return nil, err
	}
	for _, e := range all {
		if e.Kind != journal.Message {
			continue
		}
		d := journal.DataOf[journal.MessageData](e)
		to := whom(s, d)
		if !d.Press || len(d.Captains) == 0 || s.Mail.Press == vault.PressOpen && to != allCaptains {
			continue
		}
		out = append(out, Message{At: e.Time, Turn: e.Turn, From: titled(s, string(e.Captain)), To: to, Text: Mask(d.Text)})
	}
	return out, nil
}

const allCaptains = "all captains"

// whom names the recipients of a message.
func whom(s vault.Settings, d journal.MessageData) string {
	if slices.ContainsFunc(strings.Split(d.To, ","), func(name string) bool { return strings.EqualFold(strings.TrimSpace(name), "all") }) {
		return allCaptains
	}
	names := make([]string, len(d.Captains))
	for i, name := range d.Captains {
		names[i] = titled(s, string(name))
	}
	return strings.Join(names, ", ")
}

// titled returns a captain with their ships: "Kor (Riskadh)".
func titled(s vault.Settings, name string) string {
	for _, c := range s.Captains {
		if seats := strings.Join(c.SetNames(), ", "); string(c.Name) == name && seats != name && seats != "" {
			return name + " (" + seats + ")"
		}
	}
	return name
}
