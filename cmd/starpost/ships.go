package main

import (
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"starpost/engine/rules/stcs"
)

func shipsCommand() *cobra.Command {
	var asJSON bool
	var navy string
	cmd := &cobra.Command{
		Use:   "ships [CLASS]",
		Short: "List the built-in ship classes, or show one with its weapons",
		Long: `Without a class: all classes. With a class: its figures, weapons and arcs, with
the source of the figures and how far to trust them.`,
		Example: `  starpost ships
  starpost ships --navy klingon
  starpost ships constitution-hood
  starpost ships --json`,
		Args: atMost("class"),
		RunE: func(cmd *cobra.Command, args []string) error {
			lib, err := stcs.Builtin()
			if err != nil {
				return err
			}
			if len(args) == 1 {
				d, err := lib.Design(args[0])
				if err != nil {
					return usage("see: starpost ships", "%s", err)
				}
				if asJSON {
					return printJSON(cmd.OutOrStdout(), d)
				}
				return showShip(cmd, lib, d)
			}
			var list []stcs.Design
			for _, n := range lib.DesignNames() {
				if d := lib.Designs[n]; navy == "" || strings.EqualFold(d.Navy, navy) {
					list = append(list, d)
				}
			}
			if len(list) == 0 {
				return usage("one of: "+strings.Join(navies(), ", "), "no ships of navy %q", navy)
			}
			if asJSON {
				return printJSON(cmd.OutOrStdout(), list)
			}
			return listShips(cmd, list)
		},
		ValidArgsFunction: once(classNames),
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "machine output")
	cmd.Flags().StringVar(&navy, "navy", "", "only ships of this navy")
	completeFlag(cmd, "navy", func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return navies(), cobra.ShellCompDirectiveNoFileComp
	})
	return cmd
}

func classNames() []string {
	lib, err := stcs.Builtin()
	if err != nil {
		return nil
	}
	return lib.DesignNames()
}

func navies() []string {
	lib, err := stcs.Builtin()
	if err != nil {
		return nil
	}
	var names []string
	for _, d := range lib.Designs {
		names = append(names, d.Navy)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

func listShips(cmd *cobra.Command, list []stcs.Design) error {
	w := tabwriter.NewWriter(cmd.OutOrStdout(), 0, 8, 2, ' ', 0)
	fmt.Fprintln(w, "CLASS\tNAVY\tPOWER\tHULL\tMOVE\tSHIELDS\tARCS\tTITLE")
	for _, d := range list {
		fmt.Fprintf(w, "%s\t%s\t%d\t%d\t%s\t%s max %d\t%s\t%s\n", d.Name, d.Navy, d.Power(), d.Superstructure, d.Move, d.Shield, d.MaxShield, d.ArcsFrom, d.Title)
	}
	return w.Flush()
}

func showShip(cmd *cobra.Command, lib *stcs.Library, d stcs.Design) error {
	w := tabwriter.NewWriter(cmd.OutOrStdout(), 0, 8, 2, ' ', 0)
	fmt.Fprintf(w, "%s\t%s (%s)\n", d.Name, d.Title, d.Navy)
	engines := "warp"
	if d.Outpost {
		engines = "generator"
	}
	fmt.Fprintf(w, "power\t%d: %s %s, impulse %d\n", d.Power(), engines, strings.Trim(strings.ReplaceAll(fmt.Sprint(d.Warp), " ", " + "), "[]"), d.Impulse)
	fmt.Fprintf(w, "superstructure\t%d\n", d.Superstructure)
	if d.Outpost {
		fmt.Fprintln(w, "movement\tnone: an outpost, for the Graduate Course; arcs o1 to o3 are clockwise, o1 about her heading")
	} else {
		fmt.Fprintf(w, "movement\t%s power/points\n", d.Move)
		fmt.Fprintf(w, "warp\tcruise %d, emergency %d, stress charts %s\n", d.Cruise, d.Emergency, d.Stress)
	}
	fmt.Fprintf(w, "crew\t%d\n", d.Crew)
	fmt.Fprintf(w, "damage chart\t%s\n", d.DamageChart)
	fmt.Fprintf(w, "shields\t%s power/points, at most %d each\n", d.Shield, d.MaxShield)
	if d.Cloak > 0 {
		fmt.Fprintf(w, "cloak\t%d power (not used in the Basic Course)\n", d.Cloak)
	}
	if d.D > 0 {
		fmt.Fprintf(w, "balance\tD %s, WDF %s\n", d.D, d.WDF)
	}
	if len(d.Assumed) > 0 {
		fmt.Fprintf(w, "assumed\t%s\n", strings.ReplaceAll(strings.Join(d.Assumed, ", "), "_", " "))
	}
	for _, b := range d.Banks {
		t, err := lib.Mounted(b)
		if err != nil {
			return err
		}
		power := fmt.Sprintf("power 0-%d", t.MaxPower)
		if t.Shots > 1 {
			power += fmt.Sprintf(" a shot, %d shots a turn in the Graduate Course", t.Shots)
		}
		if t.Kind != stcs.Beam {
			power = fmt.Sprintf("arms with %d, damage %d", t.Arm, t.Damage)
		}
		if t.Kind == stcs.Plasma {
			power = fmt.Sprintf("arms with %d, damage by range", t.Arm)
		}
		var bands []string
		for _, band := range t.Bands {
			bands = append(bands, fmt.Sprintf("+%d(%d-%d)", band.Bonus, band.From, band.To))
		}
		line := fmt.Sprintf("%s\t%d x %s %s, arcs %s, chart %s, %s %s", b.ID, b.Mounts, t.Name, t.Title, strings.Join(b.Arcs, "/"), t.Chart, power, strings.Join(bands, " "))
		fmt.Fprintln(w, strings.TrimRight(line, " "))
	}
	fmt.Fprintf(w, "arcs\t%s\n", strings.TrimRight(d.ArcsFrom+": "+d.ArcsNote, ": "))
	fmt.Fprintf(w, "source\t%s (confidence %s)\n", d.Source, d.Confidence)
	if d.Note != "" {
		fmt.Fprintf(w, "note\t%s\n", d.Note)
	}
	return w.Flush()
}
