// Package about prints facts about the program: its version, the formats and rule sets it reads, and its manual
// pages, which are made from the commands' help.
package about

import (
	"cmp"
	"fmt"
	"io"
	"runtime/debug"
	"text/tabwriter"

	"starpost/engine"
	"starpost/pbem/archive"
	"starpost/pbem/campaign"
	"starpost/pbem/store/sqlite"
	"starpost/pbem/vault"
)

// The name of a release and the commit it was built from. The linker sets both (packaging/release), so that the
// same source gives the same bytes in any folder, with or without a Git history.
var releaseName, releaseCommit string

// Version returns the name of the release, or else the module version recorded in the build.
func Version() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		return cmp.Or(releaseName, info.Main.Version, "unknown")
	}
	return cmp.Or(releaseName, "unknown")
}

// Commit returns the commit that the program was built from.
func Commit() string {
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

// Reads prints which formats the program writes and reads, and which versions of the given rule sets.
func Reads(out io.Writer, sets []*engine.Rules) error {
	w := tabwriter.NewWriter(out, 0, 8, 2, ' ', 0)
	fmt.Fprintln(w, "WHAT\tWRITES\tREADS")
	for _, f := range []struct {
		what        string
		first, last int
	}{
		{"store (ledger.db)", 1, sqlite.Format()},
		{"state of a game (state.json)", 1, engine.Format},
		{"settings of a game (game.toml)", 1, vault.Format},
		{"archive of a game (archive.json)", 1, archive.Format},
		{"roster of a campaign", 1, campaign.Format},
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
	return w.Flush()
}

// versionsUpTo says which versions of a rule set are read (all so far) and played (only the current one).
func versionsUpTo(version string) string {
	if version == "1" {
		return "1"
	}
	return "1 to " + version + ", plays " + version
}
