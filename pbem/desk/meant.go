package desk

import (
	"fmt"
	"slices"
	"strings"

	"starpost/engine"
	"starpost/orders"
	"starpost/pbem/desk/audience"
	"starpost/pbem/desk/blocks"
	"starpost/pbem/desk/codes"
	"starpost/pbem/desk/command"
	"starpost/pbem/desk/identity"
	"starpost/pbem/desk/submission"
	"starpost/pbem/mime"
	"starpost/pbem/pattern"
)

// A captain's own words can show an intention even if the mail does not use the required form:
// orders without the line that begins a set, or a reply to another captain's message.

// meant looks for such an intention in a mail that has neither a command nor an order set of its
// own, and says what is missing.
func (c *Decision) meant(seats []identity.Seat) ([]orders.Diagnostic, error) {
	if len(c.Commands) > 0 || len(c.Strays) > 0 || c.Body.Source != c.In.Mail.Text || slices.ContainsFunc(c.Sets, func(s submission.Set) bool { return !s.Echo }) {
		return nil, nil
	}
	own := c.Body.OwnWords()
	if len(own) == 0 {
		return nil, nil
	}
	if len(c.Sets) == 0 {
		if d, ok, err := c.toCaptainOnly(seats, own); ok || err != nil {
			return d, err
		}
	}
	return c.headless(seats, own)
}

// unsent is a text from one captain to another, in the form of a command.
type unsent struct {
	to    string // the recipient, as a message names them
	lines string
}

// messageFrom matches the subject of a forwarded message.
var messageFrom = pattern.New(`\[([A-Za-z0-9-]{1,40})\] Message from ([^()]{1,200})`)

// toCaptainOnly checks whether the mail answers a message of another captain; its words are not
// forwarded without a command.
func (c *Decision) toCaptainOnly(seats []identity.Seat, own []blocks.Line) ([]orders.Diagnostic, bool, error) {
	seat, who, err := c.answered(seats)
	if err != nil || who == "" {
		return nil, false, err
	}
	t, err := c.Opened(seat.Game)
	if err != nil {
		return nil, false, err
	}
	d := &command.Result{Cmd: &command.Command{}, Game: t.Game, Pos: t.Pos, Captain: seat.Captain}
	other, ok := t.Game.Settings().Captain(who)
	if !ok || !d.Known(seat.Captain, other) {
		return nil, false, nil
	}
	back := audience.Writer{Game: t.Game, Pos: t.Pos, Captain: other}.Back()
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
		Pos: orders.Pos{Line: own[0].N, Col: 1}, Code: codes.NotSentOn, Message: fmt.Sprintf("this was not forwarded to %s", back),
		Hint: fmt.Sprintf("put a line #message to %s above your words and a line #end below them", back),
	}}, true, nil
}

// answered returns the captain who wrote the message that the mail answers, or "", and the seat to
// which the message was sent.
func (c *Decision) answered(seats []identity.Seat) (identity.Seat, engine.CaptainName, error) {
	for _, s := range seats {
		t, err := c.Opened(s.Game)
		if err != nil {
			return identity.Seat{}, "", err
		}
		if e, err := c.MessageAnswered(t.Game, s.Captain); e != nil || err != nil {
			if err != nil {
				return identity.Seat{}, "", err
			}
			return s, e.Captain, nil
		}
	}
	game, who := c.Body.MessageHead()
	if found := messageFrom().FindStringSubmatch(c.In.Mail.Subject); who == "" && found != nil { // the subject names who began the conversation
		game, who = found[1], strings.TrimSpace(found[2])
	}
	for _, s := range seats {
		if strings.EqualFold(s.Game, game) {
			return s, engine.CaptainName(who), nil
		}
	}
	return identity.Seat{}, "", nil
}

// viewedNotice is for a mail that was read in its HTML form although it has plain text.
const viewedNotice = "The plain text of your mail has no orders and no command, so its HTML form was read instead. Plain text is safer."

// viewed switches to the HTML form of a mail if its plain text has nothing for the robot and the
// HTML has an order set or a command: some programs put only a request to open the HTML form into
// the plain text.
func (c *Decision) viewed() bool {
	m := &c.In.Mail
	if m.Source != mime.SourcePlain {
		return false
	}
	html := c.HTML()
	if len(html.Raws) == 0 {
		if !c.Finder(blocks.NewPage(html.Source, nil)).Any() {
			return false
		}
	}
	m.Text, m.Source, m.Part = html.Source, mime.SourceHTML, m.HTMLTextPart()
	m.Warnings = append(slices.Clip(m.Warnings), viewedNotice)
	return true
}

// nearly looks, in a mail in which nothing was found, for the sender's own lines that may have been
// meant for the robot. An answer that says what is wrong helps more than a general one, or silence.
func (c *Decision) nearly() []orders.Diagnostic {
	if len(c.Commands) > 0 || len(c.Strays) > 0 || slices.ContainsFunc(c.Sets, func(s submission.Set) bool { return !s.Echo }) {
		return nil
	}
	return c.Finder(c.Body.Page).Near()
}
