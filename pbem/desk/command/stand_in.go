package command

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"starpost/engine"
	"starpost/pbem/auth"
	"starpost/pbem/desk/codes"
	"starpost/pbem/desk/effect"
	"starpost/pbem/vault"
	"starpost/pbem/vault/journal"
)

// mayStandIn reports whether a person may be asked to stand in for the captain between two times, and refuses the
// command if not. asked is false for someone who plays in a game that hides this: that person gets no mail.
func mayStandIn(c *Task, d *Result, st vault.AdminState, to string, from, until time.Time) (ok, asked bool) {
	s := d.Game.SharedSettings()
	no := func(problem, way string) (bool, bool) {
		d.Refuse(codes.BadAddress, problem, way)
		return false, false
	}
	switch {
	case !effect.Answerable(to) || c.Robot.IsOwn(to):
		return no(fmt.Sprintf("%q is not an address that mail can be sent to", effect.Shortened(to)), "write it plainly: "+d.Cmd.Verb.Usage[1])
	case auth.HasAddress(d.Captain.Addresses(), to):
		return no("you cannot stand in for yourself", "name another person")
	}
	problem := unfit(c, d, st.Away, to, from, until)
	switch {
	case problem == "":
		return true, true
	case hidesPeople(s, d.Pos.State()):
		return true, false // never reveal who plays: the same answer, and no mail
	}
	return no(problem, "name another person")
}

// unfit says why someone may not stand in for the captain because of another role in the game; "" for no reason.
func unfit(c *Task, d *Result, away []vault.Absence, to string, from, until time.Time) string {
	s, state := d.Game.SharedSettings(), d.Pos.State()
	side := func(o vault.Captain) string {
		if ship, ok := state.Ship(engine.ShipID(strings.ToLower(o.Ship()))); ok {
			return ship.Side
		}
		return ""
	}
	for _, o := range s.Captains {
		stands := slices.ContainsFunc(o.StandIns, func(i vault.StandIn) bool {
			return auth.SameAddress(i.Address, to) && i.From.Before(until) && from.Before(i.To)
		})
		plays := auth.HasAddress(o.Addresses(), to)
		if o.Name == d.Captain.Name || !plays && !stands {
			continue
		}
		if side(o) != side(d.Captain) {
			return "that person is on another side of this game"
		}
		if plays && slices.ContainsFunc(away, func(a vault.Absence) bool { return a.Captain == o.Name && a.From.Before(until) && from.Before(a.To) }) {
			return "that person is away then, too"
		}
	}
	switch {
	case slices.ContainsFunc(s.Referees, func(r vault.Referee) bool { return auth.SameAddress(r.Address, to) }):
		return "that person is a referee of this game"
	case hasWatched(c, to, s):
		return "that person has watched this game, and may know what its captains do not"
	}
	return ""
}

// askStandIn asks someone to give orders for a captain who is away.
func askStandIn(c *Task, d *Result, a journal.AwayData, asked bool) error {
	d.Say("A mail with a question goes to %s. Once it is answered from there, orders from there count as yours from %s to %s, and that address also gets the reports of those days. Until then it gets nothing.",
		a.StandIn, d.Cmd.From.Format("Mon 2 Jan 2006"), d.Cmd.Until.Format("Mon 2 Jan 2006"))
	if !asked {
		return nil
	}
	claim := effect.StandInClaim(d.Game, d.Captain, vault.Absence{From: a.From, To: a.To, StandIn: a.StandIn})
	return c.offer(d, "Will you stand in?", claim, caused(d.Captain.Address, a.StandIn),
		fmt.Sprintf("%s asks you to give the orders from %s to %s, while that captain is away.", d.inviter(d.Captain, "who plays "+d.Game.Settings().Title), d.Cmd.From.Format("Mon 2 Jan 2006"), d.Cmd.Until.Format("Mon 2 Jan 2006")))
}

// standInFits carries out what a token confirms, if the token is for the captain's proposed stand-in.
func standInFits(c *Task, d *Result, id string, who vault.Captain, token, sender string) (bool, error) {
	confirmed := func(g *vault.Game) (vault.Absence, bool, error) {
		st, err := g.AdminState()
		for _, a := range st.Away {
			if a.Captain == who.Name && auth.SameAddress(a.StandIn, sender) && a.To.After(c.In.Received) && effect.StandInClaim(g, who, a).Confirms(g.Secret(), token, c.In.Received) {
				return a, true, err
			}
		}
		return vault.Absence{}, false, err
	}
	g, err := c.People.Games.Look(id)
	if err != nil {
		return false, err
	}
	if _, ok, err := confirmed(g); err != nil || !ok {
		return false, err
	}
	t, err := c.Opened(id)
	if err != nil {
		return false, err
	}
	a, ok, err := confirmed(t.Game) // check again, now that no other process writes to the game
	if err != nil || !ok {
		return false, err
	}
	d.Game, d.Pos, d.Captain, d.Changes = t.Game, t.Pos, who, t.Game.Changes(who.Name)
	return true, standIn(c, d, a)
}

// standIn makes the sender, who has just confirmed it, stand in for the captain.
func standIn(c *Task, d *Result, a vault.Absence) error {
	c.To = a.StandIn
	switch {
	case !d.running():
		return nil
	case a.Confirmed:
		d.Refuse(codes.BadToken, "you have already confirmed that", "")
		return nil
	}
	st, err := d.Game.AdminState()
	if err != nil {
		return err
	}
	if problem := unfit(c, d, st.Away, a.StandIn, a.From, a.To); problem != "" {
		d.Refuse(codes.NoSeat, "you cannot stand in: "+strings.Replace(problem, "that person is", "you are", 1), "")
		return nil
	}
	zone := d.Game.Zone()
	d.Subject = "You stand in"
	d.Say("From %s to %s you give the orders of %s. You get the reports of those days, and orders from this address count; what concerns the seat itself, such as resign, stays with its captain. It ends by itself, or when the captain is back.",
		a.From.In(zone).Format("2 Jan 2006"), lastDay(a, zone), d.titled())
	if err := c.note(d, journal.StandIn, d.Pos.Due(), journal.StandInData{Address: a.StandIn, From: a.From.UTC(), To: a.To.UTC()}); err != nil {
		return err
	}
	text := fmt.Sprintf("Your stand-in gives your orders from %s to %s.", a.From.In(zone).Format("2 Jan 2006"), lastDay(a, zone))
	if err := c.tell(d, []vault.Captain{d.Captain}, "Your stand-in has agreed", text); err != nil {
		return err
	}
	if err := c.tellReferee(d, string(d.Captain.Name)+" has a stand-in", fmt.Sprintf("%s has a stand-in from %s to %s.", d.Title(), a.From.In(zone).Format("2 Jan 2006"), lastDay(a, zone))); err != nil {
		return err
	}
	if c.In.Received.Before(a.From) {
		d.Say("Your first report comes with the first turn played then; to see the previous one, send report on that day.")
		return nil
	}
	return c.lastReport(d, a.StandIn)
}
