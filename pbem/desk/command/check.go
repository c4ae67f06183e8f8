package command

import (
	"fmt"
	"slices"
	"strings"

	"starpost/engine/family"
	"starpost/orders"
	"starpost/pbem/desk/codes"
	"starpost/pbem/desk/effect"
	"starpost/pbem/desk/identity"
	"starpost/pbem/orderset"
	"starpost/pbem/rehearse"
	"starpost/pbem/report"
	"starpost/pbem/turn"
)

// allocate resolves damage on the sheet of a ship class, or of a ship of a game in its present state. Nothing is
// stored.
func allocate(c *Task, d *Result, seats []identity.Seat) error {
	if len(seats) == 0 {
		_, err := c.seat(d, seats) // adds the reason
		return err
	}
	task := family.AllocateTask{Class: d.Cmd.Ship, Text: d.Cmd.Text, Line: d.Cmd.TextLine, Seed: seedOf(c, d)}
	var names []string
	var err error
	if d.Cmd.Game != "" || !knowsClass(c, task) {
		if ok, err := c.seat(d, seats); err != nil || !ok {
			return err
		}
		if task.Ship, names, err = turn.KnownShip(d.Pos, d.Captain.Name, d.Cmd.Ship); err != nil {
			return err
		}
	}
	d.Subject = "Damage to " + d.Cmd.Ship
	var done *family.Allocated
	if done, d.Diags, err = family.Allocate(c.Services.Allocate, task); err != nil {
		return fmt.Errorf("allocate damage: %w", err)
	}
	switch {
	case len(d.Diags) > 0:
	case done == nil && task.Ship != nil:
		d.Refuse(orderset.CodeUnknownShip, fmt.Sprintf("%s has no sheet of boxes to allocate damage to", task.Ship.Name), "name a ship class that has one")
	case done == nil:
		d.Refuse(orderset.CodeUnknownShip, fmt.Sprintf("%q is neither a ship class with a sheet of boxes nor a ship that you know", effect.Shortened(d.Cmd.Ship)),
			orders.DidYouMean("%s", d.Cmd.Ship, names, "ships that you know: "+strings.Join(names, ", ")))
	default:
		d.Say("Nothing was stored, and no game has changed.")
		d.Out.Shown = report.PanelsText(done.Panels)
	}
	return nil
}

// knowsClass reports whether a class has a sheet, whatever the task asks about it.
func knowsClass(c *Task, task family.AllocateTask) bool {
	task.Text = ""
	done, diags, err := family.Allocate(c.Services.Allocate, task)
	return done != nil || len(diags) > 0 || err != nil
}

// checked decides the command check. The order sets of the mail have already been checked.
func checked(c *Task, d *Result, _ []identity.Seat) error {
	n := 0
	for i := range c.Sets {
		if c.Sets[i].Game != nil {
			n++
		}
	}
	d.Subject = "Check"
	if n == 0 {
		d.Refuse(codes.BadCommand, "the mail has no order set to check", "put the set below it, from #orders to #end")
		return nil
	}
	d.Say("The order sets in this mail were not stored. What was in force stays in force; to send them, leave out the line check.")
	return nil
}

// Checks reports whether the mail's order sets are only to be checked.
func (c *Task) Checks() bool {
	return slices.ContainsFunc(c.Commands, func(cmd *Command) bool { return cmd.Verb.looks })
}

// rehearseTurn plays the due stage from what the captain knows, with the order sets of the mail or those in
// force.
func rehearseTurn(c *Task, d *Result) error {
	if again(c, d, 1, "one rehearsal") || !d.running() {
		return nil
	}
	var sent orderset.Reading
	for i := range c.Sets {
		if s := &c.Sets[i]; s.Game == d.Game && s.Captain.Name == d.Captain.Name {
			sent.Sets = append(sent.Sets, s.Read)
		}
	}
	text, refused, err := c.Services.Rehearsals.ByMail(d.Pos, rehearse.Mail{Game: d.Game, Captain: d.Captain.Name, Sent: sent, Words: d.Cmd.Words, Seed: seedOf(c, d), SHA256: c.In.SHA256, Received: c.In.Received})
	d.Subject, d.Out.Shown = "Rehearsal", text
	if refused != nil {
		d.Refuse(codes.BadCommand, refused.Problem, refused.Way)
	}
	return err
}

func tailOfAllocate(c *Command) []string { return c.tail(c.Ship) }

func (r *commandReader) rehearse() {
	if len(r.rest) > 0 && !r.is("times") && !strings.Contains(r.rest[0].Text, "=") {
		r.game()
	}
	r.most(maxWished)
}

// allocation reads the lines of volleys, dice and so on, up to #end.
func (f *Finder) allocation(cmd *Command, i int) {
	lines, ok := f.body(cmd, i, "the volleys have no #end; nothing was allocated", "put a line with only #end below them")
	if cmd.Text, cmd.TextLine = strings.Join(lines, "\n"), i+2; ok && (len(lines) > MaxMessageLines || len(cmd.Text) > MaxMessageBytes) {
		cmd.Diagnostics = append(cmd.Diagnostics, orders.Diagnostic{
			Pos: cmd.Pos, Code: codes.TooMuch, Message: fmt.Sprintf("there are %d lines and %d bytes", len(lines), len(cmd.Text)),
			Hint: fmt.Sprintf("at most %d lines and %d bytes go with one command", MaxMessageLines, MaxMessageBytes),
		})
		cmd.Text = ""
	}
}

func (r *commandReader) allocate() {
	if len(r.rest) > 1 {
		r.game()
	}
	w, ok := r.next()
	if !ok {
		r.fail(w, "whose sheet? no class or ship is named")
		return
	}
	r.cmd.Ship = w.Text
}
