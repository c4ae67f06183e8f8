package desk

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"starpost/engine"
	"starpost/engine/family"
	"starpost/orders"
	"starpost/pbem/desk/command"
	"starpost/pbem/orderset"
	"starpost/pbem/report"
)

// allocate works damage through on the sheet of a ship class, or of a ship of a game as
// she is now. Nothing is stored.
func (c *Decision) allocate(d *commandResult, seats []seat) error {
	if len(seats) == 0 {
		_, err := c.seat(d, seats) // says why
		return err
	}
	seed, err := strconv.ParseUint(c.in.SHA256[:min(8, len(c.in.SHA256))], 16, 32)
	if err != nil {
		seed = 0 // a mail without a hash is one of a test
	}
	// The seed hangs on the mail, so that the same mail, judged again, brings the same.
	task := family.AllocateTask{Class: d.cmd.Ship, Text: d.cmd.Text, Line: d.cmd.TextLine, Seed: seed + uint64(d.cmd.N)}
	var names []string
	if d.cmd.Game != "" || !c.knowsClass(task) {
		if ok, err := c.seat(d, seats); err != nil || !ok {
			return err
		}
		if task.Ship, names, err = d.shipAsKnown(d.cmd.Ship); err != nil {
			return err
		}
	}
	d.subject = "Damage to " + d.cmd.Ship
	var done *family.Allocated
	if done, d.diags, err = family.Allocate(c.desk.Allocate, task); err != nil {
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
func (c *Decision) knowsClass(task family.AllocateTask) bool {
	task.Text = ""
	done, diags, err := family.Allocate(c.desk.Allocate, task)
	return done != nil || len(diags) > 0 || err != nil
}

// shipAsKnown finds a ship by its name, as the captain knows it, and the names of all
// that he knows.
func (d *commandResult) shipAsKnown(name string) (found *engine.ShipView, names []string, err error) {
	for _, s := range d.pos.State().Ships {
		seat, posts := engine.Seat{Ship: s.ID}, s.MannedBy(d.captain.Name)
		if len(posts) == 0 {
			continue
		}
		if posts[0] != "" {
			seat.Post = posts[len(posts)-1] // whichever, but always the same
		}
		v, err := d.pos.View(seat)
		if err != nil {
			return nil, nil, err
		}
		for _, o := range v.Ships {
			if o.Kind.Small() {
				continue
			}
			if strings.EqualFold(o.Name, name) || strings.EqualFold(string(o.ID), name) {
				found = o
			}
			if !slices.Contains(names, o.Name) {
				names = append(names, o.Name)
			}
		}
	}
	return found, names, nil
}
