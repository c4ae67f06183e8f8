package main

import (
	"fmt"
	"io"
	"runtime"

	"github.com/spf13/cobra"

	"starpost/cmd/about"
	"starpost/engine"
)

func versionCommand() *cobra.Command {
	var asJSON, reads bool
	cmd := &cobra.Command{
		Use:   "version [--json | --reads]",
		Short: "Tell which version this is",
		Long: `Tells the version, the commit that it was built from, and the Go version and
system that it was built with and for: what a report of a bug needs. With --reads it
tells which stored formats and rule sets this program writes, and which it reads.`,
		Example: "  starpost version\n  starpost version --json\n  starpost version --reads",
		Args:    exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if reads {
				var sets []*engine.Rules
				for _, name := range ruleSetNames() {
					r, err := catalogue().Rules(name, nil)
					if err != nil {
						return err
					}
					sets = append(sets, r)
				}
				return about.Reads(cmd.OutOrStdout(), sets)
			}
			v := struct {
				Version string `json:"version"`
				Commit  string `json:"commit"`
				Go      string `json:"go"`
				System  string `json:"system"`
			}{about.Version(), about.Commit(), runtime.Version(), runtime.GOOS + "/" + runtime.GOARCH}
			return show(cmd, asJSON, v, func(w io.Writer) {
				fmt.Fprintf(w, "starpost %s\ncommit %s\n%s %s\n", v.Version, v.Commit, v.Go, v.System)
			})
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "machine output")
	cmd.Flags().BoolVar(&reads, "reads", false, "tell formats and rule sets")
	return cmd
}

func manCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "man DIR",
		Short: "Write manual pages",
		Long: `Writes the manual pages into a directory: starpost.1, and one for each command,
such as starpost-new.1. They say what the help of the commands says.`,
		Example:           "  starpost man /usr/local/share/man/man1",
		Args:              exactly("a directory"),
		ValidArgsFunction: gameFirst(cobra.ShellCompDirectiveNoFileComp),
		RunE: func(cmd *cobra.Command, args []string) error {
			return about.WriteManual(cmd.Root(), args[0])
		},
	}
}
