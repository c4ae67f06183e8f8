package console

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"text/tabwriter"

	"starpost/engine"
	"starpost/pbem/record"
	"starpost/pbem/referee"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
)

// sideBySide prints what several cases change in a turn: first the different end states, one on
// each line, then the differences of each case.
func sideBySide(w io.Writer, n int, with []string, all []referee.Alternative) {
	fmt.Fprintf(w, "turn %d\n", n)
	for i, c := range all {
		fmt.Fprintf(w, "  %s: %s\n", c.Name, with[i])
	}
	var rows []string
	was := map[string]string{}
	is := make([]map[string]string, len(all))
	for i, c := range all {
		is[i] = map[string]string{}
		last := c.Turns[len(c.Turns)-1]
		changes := last.Ships
		if last.Result != nil {
			changes = append(changes, *last.Result)
		}
		for _, ch := range changes {
			if _, known := was[ch.What]; !known {
				rows = append(rows, ch.What)
			}
			was[ch.What], is[i][ch.What] = ch.Was, ch.Is
		}
	}
	for _, row := range rows {
		line := []string{fmt.Sprintf("%s: %s", row, was[row])}
		for i, c := range all {
			now, ok := is[i][row]
			if !ok {
				now = "the same"
			}
			line = append(line, c.Name+": "+now)
		}
		fmt.Fprintln(w, strings.Join(line, " | "))
	}
	for _, c := range all {
		heading(w, c.Name)
		for _, d := range c.Turns {
			for _, line := range d.Print() {
				fmt.Fprintln(w, line)
			}
		}
	}
	fmt.Fprintln(w, "\nnothing was written")
}

// Played prints the outcome of a turn for the referee.
func Played(w io.Writer, g *vault.Game, out *turn.Outcome) error {
	v, err := engine.BuildView(g.Rules(), out.State, out.Events[out.Told:], engine.Viewer{All: true})
	if err != nil {
		return err
	}
	at := vault.Stage{Turn: out.Turn, Round: out.Round}
	fmt.Fprintf(w, "%s, %s\n", out.State.Title, at)
	for _, c := range g.Rules().Present(v).Phases {
		fmt.Fprintf(w, "%s\n", c.Title)
		for _, l := range c.Lines {
			fmt.Fprintf(w, "  %*s%s", 2*l.Depth, "", l.Text)
			if l.Cite != "" {
				fmt.Fprintf(w, "  [%s]", l.Cite)
			}
			fmt.Fprintln(w)
		}
	}
	written(w, g, out)
	return nil
}

// written says where a turn was stored, and what is next.
func written(w io.Writer, g *vault.Game, out *turn.Outcome) {
	switch {
	case out.Dir == "":
		fmt.Fprintln(w, "dry run: nothing was written")
	case out.State.Result != nil:
		fmt.Fprintf(w, "the game is over; everything is in %s\n", g.Dir())
	default:
		fmt.Fprintf(w, "reports are in %s; %s is due next\n", filepath.Join(out.Dir, vault.ReportsDir), g.DueStage())
	}
}

// Resolved prints the public facts of a turn that was resolved, or tried: which orders were in, how
// the game ended if it did, and where the reports are. It does not reveal the outcome of a trial.
func Resolved(w io.Writer, g *vault.Game, out *turn.Outcome) error {
	fmt.Fprintf(w, "%s, %s\n", out.State.Title, vault.Stage{Turn: out.Turn, Round: out.Round})
	tw := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	for _, s := range out.Ships {
		fmt.Fprintf(tw, "  %s\t%s", s.Name, ordersWere(s, out.Missing))
		if out.Dir != "" {
			fmt.Fprintf(tw, "\t%s", g.CommandLine("report", "--as", record.Quote(s.Name)))
		}
		fmt.Fprintln(tw)
	}
	if err := tw.Flush(); err != nil {
		return err
	}
	if res := out.State.Result; res != nil && out.Dir != "" {
		fmt.Fprintln(w, res.Describe(out.State.SideName))
	}
	written(w, g, out)
	return nil
}

// ordersWere says whether a ship's orders were in, and what was done if not; missing is the policy
// by seat.
func ordersWere(s turn.ShipState, missing map[engine.Seat]string) string {
	switch {
	case s.In:
		return "orders were in"
	case s.Covered:
		return "as sent earlier in the turn"
	}
	why := "no orders came"
	if s.Vacant {
		why = "the seat is vacant"
	}
	switch missing[s.Seat] {
	case vault.PolicyStanding:
		return why + ": standing orders"
	case vault.PolicyRobot:
		return why + ": the robot gave them"
	case vault.PolicyForfeit:
		return why + ": she surrendered"
	}
	return why
}

// correction is the effect of a rerun on the turns.
type correction struct {
	Game      string               `json:"game"`
	Committed bool                 `json:"committed"`
	Turns     []referee.Difference `json:"turns"`
	Aside     string               `json:"aside,omitempty"`
	Revisions []string             `json:"revisions,omitempty"` // directories
	Warning   string               `json:"warning,omitempty"`
	// Ends says how a running game would end by it.
	Ends string `json:"ends,omitempty"`
}

// correct determines the effect of a rerun, before or after it counts.
func correct(g *vault.Game, run *turn.Rerun, committed bool) (correction, error) {
	c := correction{Game: g.ID(), Committed: committed, Aside: referee.Aside(g, run)}
	var err error
	if c.Turns, err = referee.Differ(g.Rules(), run); err != nil {
		return c, err
	}
	if run.Exposed() {
		c.Warning = "the game had ended, and its secret went out with the last reports: future dice can be predicted"
	}
	if !committed {
		if c.Ends, err = referee.Ends(g, run); err != nil {
			return c, err
		}
	}
	if committed {
		for _, t := range run.Turns {
			c.Revisions = append(c.Revisions, g.Stages.Dir(vault.At(t.Turn)))
		}
	}
	return c, nil
}

// print prints it for people, without the warning; how says how to make it count.
func (c correction) print(w io.Writer, how string) {
	for _, d := range c.Turns {
		for _, line := range d.Print() {
			fmt.Fprintln(w, line)
		}
	}
	if c.Aside != "" {
		fmt.Fprintln(w, c.Aside)
	}
	if !c.Committed {
		if c.Ends != "" {
			fmt.Fprintf(w, "it ends the game and needs --end: %s\n", c.Ends)
		}
		fmt.Fprintf(w, "nothing was written; %s\n", how)
		return
	}
	fmt.Fprintf(w, "it now counts: %s\n", strings.Join(c.Revisions, ", "))
	fmt.Fprintln(w, "the daemon sends corrected reports at its next pass")
}
