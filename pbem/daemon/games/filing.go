package games

import (
	"context"
	"fmt"
	"strings"

	"starpost/pbem/clock"
	"starpost/pbem/referee"
	"starpost/pbem/vault"
	"starpost/pbem/vault/journal"
	"starpost/templates"
)

// eventFiling records that the referee was told to play a turn. The subject is when the turn was
// handed over.
const eventFiling = "filing"

// handToReferee closes the orders of a turn that a referee plays. From now on it is the referee's,
// even with orders missing: no captain is reminded, and no policy plays it.
func (d *stepper) handToReferee(g *Game, st *turnStatus, dec clock.Decision) error {
	e := journal.NewEntry(journal.Ready, referee.ByDaemon, d.Clock.Now(), nil)
	e.Turn, e.Why = st.ready.Due, "all orders are in"
	if len(st.missing) > 0 {
		e.Why = "time is up; no orders came for " + strings.Join(names(st.missing), ", ")
	}
	if _, err := g.Vault.Append(e); err != nil {
		return fmt.Errorf("hand turn %d of %s to the referee: %w", st.ready.Due, g.Vault.ID(), err)
	}
	d.Log.Info("turn waits for the referee", "game", g.Vault.ID(), "turn", st.ready.Due, "reason", dec.Reason, "missing", len(st.missing))
	return nil
}

// tellFiling tells the referee, once, that a turn is theirs to play, with all its orders.
func (d *teller) tellFiling(ctx context.Context, g *Game, st *turnStatus) error {
	due, since := st.ready.Due, fmt.Sprint(st.timing.Ready.Unix())
	return d.once(ctx, g, due, eventFiling, since, strings.Join(names(st.missing), ", "), func() error {
		n, err := filingNotice(g, st)
		if err != nil {
			return err
		}
		return d.mailReferees(ctx, g, fmt.Sprintf("%d.filing-%s", due, since), fmt.Sprintf("Turn %d waits for you", due), n)
	})
}

// filingNotice returns the mail to the referee: what to do, and a filing to fill in, which contains
// the orders.
func filingNotice(g *Game, st *turnStatus) (templates.Notice, error) {
	blank, err := st.pos.BlankFiling()
	if err != nil {
		return templates.Notice{}, err
	}
	due := st.ready.Due
	text := []string{fmt.Sprintf("All orders for turn %d are in, and the turn is waiting for you. Fill in the form below; it contains the captains' orders.", due)}
	if len(st.missing) > 0 {
		text[0] = fmt.Sprintf("Time for turn %d is up, with no orders for %s. The turn is waiting for you. Fill in the form below; it contains the other orders.",
			due, strings.Join(st.names(st.missing), ", "))
	}
	text = append(text, "The turn accepts no more orders, and no reminders go out. To give the captains more time, set another deadline: "+
		g.Vault.MailedCommandLine("referee", "extend 1d --why TEXT"),
		fmt.Sprintf("To preview the result: %s. To file it and send the reports, leave out --dry-run.", g.Vault.MailedCommandLine("referee", "file", due, "FILE --dry-run")))
	if len(g.Vault.Settings().Referees) > 0 {
		text = append(text, fmt.Sprintf("A registered referee can do both by mail: write #file %d --dry-run, or #file %d, on the first line, then the filing, then #end.", due, due))
	}
	return templates.Notice{Kind: templates.Plain, Turn: due, Text: text, Example: blank}, nil
}

// goOnWithout returns the command that plays a turn with orders missing.
func goOnWithout(g *Game, st *turnStatus) string {
	if st.pos.PlayedByReferee() {
		return g.Vault.MailedCommandLine("referee", "file", st.ready.Due, "FILE --missing", vault.PolicyStanding)
	}
	return g.Vault.MailedCommandLine("turn", "--missing", vault.PolicyStanding)
}

// laterOn says what happens to missing orders after the deadline.
func laterOn(st *turnStatus, m vault.MailSettings) string {
	switch {
	case st.asks:
		return afterwards(vault.PolicyHold)
	case st.pos.PlayedByReferee() && m.Missing != vault.PolicyHold:
		return "After it, the referee plays the turn with the orders received."
	}
	return afterwards(m.Missing)
}

func afterwards(policy string) string {
	switch policy {
	case vault.PolicyForfeit:
		return "After it, ships without orders surrender."
	case vault.PolicyRobot:
		return "After it, a robot gives the orders."
	case vault.PolicyHold:
		return "After it, the game waits, and the referee is notified."
	}
	return "After it, standing orders apply."
}
