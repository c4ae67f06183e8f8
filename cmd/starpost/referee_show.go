package main

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"starpost/engine"
	"starpost/orders"
	"starpost/pbem/config"
	"starpost/pbem/referee"
	reports "starpost/pbem/report"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
)

// truthFlags are those of the commands with which a referee looks at a turn.
type truthFlags struct {
	turn   int
	given  bool // a turn was named
	rev    int  // its revision; 0: the one that counts
	config string
	asJSON bool
}

func (f *truthFlags) define(cmd *cobra.Command) {
	cmd.Flags().IntVar(&f.turn, "turn", 0, "the turn: `N`; without, the last that was resolved")
	cmd.Flags().IntVar(&f.rev, "revision", 0, "which resolution of the turn: `K`; without, the one that counts")
	cmd.Flags().StringVar(&f.config, "config", "", "the daemon's configuration, a TOML `FILE`: for the mails that came and went")
	completeFlag(cmd, "config", tomlFile)
	cmd.Flags().BoolVar(&f.asJSON, "json", false, "machine output")
}

// open opens the game, with the mails that the daemon knows of, and fills in the
// turn.
func (f *truthFlags) open(cmd *cobra.Command, dir string) (*vault.Game, referee.Postbag, error) {
	g, err := vault.Open(dir, catalogue())
	if err != nil {
		return nil, referee.Postbag{}, err
	}
	if f.given = cmd.Flags().Changed("turn"); !f.given {
		f.turn = g.Turn()
	}
	if f.rev < 0 || f.rev == 0 && cmd.Flags().Changed("revision") {
		return nil, referee.Postbag{}, usage("revisions are counted from 1, the first resolution", "there is no revision %d", f.rev)
	}
	if f.turn < 0 {
		return nil, referee.Postbag{}, usage("turns are counted from 0, the set-up", "there is no turn %d", f.turn)
	}
	if f.config == "" {
		return g, referee.Postbag{}, nil
	}
	c, err := loadConfigBy(config.Read, f.config)
	if err != nil {
		return nil, referee.Postbag{}, err
	}
	return g, referee.Postbag{State: c.State}, nil
}

func showCommand(now func() time.Time) *cobra.Command {
	var f truthFlags
	cmd := &cobra.Command{
		Use:   "show DIR [--turn N] [--revision K] [--config FILE]",
		Short: "Show the whole truth of a turn",
		Long: `Shows all that is known of a turn: the order sets that it was played with and what
was wrong with them, what was done for ships without one, every event in words with
its rule and who may see it, every die with its name, the number that it was thrown
against and its value, rulings, the journal, and the mails that went out. With the
configuration of the daemon also the mails that came, by what proof, and what became
of those that went out.

The turn that is due is shown as it stands: whose orders are in, what is wrong with
them, and the time. Everything is for referees only: there is much in it that no
captain may know.`,
		Example:           "  starpost referee wolf show --turn 3\n  starpost referee wolf show --turn 4 --config starpost.toml",
		Args:              exactly("a game directory"),
		ValidArgsFunction: gameFirst(cobra.ShellCompDirectiveNoFileComp),
		RunE: func(cmd *cobra.Command, args []string) error {
			g, bag, err := f.open(cmd, args[0])
			if err != nil {
				return err
			}
			due, err := g.Due()
			if err != nil {
				return err
			}
			if due > 0 && f.turn == due && f.given {
				return f.showDue(cmd, g, bag, now())
			}
			t, err := referee.Show(cmd.Context(), g, f.turn, f.rev, bag)
			if err != nil {
				return err
			}
			if f.asJSON {
				return printJSON(cmd.OutOrStdout(), t)
			}
			return showTurn(cmd.OutOrStdout(), g, t)
		},
	}
	f.define(cmd)
	return cmd
}

// dueTruth is the turn that is due, for a program.
type dueTruth struct {
	*standing
	Sets  []dueSet       `json:"sets"`
	Mails []referee.Mail `json:"mails,omitempty"`
}

type dueSet struct {
	Ship        string              `json:"ship"`
	Text        string              `json:"text"`
	Since       time.Time           `json:"since"`
	Diagnostics []orders.Diagnostic `json:"diagnostics,omitempty"`
}

func (f *truthFlags) showDue(cmd *cobra.Command, g *vault.Game, bag referee.Postbag, now time.Time) error {
	st, state, err := look(g.Dir(), now)
	if err != nil {
		return err
	}
	t := dueTruth{standing: st, Sets: []dueSet{}}
	p, err := turn.Load(g)
	if err != nil {
		return err
	}
	files, err := g.Orders(f.turn)
	if err != nil {
		return err
	}
	for _, file := range files {
		read := p.CheckFile(file)
		one := dueSet{Ship: file.Name, Text: string(file.Text), Since: file.Modified, Diagnostics: read.Diagnostics}
		t.Sets = append(t.Sets, one)
	}
	last, err := g.Manifest(g.Turn())
	if err != nil {
		return err
	}
	if t.Mails, err = bag.Mails(cmd.Context(), g, last.Resolved, time.Time{}); err != nil {
		return err
	}
	if f.asJSON {
		return printJSON(cmd.OutOrStdout(), t)
	}
	w := cmd.OutOrStdout()
	if err := st.print(w, g.Dir(), state, now); err != nil {
		return err
	}
	heading(w, "Order sets")
	if len(t.Sets) == 0 {
		fmt.Fprintln(w, "none")
	}
	for _, s := range t.Sets {
		fmt.Fprintf(w, "%s, stored %s\n", s.Ship, reports.When(s.Since, st.zone))
		indent(w, s.Text)
		for _, d := range s.Diagnostics {
			fmt.Fprintf(w, "  %s\n", d)
		}
	}
	showMails(w, t.Mails, st.zone)
	return nil
}

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

func showTurn(w io.Writer, g *vault.Game, t *referee.Truth) error {
	schedule, err := g.Settings().Schedule()
	if err != nil {
		return err
	}
	zone := schedule.Zone
	fmt.Fprintf(w, "%s (%s), turn %d, resolved %s, in %s\n", t.Title, t.Game, t.Turn, reports.When(t.Resolved, zone), t.Dir)
	for _, r := range t.Others {
		fmt.Fprintln(w, resolvedLine(r, zone))
	}
	if len(t.Draw) > 0 {
		fmt.Fprintf(w, "ended as a draw on which its captains agreed: %s\n", strings.Join(t.Draw, ", "))
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
	showMails(w, t.Mails, zone)
	heading(w, "Events")
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
	heading(w, "Mails that went")
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
		line += fmt.Sprintf(", by %s, %s", r.By, reports.When(r.At, zone))
	}
	if r.Why != "" {
		line += ": " + r.Why
	}
	if len(r.Changes) > 0 {
		line += " (" + strings.Join(r.Changes, "; ") + ")"
	}
	return line
}

func rulingLine(r engine.Ruling) string {
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
		line += " (" + s.Captain + ")"
	}
	switch {
	case s.Policy != "" && s.Text != "":
		line += ": no orders came, written by the " + s.Policy
	case s.Policy != "":
		line += ": no orders came, " + s.Policy
	case s.Mail != nil:
		line += ": by mail " + mailName(s.Mail) + ", " + reports.When(s.Mail.Received, zone)
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

func showMails(w io.Writer, mails []referee.Mail, zone *time.Location) {
	if len(mails) == 0 {
		return
	}
	heading(w, "Mails that came")
	for i := range mails {
		m := &mails[i]
		who, outcome := m.Captain, m.Outcome
		if who == "" {
			who = "an unknown sender"
		}
		if outcome == "" {
			outcome = "waits"
		}
		fmt.Fprintf(w, "%s  %s, from %s: %s\n", reports.When(m.Received, zone), mailName(m), who, outcome)
		for _, s := range m.Sets {
			proof := s.Proof
			if proof == "" {
				proof = "none that is known"
			}
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
	line := fmt.Sprintf("%s  %s by %s", reports.When(e.Time, zone), e.Kind, e.By)
	if e.Captain != "" && e.Captain != e.By {
		line += " about " + e.Captain
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
		line += ", sent " + reports.When(s.At, zone)
	case "failed":
		line += ", refused for good " + reports.When(s.At, zone) + ": " + s.Why
	default:
		line += fmt.Sprintf(", %s after %d tries", s.State, s.Attempts)
		if s.Why != "" {
			line += ": " + s.Why
		}
	}
	return line
}

func traceCommand() *cobra.Command {
	var f truthFlags
	var as string
	cmd := &cobra.Command{
		Use:   "trace DIR EVENT [--turn N] [--revision K] [--as SHIP]",
		Short: "Show how an event came about and what came of it",
		Long: `Shows the chain to which an event belongs: the line of the orders that began it
(set, line, text, and with the configuration of the daemon the mail that it came by),
what it follows from, the tables and dice that decided it, and what followed from it:
damage, explosions, losses, points, victory.

EVENT is the event's number in the truth of the turn, as "show" gives it. With --as it
is the number that the report of that ship's captain gives it, as in his protests.
TURN.EVENT, such as 3.17, names the turn too.`,
		Example:           "  starpost referee wolf trace 42 --turn 3\n  starpost referee wolf trace 3.17 --as Hood",
		Args:              exactly("a game directory", "an event"),
		ValidArgsFunction: gameFirst(cobra.ShellCompDirectiveNoFileComp),
		RunE: func(cmd *cobra.Command, args []string) error {
			g, bag, err := f.open(cmd, args[0])
			if err != nil {
				return err
			}
			seq, err := f.event(args[1])
			if err != nil {
				return err
			}
			if as != "" {
				if f.turn == 0 {
					return usage("name one that was resolved with --turn", "in turn 0, the set-up, nothing happens")
				}
				if f.rev > 0 {
					return usage("leave one of the two out", "--as is about the reports of the resolution that counts, not of --revision %d", f.rev)
				}
				if seq, err = referee.EventOf(g, f.turn, as, seq); err != nil {
					return err
				}
			}
			t, err := referee.Follow(cmd.Context(), g, f.turn, f.rev, seq, bag)
			if err != nil {
				return err
			}
			if f.asJSON {
				return printJSON(cmd.OutOrStdout(), t)
			}
			showTrace(cmd.OutOrStdout(), t)
			return nil
		},
	}
	f.define(cmd)
	cmd.Flags().StringVar(&as, "as", "", "EVENT is as the report for `SHIP` numbers it")
	return cmd
}

// event reads "42" or "3.42".
func (f *truthFlags) event(text string) (int, error) {
	at, number, both := strings.Cut(text, ".")
	if !both {
		at, number = "", text
	}
	seq, err := strconv.Atoi(number)
	if err == nil && both {
		var n int
		if n, err = strconv.Atoi(at); err == nil && f.given && n != f.turn {
			return 0, usage("name it once", "the turn is %d in %s and %d in --turn", n, text, f.turn)
		}
		f.turn = n
	}
	if err != nil || seq < 1 || f.turn < 0 {
		return 0, usage("such as 42, or 3.42 for that of turn 3", "%q is no event", text)
	}
	return seq, nil
}

func showTrace(w io.Writer, t *referee.Trace) {
	fmt.Fprintf(w, "%s, turn %d, event %d", t.Game, t.Turn, t.Event)
	if t.Revision > 1 {
		fmt.Fprintf(w, ", revision %d", t.Revision)
	}
	fmt.Fprintln(w)
	for _, name := range slices.Sorted(maps.Keys(t.Seen)) {
		fmt.Fprintf(w, "in the report of %s it is %d.%d\n", name, t.Turn, t.Seen[name])
	}
	if len(t.Seen) == 0 {
		fmt.Fprintln(w, "no captain sees it")
	}
	heading(w, "Ordered by")
	if len(t.Orders) == 0 {
		fmt.Fprintln(w, "nobody: it follows from the rules alone")
	}
	for _, o := range t.Orders {
		fmt.Fprintln(w, orderLine(o))
	}
	if len(t.Before) > 0 {
		heading(w, "It follows from")
		for _, l := range t.Before {
			showLink(w, l)
		}
	}
	heading(w, "The event")
	showLink(w, t.Link)
	if len(t.After) > 0 || len(t.Later) > 0 {
		heading(w, "From it follows")
	}
	for _, l := range t.After {
		showLink(w, l)
	}
	for _, l := range t.Later {
		fmt.Fprintf(w, "later: %s\n", l)
	}
}

func showLink(w io.Writer, l referee.Link) {
	showEvent(w, l.Told)
	for _, d := range l.Dice {
		fmt.Fprintf(w, "       die %s %s: %d\n", d.Dice, d.Name, d.Value)
	}
	for _, y := range l.Why {
		fmt.Fprintf(w, "       %s\n", y)
	}
}

func orderLine(o referee.OrderLine) string {
	line := fmt.Sprintf("%s:%d: %s", o.File, o.Line, o.Text)
	switch {
	case o.Policy != "":
		line += " (no orders came: written by the " + o.Policy + ")"
	case o.Mail != nil:
		line += " (mail " + mailName(o.Mail)
		if o.Proof != "" {
			line += ", proof: " + o.Proof
		}
		line += ")"
	}
	return line
}

// number reads a number of something on the command line, from 1.
func number(text, what string) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		return 0, usage("such as 1", "%q is no number of a %s", text, what)
	}
	return n, nil
}
