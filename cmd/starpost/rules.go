package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

func rulesCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "rules [SET | CITATION]",
		Short: "List the rule sets, or the phases, options and orders of one",
		Long: `Lists the rule sets. With SET, shows its sources, the phases of a turn in order, the
options a scenario may set, and every order with its forms. With a CITATION from a
report, such as D16, shows what the rules in short say about it.`,
		Example: `  starpost rules
  starpost rules ` + exampleSet() + `
  starpost rules D16`,
		Args: func(cmd *cobra.Command, args []string) error {
			if _, cited, err := library().Citation(args, nil); cited || err != nil {
				return err
			}
			return atMost("rule set")(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			cat := catalogue()
			names := slices.Sorted(maps.Keys(cat))
			if _, cited, err := library().Citation(args, nil); cited || err != nil {
				return showCitation(cmd, args, err)
			}
			if len(args) == 1 {
				return showRules(cmd, args[0])
			}
			rows := [][]string{{"NAME", "VERSION", "TITLE"}}
			for _, n := range names {
				r, err := cat.Rules(n, nil)
				if err != nil {
					return err
				}
				rows = append(rows, []string{r.Name, r.Version, r.Title})
			}
			table(cmd.OutOrStdout(), rows...)
			return nil
		},
		ValidArgsFunction: once(ruleSetNames),
	}
}

// showCitation prints the rules summary for a citation from a report.
func showCitation(cmd *cobra.Command, words []string, err error) error {
	if err != nil {
		return err
	}
	p, err := library().Page("help", words, nil)
	if err == nil {
		_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s\n\n%s", p.Lead, p.Text)
	}
	return err
}

func showRules(cmd *cobra.Command, name string) error {
	if err := knownRules(name); err != nil {
		return err
	}
	r, err := catalogue().Rules(name, nil)
	if err != nil {
		return err
	}
	w := cmd.OutOrStdout()
	fmt.Fprintf(w, "%s, version %s: %s\n", r.Name, r.Version, r.Title)
	for _, s := range r.Sources {
		fmt.Fprintf(w, "  source: %s\n", s)
	}
	fmt.Fprintln(w, "\nPhases of a turn:")
	for i, p := range r.Phases {
		fmt.Fprintf(w, "  %2d %s\n", i+1, p.Name)
	}
	if posts := r.Posts(); len(posts) > 0 {
		fmt.Fprintf(w, "\nPosts beside the captain's: %s\n", strings.Join(posts, ", "))
	}
	fmt.Fprintln(w, "\nOptions:")
	for _, o := range slices.Sorted(maps.Keys(r.Options)) {
		fmt.Fprintf(w, "  %s = %s (default %s)\n", o, strings.Join(r.Options[o], " or "), r.Options[o][0])
	}
	fmt.Fprintf(w, "\n%s", r.Language.Reference())
	if r.Filing != nil {
		fmt.Fprintf(w, "\nThe referee files each turn (starpost referee DIR file TURN FILE).\n\n%s", r.Filing.Language.Reference())
	}
	return nil
}
