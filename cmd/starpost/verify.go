package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"starpost/cmd/stores"
	"starpost/pbem/archive"
	"starpost/pbem/fault"
	reports "starpost/pbem/report"
	"starpost/pbem/turn"
	"starpost/pbem/turn/proof"
	"starpost/pbem/vault"
)

func verifyCommand() *cobra.Command {
	var heads []string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "verify DIR|FILE.zip",
		Short: "Replay every turn and compare everything",
		Long: `Replays every turn from its orders and the game's secret. It compares states, events and
dice byte for byte, and all other files with their hashes. It lists what was changed;
the exit code is 1 if anything was. Turns changed by a referee are replayed in each
revision, and the rulings are listed.

For an archive (starpost archive) it also shows the hash of the record so far in each
turn's reports, the captains' words for luck, and everything a referee did. With --head,
a hash from a report, it also checks that archive and report are of the same game: the
hash of the record so far, or of the secret. In a game with public dice the hashes of
closings and of acknowledged order sets work too.`,
		Example: "  starpost verify wolf\n  starpost verify wolf.zip --head 60303ae22b998861bce3b28f33eec1be758a213c86c93c07",
		Args:    exactly("a game directory or an archive"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if isArchive(args[0]) {
				return verifyArchive(cmd, args[0], heads, asJSON)
			}
			if len(heads) > 0 {
				return usage("make an archive first: starpost archive DIR FILE.zip", "--head is for archives")
			}
			return verify(cmd, args[0], asJSON)
		},
		ValidArgsFunction: gameFirst(cobra.ShellCompDirectiveNoFileComp),
	}
	cmd.Flags().StringArrayVar(&heads, "head", nil, "a `HASH` from a report or another mail that the archive must contain (repeatable)")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	stores.Flag(cmd)
	return cmd
}

func verify(cmd *cobra.Command, dir string, asJSON bool) error {
	g, err := openGame(cmd, dir)
	if err != nil {
		return err
	}
	bar := newProgress(cmd.ErrOrStderr(), g.Turn()+1, "verifying")
	found, err := proof.Verify(g, func(n int) { bar.at(n) })
	bar.done()
	if err != nil {
		return err
	}
	if asJSON {
		if found == nil {
			found = []proof.Finding{}
		}
		if err := printJSON(cmd.OutOrStdout(), found); err != nil {
			return err
		}
	}
	if len(found) == 0 {
		if !asJSON {
			if err := tellPlayed(cmd.OutOrStdout(), g); err != nil {
				return err
			}
			return changesOfThePast(cmd.OutOrStdout(), g)
		}
		return nil
	}
	for _, f := range found {
		fmt.Fprintln(cmd.ErrOrStderr(), g.Place(f.String()))
	}
	return fault.New("restore the named files from a backup, or treat them as altered", "%s does not replay as recorded: %s", g.ID(), reports.Count(len(found), "finding"))
}

// tellPlayed prints which turns replayed as they were played, and which could only be checked.
func tellPlayed(w io.Writer, g *vault.Game) error {
	spans, err := proof.Versions(g)
	if err != nil {
		return err
	}
	for i, s := range spans {
		also := ""
		if at := g.Newest(); at.Round > 0 && i == len(spans)-1 {
			also = ", and " + at.String() + ","
		}
		if is := g.Rules().Version; s.Version != is {
			fmt.Fprintf(w, "%s: %s%s: played by version %s of rule set %s, and this program has version %s: not played again; %s\n",
				g.ID(), s, also, s.Version, g.Rules().Name, is, archive.OldTurnsChecked)
			continue
		}
		verb := "are just as they were played"
		if s.First == s.Last && also == "" {
			verb = "is just as it was played"
		}
		fmt.Fprintf(w, "%s: %s%s %s\n", g.ID(), s, also, verb)
	}
	return nil
}

// changesOfThePast lists how referees changed turns that were resolved.
func changesOfThePast(w io.Writer, g *vault.Game) error {
	for _, r := range g.Stages.Revisions() {
		state := ""
		switch {
		case r.Revision == 1 && r.Aside == 0:
			continue
		case !r.Current:
			state = ", counts no more"
		}
		line := fmt.Sprintf("turn %d, revision %d%s", r.Turn, r.Revision, state)
		switch {
		case r.Played:
			line += ": played again after a rollback"
		case r.Revision > 1:
			line += ": by " + r.By
			if r.Why != "" {
				line += ", " + r.Why
			}
		}
		fmt.Fprintln(w, line)
		rulings, err := turn.RulingsIn(g, r.Turn, r.Revision)
		if err != nil {
			return err
		}
		for _, ru := range rulings {
			line := fmt.Sprintf("  %s by %s: %s", ru.At, ru.By, ru.What)
			if ru.Before {
				line += " (from the beginning of the turn)"
			}
			if ru.Force {
				line += " (by force)"
			}
			if ru.Why != "" {
				line += ", " + ru.Why
			}
			fmt.Fprintln(w, line)
		}
	}
	return nil
}
