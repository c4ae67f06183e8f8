package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"starpost/cmd/stores"
	"starpost/pbem/archive"
	"starpost/pbem/fault"
	"starpost/pbem/referee"
	reports "starpost/pbem/report"
)

func archiveCommand(now func() time.Time) *cobra.Command {
	var file, by string
	var early, asJSON bool
	cmd := &cobra.Command{
		Use:   "archive DIR FILE.zip [--config FILE]",
		Short: "Put a finished game into one file that anyone can verify",
		Long: `Puts everything needed to replay a finished game into one ZIP file: the scenario, all
resolutions of all turns with their orders and rulings, the journal and the secret,
without addresses and keys. With the daemon's configuration it includes the order mails,
as text without addresses. The same game gives the same bytes.

Anyone with the file can verify it on any machine: starpost verify FILE.zip.

A game that is not over is refused, as its archive would reveal all orders, all future
dice and all turn keys. --before-the-end makes one anyway.`,
		Example: `  starpost archive wolf wolf.zip
  starpost archive wolf wolf.zip --config starpost.toml
  starpost archive wolf wolf.zip --store postgres://starpost@db/starpost
  starpost verify wolf.zip`,
		Args:              exactly("a game directory", "a new file"),
		ValidArgsFunction: gameFirst(cobra.ShellCompDirectiveDefault),
		RunE: func(cmd *cobra.Command, args []string) error {
			o := archive.Options{To: args[1], Early: early, Catalogue: catalogue()}
			if !strings.HasSuffix(strings.ToLower(o.To), ".zip") {
				return usage("such as wolf.zip", "an archive is called FILE.zip, not %s", o.To)
			}
			var err error
			if o.Game, err = openGame(cmd, args[0]); err != nil {
				return err
			}
			if early {
				if err := allowed(o.Game, by, "archive", o.Game.Turn(), now()); err != nil {
					return err
				}
			}
			if file != "" {
				c, err := lookAtConfig(file)
				if err != nil {
					return err
				}
				o.Bag = referee.Postbag{Host: c}
			}
			bar := newProgress(cmd.ErrOrStderr(), o.Game.Turn()+1, "verifying")
			o.Progress = bar.at
			made, err := archive.Make(cmd.Context(), o)
			bar.done()
			if err != nil {
				return err
			}
			return show(cmd, asJSON, made, func(w io.Writer) {
				tellArchive(w, cmd.ErrOrStderr(), made)
				if file == "" {
					fmt.Fprintln(cmd.ErrOrStderr(), "hint: to include the order mails, make it with --config FILE, the daemon's configuration")
				}
			})
		},
	}
	cmd.Flags().StringVar(&file, "config", "", "the daemon's configuration, a TOML `FILE`, to include the order mails")
	completeConfig(cmd)
	cmd.Flags().StringVar(&by, "by", "", "your `NAME`, if a referee plays and the game is not over")
	cmd.Flags().BoolVar(&early, "before-the-end", false, "archive a game that is not over; this reveals its secret")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	stores.Flag(cmd)
	return cmd
}

func tellArchive(w, warn io.Writer, made archive.Result) {
	fmt.Fprintf(w, "%s: turns 0 to %d of %s, %d files, %d bytes\n", made.File, made.Turn, made.Game, made.Files, made.Bytes)
	if made.Mails > 0 {
		fmt.Fprintf(w, "order mails: %d\n", made.Mails)
	}
	fmt.Fprintf(w, "SHA-256 of its list of hashes: %s\n", made.Sum)
	for _, l := range made.LeftOut {
		fmt.Fprintf(warn, "left out: %s\n", l)
	}
	for _, f := range made.Telling {
		fmt.Fprintf(warn, "warning: %s holds what looks like an address; it stays there\n", f)
	}
	if !made.Over {
		fmt.Fprintln(warn, "warning: the game is not over; anyone who has this file knows its secret: all dice to come, and all turn keys")
	}
}

// isArchive reports whether the path given to verify is meant as an archive, by its name or its first bytes.
func isArchive(path string) bool {
	info, err := os.Stat(path)
	if err == nil && info.IsDir() {
		return false
	}
	if strings.HasSuffix(strings.ToLower(path), ".zip") {
		return true
	}
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close() //nolint:errcheck // it was only read
	start := make([]byte, 4)
	n, err := f.Read(start)
	return err == nil && string(start[:n]) == "PK\x03\x04"
}

// verifyArchive verifies an archive.
func verifyArchive(cmd *cobra.Command, file string, heads []string, asJSON bool) error {
	for _, h := range heads {
		if !archive.IsHash(h) {
			return usage("a hash out of a report has 64 digits, 0 to 9 and a to f; its first 32 are enough", "%q is not a hash", h)
		}
	}
	bar := newProgress(cmd.ErrOrStderr(), -1, "verifying")
	v, err := archive.Verify(cmd.Context(), file, archive.VerifyOptions{Catalogue: catalogue(), Progress: bar.at, Heads: heads})
	bar.done()
	if err != nil {
		return err
	}
	if err := show(cmd, asJSON, v, func(w io.Writer) { tellVerdict(w, v) }); err != nil {
		return err
	}
	if v.Sound {
		return nil
	}
	for _, f := range v.Findings {
		fmt.Fprintf(cmd.ErrOrStderr(), "%s: %s\n", file, f)
	}
	return fault.New("get the archive again, from another source too, and compare; or take it for what it is: altered",
		"%s does not hold the game as it was played: %s", file, reports.Count(len(v.Findings), "finding"))
}

// tellVerdict prints what an archive contains, and the verdict.
func tellVerdict(out io.Writer, v *archive.Verdict) {
	line := func(format string, args ...any) { fmt.Fprintf(out, format+"\n", args...) }
	line("%s: %s (%s), rule set %s, version %s, turns 0 to %d", v.File, v.Title, v.Game, v.Rules, v.Version, v.Turn)
	line("SHA-256 of its list of hashes: %s", v.Sum)
	line("Hash of the secret, as in the first report: %s", v.SecretSHA256)
	if v.Seeded {
		line("The secret was made of a number: its dice could be foreseen, and the reports said so")
	}
	if len(v.Stages) > 0 {
		line("Hash of the record so far, as in the reports:")
	}
	for _, s := range v.Stages {
		also := ""
		if !s.Current {
			also = " (does not count any more)"
		}
		line("  %s %s%s", s.Seal, s, also)
	}
	for _, h := range v.Heads {
		if h.Of != "" {
			line("The hash %s is that of %s", h.Hash, h.Of)
		}
	}
	tellPast(line, v)
	over := ""
	if !v.Over {
		over = ", but the game was not over"
	}
	all := "all turns"
	if len(v.Old) > 0 {
		all = "all other turns"
	}
	for _, s := range v.Old {
		line("Played by version %s of the rule set, and not played again: %s; %s", s.Version, s, archive.OldTurnsChecked)
	}
	switch {
	case !v.Sound:
	case len(v.Old) == 1 && v.Old[0].First == 0 && v.Old[0].Last == v.Turn:
		line("VERIFIED%s: nothing was altered", over)
	case v.Over:
		line("VERIFIED: %s and %d dice come out as they were played", all, v.Dice)
	default:
		line("VERIFIED%s: %s so far and %d dice come out as they were played", over, all, v.Dice)
	}
}

// tellPast prints what captains and referees contributed to or changed in the game.
func tellPast(line func(string, ...any), v *archive.Verdict) {
	const day = "2006-01-02 15:04 UTC"
	for _, l := range v.Luck {
		line("Luck, turn %d: %s: %q, hash %s", l.Turn, l.Ship, l.Words, l.Hash)
	}
	if len(v.Rulings) == 0 && len(v.Revisions) == 0 && len(v.Acts) == 0 {
		line("No referee changed anything")
		return
	}
	for _, r := range v.Rulings {
		force := ""
		if r.Force {
			force = ", by force"
		}
		line("Ruling, turn %d, revision %d: %s%s; by %s at %s: %s", r.Turn, r.Revision, r.What, force, r.By, r.At, r.Why)
	}
	for _, r := range v.Revisions {
		counts := ""
		if !r.Current {
			counts = " (does not count any more)"
		}
		what := strings.Join(r.Changes, "; ")
		switch {
		case r.Played:
			what = "played again after it was taken back"
		case what == "":
			what = "resolved again after an earlier turn was changed"
		}
		line("Turn %d, revision %d%s: %s; by %s at %s%s", r.Turn, r.Revision, counts, what, r.By, r.At.UTC().Format(day), because(r.Why))
	}
	for _, a := range v.Acts {
		about := ""
		if name := string(a.About); name != "" && name != a.By {
			about = ", captain " + name
		}
		line("Journal %d: %s%s; by %s at %s%s", a.Entry, a.What, about, a.By, a.At.UTC().Format(day), because(a.Why))
	}
}

func because(why string) string {
	if why == "" {
		return ""
	}
	return ": " + why
}
