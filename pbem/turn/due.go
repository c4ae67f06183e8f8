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

// DueSentences says in sentences when the turn is due, what moved its deadline, and
// whether the game stands still; nil for a game that is over.
func DueSentences(t vault.Timing, now time.Time, zone *time.Location) []string {
	if t.Turn == 0 {
		return nil
	}
	if t.Waits != nil {
		return WaitsWords(t.Waits)
	}
	if t.Opening != nil {
		return append(openingWords(t.Opening, zone), "Orders are taken meanwhile.")
	}
	if t.Paused != nil {
		return append(pauseWords(t, now, zone), "Orders are taken meanwhile.")
	}
	if c := t.Closed; c != nil {
		return ClosedWords(stageOf(t), *c)
	}
	if !t.Ready.IsZero() {
		return []string{fmt.Sprintf("The orders of turn %d are with the referee since %s, who plays the turn and files the reports. No more are taken for it.", t.Turn, report.FormatTime(t.Ready, zone))}
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

// ClosedWords tell captains what they can hold a turn with public dice against later.
func ClosedWords(at vault.Stage, c vault.Closed) []string {
	return []string{
		fmt.Sprintf("%s is closed: no more orders are taken for it. All that it is played with has the hash", report.UpperFirst(at.String())),
		"  " + c.Sets,
		fmt.Sprintf("Its dice come from round %d of the public beacon %s. That round comes at %s, and no one knows it before. To check this later, keep this mail; docs/public-dice.md tells how.",
			c.Round, c.Chain, c.Comes.Format("2006-01-02 15:04:05 UTC")),
	}
}

// WaitsWords tell captains and referees that a game waits for the word of its
// referee, since the rules have another version.
func WaitsWords(w *vault.VersionError) []string {
	return []string{
		fmt.Sprintf("The game waits for its referee: so far it is played by version %s of rule set %s, and the robot has version %s now. Turn %d is played when the referee has the game go on by version %s; all are told then by when orders are due.", w.Was, w.Rules, w.Is, w.Due, w.Is),
		fmt.Sprintf("Orders are taken meanwhile, and looked at by version %s.", w.Is),
	}
}

// openingWords tell what a game waits for that has not begun.
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

// stageOf is what is due.
func stageOf(t vault.Timing) vault.Stage { return vault.Stage{Turn: t.Turn, Round: t.Round} }

func pauseWords(t vault.Timing, now time.Time, zone *time.Location) []string {
	p := t.Paused
	due := report.UpperFirst(stageOf(t).String())
	who := "the " + p.By
	if p.By == "daemon" {
		who = "the robot"
	}
	line := fmt.Sprintf("The game is paused since %s, by %s", report.FormatTime(p.Since, zone), who)
	if p.Why != "" {
		line += ": " + p.Why
	}
	out := []string{line + "."}
	switch {
	case !p.Until.IsZero():
		return append(out, fmt.Sprintf("It goes on at %s, or earlier if the referee lets it. %s is due by %s.", report.FormatTime(p.Until, zone), due, report.FormatTime(t.Ends(), zone)))
	case p.Moved:
		return append(out, fmt.Sprintf("It goes on when the referee lets it. %s is due by %s.", due, report.FormatTime(t.Ends(), zone)))
	}
	return append(out, fmt.Sprintf("It goes on when the referee lets it. %s is due then with what is left of its time: %s.", due, report.TimeLeft(now, now.Add(p.Left.Duration()))))
}

// CouncilDue is until when the orders of those posts are due that the rules want earlier than
// the others, for a deadline; zero where all are due together.
func CouncilDue(r *engine.Rules, s vault.Settings, deadline time.Time) time.Time {
	if s.Mail.Council == 0 || len(r.Council) == 0 || deadline.IsZero() {
		return time.Time{}
	}
	return deadline.Add(-s.Mail.Council.Duration())
}

// councilWords are the posts of the council for people.
func councilWords(r *engine.Rules) []string {
	var out []string
	for _, post := range r.Council {
		out = append(out, cmp.Or(post, engine.AllPosts))
	}
	return out
}

// Closed reports whether no more orders are taken for what is due.
func (p *Position) Closed() bool { return p.closed != closedBy{} }

// WhyClosed says why no more orders are taken, with the code of it and a way out.
func WhyClosed(p *Position) (code, why, way string) {
	if p.closed.referee {
		return orderset.CodeWithReferee, fmt.Sprintf("the orders of turn %d are with the referee, who plays it", p.Due()), "write to the referee, or send orders for the next turn"
	}
	return orderset.CodeClosed, fmt.Sprintf("%s is closed and waits for its dice, round %d of the beacon", p.DueStage(), p.closed.dice.Round), "send orders for what comes after it"
}
