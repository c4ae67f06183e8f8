package command

import (
	"fmt"
	"slices"
	"strings"

	"starpost/orders"
	"starpost/pbem/desk/blocks"
	"starpost/pbem/desk/codes"
	"starpost/pbem/desk/effect"
)

// maxPlainWords limits the words of a line that may be a failed attempt at a command or an order.
// Longer lines are ordinary text.
const maxPlainWords = 8

// maxNear limits how many lines are examined for that.
const maxNear = 50

// Near finds the sender's own lines that were probably meant for the robot: a command that was not
// understood, or is in the wrong place, and the beginning of an order set.
func (f *Finder) Near() []orders.Diagnostic {
	var out []orders.Diagnostic
	own := f.Page.OwnWords()
	for i, l := range own[:min(len(own), maxNear)] {
		if d, ok := f.nearLine(l, i == 0); ok {
			out = append(out, d)
		}
		if len(out) == maxStrays {
			break
		}
	}
	return out
}

// oneSlip reports whether two words differ by one letter too many, missing or wrong, or by two
// swapped letters.
func oneSlip(a, b string) bool {
	for a != "" && b != "" && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	for a != "" && b != "" && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	return len(a) <= 1 && len(b) <= 1 || len(a) == 2 && len(b) == 2 && a[0] == b[1] && a[1] == b[0]
}

// nearLine examines one line; first means that it is the first of the sender's own.
func (f *Finder) nearLine(l blocks.Line, first bool) (orders.Diagnostic, bool) {
	words := commandWords(l.Text, l.N)
	if len(words) == 0 || len(words) > maxPlainWords || len(l.Text) > maxCommandBytes {
		return orders.Diagnostic{}, false
	}
	begin := words[0].Text
	bare := strings.ToLower(strings.Trim(begin, "#\uff03*_-.,:;!?\"'()<>\u201c\u201d"))
	d := orders.Diagnostic{Pos: orders.Pos{Line: l.N, Col: 1}}
	if v, ok := Lookup(bare); ok && !v.common && !strings.HasPrefix(begin, "#") {
		return f.nearCommand(d, v, words, first), true
	}
	switch {
	case bare == "orders" && (len(words) == 1 || f.gameOfOrder(words) != "" || slices.ContainsFunc(words, func(w orders.Word) bool { return strings.EqualFold(w.Text, "turn") })),
		bare == "order" && len(words) > 1 && f.gameOfOrder(words) != "":
		d.Severity, d.Code = orders.Warning, orders.CodeNearOrders
		d.Message, d.Hint = fmt.Sprintf("%q does not begin a block", effect.Shortened(begin)), "write #orders, the game, the word turn and its number to begin one"
		return d, true
	case strings.HasPrefix(begin, "#") || len(words) > maxPlainWords/2:
		return d, false // the finder has examined marks
	}
	at := slices.IndexFunc(commands, func(v Spec) bool { return len(bare) >= 4 && !v.common && oneSlip(bare, v.Name) })
	if at < 0 {
		return d, false // greetings and thanks are short words
	}
	near := commands[at].Name
	d.Code, d.Message, d.Hint = codes.UnknownCommand, fmt.Sprintf("there is no command %q", effect.Shortened(bare)), fmt.Sprintf("did you mean #%s?", near)
	return d, true
}

// gameOfOrder returns the second word of a line if it is a game's name.
func (f *Finder) gameOfOrder(words []orders.Word) string {
	if f.Games(words[1].Text) {
		return words[1].Text
	}
	return ""
}

// nearCommand says why a line that begins with a command's word is not a command.
func (f *Finder) nearCommand(d orders.Diagnostic, v Spec, words []orders.Word, first bool) orders.Diagnostic {
	d.Code, d.Hint = codes.BadCommand, "write: #"+strings.Join(v.Usage, ", or: #")
	cmd := readCommand(v, d.Pos, slices.Clone(words[1:]), f.Games)
	at := slices.IndexFunc(cmd.Diagnostics, func(d orders.Diagnostic) bool { return d.Severity == orders.Error })
	switch {
	case at >= 0:
		d.Pos, d.Message = cmd.Diagnostics[at].Pos, cmd.Diagnostics[at].Message
	case v.Lines && first:
		d.Message = fmt.Sprintf("the command %s has no #end", v.Name)
		d.Hint = "put a line with only #end below the last line"
	case v.Lines:
		d.Message = fmt.Sprintf("without a # the word %s counts only on the first line of a mail", v.Name)
	case cmd.Game != "" && !f.Games(cmd.Game):
		d.Message = fmt.Sprintf("%q is not understood here, and there is no game with that name", effect.Shortened(cmd.Game))
	default:
		d.Message = fmt.Sprintf("without a # the word %s counts only on the first line of a mail", v.Name)
		d.Hint = "write: #" + cmd.String()
	}
	return d
}
