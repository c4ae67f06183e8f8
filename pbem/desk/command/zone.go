package command

import (
	"strings"
	"time"

	"starpost/pbem/clock"
	"starpost/pbem/desk/codes"
	"starpost/pbem/report"
	"starpost/pbem/vault/journal"
)

// gameTime is what one writes to be told times as the game has them.
const gameTime = "off"

const zoneWay = "write its name in the IANA database, with capitals as there, such as Europe/Berlin, America/New_York or UTC; off ends it"

// chooseZone notes in which time zone a captain is told deadlines, beside the game's own.
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
		d.Say("You are told times as the game has them from now on.")
		return c.note(d, journal.Zone, d.Pos.Due(), journal.ZoneData{})
	}
	d.Say("From now on reports, reminders and answers tell you deadlines in %s, too.", zone)
	d.Tell = func(time.Time) error {
		timing, err := d.Game.Timing()
		if ends := timing.Ends(); err == nil && !timing.Stands() && !ends.IsZero() {
			d.Say("What is due is due by %s.", report.TimeFor(ends, d.Game.Zone(), zone))
		}
		return err
	}
	return c.note(d, journal.Zone, d.Pos.Due(), journal.ZoneData{Zone: zone})
}

// zone reads one word behind the game, if one is named.
func (r *commandReader) zone() {
	if len(r.rest) > 1 {
		r.game()
	}
	w, ok := r.next()
	if !ok {
		r.fail(w, "it is not said which time zone is yours")
		return
	}
	r.cmd.Words = []string{w.text}
}
