package submission

import (
	"fmt"
	"slices"
	"strings"

	"starpost/engine"
	"starpost/pbem/desk/effect"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
	"starpost/pbem/vault/journal"
	"starpost/templates"
)

// TellAboard mails others on a ship what the rules let them know at once about a set stored for the
// due turn, if it is new or changed, and that it no longer counts if it is dropped. It also tells
// others who may give orders for the same post that the set came. n identifies the set within the
// mail.
func (c *Submissions) TellAboard(s *Set, n int) error {
	rules, seat := s.Game.Rules(), s.Read.Seat()
	ship, ok := s.Pos.State().Ship(seat.Ship)
	if !ok || len(rules.Posts()) == 0 || turn.StageOf(s.Read) != s.Pos.DueStage() {
		return nil
	}
	settings := s.Game.Settings()
	if seat.Post != "" && !s.Cancel {
		if err := c.tellPartners(s, n); err != nil {
			return err
		}
	}
	if rules.Tell == nil {
		return nil
	}
	st, err := s.Game.AdminState()
	if err != nil {
		return err
	}
	name := engine.OrderSetName(ship.Name, seat.Post)
	var before []journal.ToldWord
	if told := st.Told[strings.ToLower(name)]; told.Stage == (vault.Stage{Turn: s.Read.Turn, Round: max(1, s.Read.Round)}) {
		before = told.Words
	}
	var now []engine.Word
	if !s.Cancel {
		now = rules.Tell(s.Read.View, seat, s.Read.Block)
	}
	knows := make([]journal.ToldWord, len(now))
	for i, w := range now {
		knows[i] = journal.ToldWord{Posts: w.Posts, Title: w.Title, Lines: vault.Hash([]byte(strings.Join(w.Lines, "\n")))}
	}
	same := func(a, b journal.ToldWord) bool {
		return a.Title == b.Title && a.Lines == b.Lines && slices.Equal(a.Posts, b.Posts)
	}
	if slices.EqualFunc(before, knows, same) {
		return nil
	}
	mark := 0
	tell := func(posts []string, title string, lines ...string) error {
		mark++
		var told []engine.CaptainName // one captain may hold several of the posts
		for _, post := range posts {
			holder := ship.Holder(post)
			to, ok := settings.Captain(holder)
			if !ok || to.Address == "" || holder == s.Captain.Name || slices.Contains(told, holder) {
				continue
			}
			told = append(told, holder)
			if err := c.toldAboard(s, to, fmt.Sprintf("%d.%d", n, mark), fmt.Sprintf("%s, %s: %s", ship.Name, turn.StageOf(s.Read), title), lines); err != nil {
				return err
			}
		}
		return nil
	}
	for i, w := range now {
		first, was := "About the orders for %s for %s, as they stand now:", findWord(before, knows[i])
		if was >= 0 && same(before[was], knows[i]) {
			continue
		}
		if was >= 0 {
			first = "The orders for %s for %s have changed. Instead of what you were told, now:"
		}
		if err := tell(w.Posts, w.Title, append([]string{fmt.Sprintf(first, name, turn.StageOf(s.Read))}, w.Lines...)...); err != nil {
			return err
		}
	}
	for _, w := range before {
		if findWord(knows, w) >= 0 {
			continue
		}
		why := "they no longer say so."
		if s.Cancel {
			why = "they were cancelled, and none are in force now."
		}
		if err := tell(w.Posts, w.Title+" withdrawn", fmt.Sprintf("What you were told of the orders for %s for %s no longer counts: %s", name, turn.StageOf(s.Read), why)); err != nil {
			return err
		}
	}
	e := journal.NewEntry(journal.Told, string(s.Captain.Name), c.In.Received, journal.ToldData{Set: name, Words: knows})
	e.Captain, e.Turn, e.Round, e.Cause = s.Captain.Name, s.Read.Turn, s.Read.Round, fmt.Sprintf("%s#told.%d", c.In.SHA256, n)
	c.Steps = append(c.Steps, effect.NoteStep{Game: s.Game, Entries: []journal.Entry{e}})
	return nil
}

// findWord returns the index of an earlier notice to the same posts about the same thing; -1 for
// none.
func findWord(words []journal.ToldWord, w journal.ToldWord) int {
	return slices.IndexFunc(words, func(o journal.ToldWord) bool { return o.Title == w.Title && slices.Equal(o.Posts, w.Posts) })
}

// tellPartners tells the other addresses that may send orders for a post that a set came from one
// of them: the last good set counts.
func (c *Submissions) tellPartners(s *Set, n int) error {
	var rest []string
	for _, a := range s.Captain.AddressesAt(c.In.Received) {
		if !strings.EqualFold(a, c.To) {
			rest = append(rest, a)
		}
	}
	for i, address := range rest {
		to := s.Captain
		to.Address = address
		text := []string{fmt.Sprintf("Orders for %s for %s came from another address of this seat. They are now in force and replace earlier ones; a new set from either address replaces them.", s.Name(), turn.StageOf(s.Read))}
		if err := c.toldAboard(s, to, fmt.Sprintf("%d.p%d", n, i+1), fmt.Sprintf("Orders for %s came from another address", s.Name()), text); err != nil {
			return err
		}
	}
	return nil
}

// toldAboard adds a mail to an officer of a set's ship.
func (c *Submissions) toldAboard(s *Set, to vault.Captain, mark, subject string, text []string) error {
	m, err := c.Robot.CaptainMail(s.Game, to, s.Game.Newest(), subject, c.In.Received, templates.Notice{Kind: templates.Plain, Turn: s.Pos.Due(), Text: text})
	if err != nil {
		return err
	}
	_, domain, _ := strings.Cut(c.Robot.Address, "@")
	m.MessageID = fmt.Sprintf("<%s.%s.s%s.%s@%s>", effect.KindTold, c.In.SHA256[:min(32, len(c.In.SHA256))], mark, effect.CaptainWord(s.Game.Settings(), to.Name), domain)
	c.Mails = append(c.Mails, effect.Outgoing{Kind: effect.KindTold, Game: s.Game.ID(), Message: m})
	return nil
}
