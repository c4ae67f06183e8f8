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
		Short: "Show the version",
		Long: `Shows the version, the commit it was built from, and the Go version and system it was
built with and for, as needed in a bug report. With --reads it shows which stored formats
and rule sets this program writes and reads.`,
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
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	cmd.Flags().BoolVar(&reads, "reads", false, "show formats and rule sets")
	return cmd
}

func manCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "man DIR",
		Short: "Write manual pages",
		Long: `Writes the manual pages into a directory: starpost.1, and one for each command, such as
starpost-new.1. They contain the same text as the commands' help.`,
		Example:           "  starpost man /usr/local/share/man/man1",
		Args:              exactly("a directory"),
		ValidArgsFunction: gameFirst(cobra.ShellCompDirectiveNoFileComp),
		RunE: func(cmd *cobra.Command, args []string) error {
			return about.WriteManual(cmd.Root(), args[0])
		},
	}
}
