package command

import (
	"fmt"
	"slices"
	"strings"

	"starpost/pbem/desk/effect"
	"starpost/pbem/vault"
	"starpost/pbem/vault/journal"
)

// Messages of a game that answer each other form one thread in every mail program, although each captain gets separate
// mails: the journal records which message answers which, and the Message-IDs are derived from it.

// maxThread limits how many messages of a thread a mail references.
const maxThread = 10

// MessageAnswered returns the message to a captain that the mail answers, by its references; nil for none.
func (c *Task) MessageAnswered(g *vault.Game, captain vault.Captain) (*journal.Entry, error) {
	m := &c.In.Mail
	_, domain, _ := strings.Cut(c.Robot.Address, "@")
	word := effect.CaptainWord(g.Settings(), captain.Name)
	var ids [][]string
	for _, id := range append([]string{m.InReplyTo}, m.References...) {
		local, at, _ := strings.Cut(id, "@")
		if words := strings.Split(local, "."); len(words) == 4 && words[0] == effect.KindMessage && len(words[1]) == effect.AnswerNameBytes && words[3] == word && strings.EqualFold(at, domain) {
			ids = append(ids, words)
		}
	}
	if len(ids) == 0 {
		return nil, nil
	}
	entries, err := g.Journal.Entries()
	if err != nil {
		return nil, err
	}
	for _, words := range ids {
		for _, e := range slices.Backward(entries) {
			sha, n, _ := strings.Cut(e.Cause, "#")
			if e.Kind == journal.Message && strings.HasPrefix(sha, words[1]) && n == words[2] && slices.Contains(journal.DataOf[journal.MessageData](e).Captains, captain.Name) {
				return &e, nil
			}
		}
	}
	return nil, nil
}

// thread returns the messages that the command's message answers, oldest first.
func (c *Task) thread(d *Result) ([]journal.Entry, error) {
	last, err := c.MessageAnswered(d.Game, d.Captain)
	if last == nil || err != nil {
		return nil, err
	}
	entries, err := d.Game.Journal.Entries()
	if err != nil {
		return nil, err
	}
	out := []journal.Entry{*last}
	for answers := journal.DataOf[journal.MessageData](*last).Answers; answers != "" && len(out) < maxThread; {
		i := slices.IndexFunc(entries, func(e journal.Entry) bool { return e.Kind == journal.Message && e.Cause == answers })
		if i < 0 {
			break
		}
		out = append(out, entries[i])
		answers = journal.DataOf[journal.MessageData](entries[i]).Answers
	}
	slices.Reverse(out)
	return out, nil
}

// messageID returns the Message-ID of the mail in which a captain has a message of the journal: the forwarded message, or
// for the captain's own message its acknowledgement.
func (c *Task) messageID(s vault.Settings, e journal.Entry, to vault.Captain) string {
	if e.Captain == to.Name {
		return c.Robot.AnswerID(e)
	}
	_, domain, _ := strings.Cut(c.Robot.Address, "@")
	_, n, _ := strings.Cut(e.Cause, "#")
	return fmt.Sprintf("<%s.%s.%s.%s@%s>", effect.KindMessage, effect.AnswerName(e.Cause), n, effect.CaptainWord(s, to.Name), domain)
}
