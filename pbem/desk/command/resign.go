package command

import (
	"errors"
	"fmt"

	"starpost/pbem/desk/codes"
	"starpost/pbem/desk/identity"
	"starpost/pbem/vault/journal"
)

// leaveOf leaves the waiting list, or a game.
func leaveOf(c *Task, d *Result, seats []identity.Seat) error {
	if len(d.Cmd.Words) > 0 {
		return leaveList(c, d)
	}
	if len(seats) == 0 {
		d.Refuse(codes.NoSeat, "you have no seat in a game", "")
		return nil
	}
	return c.forSeat(d, seats, leave)
}

func (r *commandReader) leave() {
	if r.is("list") && len(r.rest) == 1 {
		r.cmd.Words, r.rest = []string{"list"}, nil
	}
	r.game()
}

// leave gives up a seat in a game that has not begun.
func leave(c *Task, d *Result) error {
	if !d.running() {
		return nil
	}
	opening, err := d.Game.Opening()
	if err != nil {
		return err
	}
	if opening == nil {
		d.Refuse(codes.NoSeat, fmt.Sprintf("game %s has begun, and others count on you", d.Game.ID()), "to give your seat up for good: resign "+d.Game.ID())
		return nil
	}
	d.Subject = "You left"
	d.Say("You gave up your seat. You will get no more mails about the game.")
	if err := c.note(d, journal.Leave, d.Pos.Due(), journal.ResignData{Address: d.Captain.Address}); err != nil {
		return err
	}
	d.Left = true
	what := fmt.Sprintf("%s left before the game began. The seat is free.", d.Title())
	if err := c.tellOthers(d, string(d.Captain.Name)+" has left", what); err != nil {
		return err
	}
	return c.tellReferee(d, string(d.Captain.Name)+" has left", what)
}

// resign gives up the captain's seat.
func resign(c *Task, d *Result) error {
	if !d.running() {
		return nil
	}
	if opening, err := d.Game.Opening(); err != nil || opening != nil {
		return errors.Join(err, leave(c, d))
	}
	d.Subject = "You resigned"
	d.Say("You gave up your seat as %s. A robot plays it until another person joins; a set of yours for this turn stays in force.", d.Captain.Titled())
	d.Say("You will get no more mails about the game. Thank you for playing.")
	if err := c.note(d, journal.Resign, d.Pos.Due(), journal.ResignData{Address: d.Captain.Address}); err != nil {
		return err
	}
	d.Left = true
	given := "command"
	if len(d.Captain.Ships) == 0 {
		given = "post"
	}
	what := fmt.Sprintf("%s gave up the %s. A robot plays the seat until another person joins.", d.Title(), given)
	if err := c.tellOthers(d, string(d.Captain.Name)+" has resigned", what); err != nil {
		return err
	}
	return c.tellReferee(d, string(d.Captain.Name)+" has resigned", what)
}
