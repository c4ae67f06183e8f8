package desk

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"starpost/engine"
	"starpost/orders"
	"starpost/pbem/desk/codes"
	"starpost/pbem/desk/command"
	"starpost/pbem/report"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
	"starpost/pbem/vault/journal"
)

// commandHelp says what a novice needs, and lists the sender's games and the commands.
func commandHelp(c *task, d *commandResult, seats []seat) error {
	d.subject = "What you may send"
	first, err := firstSteps(c, seats)
	if err != nil {
		return err
	}
	d.out.Text = append(d.out.Text, first...)
	for _, s := range seats {
		t, err := c.opened(s.game)
		if err != nil {
			return err
		}
		line := fmt.Sprintf("You play %s as %s.", t.game.ID(), titled(s.captain))
		if t.pos.Due() > 0 {
			line = strings.TrimSuffix(line, ".") + fmt.Sprintf("; %s is due.", t.pos.DueStage())
		}
		d.say("%s", line)
	}
	d.say("All commands stand below. One is the first line of a mail, or its subject; several stand each on a line of its own with the sign # before it, as in \"#status\".")
	for _, v := range command.All() {
		if len(seats) == 0 && !v.Anybody {
			continue
		}
		d.out.List = append(d.out.List, strings.Join(v.Usage, ", or ")+": "+strings.ReplaceAll(v.Doc, "`", ""))
	}
	if len(seats) > 0 {
		d.out.After = "What changes something needs your turn key, as orders do: answer your last report, or write key and the turn key behind the command. The name of the game may be left out when you play one."
	}
	return nil
}

// firstSteps are the five lines that a novice needs: captains how to play, others how to begin.
func firstSteps(c *task, seats []seat) ([]string, error) {
	verb, cite := "orders", ""
	if c.services.Library != nil {
		near, err := c.bases(seats)
		if err != nil {
			return nil, err
		}
		if len(near) > 0 {
			r, err := c.services.Library.RuleSet(near[0].Set)
			if err != nil {
				return nil, err
			}
			verb = exampleVerb(r.Language)
			if cite, err = c.services.Library.CitationOf(r.Name); err != nil {
				return nil, err
			}
		}
	}
	if len(seats) > 0 {
		return []string{
			"To play: reply to your last report with the orders at its end, edited as you like.",
			"To see what is due and whose orders are in: status",
			fmt.Sprintf("To learn what an order does: help %s. All orders: help orders", verb),
			"To learn what an error or a rule in brackets means: " + strings.Join(slices.DeleteFunc([]string{"help " + orders.CodeUnknownOrder, cite}, func(s string) bool { return s == "" }), ", "),
			"To write to another captain: message SHIP: your words",
		}, nil
	}
	robots := "To watch a battle that others play: observe and its name"
	if h := c.services.Hosting; h != nil && h.Practice > 0 {
		robots = "To play against robots, at any hour: practice"
	}
	return []string{
		robots,
		"To play against people: games lists what you can join",
		"To read what the battles are about: scenarios",
		"To read how one plays: handbook 1",
		fmt.Sprintf("To learn what an order does: help %s. All orders: help orders", verb),
	}, nil
}

// exampleVerb is an order for examples: the one that fires, where there is one.
func exampleVerb(l *orders.Language) string {
	first := ""
	for _, s := range l.Sections {
		for _, v := range s.Verbs {
			if v.Name == "fire" {
				return v.Name
			}
			first = cmp.Or(first, v.Name)
		}
	}
	return cmp.Or(first, "orders")
}

// statusOfAll is the status of every game of the sender.
func statusOfAll(c *task, d *commandResult, seats []seat) error {
	d.subject = "Status"
	var each []*commandResult
	for _, s := range seats {
		if slices.ContainsFunc(each, func(o *commandResult) bool { return o.game.ID() == s.game }) {
			continue
		}
		t, err := c.opened(s.game)
		if err != nil {
			return err
		}
		one := &commandResult{cmd: d.cmd, game: t.game, pos: t.pos, captain: s.captain}
		if err := status(c, one); err != nil {
			return err
		}
		each = append(each, one)
	}
	if len(each) == 1 {
		d.game, d.pos, d.captain, d.subject = each[0].game, each[0].pos, each[0].captain, each[0].subject
	}
	d.tell = func(now time.Time) error {
		for _, one := range each {
			if err := one.tell(now); err != nil {
				return err
			}
			if len(each) > 1 {
				d.out.List = append(d.out.List, fmt.Sprintf("%s (%s): %s", one.game.Settings().Title, one.game.ID(), strings.Join(append(one.out.Text, one.out.List...), " ")))
				continue
			}
			d.out.Text, d.out.List = append(d.out.Text, one.out.Text...), append(d.out.List, one.out.List...)
		}
		return nil
	}
	return nil
}

// status tells how a game stands, as far as the game shows it.
func status(c *task, d *commandResult) error {
	d.subject = "Status"
	if d.pos.Due() > 0 {
		d.subject = fmt.Sprintf("Status before %s", d.pos.DueStage())
	}
	d.tell = func(now time.Time) error {
		if r := d.pos.State().Result; r != nil {
			d.say("The game is over since turn %d: %s.", r.Turn, outcome(d.game, r))
			s := d.game.SharedSettings()
			for _, c := range s.Captains {
				if who := s.Person(c, true); who != "" {
					d.out.List = append(d.out.List, fmt.Sprintf("%s was played by %s", c.Name, who))
				}
			}
			return nil
		}
		timing, err := d.game.Timing()
		if err != nil {
			return err
		}
		for _, line := range turn.DueSentences(timing, now, d.game.Zone()) {
			d.say("%s", line)
		}
		standing, err := d.game.AdminState()
		if err != nil {
			return err
		}
		ready, err := d.pos.Ready()
		if err != nil {
			return err
		}
		plain, err := d.pos.Shown(d.captain.Name)
		if err != nil {
			return err
		}
		d.ships(plain.Only(ready.Ships))
		d.people(standing, now, d.game.Zone())
		d.disputes(standing)
		return nil
	}
	return nil
}

func outcome(g *vault.Game, r *engine.Result) string {
	if r.Draw {
		return "a draw, " + r.Why
	}
	if state, err := g.State(g.Turn()); err == nil {
		return state.SideName(r.Side) + " won, " + r.Why
	}
	return r.Side + " won, " + r.Why
}

// ships lists whose orders are in: the captain's own, and all that he sees where the
// game shows that.
func (d *commandResult) ships(ships []turn.ShipState) {
	show := d.game.Settings().Mail.ShowMissing
	for _, s := range ships {
		own := s.Captain == d.captain.Name
		if !own && !show {
			continue
		}
		what := "orders are missing"
		switch {
		case s.In:
			what = "orders are in"
			if own {
				what += fmt.Sprintf(", received %s", report.FormatTime(s.Since, d.game.Zone()))
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
		d.out.List = append(d.out.List, name+": "+what)
	}
}

// people tells who is away, which seats are free, and of votes.
func (d *commandResult) people(st vault.AdminState, now time.Time, zone *time.Location) {
	mine := d.captain
	for _, a := range st.Away {
		if c, ok := d.game.Settings().Captain(a.Captain); ok && a.To.After(now) && d.known(mine, c) {
			d.out.List = append(d.out.List, fmt.Sprintf("%s is away from %s to %s", a.Captain, a.From.In(zone).Format("2 Jan 2006"), lastDay(a, zone)))
		}
	}
	for _, c := range d.game.Settings().Captains {
		if c.Address != "" || !d.known(mine, c) || !d.game.Settings().Mail.Open && !st.HasVacant(c.Name) || c.Robot && !d.game.Settings().Joinable(c) {
			continue // a robot's seat is meant to be one
		}
		line := fmt.Sprintf("nobody holds the seat of %s", c.Name)
		if d.game.Settings().Joinable(c) {
			line += "; anybody may join"
		}
		d.out.List = append(d.out.List, line)
	}
	settings := d.game.SharedSettings()
	for _, c := range settings.Captains {
		if who := settings.Person(c, d.pos.State().Result != nil); who != "" && d.known(mine, c) {
			d.out.List = append(d.out.List, fmt.Sprintf("%s is played by %s", c.Name, who))
		}
	}
	voted := 0
	for name, vote := range st.Votes[d.pos.Due()] {
		switch {
		case vote != vault.VoteDraw:
		case name == mine.Name:
			d.out.List = append(d.out.List, "you vote for a draw")
		case !d.pos.State().SecretVotes():
			voted++
		}
	}
	switch {
	case voted == 1:
		d.out.List = append(d.out.List, "a captain has voted for a draw")
	case voted > 1:
		d.out.List = append(d.out.List, fmt.Sprintf("%d captains have voted for a draw", voted))
	}
}

// disputes tells of the captain's own protests: those that are open, and what
// became of those against the last turn.
func (d *commandResult) disputes(st vault.AdminState) {
	for _, o := range st.Disputes {
		if o.Captain != d.captain.Name || !o.Open() && o.Turn < d.game.Turn() {
			continue
		}
		d.out.List = append(d.out.List, fmt.Sprintf("your protest against event %d.%d (dispute %d): %s", o.Turn, o.Event, o.Number, map[string]string{
			"": "the referee is to look at it", journal.DisputeUphold: "upheld", journal.DisputeReject: "rejected",
		}[o.Outcome()]))
	}
}

// lastDay is the last day of an absence, which ends with it.
func lastDay(a vault.Absence, zone *time.Location) string {
	return a.To.Add(-time.Second).In(zone).Format("2 Jan 2006")
}

// maxReports is how many reports one mail may ask for.
const maxReports = 3

// reportAgain sends a report once more, to the registered address.
func reportAgain(c *task, d *commandResult) error {
	g, at := d.game, vault.Stage{Turn: d.cmd.Turn}
	if newest := g.Newest(); d.cmd.TurnPos == (orders.Pos{}) || at.Turn == newest.Turn {
		at = newest
	}
	switch {
	case at.Round == 0 && at.Turn > g.Turn():
		d.refuse(codes.NoReport, fmt.Sprintf("there is no report of turn %d yet", at.Turn), resolvedLast(g.Turn()))
		return nil
	case again(c, d, maxReports, fmt.Sprintf("%d reports", maxReports)):
		return nil
	}
	d.subject = fmt.Sprintf("Report of %s", at)
	d.say("Your report of %s goes out again, in a mail of its own.", at)
	return c.sendReport(d, at, c.to, g.Changes(d.captain.Name), true)
}
