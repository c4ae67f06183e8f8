package main

import (
	"cmp"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"starpost/engine"
	"starpost/pbem/archive"
	"starpost/pbem/campaign"
	"starpost/pbem/store/sqlite"
	"starpost/pbem/vault"
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
				return tellReads(cmd.OutOrStdout())
			}
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
	cmd.Flags().BoolVar(&reads, "reads", false, "tell formats and rule sets")
	return cmd
}

// tellReads tells which formats and rule sets are written and read.
func tellReads(out io.Writer) error {
	all := catalogue()
	sets := make([]*engine.Rules, 0, len(all))
	for _, name := range ruleSetNames() {
		r, err := all.Rules(name, nil)
		if err != nil {
			return err
		}
		sets = append(sets, r)
	}
	columns(out, func(w io.Writer) {
		fmt.Fprintln(w, "WHAT\tWRITES\tREADS")
		for _, f := range []struct {
			what  string
			first int
			last  int
		}{
			{"store (ledger.db)", 1, sqlite.Format()}, {"state of a game (state.json)", 1, engine.Format}, {"settings of a game (game.toml)", 1, vault.Format},
			{"archive of a game (archive.json)", 1, archive.Format}, {"roster of a campaign", 1, campaign.Format},
		} {
			reads := fmt.Sprint(f.first)
			if f.last > f.first {
				reads = fmt.Sprintf("%d to %d", f.first, f.last)
			}
			fmt.Fprintf(w, "%s\t%d\t%s\n", f.what, f.last, reads)
		}
		for _, r := range sets {
			fmt.Fprintf(w, "rule set %s\t%s\t%s\n", r.Name, r.Version, versionsUpTo(r.Version))
		}
	})
	return nil
}

// versionsUpTo are the versions of a rule set whose games are read: all so far. Only its own are played.
func versionsUpTo(version string) string {
	if version == "1" {
		return "1"
	}
	return "1 to " + version + ", plays " + version
}
