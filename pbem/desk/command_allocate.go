package desk

import (
	"fmt"
	"strings"

	"starpost/engine/family"
	"starpost/orders"
	"starpost/pbem/desk/command"
	"starpost/pbem/orderset"
	"starpost/pbem/report"
	"starpost/pbem/turn"
)

// allocate works damage through on the sheet of a ship class, or of a ship of a game as
// she is now. Nothing is stored.
func allocate(c *task, d *commandResult, seats []seat) error {
	if len(seats) == 0 {
		_, err := c.seat(d, seats) // says why
		return err
	}
	task := family.AllocateTask{Class: d.cmd.Ship, Text: d.cmd.Text, Line: d.cmd.TextLine, Seed: seedOf(c, d)}
	var names []string
	var err error
	if d.cmd.Game != "" || !knowsClass(c, task) {
		if ok, err := c.seat(d, seats); err != nil || !ok {
			return err
		}
		if task.Ship, names, err = turn.KnownShip(d.pos, d.captain.Name, d.cmd.Ship); err != nil {
			return err
		}
	}
	d.subject = "Damage to " + d.cmd.Ship
	var done *family.Allocated
	if done, d.diags, err = family.Allocate(c.services.Allocate, task); err != nil {
		return fmt.Errorf("allocate damage: %w", err)
	}
	switch {
	case len(d.diags) > 0:
	case done == nil && task.Ship != nil:
		d.refuse(orderset.CodeUnknownShip, fmt.Sprintf("%s has no sheet of boxes that damage is allocated to", task.Ship.Name), "name a ship class that has one")
	case done == nil:
		d.refuse(orderset.CodeUnknownShip, fmt.Sprintf("%q is neither a ship class with a sheet of boxes nor a ship that you know", command.Shorten(d.cmd.Ship)),
			orders.DidYouMean("%s", d.cmd.Ship, names, "ships that you know: "+strings.Join(names, ", ")))
	default:
		d.say("Nothing was stored, and nothing of a game has changed.")
		d.out.Shown = report.PanelsText(done.Panels)
	}
	return nil
}

// knowsClass tells whether a class has a sheet, whatever is asked of it.
func knowsClass(c *task, task family.AllocateTask) bool {
	task.Text = ""
	done, diags, err := family.Allocate(c.services.Allocate, task)
	return done != nil || len(diags) > 0 || err != nil
}
