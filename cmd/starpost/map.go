package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	reports "starpost/pbem/report"
	"starpost/pbem/turn"
)

func mapCommand() *cobra.Command {
	f := lookFlags{turn: -1}
	var svg bool
	cmd := &cobra.Command{
		Use:     "map DIR --as SHIP [--turn N [--phase K]]",
		Short:   "Print the map as a captain sees it",
		Long:    `Prints the map of a ship's captain as text, or with --svg as a picture.`,
		Example: "  starpost map wolf --as Hood\n  starpost map wolf --as Hood --svg > map.svg",
		Args:    exactly("a game directory"),
		RunE: func(cmd *cobra.Command, args []string) error {
			g, _, seat, err := f.open(args[0])
			if err != nil {
				return err
			}
			if svg {
				d, err := turn.Draw(g, f.at())
				if err != nil {
					return err
				}
				data, err := d.Report(seat, turn.SVG)
				if err != nil {
					return err
				}
				_, err = cmd.OutOrStdout().Write(data)
				return err
			}
			v, err := turn.ViewStage(g, f.at(), seat.String())
			if err != nil {
				return err
			}
			fmt.Fprint(cmd.OutOrStdout(), strings.TrimRight(reports.ASCII(g.Rules(), v), "\n")+"\n")
			return nil
		},
		ValidArgsFunction: gameFirst(cobra.ShellCompDirectiveNoFileComp),
	}
	cmd.Flags().StringVar(&f.as, "as", "", "whose map: a `SHIP`, or SHIP/POST")
	cmd.Flags().IntVar(&f.turn, "turn", -1, "of which turn (default: the last)")
	cmd.Flags().IntVar(&f.phase, "phase", 0, "of which phase of it (default: of the whole turn, if it is over)")
	cmd.Flags().BoolVar(&svg, "svg", false, "as a picture")
	completeFlag(cmd, "as", shipsOfGame)
	return cmd
}
