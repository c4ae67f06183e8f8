package main

import (
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"starpost/cmd/stores"
	"starpost/pbem/console"
	"starpost/pbem/daemon"
	"starpost/pbem/digest"
)

func statusCommand(now func() time.Time) *cobra.Command {
	var asJSON, all bool
	var file string
	cmd := &cobra.Command{
		Use:   "status [DIR] [--config FILE [--all]]",
		Short: "Show what is due and whose orders are in",
		Long: `Shows the turn that is due, its deadline and the time left, whose orders are missing,
and for each ship whether its orders are in. With the daemon's configuration it also
shows whose mails come back undelivered.

With only a configuration it shows an overview of all its games: a line for each game
under way (up to twenty), what needs you, who is late, who missed how many turns, what
is waiting, whether mails come and go, and the commands to act. [digest] sends the same
by mail each day.

--all lists all games, one a line: state, turn that is due and deadline, number of seats
whose captain has an address, and whose orders are missing. Practice games against
robots are listed separately.`,
		Example: "  starpost status wolf\n  starpost status wolf --json\n  starpost status --config /etc/starpost.toml\n  starpost status --config /etc/starpost.toml --all --json",
		Args:    atMost("game directory"),
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case all && len(args) > 0:
				return usage("leave out the one or the other", "--all lists all games, and %s is one", args[0])
			case len(args) == 0:
				return statusOfAll(cmd, file, now(), all, asJSON)
			}
			return status(cmd, args[0], file, now(), asJSON)
		},
		ValidArgsFunction: gameFirst(cobra.ShellCompDirectiveNoFileComp),
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	cmd.Flags().BoolVar(&all, "all", false, "list all games of the configuration")
	cmd.Flags().StringVar(&file, "config", "", "the daemon's configuration, a TOML `FILE`")
	completeConfig(cmd)
	stores.Flag(cmd)
	return cmd
}

func statusOfAll(cmd *cobra.Command, file string, now time.Time, all, asJSON bool) error {
	if file == "" {
		return usage("starpost status DIR, or starpost status --config FILE for all games", "status needs a game directory, or --config FILE")
	}
	c, err := lookAtConfig(file)
	if err != nil {
		return err
	}
	var o interface{ Print(w io.Writer) error }
	if all {
		o, err = digest.ListGames(cmd.Context(), c, catalogue(), now)
	} else {
		o, err = digest.Gather(cmd.Context(), c, catalogue(), now)
	}
	if err != nil {
		return err
	}
	if asJSON {
		return printJSON(cmd.OutOrStdout(), o)
	}
	return o.Print(cmd.OutOrStdout())
}

func status(cmd *cobra.Command, dir, file string, now time.Time, asJSON bool) error {
	g, err := openGame(cmd, dir)
	if err != nil {
		return err
	}
	st, state, err := console.Look(g, now)
	if err != nil {
		return err
	}
	if file != "" {
		c, err := lookAtConfig(file)
		if err != nil {
			return err
		}
		if st.Bounces, err = daemon.Bounces(cmd.Context(), c, g.Settings()); err != nil {
			return err
		}
	}
	if asJSON {
		return printJSON(cmd.OutOrStdout(), st)
	}
	for _, l := range st.Lines {
		fmt.Fprintln(cmd.ErrOrStderr(), l)
	}
	return st.Print(cmd.OutOrStdout(), state, now)
}
