package desk

import (
	"fmt"
	"slices"
	"strings"

	"starpost/orders"
	"starpost/pbem/desk/blocks"
)

// maxPlainWords is how many words a line has, at most, that may be meant for a
// command or an order although it is none. In longer ones people talk.
const maxPlainWords = 8

// maxNear is how many lines are looked at for that.
const maxNear = 50

// nearly looks, in a mail in which nothing was found, for lines of the sender's
// own that may have been meant for us: a command that was not understood, or stands
// where it does not count, and the beginning of an order set. An answer that says
// what is wrong with it is worth more than help, or silence.
func (c *Decision) nearly() []orders.Diagnostic {
	if len(c.commands) > 0 || len(c.strays) > 0 || slices.ContainsFunc(c.orderResults, func(s orderResult) bool { return !s.echo }) {
		return nil
	}
	var out []orders.Diagnostic
	own := c.body.OwnWords()
	for _, l := range own[:min(len(own), maxNear)] {
		if d, ok := c.near(l); ok {
			out = append(out, d)
		}
		if len(out) == maxStrays {
			break
		}
	}
	return out
}

// oneSlip tells whether a letter too many, too few, or wrong, or two that changed
// places, make one word of the other.
func oneSlip(a, b string) bool {
	for a != "" && b != "" && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	for a != "" && b != "" && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	return len(a) <= 1 && len(b) <= 1 || len(a) == 2 && len(b) == 2 && a[0] == b[1] && a[1] == b[0]
}

// near judges one line.
func (c *Decision) near(l blocks.Line) (orders.Diagnostic, bool) {
	words := wordsOf(l.Text, 1)
	if len(words) == 0 || len(words) > maxPlainWords || len(l.Text) > maxCommandBytes {
		return orders.Diagnostic{}, false
	}
	first := words[0].text
	bare := strings.ToLower(strings.Trim(first, "#\uff03*_-.,:;!?\"'()<>\u201c\u201d"))
	d := orders.Diagnostic{Pos: orders.Pos{Line: l.N, Col: 1}}
	topic := func(v CommandSpec) bool { return v.Lobby && v.Name != "help" } // these words begin sentences as well
	if v, ok := verbOf(bare); ok && !topic(v) && !strings.HasPrefix(first, "#") {
		return c.nearCommand(d, v, words), true
	}
	switch {
	case bare == "orders" && (len(words) == 1 || c.gameOfOrder(words) != "" || slices.ContainsFunc(words, func(w word) bool { return strings.EqualFold(w.text, "turn") })),
		bare == "order" && len(words) > 1 && c.gameOfOrder(words) != "":
		d.Severity, d.Code = orders.Warning, orders.CodeNearOrders
		d.Message, d.Hint = fmt.Sprintf("%q begins no block", shorten(first)), "write #orders, the game, the word turn and its number to begin one"
		return d, true
	case strings.HasPrefix(first, "#") || len(words) > maxPlainWords/2:
		return d, false // the finder has looked at marks
	}
	at := slices.IndexFunc(commands, func(v CommandSpec) bool { return len(bare) >= 4 && !topic(v) && oneSlip(bare, v.Name) })
	if at < 0 {
		return d, false // people greet and thank in short words
	}
	near := commands[at].Name
	d.Code, d.Message, d.Hint = CodeUnknownCommand, fmt.Sprintf("there is no command %q", shorten(bare)), fmt.Sprintf("did you mean #%s?", near)
	return d, true
}

// gameOfOrder is the second word of a line if it is a game's name.
func (c *Decision) gameOfOrder(words []word) string {
	if c.gameNamed(words[1].text) {
		return words[1].text
	}
	return ""
}

// nearCommand says why a line that begins with a command's word is none.
func (c *Decision) nearCommand(d orders.Diagnostic, v CommandSpec, words []word) orders.Diagnostic {
	d.Code, d.Hint = CodeBadCommand, "write: #"+strings.Join(v.Usage, ", or: #")
	cmd := readCommand(v, d.Pos, slices.Clone(words[1:]), c.gameNamed)
	at := firstError(cmd.Diagnostics)
	switch {
	case at >= 0:
		d.Pos, d.Message = cmd.Diagnostics[at].Pos, cmd.Diagnostics[at].Message
	case v.Lines && c.firstOwn(d.Pos.Line):
		d.Message = fmt.Sprintf("nothing ends what belongs to the command %s", v.Name)
		d.Hint = "put a line with nothing but #end below the last line"
	case v.Lines:
		d.Message = fmt.Sprintf("without the mark # the word %s counts only on the first line of a mail", v.Name)
	case cmd.Game != "" && !c.gameNamed(cmd.Game):
		d.Message = fmt.Sprintf("%q is not understood here, and there is no game of that name", shorten(cmd.Game))
	default:
		d.Message = fmt.Sprintf("without the mark # the word %s counts only on the first line of a mail", v.Name)
		d.Hint = "write: #" + cmd.String()
	}
	return d
}

// firstOwn tells whether a line is the first of the sender's own.
func (c *Decision) firstOwn(n int) bool {
	own := c.body.OwnWords()
	return len(own) > 0 && own[0].N == n
}
