package desk

import (
	"fmt"
	"slices"
	"time"

	"starpost/orders"
	"starpost/pbem/auth"
	"starpost/pbem/outgoing"
	"starpost/pbem/report"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
	"starpost/templates"
)

// commandsPart is the part of an answer that is about commands, as text.
func (c *Decision) commandsPart(now time.Time) (string, templates.Reply, error) {
	text := c.in.Mail.Text
	r := templates.Reply{Diagnostics: report.Diagnostics(text, c.strays, 1)}
	var game *vault.Game
	single := true
	for _, d := range c.commandResults {
		if d.tell != nil && d.done {
			if err := d.tell(now); err != nil {
				return "", r, err
			}
			d.tell = nil
		}
		if d.game != nil && game != nil && d.game != game {
			single = false
		}
		if d.game != nil {
			game, r.Captain = d.game, string(d.captain.Name)
		}
		out := d.out
		out.Command = d.cmd.String()
		if !d.done {
			out.Text, out.List, out.After = []string{"This was not done."}, nil, ""
			if len(c.commandResults) == 1 && len(c.orderResults) == 0 {
				out.Text = []string{fmt.Sprintf("This was not done: %s", d.cmd)} // which no heading names
			}
		}
		out.Diagnostics = report.Diagnostics(text, d.diags, 1)
		r.Commands = append(r.Commands, out)
	}
	if single && game != nil {
		r.Game, r.Title = game.ID(), game.Settings().Title
	} else {
		r.Captain = ""
	}
	if len(c.orderResults) == 0 {
		r.Notices = append(slices.Clone(c.in.Mail.Warnings), c.notices...)
		r.Diagnostics = append(r.Diagnostics, report.Diagnostics(c.body.Source, c.loose, 1)...)
		if !c.asksHelp() {
			r.Foot = []string{helpHint}
		}
	}
	words, err := c.robot.Templates.ReplyText(r)
	return words, r, err
}

// asksHelp tells of a mail that asks for what the hint would bring.
func (c *Decision) asksHelp() bool {
	return slices.ContainsFunc(c.commandResults, func(d *commandResult) bool { return d.cmd.Verb.Name == "help" && len(d.cmd.Words) == 0 })
}

// helpHint is the last line of what may be sent.
const helpHint = "The word help, as the first line of a mail, for a list of commands."

// commandsSubject says what came of the commands.
func (c *Decision) commandsSubject() string {
	done := 0
	for _, d := range c.commandResults {
		if d.done {
			done++
		}
	}
	switch {
	case len(c.commandResults) == 1 && len(c.orderResults) == 0 && done == 1 && c.commandResults[0].subject != "":
		return c.commandResults[0].subject
	case len(c.commandResults) == 1 && done == 1:
		return c.commandResults[0].cmd.Verb.Name + " done"
	case len(c.commandResults) == 1:
		return c.commandResults[0].cmd.Verb.Name + " not done"
	case done == len(c.commandResults):
		return fmt.Sprintf("%d commands done", done)
	}
	return fmt.Sprintf("%d of %d commands done", done, len(c.commandResults))
}

// addressReply fills in from which game an answer to commands comes, and where an
// answer to it goes.
func (c *Decision) addressReply(a *Answer) {
	for _, d := range c.commandResults {
		if d.game != nil && d.referee != nil {
			c.addressReferee(a, d)
			return
		}
		if d.game == nil || d.captain.Name == "" && !d.done {
			continue
		}
		s := d.game.Settings()
		a.Game = d.game.ID()
		a.Message.To.Name = string(d.captain.Name)
		a.Message.From.Name = c.robot.Name + " " + s.Title
		a.Message.ListID = ListID(s, c.robot.Address)
		if due := d.pos.Due(); due > 0 && d.done && !d.left && d.cmd.Verb.Name != "join" {
			a.Message.ReplyTo = outgoing.Address{Name: a.Message.From.Name, Addr: auth.WithKey(c.robot.Address, turn.KeyOf(d.game, due, d.captain.Name, d.changes))}
		}
		return
	}
}

// where is the game in the subject of an answer to commands.
func (c *Decision) where() string {
	id := ""
	for _, d := range c.commandResults {
		if d.game == nil {
			continue
		}
		if id != "" && id != d.game.ID() {
			return ""
		}
		id = d.game.ID()
	}
	if id == "" {
		return ""
	}
	return "[" + id + "] "
}

// counted is ", 2 errors, 1 warning".
func counted(errs, warns int) string {
	out := ""
	if errs > 0 {
		out += ", " + report.Count(errs, "error")
	}
	if warns > 0 {
		out += ", " + report.Count(warns, "warning")
	}
	return out
}

// commandsDone lists the commands of the mail and whether each was done, for
// people who look into it.
func (c *Decision) commandsDone() []ExplainedCommand {
	out := []ExplainedCommand{}
	for _, d := range c.commandResults {
		e := ExplainedCommand{Command: d.cmd.String(), Line: d.cmd.Pos.Line, Done: d.done, Diagnostics: append([]orders.Diagnostic{}, d.diags...)}
		if d.game != nil {
			e.Game = d.game.ID()
		}
		out = append(out, e)
	}
	return out
}

// separator stands between the parts of an answer.
const separator = "\n========================================================================\n\n"
