package main

import (
	"cmp"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// What a release is called and which commit it was built from. The linker sets both (packaging/release), so that
// the same source gives the same bytes in any folder, with or without a history beside it.
var releaseName, releaseCommit string

// version is the release, or else what the build knows of the module.
func version() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		return cmp.Or(releaseName, info.Main.Version, "unknown")
	}
	return cmp.Or(releaseName, "unknown")
}

// revision is the commit that the program was built from.
func revision() string {
	found := releaseCommit
	if info, ok := debug.ReadBuildInfo(); ok && found == "" {
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				found = s.Value
			}
		}
	}
	return cmp.Or(found, "unknown")
}

func versionCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "version [--json]",
		Short: "Tell which version this is",
		Long: `Tells the version, the commit that it was built from, and the Go version and
system that it was built with and for: what a report of a bug needs.`,
		Example: "  starpost version\n  starpost version --json",
		Args:    exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			v := struct {
				Version string `json:"version"`
				Commit  string `json:"commit"`
				Go      string `json:"go"`
				System  string `json:"system"`
			}{version(), revision(), runtime.Version(), runtime.GOOS + "/" + runtime.GOARCH}
			return show(cmd, asJSON, v, func(w io.Writer) {
				fmt.Fprintf(w, "starpost %s\ncommit %s\n%s %s\n", v.Version, v.Commit, v.Go, v.System)
			})
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "machine output")
	return cmd
}
