package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"starpost/pbem/daemon"
)

func doctorCommand() *cobra.Command {
	var file string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "doctor --config FILE",
		Short: "Try everything that the daemon needs",
		Long: `Tries the mailbox, the outgoing server, the clock, the state directory, the ledger
in it and every game, and tells what is wrong with what to do. The exit code is 1
if anything is.`,
		Example: "  starpost doctor --config /etc/starpost.toml",
		Args:    exactly(),
		RunE:    func(cmd *cobra.Command, _ []string) error { return doctor(cmd, file, asJSON) },
	}
	cmd.Flags().StringVar(&file, "config", "", "the configuration, a TOML `FILE`")
	completeFlag(cmd, "config", tomlFile)
	cmd.Flags().BoolVar(&asJSON, "json", false, "machine output")
	return cmd
}

func doctor(cmd *cobra.Command, file string, asJSON bool) error {
	c, err := loadConfig(file)
	if err != nil {
		return err
	}
	w := cmd.OutOrStdout()
	var checks []daemon.Check
	bad := 0
	daemon.Doctor(cmd.Context(), c, catalogue(), func(check daemon.Check) {
		checks = append(checks, check)
		if !check.OK() {
			bad++
		}
		if asJSON {
			return
		}
		if check.OK() {
			fmt.Fprintf(w, "ok   %s: %s\n", check.What, check.Found)
			return
		}
		fmt.Fprintf(w, "BAD  %s: %s\n", check.What, check.Problem)
		if check.Hint != "" {
			fmt.Fprintf(w, "     hint: %s\n", check.Hint)
		}
	})
	for _, warning := range c.Warnings {
		fmt.Fprintf(cmd.ErrOrStderr(), "warning: %s\n", warning)
	}
	if asJSON {
		if err := printJSON(w, checks); err != nil {
			return err
		}
	}
	if bad > 0 {
		return fmt.Errorf("%d of %d things are wrong", bad, len(checks))
	}
	return nil
}
