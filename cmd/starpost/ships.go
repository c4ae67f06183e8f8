package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"starpost/engine/family"
)

func shipsCommand() *cobra.Command {
	var asJSON bool
	var navy string
	var tables []string
	cmd := &cobra.Command{
		Use:   "ships [CLASS]",
		Short: "List ship classes, or show one with its weapons",
		Long: `Lists all classes. With CLASS, shows its figures, weapons and arcs, with the source of
the figures and how far to trust them. --ships adds classes of your own. If they give no
WDF, it is computed by the formula of the published classes; likewise D, if they give
the ratings of their engines and shields.`,
		Example: `  starpost ships
  starpost ships --navy klingon
  starpost ships constitution-hood
  starpost ships corsair --ships examples/raiders-ships.toml
  starpost ships --json`,
		Args: atMost("class"),
		RunE: func(cmd *cobra.Command, args []string) error {
			lists, err := shipList(tables)
			if err != nil {
				return err
			}
			if len(args) == 1 {
				return showShip(cmd, lists, args[0], asJSON)
			}
			return listShips(cmd, lists, navy, asJSON)
		},
		ValidArgsFunction: once(classNames),
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	cmd.Flags().StringArrayVar(&tables, "ships", nil, "a TOML `FILE` with ships or weapons of your own (repeatable)")
	completeFlag(cmd, "ships", tomlFile)
	cmd.Flags().StringVar(&navy, "navy", "", "show only ships of this navy")
	completeFlag(cmd, "navy", func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		lists, err := shipList(nil)
		if err != nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return navies(lists), cobra.ShellCompDirectiveNoFileComp
	})
	return cmd
}

func navies(lists []*family.Designs) []string {
	var names []string
	for _, l := range lists {
		for _, d := range l.All {
			names = append(names, d.Navy)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

func listShips(cmd *cobra.Command, lists []*family.Designs, navy string, asJSON bool) error {
	var data []any
	var tables [][][]string // one per family: each has its own columns
	for _, l := range lists {
		rows := [][]string{l.Columns}
		for _, d := range l.All {
			if navy == "" || strings.EqualFold(d.Navy, navy) {
				data, rows = append(data, d.Data), append(rows, d.Row)
			}
		}
		if len(rows) > 1 {
			tables = append(tables, rows)
		}
	}
	if len(data) == 0 {
		return usage("one of: "+strings.Join(navies(lists), ", "), "no ships of navy %q", navy)
	}
	return show(cmd, asJSON, data, func(w io.Writer) {
		for i, rows := range tables {
			if i > 0 {
				fmt.Fprintln(w)
			}
			table(w, rows...)
		}
	})
}

func showShip(cmd *cobra.Command, lists []*family.Designs, class string, asJSON bool) error {
	d, err := findDesign(lists, class)
	if err != nil {
		return err
	}
	if asJSON {
		return printJSON(cmd.OutOrStdout(), d.Data)
	}
	rows, err := d.Sheet()
	if err != nil {
		return err
	}
	table(cmd.OutOrStdout(), rows...)
	return nil
}
