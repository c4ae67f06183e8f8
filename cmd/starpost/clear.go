package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"starpost/cmd/about"
	"starpost/pbem/backup"
	"starpost/pbem/clock"
	"starpost/pbem/fault"
	"starpost/pbem/spare"
)

func clearCommand(now func() time.Time) *cobra.Command {
	var file string
	var asJSON, yes bool
	age := clock.Span(spare.Age)
	cmd := &cobra.Command{
		Use:   "clear --config FILE [games] [mails] [archives] [--older TIME] [--yes]",
		Short: "List what is no longer needed, and remove it",
		Long: `Counts what can be removed: finished games, raw mails that were handled, and archives
next to the games, each if older than 90 days or --older. Nothing is removed unless you
name it and add --yes. Removal cannot be undone.

Removing a game also removes its pages and its part in ratings; starpost archive keeps
all of it in one file. Without the raw mails, referees can no longer look into them. The
daemon may run meanwhile; with keep_raw in its configuration it deletes mails
automatically.`,
		Example: "  starpost clear --config /etc/starpost.toml\n  starpost clear --config /etc/starpost.toml games mails --older 52w --yes",
		Args: func(_ *cobra.Command, args []string) error {
			for _, a := range args {
				if !slices.Contains(spare.Kinds(), a) {
					return usage("one or more of: "+strings.Join(spare.Kinds(), ", "), "there is no %q to clear", a)
				}
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if yes && len(args) == 0 {
				return usage("name one or more of: "+strings.Join(spare.Kinds(), ", "), "--yes removes what is named, but nothing is named")
			}
			c, err := lookAtConfig(file)
			if err != nil {
				return err
			}
			before := now().Add(-age.Duration())
			var found []spare.Item
			if yes {
				found, err = spare.Clear(cmd.Context(), c, catalogue(), before, args)
			} else {
				found, err = spare.Find(cmd.Context(), c, catalogue(), before)
			}
			if err != nil {
				return err
			}
			if !yes && len(args) > 0 {
				found = slices.DeleteFunc(found, func(s spare.Item) bool { return !slices.Contains(args, s.What) })
			}
			if asJSON {
				return printJSON(cmd.OutOrStdout(), found)
			}
			tw := tabwriter.NewWriter(cmd.OutOrStdout(), 0, 8, 2, ' ', 0)
			_, _ = fmt.Fprintln(tw, "WHAT\tNUMBER\tBYTES")
			for _, s := range found {
				_, _ = fmt.Fprintf(tw, "%s\t%d\t%d\n", s.What, s.Count, s.Bytes)
			}
			if err := tw.Flush(); err != nil {
				return err
			}
			for _, s := range found {
				for _, p := range s.Paths {
					fmt.Fprintln(cmd.OutOrStdout(), p)
				}
			}
			if !yes {
				fmt.Fprintln(cmd.ErrOrStderr(), "nothing was removed; name what to remove, and add --yes")
			}
			return nil
		},
		ValidArgsFunction: fixed(spare.Kinds()...),
	}
	cmd.Flags().StringVar(&file, "config", "", "the configuration, a TOML `FILE`")
	completeConfig(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	cmd.Flags().BoolVar(&yes, "yes", false, "remove what is named; this cannot be undone")
	cmd.Flags().Func("older", "the minimum age, a `TIME` such as 30d or 52w (default 90d)", func(text string) (err error) {
		age, err = clock.ParseSpan(text)
		return err
	})
	return cmd
}

func backupCommand() *cobra.Command {
	var file string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "backup --config FILE DIR",
		Short: "Copy everything the daemon needs to continue elsewhere",
		Long: `Copies games, store, mails and configuration into a new directory DIR, even while the
daemon runs: mails to a game wait until it is copied. Passwords and tokens are not
copied. A backup is either complete or absent.

To restore, put the directories below DIR/games and DIR/state where the configuration
says; docs/operating.md has the steps.`,
		Example: "  starpost backup --config /etc/starpost.toml /backups/starpost-monday",
		Args:    exactly("a new directory"),
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := lookAtConfig(file)
			if err != nil {
				return err
			}
			m, err := backup.Make(cmd.Context(), backup.Options{Config: c, Catalogue: catalogue(), To: args[0], Version: about.Version()})
			if errors.Is(err, backup.ErrExists) {
				return fault.New("name a directory that does not exist yet", "%s", err)
			}
			if err != nil {
				return err
			}
			if asJSON {
				return printJSON(cmd.OutOrStdout(), m)
			}
			fmt.Fprintf(cmd.OutOrStdout(), "%s: %d games, %d mails, %d bytes\n", args[0], len(m.Games), m.Mails, m.Bytes)
			for _, g := range m.Games {
				switch {
				case g.In == "":
					fmt.Fprintf(cmd.ErrOrStderr(), "warning: %s was not copied: %s\n", g.From, g.Problem)
				case g.Problem != "":
					fmt.Fprintf(cmd.ErrOrStderr(), "warning: %s was copied as it is: %s\n", g.From, g.Problem)
				}
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&file, "config", "", "the configuration, a TOML `FILE`")
	completeConfig(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}
