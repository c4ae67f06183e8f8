package command

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"starpost/engine"
	"starpost/pbem/desk/identity"
	"starpost/pbem/report"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
	"starpost/pbem/vault/journal"
)

// StatusOfAll adds the status of every game of the sender.
func StatusOfAll(c *Task, d *Result, seats []identity.Seat) error {
	d.Subject = "Status"
	var each []*Result
	for _, s := range seats {
		if slices.ContainsFunc(each, func(o *Result) bool { return o.Game.ID() == s.Game }) {
			continue
		}
		t, err := c.Opened(s.Game)
		if err != nil {
			return err
		}
		one := &Result{Cmd: d.Cmd, Game: t.Game, Pos: t.Pos, Captain: s.Captain}
		if err := status(c, one); err != nil {
			return err
		}
		each = append(each, one)
	}
	if len(each) == 1 {
		d.Game, d.Pos, d.Captain, d.Subject = each[0].Game, each[0].Pos, each[0].Captain, each[0].Subject
	}
	d.Tell = func(now time.Time) error {
		for _, one := range each {
			if err := one.Tell(now); err != nil {
				return err
			}
			if len(each) > 1 {
				d.Out.List = append(d.Out.List, fmt.Sprintf("%s (%s): %s", one.Game.Settings().Title, one.Game.ID(), strings.Join(append(one.Out.Text, one.Out.List...), " ")))
				continue
			}
			d.Out.Text, d.Out.List = append(d.Out.Text, one.Out.Text...), append(d.Out.List, one.Out.List...)
		}
		return nil
	}
	return nil
}

// statusOf adds the status of one game, or of all.
func statusOf(c *Task, d *Result, seats []identity.Seat) error {
	if d.Cmd.Game == "" {
		return StatusOfAll(c, d, seats)
	}
	return c.forSeat(d, seats, status)
}

// status describes the state of a game, as far as the game shows it.
func status(c *Task, d *Result) error {
	d.Subject = "Status"
	if d.Pos.Due() > 0 {
		d.Subject = fmt.Sprintf("Status before %s", d.Pos.DueStage())
	}
	d.Tell = func(now time.Time) error {
		if r := d.Pos.State().Result; r != nil {
			d.Say("The game ended with turn %d: %s.", r.Turn, outcome(d.Game, r))
			s := d.Game.SharedSettings()
			for _, c := range s.Captains {
				if who := s.Person(c, true); who != "" {
					d.Out.List = append(d.Out.List, fmt.Sprintf("%s was played by %s", c.Name, who))
				}
			}
			return nil
		}
		timing, err := d.Game.Timing()
		if err != nil {
			return err
		}
		for _, line := range turn.DueSentences(timing, now, d.Game.Zone()) {
			d.Say("%s", line)
		}
		if mine := report.OwnTime(timing.Ends(), d.Captain.Zone); mine != "" && !timing.Stands() {
			d.Say("For you that is %s.", mine)
		}
		standing, err := d.Game.AdminState()
		if err != nil {
			return err
		}
		ready, err := d.Pos.Ready()
		if err != nil {
			return err
		}
		plain, err := d.Pos.Shown(d.Captain.Name)
		if err != nil {
			return err
		}
		d.ships(plain.Only(ready.Ships))
		d.people(standing, now, d.Game.Zone())
		d.disputes(standing)
		return nil
	}
	return nil
}

func outcome(g *vault.Game, r *engine.Result) string {
	if r.Draw {
		return "a draw, " + r.Why
	}
	if state, err := g.Stages.State(vault.At(g.Turn())); err == nil {
		return state.SideName(r.Side) + " won, " + r.Why
	}
	return r.Side + " won, " + r.Why
}

// ships lists which orders are in: the captain's own, and all that the captain sees if the game
// shows this.
func (d *Result) ships(ships []turn.ShipState) {
	show := d.Game.Settings().Mail.ShowMissing
	for _, s := range ships {
		own := s.Captain == d.Captain.Name
		if !own && !show {
			continue
		}
		what := "orders are missing"
		switch {
		case s.In:
			what = "orders are in"
			if own {
				what += fmt.Sprintf(", received %s", report.FormatTime(s.Since, d.Game.Zone()))
			}
		case s.Vacant:
			what = "the robot gives the orders"
		}
		if own && s.Final {
			what += "; you said final"
		}
		if own && s.Wait {
			what += "; you said wait"
		}
		name := s.Name
		if string(s.Captain) != name {
			name = fmt.Sprintf("%s (%s)", name, s.Captain)
		}
		d.Out.List = append(d.Out.List, name+": "+what)
	}
}

// people lists absences, free seats and votes.
func (d *Result) people(st vault.AdminState, now time.Time, zone *time.Location) {
	mine := d.Captain
	for _, a := range st.Away {
		if c, ok := d.Game.Settings().Captain(a.Captain); ok && a.To.After(now) && d.Known(mine, c) {
			d.Out.List = append(d.Out.List, fmt.Sprintf("%s is away from %s to %s%s", a.Captain, a.From.In(zone).Format("2 Jan 2006"), lastDay(a, zone), map[bool]string{true: ", with a stand-in"}[a.Confirmed]))
		}
	}
	for _, c := range d.Game.Settings().Captains {
		if c.Address != "" || !d.Known(mine, c) || !d.Game.Settings().Mail.Open && !st.HasVacant(c.Name) || c.Robot && !d.Game.Settings().Joinable(c) {
			continue // the seat is meant for a robot
		}
		line := fmt.Sprintf("%s has no captain", c.Name)
		if d.Game.Settings().Joinable(c) {
			line += "; anybody may join"
		}
		d.Out.List = append(d.Out.List, line)
	}
	settings := d.Game.SharedSettings()
	for _, c := range settings.Captains {
		if who := settings.Person(c, d.Pos.State().Result != nil); who != "" && d.Known(mine, c) {
			d.Out.List = append(d.Out.List, fmt.Sprintf("%s is played by %s", c.Name, who))
		}
	}
	voted := 0
	for name, vote := range st.Votes[d.Pos.Due()] {
		switch {
		case vote != vault.VoteDraw:
		case name == mine.Name:
			d.Out.List = append(d.Out.List, "you vote for a draw")
		case !d.Pos.State().SecretVotes():
			voted++
		}
	}
	switch {
	case voted == 1:
		d.Out.List = append(d.Out.List, "a captain has voted for a draw")
	case voted > 1:
		d.Out.List = append(d.Out.List, fmt.Sprintf("%d captains have voted for a draw", voted))
	}
}

// disputes lists the captain's own protests: open ones, and the results of those against the last
// turn.
func (d *Result) disputes(st vault.AdminState) {
	for _, o := range st.Disputes {
		if o.Captain != d.Captain.Name || !o.Open() && o.Turn < d.Game.Turn() {
			continue
		}
		d.Out.List = append(d.Out.List, fmt.Sprintf("your protest against event %d.%d (dispute %d): %s", o.Turn, o.Event, o.Number, map[string]string{
			"": "the referee is to look at it", journal.DisputeUphold: "upheld", journal.DisputeReject: "rejected",
		}[o.Outcome()]))
	}
}

// lastDay returns the last day of an absence.
func lastDay(a vault.Absence, zone *time.Location) string {
	return a.To.Add(-time.Second).In(zone).Format("2 Jan 2006")
}
