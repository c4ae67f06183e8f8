package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"starpost/cmd/stores"
	"starpost/engine"
	reports "starpost/pbem/report"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
	"starpost/templates"
)

func replayCommand() *cobra.Command {
	var as, file string
	cmd := &cobra.Command{
		Use:   "replay DIR [--as CAPTAIN] [--out FILE]",
		Short: "Make a page to watch a battle phase by phase",
		Long: `Makes one HTML page that replays the battle so far in a browser. The ships move over the
map phase by phase, with shots, weapons and shields, beside a list of events with their
dice. The page needs no network, and each moment has a link.

With --as it shows what that captain may know, otherwise what everyone may. Once the
battle is over it shows everything. CAPTAIN is a captain's name, a ship, or SHIP/POST.`,
		Example: `  starpost replay wolf --as Hood --out hood.html
  starpost replay wolf > battle.html`,
		Args:              exactly("a game directory"),
		ValidArgsFunction: gameFirst(cobra.ShellCompDirectiveNoFileComp),
		RunE: func(cmd *cobra.Command, args []string) error {
			g, err := openGame(cmd, args[0])
			if err != nil {
				return err
			}
			seat, err := watcher(g, as)
			if err != nil {
				return err
			}
			r, err := turn.Replay(g, seat)
			if err != nil {
				return err
			}
			page, err := templates.ReplayHTML(r)
			if err != nil {
				return err
			}
			if file == "" {
				_, err = cmd.OutOrStdout().Write(page)
				return err
			}
			if err := os.WriteFile(file, page, 0o644); err != nil {
				return fmt.Errorf("write the replay: %w", err)
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&as, "as", "", "show what this `CAPTAIN` may know (default: what everyone may)")
	cmd.Flags().StringVar(&file, "out", "", "write the page to `FILE` (default: print it)")
	completeFlag(cmd, "as", shipsOfGame)
	stores.Flag(cmd)
	return cmd
}

// watcher returns the seat of the given name or captain, none for "".
func watcher(g *vault.Game, as string) (engine.Seat, error) {
	if as == "" {
		return engine.Seat{}, nil
	}
	p, err := turn.Load(g)
	if err != nil {
		return engine.Seat{}, err
	}
	seat, err := p.FindSeat(as)
	if own := turn.SeatOfCaptain(p, engine.CaptainName(as)); err != nil && own.Ship != "" {
		return own, nil
	}
	return seat, err
}

func mapCommand() *cobra.Command {
	f := lookFlags{turn: -1}
	var svg bool
	cmd := &cobra.Command{
		Use:     "map DIR --as SHIP [--turn N [--phase K]]",
		Short:   "Print the map as a captain sees it",
		Long:    `Prints the map that a ship's captain sees, as text, or as a picture with --svg.`,
		Example: "  starpost map wolf --as Hood\n  starpost map wolf --as Hood --svg > map.svg",
		Args:    exactly("a game directory"),
		RunE: func(cmd *cobra.Command, args []string) error {
			g, _, seat, err := f.open(cmd, args[0])
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
			v, err := turn.ViewAt(g, f.at(), seat.String())
			if err != nil {
				return err
			}
			fmt.Fprint(cmd.OutOrStdout(), strings.TrimRight(reports.ASCII(g.Rules(), v), "\n")+"\n")
			return nil
		},
		ValidArgsFunction: gameFirst(cobra.ShellCompDirectiveNoFileComp),
	}
	cmd.Flags().StringVar(&f.as, "as", "", "print the map of this `SHIP`, or SHIP/POST")
	cmd.Flags().IntVar(&f.turn, "turn", -1, "print turn `N`")
	cmd.Flags().Lookup("turn").DefValue = "the last"
	cmd.Flags().IntVar(&f.phase, "phase", 0, "print phase `K` of it (default: the whole turn, if it is over)")
	cmd.Flags().BoolVar(&svg, "svg", false, "print an SVG picture")
	completeFlag(cmd, "as", shipsOfGame)
	return cmd
}
