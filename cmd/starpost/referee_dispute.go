package main

import (
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/spf13/cobra"

	"starpost/orders"
	"starpost/pbem/console"
	"starpost/pbem/referee"
	"starpost/pbem/vault"
)

func disputesCommand() *cobra.Command {
	var asJSON, open bool
	cmd := &cobra.Command{
		Use:   "disputes DIR [--open]",
		Short: "List the protests of a game and what became of them",
		Long: `Lists the disputes of a game: each protest of a captain opens one. The event is given
as the captain's report numbers it, and by its number in the truth of the turn.`,
		Example:           "  starpost referee wolf disputes\n  starpost referee wolf disputes --open --json",
		Args:              exactly("a game directory"),
		ValidArgsFunction: gameFirst(cobra.ShellCompDirectiveNoFileComp),
		RunE: func(cmd *cobra.Command, args []string) error {
			g, err := vault.Open(args[0], catalogue())
			if err != nil {
				return err
			}
			all, err := referee.Disputes(g)
			if err != nil {
				return err
			}
			if open {
				all = slices.DeleteFunc(all, func(c referee.Case) bool { return c.State != referee.Verdict("") })
			}
			if asJSON {
				return printJSON(cmd.OutOrStdout(), all)
			}
			return console.Disputes(cmd.OutOrStdout(), g, all)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "machine output")
	cmd.Flags().BoolVar(&open, "open", false, "only those that wait for you")
	return cmd
}

// disputeFlags are what a referee says in a dispute.
type disputeFlags struct {
	why, tell, revision, by, captain string
	force, asJSON                    bool
}

func disputeCommand(now func() time.Time) *cobra.Command {
	var f disputeFlags
	cmd := &cobra.Command{
		Use:   "dispute DIR N [show | answer TEXT | uphold --why TEXT | reject --why TEXT] | dispute DIR open --for CAPTAIN EVENT REASON",
		Short: "Show a protest, answer it, uphold or reject it, or open one",
		Long: `Shows a dispute, answers the captain who protested, or ends it. What --why or answer
says is mailed to him alone. When it ends all other captains are told that a protest
on the turn was upheld or rejected, and nothing else, or what --tell says. Words that
name a ship of which a reader does not know are refused, and so are event numbers in
--tell, unless --force is given.

To uphold a protest changes nothing in the turn by itself: correct it with ruling or
rerun, and name the revision that came of it with --revision, such as 3.2 for revision
2 of turn 3.

"open" notes the protest of a captain who told it otherwise than by mail, or plays from
files: --for is his name or a ship's, EVENT is as the report for his ship numbers it,
such as 3.17, and REASON are his words.`,
		Example: `  starpost referee wolf dispute 1
  starpost referee wolf dispute 1 answer "Which bank do you mean?"
  starpost referee wolf dispute 1 reject --why "Range 11 is within chart H: it reaches 13."
  starpost referee wolf dispute 2 uphold --why "The shield was up." --revision 3.2
  starpost referee wolf dispute open --for Riskadh 3.17 "the torpedo was out of range"`,
		Args:              disputeArgs,
		ValidArgsFunction: gameFirst(cobra.ShellCompDirectiveNoFileComp),
		RunE:              func(cmd *cobra.Command, args []string) error { return f.run(cmd, args, now()) },
	}
	cmd.Flags().StringVar(&f.why, "why", "", "what the captain who protested is told: `TEXT`")
	cmd.Flags().StringVar(&f.tell, "tell", "", "what all others are told: `TEXT`; without, that a protest on the turn was upheld or rejected")
	cmd.Flags().StringVar(&f.revision, "revision", "", "the revision of a turn that was made because of it: `TURN.REVISION`")
	cmd.Flags().StringVar(&f.captain, "for", "", "with open: whose protest it is, `CAPTAIN` or a ship of his")
	cmd.Flags().StringVar(&f.by, "by", referee.ByReferee, "who acts: `NAME`")
	cmd.Flags().BoolVar(&f.force, "force", false, "take words that name what a reader does not know")
	cmd.Flags().BoolVar(&f.asJSON, "json", false, "machine output")
	return cmd
}

// disputeSteps are the words for what to do with a dispute.
func disputeSteps() []string { return []string{"show", "answer", "uphold", "reject"} }

func disputeArgs(cmd *cobra.Command, args []string) error {
	if len(args) < 2 {
		return exactly("a game directory", "the number of a dispute")(cmd, args)
	}
	if args[1] == "open" {
		return exactly("a game directory", "open", "an event", "the reason, in quotes")(cmd, args)
	}
	most := 3
	if len(args) > 2 {
		if !slices.Contains(disputeSteps(), args[2]) {
			hint := "one of: " + strings.Join(disputeSteps(), ", ")
			if near := orders.Suggest(args[2], disputeSteps()); near != "" {
				hint = "did you mean " + near + "?"
			}
			return usage(hint, "a dispute has no step %q", args[2])
		}
		if args[2] == "answer" {
			if most = 4; len(args) < most {
				return usage(`such as: dispute 1 answer "Which bank do you mean?"`, "answer wants the words for the captain")
			}
		}
	}
	if len(args) > most {
		return usage("quote words that belong together", "%s does not want %q", called(cmd), args[most])
	}
	return nil
}

func (f *disputeFlags) run(cmd *cobra.Command, args []string, now time.Time) error {
	if args[1] == "open" {
		return f.open(cmd, args, now)
	}
	if flag := f.stray(cmd, "for"); flag != "" {
		return usage("dispute open --for CAPTAIN EVENT REASON opens one", "--for says whose protest is opened, and none is")
	}
	n, err := number(args[1], "dispute")
	if err != nil {
		return err
	}
	g, err := vault.Open(args[0], catalogue())
	if err != nil {
		return err
	}
	if err := allowed(g, f.by, "dispute", g.Turn(), now); err != nil {
		return err
	}
	step := "show"
	if len(args) > 2 {
		step = args[2]
	}
	if step == "show" {
		if flag := f.stray(cmd, "why", "tell", "revision", "force"); flag != "" {
			return usage("add uphold, reject or answer", "--%s says how a dispute is decided, and nothing is decided", flag)
		}
		c, err := referee.Dispute(g, n)
		if err != nil {
			return err
		}
		return f.show(cmd, g, c)
	}
	d, err := f.decision(cmd, step, args)
	if err != nil {
		return err
	}
	if _, err := referee.Settle(g, referee.Act{By: f.by, Now: now}, n, d); err != nil {
		return err
	}
	c, err := referee.Dispute(g, n)
	if err != nil || f.asJSON {
		if err != nil {
			return err
		}
		return printJSON(cmd.OutOrStdout(), c)
	}
	console.Settled(cmd.OutOrStdout(), g.ID(), c)
	return nil
}

// open notes a protest for a captain.
func (f *disputeFlags) open(cmd *cobra.Command, args []string, now time.Time) error {
	if flag := f.stray(cmd, "why", "tell", "revision", "force"); flag != "" {
		return usage("open it first, then decide it", "--%s says how a dispute is decided, and nothing is decided", flag)
	}
	if f.captain == "" {
		return usage("such as --for Riskadh", "open wants --for: whose protest it is")
	}
	at, event, err := console.Event(args[2])
	if err != nil {
		return err
	}
	g, err := vault.Open(args[0], catalogue())
	if err != nil {
		return err
	}
	if err := allowed(g, f.by, "dispute", g.Turn(), now); err != nil {
		return err
	}
	n, err := referee.OpenDispute(g, referee.Act{By: f.by, Now: now}, f.captain, at, event, strings.TrimSpace(args[3]))
	if err != nil {
		return err
	}
	c, err := referee.Dispute(g, n)
	if err != nil {
		return err
	}
	return f.show(cmd, g, c)
}

// stray is the first of these flags that was given.
func (f *disputeFlags) stray(cmd *cobra.Command, flags ...string) string {
	for _, name := range flags {
		if cmd.Flags().Changed(name) {
			return name
		}
	}
	return ""
}

func (f *disputeFlags) decision(cmd *cobra.Command, step string, args []string) (referee.Decision, error) {
	d := referee.Decision{Step: step, Text: strings.TrimSpace(f.why), Tell: strings.TrimSpace(f.tell), Force: f.force}
	if step == vault.DisputeAnswer {
		if flag := f.stray(cmd, "why", "tell", "revision"); flag != "" {
			return d, usage("the words stand behind answer", "answer does not want --%s", flag)
		}
		d.Text = strings.TrimSpace(args[3])
	}
	if d.Text == "" {
		return d, usage(`such as --why "Range 11 is within chart H."`, "%s %s wants --why: the captain who protested is told the reason", called(cmd), step)
	}
	for _, text := range []string{d.Text, d.Tell, f.by} {
		if len(text) > 4000 || strings.ContainsFunc(text, func(r rune) bool { return unicode.IsControl(r) && r != '\n' }) {
			return d, usage("plain words, at most 4000 bytes", "a text is too long, or has signs in it that are none")
		}
	}
	if strings.TrimSpace(f.by) == "" || len(f.by) > 100 || strings.Contains(f.by, "\n") {
		return d, usage("such as --by Ann", "--by is no name")
	}
	if f.revision == "" {
		return d, nil
	}
	at, rev, ok := strings.Cut(f.revision, ".")
	n, err := strconv.Atoi(at)
	r, err2 := strconv.Atoi(rev)
	if !ok || err != nil || err2 != nil || n < 1 || r < 1 {
		return d, usage("such as 3.2 for revision 2 of turn 3", "%q names no revision of a turn", f.revision)
	}
	d.Turn, d.Revision = n, r
	return d, nil
}

func (f *disputeFlags) show(cmd *cobra.Command, g *vault.Game, c referee.Case) error {
	if f.asJSON {
		return printJSON(cmd.OutOrStdout(), c)
	}
	return console.Dispute(cmd.OutOrStdout(), g, c)
}
