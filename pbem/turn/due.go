package turn

import (
	"cmp"
	"fmt"
	"time"

	"starpost/engine"
	"starpost/pbem/orderset"
	"starpost/pbem/report"
	"starpost/pbem/vault"
)

// DueSentences describes when the turn is due, what moved its deadline, and whether the game is
// stopped; nil for a game that is over.
func DueSentences(t vault.Timing, now time.Time, zone *time.Location) []string {
	if t.Turn == 0 {
		return nil
	}
	if t.Waits != nil {
		return WaitsWords(t.Waits)
	}
	if t.Opening != nil {
		return append(openingWords(t.Opening, zone), "Orders are accepted meanwhile.")
	}
	if t.Paused != nil {
		return append(pauseWords(t, now, zone), "Orders are accepted meanwhile.")
	}
	if c := t.Closed; c != nil {
		return ClosedWords(stageOf(t), *c)
	}
	if !t.Ready.IsZero() {
		return []string{fmt.Sprintf("The referee has had the orders of turn %d since %s, plays the turn and files the reports. No more orders are accepted for it.", t.Turn, report.FormatTime(t.Ready, zone))}
	}
	by := fmt.Sprintf("%s is due by %s (left: %s).", report.UpperFirst(stageOf(t).String()), report.FormatTime(t.Ends(), zone), report.TimeLeft(now, t.Ends()))
	if t.GraceEnds.After(t.Deadline) {
		by += " The deadline has passed; this is the end of the grace period."
	}
	if t.Moved() && !t.Announced.IsZero() {
		by += fmt.Sprintf(" The last report said %s.", report.FormatTime(t.Announced, zone))
	}
	return []string{by}
}

// ClosedWords tells captains how to check a turn with public dice later.
func ClosedWords(at vault.Stage, c vault.Closed) []string {
	return []string{
		fmt.Sprintf("%s is closed: no more orders are accepted for it. Everything it is played with has the hash", report.UpperFirst(at.String())),
		"  " + c.Sets,
		fmt.Sprintf("Its dice come from round %d of the public beacon %s. That round is published at %s, and nobody knows it before. To check this later, keep this mail; docs/public-dice.md explains how.",
			c.Round, c.Chain, c.Comes.Format("2006-01-02 15:04:05 UTC")),
	}
}

// WaitsWords tells captains and referees that a game waits for its referee, because the rules have
// another version.
func WaitsWords(w *vault.VersionError) []string {
	return []string{
		fmt.Sprintf("The game is waiting for its referee: it uses version %s of rule set %s, and the robot now has version %s. Turn %d is played once the referee accepts version %s; everyone will then be told the deadline.", w.Was, w.Rules, w.Is, w.Due, w.Is),
		fmt.Sprintf("Orders are accepted meanwhile, and checked by version %s.", w.Is),
	}
}

// openingWords says what a game that has not begun is waiting for.
func openingWords(o *vault.Opening, zone *time.Location) []string {
	if !o.Cancelled.IsZero() {
		return []string{fmt.Sprintf("The game was called off at %s, before it began.", report.FormatTime(o.Cancelled, zone))}
	}
	free := report.Count(len(o.Free), "seat")
	switch {
	case o.Full && len(o.Free) == 0:
		return []string{"All seats are taken, so the game begins."}
	case o.Full:
		return []string{fmt.Sprintf("The game has not begun: it begins when all seats are taken; %s still free.", free)}
	case len(o.Free) > 0:
		return []string{fmt.Sprintf("The game has not begun: it begins at %s; %s still free.", report.FormatTime(o.At, zone), free)}
	}
	return []string{fmt.Sprintf("The game has not begun: it begins at %s.", report.FormatTime(o.At, zone))}
}

// stageOf returns the due stage.
func stageOf(t vault.Timing) vault.Stage { return vault.Stage{Turn: t.Turn, Round: t.Round} }

func pauseWords(t vault.Timing, now time.Time, zone *time.Location) []string {
	p := t.Paused
	due := report.UpperFirst(stageOf(t).String())
	who := "the " + p.By
	if p.By == "daemon" {
		who = "the robot"
	}
	line := fmt.Sprintf("The game has been paused since %s, by %s", report.FormatTime(p.Since, zone), who)
	if p.Why != "" {
		line += ": " + p.Why
	}
	out := []string{line + "."}
	switch {
	case !p.Until.IsZero():
		return append(out, fmt.Sprintf("It resumes at %s, or earlier if the referee resumes it. %s is due by %s.", report.FormatTime(p.Until, zone), due, report.FormatTime(t.Ends(), zone)))
	case p.Moved:
		return append(out, fmt.Sprintf("It resumes when the referee resumes it. %s is due by %s.", due, report.FormatTime(t.Ends(), zone)))
	}
	return append(out, fmt.Sprintf("It resumes when the referee resumes it. The time left for %s is then %s.", due, report.TimeLeft(now, now.Add(p.Left.Duration()))))
}

// CouncilDue returns when orders are due for the posts that the rules want earlier than the others,
// given a deadline; zero if all are due together.
func CouncilDue(r *engine.Rules, s vault.Settings, deadline time.Time) time.Time {
	if s.Mail.Council == 0 || len(r.Council) == 0 || deadline.IsZero() {
		return time.Time{}
	}
	return deadline.Add(-s.Mail.Council.Duration())
}

// councilWords names the posts of the council for people.
func councilWords(r *engine.Rules) []string {
	var out []string
	for _, post := range r.Council {
		out = append(out, cmp.Or(post, engine.AllPosts))
	}
	return out
}

// Closed reports whether no more orders are accepted for what is due.
func (p *Position) Closed() bool { return p.closed != closedBy{} }

// WhyClosed returns why no more orders are accepted, with the code and a remedy.
func WhyClosed(p *Position) (code, why, way string) {
	if p.closed.referee {
		return orderset.CodeWithReferee, fmt.Sprintf("the referee has the orders of turn %d and is playing it", p.Due()), "write to the referee, or send orders for the next turn"
	}
	return orderset.CodeClosed, fmt.Sprintf("%s is closed and waiting for its dice, round %d of the beacon", p.DueStage(), p.closed.dice.Round), "send orders for what comes after it"
}
