package command

import (
	"fmt"
	"slices"
	"strings"

	"starpost/engine"
	"starpost/orders"
	"starpost/pbem/desk/codes"
	"starpost/pbem/desk/effect"
	"starpost/pbem/desk/submission"
	"starpost/pbem/orderset"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
)

// named is a set that is in force, or that this mail puts in force.
type named struct {
	name string // as in vault: "Hood", "@Kirk"
	text string
}

// setsInForce returns the captain's sets for a turn that are in force once the order sets of this
// mail are stored.
func setsInForce(c *Task, d *Result, t int) ([]named, error) {
	files, err := d.Game.Orders.For(vault.At(t))
	if err != nil {
		return nil, err
	}
	var out []named
	for _, f := range files {
		if !f.TooLarge && d.owns(f.Name) {
			out = append(out, named{f.Name, string(f.Text)})
		}
	}
	for i := range c.Sets {
		s := &c.Sets[i]
		if !s.Taken || s.Game != d.Game || turn.StageOf(s.Read) != d.stage(t) || !d.owns(s.Read.Name) {
			continue
		}
		out = slices.DeleteFunc(out, func(n named) bool { return strings.EqualFold(n.name, s.Read.Name) })
		if !s.Cancel {
			out = append(out, named{s.Read.Name, s.Read.Text})
		}
	}
	return out, nil
}

// closed refuses a change to sets that are closed.
func (d *Result) closed(t int) bool {
	if !d.Pos.Closed() || t != d.Pos.Due() {
		return false
	}
	code, why, way := turn.WhyClosed(d.Pos)
	d.Refuse(code, why+"; nothing was changed", way)
	return true
}

// cancel drops sets in force.
func cancel(c *Task, d *Result) error {
	t, ok := d.turn(orderset.MaxAhead)
	if !ok || d.closed(t) {
		return nil
	}
	ship := ""
	if d.Cmd.Ship != "" {
		sets := d.Pos.SetNames(d.Captain)
		i := slices.IndexFunc(sets, func(s string) bool {
			found, err := d.Pos.FindShip(d.Cmd.Ship)
			return err == nil && found.Name == s || strings.EqualFold(d.Cmd.Ship, s)
		})
		if i < 0 {
			hint := orders.DidYouMean("%q", d.Cmd.Ship, sets, "your ships: "+strings.Join(sets, ", "))
			d.Refuse(orderset.CodeUnknownShip, fmt.Sprintf("you have no ship %q", effect.Shortened(d.Cmd.Ship)), hint)
			return nil
		}
		ship = sets[i]
	}
	for i := range c.Sets {
		s := &c.Sets[i]
		if s.Taken && !s.Cancel && s.Game == d.Game && turn.StageOf(s.Read) == d.stage(t) && d.owns(s.Read.Name) && (ship == "" || s.Read.Name == ship) {
			d.Refuse(codes.CancelAndSet, fmt.Sprintf("the mail also has a set for %s, which is stored; nothing was dropped", s.Name()),
				"a new set replaces the one in force anyway; to drop it, send cancel alone")
			return nil
		}
	}
	names := []string{ship}
	if ship == "" {
		names = append(d.Pos.SetNames(d.Captain), "@"+d.Captain.Name.Word())
	}
	if err := c.prove(d); err != nil {
		return err
	}
	// Do so even if there is none: when the same mail is decided again, the set is gone, and the
	// steps must be the same.
	for _, name := range names {
		if !vault.CanHold(name) {
			continue
		}
		if err := c.put(d, t, name, ""); err != nil {
			return err
		}
		if on, post, ok := engine.FindSeat(d.Pos.State().Ships, name); ok {
			dropped := submission.Set{Game: d.Game, Pos: d.Pos, Captain: d.Captain, Cancel: true, Read: orderset.Set{Name: name, Ship: on.ID, Post: post, Turn: t, Round: d.stage(t).Round}}
			if err := c.TellAboard(&dropped, len(c.Sets)+len(c.Steps)); err != nil {
				return err
			}
		}
	}
	what := "any of your ships"
	if ship != "" {
		what = ship
	}
	// The text holds whether there was one or not, for the same reason.
	d.Subject = "T" + d.stage(t).String()[1:] + ": orders dropped, if there were any"
	d.Say("No order set for %[2]s is in force for %[1]s now; any earlier one is dropped. You may send a new one any time before the turn runs.", d.stage(t), what)
	return nil
}

// setWord adds final or wait to the sets in force, and removes the other.
func setWord(c *Task, d *Result) error {
	word := d.Cmd.Verb.Name
	t, ok := d.turn(orderset.MaxAhead)
	if !ok || d.closed(t) {
		return nil
	}
	d.Subject = fmt.Sprintf("T%s: %s", d.stage(t).String()[1:], word)
	sets, err := setsInForce(c, d, t)
	if err != nil {
		return err
	}
	var names []string
	for _, s := range sets {
		with, ok := submission.WithWord(d.Game, d.Pos, d.Captain.Name, t, s.text, word)
		if !ok {
			continue
		}
		if err := c.put(d, t, s.name, with.Text); err != nil {
			return err
		}
		names = append(names, strings.TrimPrefix(s.name, "@"))
	}
	if len(names) > 0 {
		if err := c.prove(d); err != nil {
			return err
		}
	} else {
		d.Refuse(codes.NothingInForce, fmt.Sprintf("no order set of yours is in force for %s, so there is nothing to say %s to", d.stage(t), word),
			fmt.Sprintf("send your orders with the line %s in them", word))
		return nil
	}
	d.Say("Your orders for %s now say %s: %s.", d.stage(t), word, strings.Join(names, ", "))
	if word == "final" {
		d.Say("As soon as every captain has said so, the turn runs.")
	} else {
		d.Say("The turn will not run before its deadline, even if all orders are in.")
	}
	var without []string
	for _, seat := range d.Game.Rules().Owed(d.Pos.State()) {
		s, _ := d.Pos.State().Ship(seat.Ship)
		name := engine.OrderSetName(s.Name, seat.Post)
		if s.Holder(seat.Post) == d.Captain.Name && t == d.Pos.Due() && !slices.Contains(names, name) {
			without = append(without, name)
		}
	}
	if len(without) > 0 {
		d.Diags = append(d.Diags, orders.Diagnostic{
			Pos: d.Cmd.Pos, Severity: orders.Warning, Code: codes.ShipWithout, Message: "no orders are in force for " + strings.Join(without, ", "),
			Hint: "send them before the deadline",
		})
	}
	return nil
}

func tailOfCancel(c *Command) []string { return append(c.tail(), behind("ship", c.Ship)) }
