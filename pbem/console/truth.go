package console

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"starpost/engine/blind"
	"starpost/engine/ruling"
	"starpost/pbem/referee"
	"starpost/pbem/report"
	"starpost/pbem/vault"
)

func heading(w io.Writer, text string) {
	fmt.Fprintf(w, "\n%s\n%s\n", text, strings.Repeat("-", len(text)))
}

func indent(w io.Writer, text string) {
	n := 0
	for line := range strings.Lines(text) {
		n++
		fmt.Fprintf(w, "  %3d  %s\n", n, strings.TrimRight(line, "\n"))
	}
}

// Truth prints a turn with everything known about it.
func Truth(w io.Writer, g *vault.Game, t *referee.Truth) error {
	zone := g.Zone()
	fmt.Fprintf(w, "%s (%s), turn %d, resolved %s, in %s\n", t.Title, t.Game, t.Turn, report.FormatTime(t.Resolved, zone), t.Dir)
	if t.Version != "" {
		fmt.Fprintf(w, "played by version %s of rule set %s; worded as in version %s; notes on the orders are left out\n", t.Version, g.Rules().Name, g.Rules().Version)
	}
	if t.Unexplained != "" {
		fmt.Fprintf(w, "what the events follow from is not known, as the turn cannot be played again: %s\n", t.Unexplained)
	}
	for _, r := range t.Others {
		fmt.Fprintln(w, resolvedLine(r, zone))
	}
	if len(t.Draw) > 0 {
		fmt.Fprintf(w, "ended as a draw on which its captains agreed: %s\n", blind.JoinNames(t.Draw, ", "))
	}
	if t.Result != "" {
		fmt.Fprintln(w, t.Result)
	}
	heading(w, "Order sets")
	if len(t.Sets) == 0 {
		fmt.Fprintln(w, "none")
	}
	for _, s := range t.Sets {
		fmt.Fprintln(w, setLine(s, zone))
		indent(w, s.Text)
		for _, d := range s.Diagnostics {
			fmt.Fprintf(w, "  %s\n", d)
		}
	}
	mails(w, t.Mails, zone)
	heading(w, "Events")
	if len(t.Events) > 0 {
		fmt.Fprintln(w, "Each captain's report has numbers of its own: look one up by trace TURN.NUMBER --as SHIP.")
	}
	phase := -1
	for _, e := range t.Events {
		if e.Phase != phase {
			phase = e.Phase
			title := "the whole turn"
			if phase > 0 {
				title = "phase " + strconv.Itoa(phase)
			}
			fmt.Fprintf(w, "- %s\n", title)
		}
		showEvent(w, e)
	}
	heading(w, "Dice")
	for _, d := range t.Dice {
		fmt.Fprintln(w, dieLine(d))
	}
	if len(t.Rulings) > 0 {
		heading(w, "Rulings")
		for _, r := range t.Rulings {
			fmt.Fprintln(w, rulingLine(r))
		}
	}
	if len(t.Journal) > 0 {
		heading(w, "Journal")
		for _, e := range t.Journal {
			fmt.Fprintln(w, noteLine(e, zone))
		}
	}
	heading(w, "Mails sent")
	if len(t.Sent) == 0 {
		fmt.Fprintln(w, "none")
	}
	for _, s := range t.Sent {
		fmt.Fprintln(w, sentLine(s, zone))
	}
	return nil
}

func resolvedLine(r referee.Resolved, zone *time.Location) string {
	line := fmt.Sprintf("revision %d", r.Revision)
	if r.Current {
		line += ", which counts"
	}
	if r.By != "" {
		line += fmt.Sprintf(", by %s, %s", r.By, report.FormatTime(r.At, zone))
	}
	if r.Why != "" {
		line += ": " + r.Why
	}
	if len(r.Changes) > 0 {
		line += " (" + strings.Join(r.Changes, "; ") + ")"
	}
	return line
}

func rulingLine(r ruling.Ruling) string {
	line := fmt.Sprintf("%s, by %s, %s: %s", r.What, r.By, r.At, r.Why)
	if r.Before {
		line += " (at the beginning of the turn)"
	}
	if r.Force {
		line += " (by force)"
	}
	return line
}

func setLine(s referee.SetUsed, zone *time.Location) string {
	line := s.Name
	if s.Round > 0 {
		line += fmt.Sprintf(", phase %d", s.Round)
	}
	if s.Captain != "" {
		line += fmt.Sprintf(" (%s)", s.Captain)
	}
	switch {
	case s.Policy != "" && s.Text != "":
		line += ": no orders came, written by the " + s.Policy
	case s.Policy != "":
		line += ": no orders came, " + s.Policy
	case s.Mail != nil:
		line += ": by mail " + mailName(s.Mail) + ", " + report.FormatTime(s.Mail.Received, zone)
		if s.Proof != "" {
			line += ", proof: " + s.Proof
		}
		if s.Changed {
			line += "; changed since, by a command or by hand"
		}
	}
	return line
}

func mailName(m *referee.Mail) string {
	if m.MessageID != "" {
		return m.SHA256[:12] + " " + m.MessageID
	}
	return m.SHA256[:12]
}

func mails(w io.Writer, mails []referee.Mail, zone *time.Location) {
	if len(mails) == 0 {
		return
	}
	heading(w, "Mails received")
	for i := range mails {
		m := &mails[i]
		who, outcome := string(m.Captain), m.Outcome
		who = cmp.Or(who, "an unknown sender")
		outcome = cmp.Or(outcome, "waits")
		fmt.Fprintf(w, "%s  %s, from %s: %s\n", report.FormatTime(m.Received, zone), mailName(m), who, outcome)
		for _, s := range m.Sets {
			proof := cmp.Or(s.Proof, "none that is known")
			fmt.Fprintf(w, "  orders for %s, turn %d, proof: %s\n", s.Name, s.Turn, proof)
		}
		for _, c := range m.Commands {
			fmt.Fprintf(w, "  %s\n", c)
		}
		if m.Lost != "" {
			fmt.Fprintf(w, "  it cannot be read whole: %s\n", m.Lost)
		}
	}
}

func showEvent(w io.Writer, e referee.Told) {
	for i, line := range e.Text {
		switch {
		case i > 0:
			fmt.Fprintf(w, "       %s\n", line)
		default:
			fmt.Fprintf(w, "%5d  %s [%s]", e.Seq, line, strings.Join(e.Rule, ", "))
			if e.Seen != "all" {
				fmt.Fprintf(w, " {%s}", e.Seen)
			}
			fmt.Fprintln(w)
		}
	}
}

func dieLine(d referee.Die) string {
	line := fmt.Sprintf("%5d  %s %s: %d", d.Seq, d.Dice, d.Name, d.Value)
	if d.Need > 0 {
		line += fmt.Sprintf(", needed %d or less", d.Need)
	}
	if d.Ruled != "" {
		line += ", ruled by " + d.Ruled
	}
	if d.For > 0 {
		line += fmt.Sprintf(", for event %d", d.For)
	}
	return line
}

func noteLine(e referee.Noted, zone *time.Location) string {
	line := fmt.Sprintf("%s  %s by %s", report.FormatTime(e.Time, zone), e.Kind, e.By)
	if about := string(e.Captain); about != "" && about != e.By {
		line += " about " + about
	}
	if e.Why != "" {
		line += ": " + e.Why
	}
	if len(e.Data) > 0 {
		line += " " + string(bytes.TrimSpace(e.Data))
	}
	return line
}

func sentLine(s referee.Sent, zone *time.Location) string {
	line := s.Captain + ": " + s.MessageID
	if s.Kind != "" {
		line = fmt.Sprintf("%s, %s: %s", s.Captain, s.Kind, s.MessageID)
	}
	switch s.State {
	case "":
	case "sent":
		line += ", sent " + report.FormatTime(s.At, zone)
	case "failed":
		line += ", refused for good " + report.FormatTime(s.At, zone) + ": " + s.Why
	default:
		line += fmt.Sprintf(", %s after %d tries", s.State, s.Attempts)
		if s.Why != "" {
			line += ": " + s.Why
		}
	}
	return line
}
