package games

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"starpost/engine"
	"starpost/pbem/referee"
	"starpost/pbem/report"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
	"starpost/templates"
)

// eventMissed records that the referees were told of missing orders in a turn.
const eventMissed = "missed"

// handleMissed tells the referees, once, which captains sent no orders for the last turn. If
// captains have sent none for as many turns in a row as the game's rule says, it does what the rule
// requires at once. turnStatus applies the rest of the rule, which is about the due turn.
func (d *stepper) handleMissed(ctx context.Context, g *Game) error {
	due, err := g.Vault.Due()
	if err != nil || due == 0 {
		return err
	}
	absent, err := turn.CaptainsMissing(g.Vault)
	last := g.Vault.Turn()
	absent = slices.DeleteFunc(absent, func(a turn.Absent) bool { return a.Turn != last })
	if err != nil || len(absent) == 0 {
		return err
	}
	n := templates.Notice{Kind: templates.Plain, Turn: last}
	var names []string
	for _, a := range absent {
		names = append(names, string(a.Captain))
		n.Text = append(n.Text, d.missedWords(g, a))
	}
	n.Text = append(n.Text, absentCommands(g, absent))
	return d.once(ctx, g, last, eventMissed, "", strings.Join(names, ", "), func() error {
		// Tell the referees first: a captain who has lost the seat is no longer found.
		if err := d.mailReferees(ctx, g, fmt.Sprintf("%d.missed", last), fmt.Sprintf("Turn %d: no orders from %s", last, strings.Join(names, ", ")), n); err != nil {
			return err
		}
		for _, a := range absent {
			if err := d.applyMissedRule(g, a); err != nil {
				return err
			}
		}
		d.Log.Info("turn played with orders missing", "game", g.Vault.ID(), "turn", last, "missing", len(absent))
		return nil
	})
}

// applyMissedRule does at once what the rule on missed turns requires for a captain.
func (d *stepper) applyMissedRule(g *Game, a turn.Absent) error {
	rule := g.Vault.Settings().Mail.MissedRule()
	if rule.Turns == 0 || a.Turns < rule.Turns {
		return nil
	}
	pos, err := turn.Load(g.Vault)
	if err != nil {
		return err
	}
	why := fmt.Sprintf("no orders from captain %s for %s in a row", a.Captain, turnCount(a.Turns))
	if turn.InTheDark(pos.State()) { // all captains read the reason
		why = "a captain's orders are missing"
	}
	act := referee.Act{
		By: referee.ByMissed, Why: why,
		Cause: fmt.Sprintf("missed-%d-%s", a.Turn, strings.ToLower(string(a.Captain))), Now: d.Clock.Now(),
	}
	switch rule.Then {
	case vault.ThenPause:
		if _, err = referee.Pause(g.Vault, act); errors.Is(err, referee.ErrPaused) {
			err = nil
		}
	case vault.ThenReplace:
		_, err = referee.Eject(g.Vault, act, string(a.Captain), true)
	}
	return err
}

func turnCount(n int) string { return report.Count(n, "turn") }

// missedWords describes for a referee a captain who sent no orders, and the consequences.
func (d *teller) missedWords(g *Game, a turn.Absent) string {
	who := "captain"
	if a.Officer {
		who = "officer"
	}
	what := fmt.Sprintf("Turn %d was played without orders from %s %s (%s): %s.", g.Vault.Turn(), who, a.Captain, strings.Join(a.Ships, ", "), map[string]string{
		vault.PolicyStanding: "standing orders applied", vault.PolicyRobot: "the robot gave them", vault.PolicyForfeit: "the ships surrendered",
	}[a.Policy])
	if a.Turns > 1 {
		what += fmt.Sprintf(" No orders have come for %d turns in a row.", a.Turns)
	}
	rule, next := g.Vault.Settings().Mail.MissedRule(), g.Vault.Turn()+1
	switch left := rule.Turns - a.Turns; {
	case rule.Turns == 0:
	case relievable(a, rule):
		what += " The ship's captain may relieve this officer after two turns without orders; the game does not wait."
	case left > 0:
		what += fmt.Sprintf(" After %s in a row, %s.", turnCount(rule.Turns), thenWords(rule.Then))
	case rule.Then == vault.ThenAsk:
		what += fmt.Sprintf(" If none come for turn %d, the game waits for you when the time is up.", next)
	case rule.Then == vault.ThenForfeit:
		what += fmt.Sprintf(" If none come for turn %d, the ships surrender when the time is up.", next)
	case rule.Then == vault.ThenRobot:
		what += " Until this captain sends orders again, a robot gives them, and the game does not wait."
	case rule.Then == vault.ThenReplace:
		what += fmt.Sprintf(" The seat is now free, and the captain has been told. Anyone can take it by mail with the line: join %s as %s. A robot plays it until then.", g.Vault.ID(), a.Ships[0])
	case rule.Then == vault.ThenPause:
		what += " The game is paused. To resume it: " + g.Vault.MailedCommandLine("referee", "resume")
	}
	return what
}

// thenWords describes the consequence of missed turns as a clause.
func thenWords(then string) string {
	return map[string]string{
		vault.ThenAsk: "the next one waits for you", vault.ThenPause: "the game is paused", vault.ThenRobot: "a robot gives the orders until the captain writes again",
		vault.ThenReplace: "the seat is free for anyone to join", vault.ThenForfeit: "the ships surrender",
	}[then]
}

// absentCommands lists what a referee can do about captains who send no orders.
func absentCommands(g *Game, absent []turn.Absent) string {
	who := string(absent[0].Captain)
	if strings.Contains(who, " ") {
		who = `"` + who + `"`
	}
	return fmt.Sprintf("What you can do: %[1]s (give the seat to someone else), eject %[2]s --why TEXT (let a robot play it until someone joins), "+
		"become %[2]s --by NAME (command it as referee), extend 2d --why TEXT, pause --why TEXT, process %[3]d --force (play the turn now). Registered referees can do this by mail, for example: #eject %[2]s --why TEXT.", g.Vault.MailedCommandLine("referee", "replace", who, "ADDRESS"), who, g.Vault.Turn()+1)
}

// lastChance warns a captain who owes orders of what happens if there are none again; "" if only
// the policy for missing orders applies.
func (st *turnStatus) lastChance(captain engine.CaptainName, rule vault.MissedTurnsRule) string {
	i := slices.IndexFunc(st.absent, func(a turn.Absent) bool { return a.Captain == captain })
	if i < 0 || rule.Turns == 0 {
		return ""
	}
	n := st.absent[i].Turns
	if relievable(st.absent[i], rule) {
		return fmt.Sprintf("You have sent no orders for %s in a row. Your captain may relieve you of your post.", turnCount(n))
	}
	said := fmt.Sprintf("You have sent no orders for %s in a row. ", turnCount(n))
	switch now := n >= rule.Turns; {
	case rule.Then == vault.ThenAsk && now:
		return said + "If none come, the game waits, and the referee decides about your seat."
	case rule.Then == vault.ThenForfeit && now:
		return said + "If none come, your ships surrender."
	case rule.Then == vault.ThenReplace && n+1 >= rule.Turns:
		return said + "If none come, your seat becomes free for anyone to join."
	case rule.Then == vault.ThenRobot && n+1 >= rule.Turns:
		return said + "If none come, a robot gives your orders until you write again."
	case rule.Then == vault.ThenPause && n+1 >= rule.Turns:
		return said + "If none come, the game is paused."
	}
	return ""
}
