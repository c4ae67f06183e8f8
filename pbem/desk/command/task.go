package command

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"starpost/orders"
	"starpost/pbem/clock"
	"starpost/pbem/desk/audience"
	"starpost/pbem/desk/codes"
	"starpost/pbem/orderset"
	"starpost/pbem/report"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
)

// Refuse adds the reason why the command is not done.
func (d *Result) Refuse(code, message, hint string) {
	d.Diags = append(d.Diags, orders.Diagnostic{Pos: d.Cmd.Pos, Code: code, Message: message, Hint: hint})
}

// Say adds a paragraph to the answer.
func (d *Result) Say(format string, args ...any) {
	d.Out.Text = append(d.Out.Text, fmt.Sprintf(format, args...))
}

// running reports whether the game is still running, and refuses the command if it is over.
func (d *Result) running() bool {
	if d.Pos.Due() == 0 {
		d.Refuse(orderset.CodeGameOver, fmt.Sprintf("game %s is over since turn %d", d.Game.ID(), d.Pos.State().Result.Turn), "")
		return false
	}
	return true
}

// turn returns the turn that a command about orders is for. It refuses a turn that is over or too
// far ahead, and a command that might arrive too late unnoticed.
func (d *Result) turn(ahead int) (int, bool) {
	if !d.running() {
		return 0, false
	}
	due, t, said := d.Pos.Due(), d.Cmd.Turn, d.Cmd.Turn != 0 || d.Cmd.TurnPos != (orders.Pos{})
	code, why, way := orderset.WrongTurn(t, due, ahead)
	switch {
	case !said && d.Guarded:
		return due, true
	case !said:
		code, why = codes.NoTurn, "without a turn key the command must name its turn"
	case code == "":
		return t, true
	}
	d.Diags = append(d.Diags, orders.Diagnostic{Pos: cmp.Or(d.Cmd.TurnPos, d.Cmd.Pos), Code: code, Message: why, Hint: way})
	return 0, false
}

// owns reports whether a set of that name is the captain's.
func (d *Result) owns(name string) bool {
	if who, ok := strings.CutPrefix(name, "@"); ok {
		return strings.EqualFold(who, d.Captain.Name.Word())
	}
	return slices.ContainsFunc(d.Pos.SetNames(d.Captain), func(s string) bool { return strings.EqualFold(s, name) })
}

// stage returns the stage of a turn if no round is named: the round that is due, or the first of a
// later turn.
func (d *Result) stage(t int) vault.Stage {
	due := d.Pos.DueStage()
	if t != due.Turn && due.Round > 0 {
		return vault.Stage{Turn: t, Round: 1}
	}
	return vault.Stage{Turn: t, Round: due.Round}
}

// others returns the captains with an address in the command's game who may know about its captain,
// without that captain.
func (d *Result) others() []vault.Captain {
	return slices.DeleteFunc(slices.Clone(d.Game.Settings().Captains), func(o vault.Captain) bool {
		return o.Address == "" || o.Name == d.Captain.Name || !d.Known(o, d.Captain)
	})
}

// whoIsTold begins a sentence about who is told something, by [turn.Known].
func (d *Result) whoIsTold() string {
	if turn.KnownToOwnSide(d.Pos.State(), d.Captain.Name) {
		return "The captains of your own side are"
	}
	return "The others are"
}

// Known reports whether a captain may know about another.
func (d *Result) Known(to, of vault.Captain) bool {
	return turn.Known(d.Pos.State(), to.Name, of.Name)
}

// titled names a captain with all seats, for that captain: "captain Kirk (Hood)".
func titled(c vault.Captain) string {
	if len(c.Ships) == 0 {
		return c.Titled()
	}
	return fmt.Sprintf("%s (%s)", c.Titled(), strings.Join(c.SetNames(), ", "))
}

// titled names the command's captain for someone who is offered the seat: "captain Kirk (Hood)",
// "Sulu, helm of Hood".
func (d *Result) titled() string {
	if len(d.Captain.Ships) == 0 {
		return d.Captain.Titled()
	}
	return "captain " + d.Title()
}

// Title names the command's captain for others: "Kirk (Hood)".
func (d *Result) Title() string { return d.writer().Title() }

// writer returns the command's captain as an audience.Writer.
func (d *Result) writer() audience.Writer {
	return audience.Writer{Game: d.Game, Pos: d.Pos, Captain: d.Captain}
}

// spanWords returns a length of time in words: "14 days".
func spanWords(s clock.Span) string {
	return report.TimeLeft(time.Time{}.Add(time.Hour), time.Time{}.Add(time.Hour+s.Duration()))
}
