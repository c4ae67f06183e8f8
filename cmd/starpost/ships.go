package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"starpost/engine/rules/fasa"
)

// libraryWith is the built-in library with the tables of some files.
func libraryWith(files []string) (*fasa.Library, error) {
	lib, err := fasa.Builtin()
	if err != nil || len(files) == 0 {
		return lib, err
	}
	tables, err := readTables(files)
	if err != nil {
		return nil, err
	}
	if lib, err = lib.With(tables); err != nil {
		if found := tableMistakes(err, files); len(found) > 0 {
			return nil, &mistakesError{lines: found, msg: "these tables cannot be used", hint: "tables that can, to compare with: examples/raiders-ships.toml"}
		}
	}
	return lib, err
}

func shipsCommand() *cobra.Command {
	var asJSON bool
	var navy string
	var tables []string
	cmd := &cobra.Command{
		Use:   "ships [CLASS]",
		Short: "List ship classes, or show one with its weapons",
		Long: `Without a class: all classes. With a class: its figures, weapons and arcs, with
the source of the figures and how far to trust them. With --ships, classes of your
own are among them; a WDF that they do not give is computed by the formula of the
published ones, and D if they give the ratings of their engines and shields.`,
		Example: `  starpost ships
  starpost ships --navy klingon
  starpost ships constitution-hood
  starpost ships corsair --ships examples/raiders-ships.toml
  starpost ships --json`,
		Args: atMost("class"),
		RunE: func(cmd *cobra.Command, args []string) error {
			lib, err := libraryWith(tables)
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
			var list []fasa.Design
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
	cmd.Flags().StringArrayVar(&tables, "ships", nil, "a TOML `FILE` with ships or weapons of your own (repeatable)")
	completeFlag(cmd, "ships", tomlFile)
	cmd.Flags().StringVar(&navy, "navy", "", "only ships of this navy")
	completeFlag(cmd, "navy", func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return navies(), cobra.ShellCompDirectiveNoFileComp
	})
	return cmd
}

func classNames() []string {
	lib, err := fasa.Builtin()
	if err != nil {
		return nil
	}
	return lib.DesignNames()
}

func navies() []string {
	lib, err := fasa.Builtin()
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

func listShips(cmd *cobra.Command, list []fasa.Design) error {
	w := tabwriter.NewWriter(cmd.OutOrStdout(), 0, 8, 2, ' ', 0)
	fmt.Fprintln(w, "CLASS\tNAVY\tPOWER\tHULL\tMOVE\tSHIELDS\tARCS\tTITLE")
	for _, d := range list {
		fmt.Fprintf(w, "%s\t%s\t%d\t%d\t%s\t%s max %d\t%s\t%s\n", d.Name, d.Navy, d.Power(), d.Superstructure, d.Move, d.Shield, d.MaxShield, d.ArcsFrom, d.Title)
	}
	return w.Flush()
}

// showWeight tells D and WDF of a class, and what no source lets us compute.
func showWeight(w io.Writer, lib *fasa.Library, d fasa.Design) error {
	weight, err := lib.Weigh(d)
	missing, ok := errors.AsType[*fasa.UnweighedError](err)
	if err != nil && !ok {
		return err
	}
	var known []string
	if weight.D > 0 {
		known = append(known, "D "+weight.D.String())
	}
	switch {
	case d.WDF == 0 && weight.WDF > 0:
		known = append(known, "WDF "+weight.WDF.String()+" (by the formula, from her weapons)")
	case missing == nil || missing.Weapon == "":
		known = append(known, "WDF "+weight.WDF.String())
	}
	if len(known) > 0 {
		fmt.Fprintf(w, "balance\t%s\n", strings.Join(known, ", "))
	}
	if missing != nil {
		fmt.Fprintf(w, "\t%s: %s\n", missing, missing.Hint())
	}
	return nil
}

func showShip(cmd *cobra.Command, lib *fasa.Library, d fasa.Design) error {
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
	if err := showWeight(w, lib, d); err != nil {
		return err
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
		if t.Kind != fasa.Beam {
			power = fmt.Sprintf("arms with %d, damage %d", t.Arm, t.Damage)
		}
		if t.Kind == fasa.Plasma {
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
