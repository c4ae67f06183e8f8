package desk

import (
	"fmt"
	"slices"
	"strings"

	"starpost/engine"
	"starpost/orders"
	"starpost/pbem/auth"
	"starpost/pbem/desk/blocks"
	"starpost/pbem/desk/codes"
	"starpost/pbem/desk/command"
	"starpost/pbem/pattern"
	"starpost/pbem/vault/journal"
)

// A captain's own words can show what he meant although nothing in his mail says it
// as it must be said: orders without the line that begins them, or an answer to
// what another captain wrote to him.

// meant looks for that in a mail that has neither a command nor an order set of its
// own, and says what is missing.
func (c *Decision) meant(seats []seat) ([]orders.Diagnostic, error) {
	if len(c.commands) > 0 || len(c.strays) > 0 || c.body.Source != c.in.Mail.Text || slices.ContainsFunc(c.orderResults, func(s orderResult) bool { return !s.echo }) {
		return nil, nil
	}
	own := c.body.OwnWords()
	if len(own) == 0 {
		return nil, nil
	}
	if len(c.orderResults) == 0 {
		if d, ok, err := c.toCaptainOnly(seats, own); ok || err != nil {
			return d, err
		}
	}
	return c.headless(seats, own)
}

// dueSeat is the seat that orders without a first line are probably for: the one
// whose key is in the address that was written to, else the first with a turn due.
func (c *mailIn) dueSeat(seats []seat) (seat, openGame, error) {
	var found seat
	var at openGame
	for _, s := range seats {
		t, err := c.opened(s.game)
		if err != nil {
			return found, at, err
		}
		if t.pos.Due() == 0 {
			continue
		}
		if at.game == nil {
			found, at = s, t
		}
		if c.plus != "" && auth.EqualKeys(c.plus, t.pos.Key(s.captain.Name)) {
			return s, t, nil
		}
	}
	return found, at, nil
}

// unsent is what a captain wrote to another, as it must be written.
type unsent struct {
	to    string // as a message names him
	lines string
}

// messageFrom is the subject of a message that was sent on.
var messageFrom = pattern.New(`\[([A-Za-z0-9-]{1,40})\] Message from ([^()]{1,200})`)

// toCaptainOnly finds out whether the mail answers a message of another captain;
// its words are not passed on unchanged.
func (c *Decision) toCaptainOnly(seats []seat, own []blocks.Line) ([]orders.Diagnostic, bool, error) {
	seat, who, err := c.answered(seats)
	if err != nil || who == "" {
		return nil, false, err
	}
	t, err := c.opened(seat.game)
	if err != nil {
		return nil, false, err
	}
	d := &commandResult{cmd: &command.Command{}, game: t.game, pos: t.pos, captain: seat.captain}
	other, ok := t.game.Settings().Captain(who)
	if !ok || !d.known(seat.captain, other) {
		return nil, false, nil
	}
	back := (&commandResult{game: t.game, pos: t.pos, captain: other}).back()
	var words []string
	size := 0
	for _, l := range own {
		if size += len(l.Text) + 1; size > command.MaxMessageBytes || len(words) == command.MaxMessageLines {
			break
		}
		words = append(words, l.Text)
	}
	c.unsent = &unsent{to: back, lines: fmt.Sprintf("#message to %s\n%s\n#end", back, strings.Join(words, "\n"))}
	return []orders.Diagnostic{{
		Pos: orders.Pos{Line: own[0].N, Col: 1}, Code: codes.NotSentOn, Message: fmt.Sprintf("this was not sent on to %s", back),
		Hint: fmt.Sprintf("put a line #message to %s above your words and a line #end below them", back),
	}}, true, nil
}

// answered is the captain whose message the mail answers, and the seat to which
// that was sent; "" for none.
func (c *Decision) answered(seats []seat) (seat, engine.CaptainName, error) {
	m := &c.in.Mail
	_, domain, _ := strings.Cut(c.robot.Address, "@")
	for _, id := range append([]string{m.InReplyTo}, m.References...) {
		local, at, _ := strings.Cut(id, "@")
		words := strings.Split(local, ".")
		if len(words) != 4 || words[0] != KindMessage || !strings.EqualFold(at, domain) {
			continue
		}
		for _, s := range seats {
			t, err := c.opened(s.game)
			if err != nil {
				return seat{}, "", err
			}
			entries, err := t.game.Journal()
			if err != nil {
				return seat{}, "", err
			}
			for _, e := range slices.Backward(entries) {
				sha, n, _ := strings.Cut(e.Cause, "#")
				if e.Kind == journal.Message && strings.HasPrefix(sha, words[1]) && n == words[2] && captainWord(t.game.Settings(), s.captain.Name) == words[3] {
					return s, e.Captain, nil
				}
			}
		}
	}
	game, who := "", ""
	if found := messageFrom().FindStringSubmatch(m.Subject); found != nil {
		game, who = found[1], strings.TrimSpace(found[2])
	} else {
		game, who = c.body.MessageHead()
	}
	for _, s := range seats {
		if strings.EqualFold(s.game, game) {
			return s, engine.CaptainName(who), nil
		}
	}
	return seat{}, "", nil
}
