package command

import (
	"slices"
	"strings"
	"time"

	"starpost/engine"
	"starpost/orders"
	"starpost/pbem/auth"
	"starpost/pbem/clock"
	"starpost/pbem/desk/codes"
	"starpost/pbem/lobby"
	"starpost/pbem/report"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
	"starpost/pbem/vault/journal"
)

// rename records the sender's name for themselves.
func rename(c *Task, d *Result) error {
	name := strings.Join(d.Cmd.Words, " ")
	if problem := journal.ProperName(name); problem != "" {
		d.Refuse(codes.BadCommand, problem, "letters, digits and spaces, and - . ' between")
		return nil
	}
	hidden := hidesPeople(d.Game.SharedSettings(), d.Pos.State())
	if !hidden {
		taken, err := nameTaken(c, d, name)
		if err != nil {
			return err
		}
		if taken {
			d.Refuse(codes.BadCommand, "another captain or a ship has that name", "choose another name")
			return nil
		}
	}
	if busy, err := c.busy(d); err != nil || busy {
		return err
	}
	d.Subject = "Your name"
	when := "It appears wherever this game is shown, and in the ratings."
	if d.Game.SharedSettings().Mail.Anonymous {
		when = "This game is anonymous: nobody is told before its end."
	}
	d.Say("You are called %s in this game from now on. %s", name, when)
	if hidden {
		d.Say("While the game hides who plays, it accepts any name. If another captain turns out to have the same name when it is over, a number distinguishes you.")
	}
	return c.note(d, journal.Name, d.Pos.Due(), journal.NameData{Name: name})
}

// hidesPeople reports whether a game does not show who plays in it, or shows it only to some.
func hidesPeople(s *vault.Settings, state *engine.Game) bool {
	return s.Mail.Anonymous && state.Result == nil || turn.InTheDark(state)
}

// nameTaken reports whether a name is that of a person, or in the command's own game of a seat or a ship, that the
// captain may know about. The answer reveals nothing about games that hide who plays, about games that are not public,
// or about ships that are still to arrive.
func nameTaken(c *Task, d *Result, name string) (bool, error) {
	for _, o := range d.Game.Settings().Captains {
		if !d.Known(d.Captain, o) {
			continue
		}
		ships := append(lobby.ShownSeats(d.Pos, o), o.Posts...)
		if o.Name == d.Captain.Name {
			ships = o.Ships
		}
		if slices.ContainsFunc(ships, func(ship string) bool { return vault.SameName(ship, name) }) || o.Name != d.Captain.Name && (vault.SameName(string(o.Name), name) || ofAnother(d, o, name)) {
			return true, nil
		}
	}
	for _, s := range c.People.Games.Settings() {
		if s.ID == d.Game.ID() || !slices.ContainsFunc(s.Captains, func(o vault.Captain) bool { return ofAnother(d, o, name) }) {
			continue
		}
		g, err := c.People.Games.Look(s.ID)
		if err != nil {
			return false, err
		}
		state, err := g.Stages.State(vault.At(g.Turn()))
		if err != nil {
			return false, err
		}
		if state.Result != nil || lobby.Listed(s) && !hidesPeople(s, state) {
			return true, nil
		}
	}
	return false, nil
}

// ofAnother reports whether a seat belongs to another person of that name.
func ofAnother(d *Result, o vault.Captain, name string) bool {
	return o.Player != "" && vault.SameName(o.Player, name) &&
		!slices.ContainsFunc(o.Addresses(), func(a string) bool { return auth.HasAddress(d.Captain.Addresses(), a) })
}

// name reads the rest of the line, with a game first only if that is an existing game and more words follow.
func (r *commandReader) name() {
	if len(r.rest) > 1 && r.games(r.rest[0].Text) {
		r.game()
	}
	if len(r.rest) == 0 {
		r.fail(orders.Word{}, "what do you want to be called? no name is given")
		return
	}
	r.cmd.Words, r.rest = []string{orders.JoinWords(r.rest, " ")}, nil
}

// gameTime asks for times in the game's zone only.
const gameTime = "off"

const zoneWay = "write its name in the IANA database, with capitals as there, such as Europe/Berlin, America/New_York or UTC; off ends it"

// chooseZone records the time zone in which a captain is told deadlines, in addition to the game's own.
func chooseZone(c *Task, d *Result) error {
	zone := d.Cmd.Words[0]
	if strings.EqualFold(zone, gameTime) {
		zone = ""
	}
	if problem := clock.ZoneProblem(zone); problem != "" {
		d.Refuse(codes.BadCommand, problem, zoneWay)
		return nil
	}
	if busy, err := c.busy(d); err != nil || busy {
		return err
	}
	d.Subject = "Your time zone"
	if zone == "" {
		d.Say("From now on times are given in the game's own zone.")
		return c.note(d, journal.Zone, d.Pos.Due(), journal.ZoneData{})
	}
	d.Say("From now on reports, reminders and answers also give deadlines in %s.", zone)
	d.Tell = func(time.Time) error {
		timing, err := d.Game.Timing()
		if ends := timing.Ends(); err == nil && !timing.Stands() && !ends.IsZero() {
			d.Say("The next deadline is %s.", report.TimeFor(ends, d.Game.Zone(), zone))
		}
		return err
	}
	return c.note(d, journal.Zone, d.Pos.Due(), journal.ZoneData{Zone: zone})
}

// zone reads one word, after an optional game.
func (r *commandReader) zone() {
	if len(r.rest) > 1 {
		r.game()
	}
	w, ok := r.next()
	if !ok {
		r.fail(w, "what is your time zone? none is given")
		return
	}
	r.cmd.Words = []string{w.Text}
}
