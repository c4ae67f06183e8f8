package main

import (
	"fmt"
	"strings"
	"time"
	"unicode"

	"github.com/spf13/cobra"

	"starpost/pbem/clock"
	"starpost/pbem/console"
	"starpost/pbem/referee"
	"starpost/pbem/vault"
)

// refereeCommand groups what a referee does to a game: starpost referee DIR
// COMMAND. The library wants commands before arguments; so the game's directory
// changes places with the command, and either order is taken.
func refereeCommand(now func() time.Time) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "referee DIR COMMAND",
		Short: "Do to a game what is a referee's to do",
		Long: `Does to a game what is a referee's to do. All of it goes into the game's journal
(DIR/journal.jsonl), and a turn that was resolved is never written over: what it is
changed into stands beside it as its next revision. The daemon may run meanwhile: at
its next look it does what follows, and tells the captains.`,
		Example: `  starpost referee wolf pause --why "the referee is ill"
  starpost referee wolf extend 2d --why "the mail server was down"
  starpost referee wolf resume`,
		DisableFlagParsing: true, // they are the command's
		RunE:               refereeRun,
		ValidArgsFunction: func(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			if len(args) != 1 {
				return nil, cobra.ShellCompDirectiveFilterDirs
			}
			var words []string
			for _, c := range cmd.Commands() {
				words = append(words, cobra.CompletionWithDesc(c.Name(), c.Short))
			}
			return words, cobra.ShellCompDirectiveNoFileComp
		},
	}
	for _, c := range append(peopleCommands(now), []*cobra.Command{
		pauseCommand(now), resumeCommand(now), extendCommand(now), versionCommand(now), fileCommand(now),
		showCommand(now), traceCommand(now), disputesCommand(), disputeCommand(now), watchCommand(now),
		rulingCommand(now), rerunCommand(now), rollbackCommand(now), amendCommand(now),
		whatifCommand(now), previewCommand(now), processCommand(now), archiveCommand(now),
	}...) {
		// The usage has the order of which all texts speak.
		line := "starpost referee DIR " + strings.Replace(c.Use, " DIR", "", 1)
		c.SetUsageTemplate(strings.Replace(c.UsageTemplate(), "{{.UseLine}}", line, 1))
		cmd.AddCommand(c)
	}
	return cmd
}

func refereeRun(cmd *cobra.Command, args []string) error {
	var names []string
	for _, c := range cmd.Commands() {
		names = append(names, c.Name())
	}
	switch {
	case len(args) == 0, args[0] == "--help", args[0] == "-h":
		return cmd.Help()
	case strings.HasPrefix(args[0], "-"), len(args) == 1, strings.HasPrefix(args[1], "-"):
		return usage("usage: starpost referee DIR COMMAND", "referee wants a game directory and a command: %s", strings.Join(names, ", "))
	}
	sub, _, err := cmd.Find(args[1:2])
	if err != nil || sub == cmd {
		return unknownCommand(cmd, args[1])
	}
	root := cmd.Root()
	root.SetArgs(append([]string{cmd.Name(), args[1], args[0]}, args[2:]...))
	return root.ExecuteContext(cmd.Context())
}

// refereeFlags are those of every command of the group.
type refereeFlags struct {
	why    string
	by     string // "" where a command has no such flag
	asJSON bool
}

func (f *refereeFlags) define(cmd *cobra.Command, why string) {
	cmd.Flags().StringVar(&f.why, "why", "", why)
	cmd.Flags().StringVar(&f.by, "by", referee.ByReferee, "who acts, as captains are told: `NAME`")
	cmd.Flags().BoolVar(&f.asJSON, "json", false, "machine output")
}

// act is the act that the flags tell of.
func (f *refereeFlags) act(cmd *cobra.Command, now time.Time, must bool) (referee.Act, error) {
	switch why := strings.TrimSpace(f.why); {
	case must && why == "":
		return referee.Act{}, usage(`such as --why "the mail server was down"`, "%s wants --why: the captains are told the reason", called(cmd))
	case len(why) > 300 || strings.ContainsFunc(why, unicode.IsControl):
		return referee.Act{}, usage("one line, at most 300 characters", "--why is too long, or more than a line")
	}
	by := strings.TrimSpace(f.by)
	if by == "" || len(by) > 60 || strings.ContainsFunc(by, unicode.IsControl) {
		return referee.Act{}, usage("such as --by Rita", "--by is no name")
	}
	return referee.Act{By: by, Why: strings.TrimSpace(f.why), Now: now}, nil
}

func pauseCommand(now func() time.Time) *cobra.Command {
	var f refereeFlags
	cmd := &cobra.Command{
		Use:   "pause DIR --why TEXT",
		Short: "Stop a game's clock",
		Long: `Stops a game's clock. No turn is resolved and nobody is reminded until resume lets
the game go on; what is left of the turn now is left then, and at least a day
(less where turns are shorter). Orders are taken meanwhile.`,
		Example:           `  starpost referee wolf pause --why "the referee is ill"`,
		Args:              exactly("a game directory"),
		ValidArgsFunction: gameFirst(cobra.ShellCompDirectiveNoFileComp),
		RunE: func(cmd *cobra.Command, args []string) error {
			a, err := f.act(cmd, now(), true)
			if err != nil {
				return err
			}
			return f.do(cmd, args[0], a.Now, func(g *vault.Game) (vault.Timing, error) { return referee.Pause(g, a) })
		},
	}
	f.define(cmd, "the reason, which the captains are told: `TEXT`")
	return cmd
}

func resumeCommand(now func() time.Time) *cobra.Command {
	var f refereeFlags
	cmd := &cobra.Command{
		Use:   "resume DIR [--why TEXT]",
		Short: "Let a paused game go on",
		Long: `Lets a paused game go on, whoever paused it: you, or the daemon after an outage or
a jump of the clock. The captains have what was left of the turn when the game was
paused, or the deadline that was set meanwhile.`,
		Example:           `  starpost referee wolf resume`,
		Args:              exactly("a game directory"),
		ValidArgsFunction: gameFirst(cobra.ShellCompDirectiveNoFileComp),
		RunE: func(cmd *cobra.Command, args []string) error {
			a, err := f.act(cmd, now(), false)
			if err != nil {
				return err
			}
			return f.do(cmd, args[0], a.Now, func(g *vault.Game) (vault.Timing, error) { return referee.Resume(g, a) })
		},
	}
	f.define(cmd, "a word to the captains: `TEXT`")
	return cmd
}

func extendCommand(now func() time.Time) *cobra.Command {
	var f refereeFlags
	var shorten bool
	cmd := &cobra.Command{
		Use:   "extend DIR TIME --why TEXT",
		Short: "Give the turn that is due another deadline",
		Long: `Gives the turn that is due another deadline. TIME is how much later it is, such as
12h or 2d (whole days keep the hour), or a moment as clocks show it in the game's
time zone, such as "2026-12-01 20:00". It is taken as it is, on a day off too. An
earlier deadline than the one that the captains know needs --shorten. A grace period
that was opened is not given again.`,
		Example: `  starpost referee wolf extend 2d --why "the mail server was down"
  starpost referee wolf extend 2026-12-01T20:00 --why "so that all have the week-end"`,
		Args:              exactly("a game directory", "a time"),
		ValidArgsFunction: gameFirst(cobra.ShellCompDirectiveNoFileComp),
		RunE: func(cmd *cobra.Command, args []string) error {
			a, err := f.act(cmd, now(), true)
			if err != nil {
				return err
			}
			to := referee.At(strings.Replace(args[1], "T", " ", 1))
			if more, err := clock.ParseSpan(args[1]); err == nil {
				if more == 0 {
					return usage("such as 12h or 2d", "extend by %s gives no time", args[1])
				}
				to = referee.By(more, a.Now)
			} else if _, err := (clock.Schedule{}).Wall(strings.Replace(args[1], "T", " ", 1)); err != nil {
				return usage(`such as 12h, 2d or "2026-12-01 20:00"`, "%q is neither a length of time nor a moment", args[1])
			}
			return f.do(cmd, args[0], a.Now, func(g *vault.Game) (vault.Timing, error) { return referee.Extend(g, a, to, shorten) })
		},
	}
	f.define(cmd, "the reason, which the captains are told: `TEXT`")
	cmd.Flags().BoolVar(&shorten, "shorten", false, "take an earlier deadline too")
	return cmd
}

func versionCommand(now func() time.Time) *cobra.Command {
	var f refereeFlags
	cmd := &cobra.Command{
		Use:   "rules DIR VERSION --why TEXT",
		Short: "Have a game go on by another version of its rules",
		Long: `Has a game go on by the program's version of its rule set, from the turn that is due.

A game keeps the version that it was begun with. A starpost with a later one reads the
game and verifies it, but plays no turn of it before its referee says so with this
command: the captains are told, and the next report tells it too. Turns that an earlier
version played stay as they are; they cannot be resolved again, but they can be taken
back. Phases of the turn that is due which an earlier version played are taken back.`,
		Example:           `  starpost referee wolf rules 2 --why "the server has a new starpost"`,
		Args:              exactly("a game directory", "a version of its rule set"),
		ValidArgsFunction: gameFirst(cobra.ShellCompDirectiveNoFileComp),
		RunE: func(cmd *cobra.Command, args []string) error {
			a, err := f.act(cmd, now(), true)
			if err != nil {
				return err
			}
			return f.do(cmd, args[0], a.Now, func(g *vault.Game) (vault.Timing, error) { return referee.Rules(g, a, args[1]) })
		},
	}
	f.define(cmd, "the reason, which the captains are told: `TEXT`")
	return cmd
}

// do acts on a game and tells how its time stands then.
func (f *refereeFlags) do(cmd *cobra.Command, dir string, now time.Time, act func(*vault.Game) (vault.Timing, error)) error {
	g, err := vault.Open(dir, catalogue())
	if err != nil {
		return err
	}
	if err := allowed(g, f.by, "", 0, now); err != nil {
		return err
	}
	t, err := act(g)
	if err != nil {
		return err
	}
	schedule, err := g.Settings().Schedule()
	if err != nil {
		return err
	}
	if f.asJSON {
		return printJSON(cmd.OutOrStdout(), struct {
			Game string `json:"game"`
			console.Timing
		}{g.ID(), console.TimingOf(t)})
	}
	w := cmd.OutOrStdout()
	fmt.Fprintf(w, "%s: %s\n", g.ID(), console.TimingOf(t).Words(now, schedule.Zone))
	if !t.Stands() && schedule.IsOff(t.Ends()) {
		fmt.Fprintln(cmd.ErrOrStderr(), "warning: the deadline is on a day off of the game's calendar")
	}
	fmt.Fprintln(w, "the daemon tells the captains when it looks next")
	return nil
}
