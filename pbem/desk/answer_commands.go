package desk

import (
	"fmt"
	"slices"
	"time"

	"starpost/orders"
	"starpost/pbem/auth"
	"starpost/pbem/desk/command"
	"starpost/pbem/desk/effect"
	"starpost/pbem/outgoing"
	"starpost/pbem/report"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
	"starpost/templates"
)

// commandsPart returns the part of an answer that is about commands, as text.
func (c *Decision) commandsPart(now time.Time) (string, templates.Reply, error) {
	text := c.In.Mail.Text
	r := templates.Reply{Diagnostics: report.Diagnostics(text, c.Strays, 1)}
	var game *vault.Game
	single := true
	for _, d := range c.Results {
		if d.Tell != nil && d.Done {
			if err := d.Tell(now); err != nil {
				return "", r, err
			}
			d.Tell = nil
		}
		if d.Game != nil && game != nil && d.Game != game {
			single = false
		}
		if d.Game != nil {
			game, r.Captain = d.Game, string(d.Captain.Name)
		}
		out := d.Out
		out.Command = d.Cmd.String()
		if !d.Done {
			out.Text, out.List, out.After = []string{"This was not done."}, nil, ""
			if len(c.Results) == 1 && len(c.Sets) == 0 {
				out.Text = []string{fmt.Sprintf("This was not done: %s", d.Cmd)} // no heading names the command
			}
		}
		out.Diagnostics = report.Diagnostics(text, d.Diags, 1)
		r.Commands = append(r.Commands, out)
	}
	if single && game != nil {
		r.Game, r.Title = game.ID(), game.Settings().Title
	} else {
		r.Captain = ""
	}
	if len(c.Sets) == 0 {
		r.Notices = append(slices.Clone(c.In.Mail.Warnings), c.notices...)
		r.Diagnostics = append(r.Diagnostics, report.Diagnostics(c.Body.Source, c.loose, 1)...)
		if !c.asksHelp() {
			r.Foot = []string{helpHint}
		}
	}
	words, err := c.Robot.Templates.ReplyText(r)
	return words, r, err
}

// asksHelp reports whether the mail asks for the help that helpHint offers.
func (c *Decision) asksHelp() bool {
	return slices.ContainsFunc(c.Results, func(d *command.Result) bool { return d.Cmd.Verb.Name == "help" && len(d.Cmd.Words) == 0 })
}

// helpHint is the last line of the instructions.
const helpHint = "Help: send help as the first line of a mail for a list of commands."

// commandsSubject returns the results of the commands for the subject line.
func (c *Decision) commandsSubject() string {
	done := 0
	for _, d := range c.Results {
		if d.Done {
			done++
		}
	}
	switch {
	case len(c.Results) == 1 && len(c.Sets) == 0 && done == 1 && c.Results[0].Subject != "":
		return c.Results[0].Subject
	case len(c.Results) == 1 && done == 1:
		return c.Results[0].Cmd.Verb.Name + " done"
	case len(c.Results) == 1:
		return c.Results[0].Cmd.Verb.Name + " not done"
	case done == len(c.Results):
		return fmt.Sprintf("%d commands done", done)
	}
	return fmt.Sprintf("%d of %d commands done", done, len(c.Results))
}

// addressReply sets the game that an answer to commands comes from, and the address for replies to
// it.
func (c *Decision) addressReply(a *Answer) {
	for _, d := range c.Results {
		if d.Game != nil && d.Referee != nil {
			c.addressReferee(a, d)
			return
		}
		if d.Game == nil || d.Captain.Name == "" && !d.Done {
			continue
		}
		s := d.Game.Settings()
		a.Game = d.Game.ID()
		a.Message.To.Name = string(d.Captain.Name)
		a.Message.From.Name = c.Robot.Name + " " + s.Title
		a.Message.ListID = effect.ListID(s, c.Robot.Address)
		if due := d.Pos.Due(); due > 0 && d.Done && !d.Left && d.Cmd.Verb.Name != "join" {
			a.Message.ReplyTo = outgoing.Address{Name: a.Message.From.Name, Addr: auth.WithKey(c.Robot.Address, turn.KeyOf(d.Game, due, d.Captain.Name, d.Changes))}
		}
		return
	}
}

// where returns the game for the subject of an answer to commands.
func (c *Decision) where() string {
	id := ""
	for _, d := range c.Results {
		if d.Game == nil {
			continue
		}
		if id != "" && id != d.Game.ID() {
			return ""
		}
		id = d.Game.ID()
	}
	if id == "" {
		return ""
	}
	return "[" + id + "] "
}

// counted returns, for example, ", 2 errors, 1 warning".
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

// commandsDone lists the commands of the mail and whether each was done, for Explain.
func (c *Decision) commandsDone() []ExplainedCommand {
	out := []ExplainedCommand{}
	for _, d := range c.Results {
		e := ExplainedCommand{Command: d.Cmd.String(), Line: d.Cmd.Pos.Line, Done: d.Done, Diagnostics: append([]orders.Diagnostic{}, d.Diags...)}
		if d.Game != nil {
			e.Game = d.Game.ID()
		}
		out = append(out, e)
	}
	return out
}

// separator goes between the parts of an answer.
const separator = "\n========================================================================\n\n"
