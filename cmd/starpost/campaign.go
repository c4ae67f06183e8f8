package main

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"starpost/engine"
	"starpost/pbem/campaign"
)

func campaignCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "campaign",
		Short: "Carry captains and ships from game to game",
		Long: `A campaign's roster is one TOML file: captains with their skill, officers with the
ratings of their posts, ships with their crews' efficiency, and the games they fought.
enter adds ships, and muster puts them into a scenario. When the game is over, record
awards victory points and removes those who did not come back. Between games, officers
may change posts (rotate), choose a skill to improve (learn), and move to another ship
together (transfer).`,
		Example: `  starpost campaign new war.toml
  starpost campaign enter war.toml Hood --class constitution-ii --captain Samelson
  starpost campaign muster war.toml my-battle.toml > next.toml
  starpost new games/next --scenario next.toml
  starpost campaign record war.toml games/next
  starpost campaign enter war.toml Hood --officer engineer=Scott --officer helm=Sulu
  starpost campaign show war.toml`,
		Args: exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(campaignNew(), campaignEnter(), campaignMuster(), campaignRecord(), campaignRotate(), campaignLearn(), campaignTransfer(), campaignFree(), campaignShow())
	return cmd
}

func campaignNew() *cobra.Command {
	var name, shares string
	var split int
	cmd := &cobra.Command{
		Use:   "new ROSTER",
		Short: "Make an empty roster",
		Long: `Makes a roster with no captains, ships or games. An existing file is left alone. Agree
how ships share victory points, and how captain and crew split them, before the campaign
begins.`,
		Example: "  starpost campaign new war.toml --name Borderwar --shares most --split 60",
		Args:    exactly("a file for the roster"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if name == "" {
				name = gameID(strings.TrimSuffix(args[0], ".toml"))
			}
			if err := knownShares(shares); err != nil {
				return usage(wayOut(err), "--%s", err)
			}
			r, err := campaign.New(name, shares, percentFlag(cmd, "split", &split))
			if err != nil {
				return usage(cmp.Or(wayOut(err), "such as --name \"The Four Years War\""), "%s", err)
			}
			if _, err := os.Lstat(args[0]); err == nil {
				return usage("choose another file, or remove it", "%s already exists", args[0])
			}
			if err := r.Write(args[0]); err != nil {
				return err
			}
			fmt.Fprintf(cmd.OutOrStdout(), "campaign %s: no captains and ships yet, in %s\n", r.Name, args[0])
			return nil
		},
	}
	cmd.Flags().StringVar(&name, "name", "", "the campaign's `NAME` (default: the file's name)")
	cmd.Flags().StringVar(&shares, "shares", "", "how ships share points: last (default), with an extra share for the one that finished the enemy, or most, with two of three for the one that did most damage")
	cmd.Flags().IntVar(&split, "split", 0, "`PERCENT` of a ship's points for her captain, the rest for her crew (default: 50)")
	return cmd
}

func campaignFree() *cobra.Command {
	return &cobra.Command{
		Use:     "free ROSTER CAPTAIN",
		Short:   "Free a captured captain",
		Long:    "Frees a captain who was captured with a ship. The campaign's referee decides when.",
		Example: "  starpost campaign free war.toml Samelson",
		Args:    exactly("a roster", "a captain"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return changeRoster(cmd, args[0], func(r *campaign.Roster) (string, error) {
				name := engine.CaptainName(args[1])
				if err := r.Release(name); err != nil {
					return "", err
				}
				return fmt.Sprintf("%s is free, and waits for a ship", r.Captain(name).Name), nil
			})
		},
	}
}

func campaignShow() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:     "show ROSTER",
		Short:   "Show captains, ships and games of a campaign",
		Long:    "Shows the captains, ships and recorded games of a roster.",
		Example: "  starpost campaign show war.toml",
		Args:    exactly("a roster"),
		RunE: func(cmd *cobra.Command, args []string) error {
			r, err := readRoster(args[0])
			if err != nil {
				return err
			}
			return show(cmd, asJSON, r, func(out io.Writer) {
				columns(out, func(w io.Writer) { showRoster(w, r) })
			})
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func showRoster(w io.Writer, r *campaign.Roster) {
	fmt.Fprintf(w, "campaign %s\n", r.Name)
	fmt.Fprintf(w, "points: shares %s, %d%% of a ship's for her captain\n", cmp.Or(r.Shares, campaignRules().Shares[0].Name), r.PointShare(nil))
	if len(r.Captains) > 0 {
		fmt.Fprintln(w, "\nCAPTAIN\tSKILL\tPOINTS\tSHIP\tSTATUS")
	}
	var officers []campaign.Captain
	for _, c := range r.Captains {
		if len(c.Ratings) > 0 {
			officers = append(officers, c)
		}
		fmt.Fprintf(w, "%s\t%d\t%d\t%s\t%s\n", c.Name, c.Skill, c.Points, orNone(c.Place()), c.Status)
	}
	if len(officers) > 0 {
		fmt.Fprintln(w, "\nOFFICER\tPOST\tLEARNS\tSPARE\tRATINGS")
	}
	for _, c := range officers {
		var ratings []string
		for _, skill := range slices.Sorted(maps.Keys(c.Ratings)) {
			ratings = append(ratings, fmt.Sprintf("%s %d", skill, c.Ratings[skill]))
		}
		post := c.Post
		if c.Ship != "" {
			post = cmp.Or(post, "captain")
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%d\t%s\n", c.Name, orNone(post), orNone(c.Learns), c.Spare, strings.Join(ratings, ", "))
	}
	if len(r.Ships) > 0 {
		fmt.Fprintln(w, "\nSHIP\tCREW\tPOINTS\tCLASS\tSTATUS")
	}
	for _, s := range r.Ships {
		fmt.Fprintf(w, "%s\t%d\t%d\t%s\t%s\n", s.Name, s.Efficiency, s.Points, s.Class, s.Status)
	}
	if len(r.Games) > 0 {
		fmt.Fprintln(w, "\nGAME\tTURNS\tSHIP\tCAPTAIN\tPOINTS\tTHEN\tRESULT")
	}
	for _, g := range r.Games {
		for _, s := range g.Ships {
			then := s.Fate
			if s.Rescued {
				then += ", captain rescued"
			}
			fmt.Fprintf(w, "%s\t%d\t%s\t%s\t%d\t%s\t%s\n", g.ID, g.Turns, s.Name, orNone(string(s.Captain)), s.Points, then, g.Result)
		}
	}
}

func orNone(s string) string {
	if s == "" {
		return "-"
	}
	return s
}
