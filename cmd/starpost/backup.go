package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"starpost/cmd/about"
	"starpost/pbem/backup"
	"starpost/pbem/fault"
)

func backupCommand() *cobra.Command {
	var file string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "backup --config FILE DIR",
		Short: "Copy all that the daemon would need to go on elsewhere",
		Long: `Copies games, store, mails and configuration into a new directory DIR, also while
the daemon runs: mails to a game wait until it is copied. Passwords and tokens are
not copied. A backup is there whole or not at all.

To restore, put the directories below DIR/games and DIR/state where the
configuration says; docs/operating.md has the steps.`,
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
				if g.Problem != "" {
					fmt.Fprintf(cmd.ErrOrStderr(), "warning: %s was copied as it is: %s\n", g.From, g.Problem)
				}
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&file, "config", "", "the configuration, a TOML `FILE`")
	completeConfig(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "machine output")
	return cmd
}
