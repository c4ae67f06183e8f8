package main

import (
	"errors"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"starpost/cmd/stores"
	"starpost/orders"
	"starpost/pbem/beacon"
	"starpost/pbem/beacon/relay"
	"starpost/pbem/console"
	"starpost/pbem/fault"
	"starpost/pbem/publicdice"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
)

func turnCommand(now func() time.Time) *cobra.Command {
	var missing string
	var f turnFlags
	cmd := &cobra.Command{
		Use:   "turn DIR",
		Short: "Resolve the turn that is due from the files in DIR/orders",
		Long: `Resolves the turn (or phase, or phases until something happens) that is due. If orders
are missing or have errors, nothing is changed, the exit code is 3, and a list shows
what to do. --missing sets a policy for ships without orders instead.

It prints whose orders were in and where the reports are, so a player can run it without
learning anything secret. --all prints the whole truth of both sides. If a referee plays
in the game, --all and --dry-run need --by; if that referee uses them, all captains are
told.

In a game with public dice the first run closes the orders, exits with code 3 and shows
which round of the beacon to fetch; the second run plays with it: --beacon FILE.`,
		Example: `  starpost turn wolf
  starpost turn wolf --missing standing
  starpost turn wolf --dry-run --all`,
		Args: exactly("a game directory"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if missing != "" {
				if err := knownPolicy(missing); err != nil {
					return err
				}
			}
			return f.resolve(cmd, args[0], turn.Options{Missing: missing, Now: now(), DryRun: f.dry})
		},
		ValidArgsFunction: gameFirst(cobra.ShellCompDirectiveNoFileComp),
	}
	fl := cmd.Flags()
	fl.StringVar(&missing, "missing", "", "policy for ships without orders: "+strings.Join(vault.Policies(), ", "))
	fl.StringVar(&f.beacon, "beacon", "", "the `FILE` with the beacon for the dice, as a relay gives it, in a game with public dice")
	fl.BoolVar(&f.dry, "dry-run", false, "check whether the turn can be resolved, and write nothing")
	fl.BoolVar(&f.all, "all", false, "show everything that happened, even what is hidden from a side")
	fl.StringVar(&f.by, "by", "", "your `NAME`, if a referee plays")
	fl.BoolVar(&f.asJSON, "json", false, "print JSON")
	completeFlag(cmd, "missing", fixed(vault.Policies()...))
	stores.Flag(cmd)
	return cmd
}

// refusedTurn is the JSON output for a turn that could not be resolved.
type refusedTurn struct {
	Game    string                         `json:"game"`
	Due     int                            `json:"due"`
	Phase   int                            `json:"phase,omitempty"` // if orders are due one phase at a time
	Missing []string                       `json:"missing"`
	Bad     map[string][]orders.Diagnostic `json:"bad"` // by file
}

// turnFlags are the flags of turn.
type turnFlags struct {
	dry, all, asJSON bool
	by, beacon       string
}

func (f turnFlags) resolve(cmd *cobra.Command, dir string, o turn.Options) error {
	g, err := openGame(cmd, dir)
	if err != nil {
		return err
	}
	looks := ""
	switch {
	case f.dry:
		looks = "preview"
	case f.all:
		looks = "process"
	}
	if looks != "" || f.by != "" {
		if err := allowed(g, f.by, looks, g.Turn()+1, o.Now); err != nil {
			return err
		}
	}
	if f.beacon != "" {
		if o.Beacon, err = readBeacon(g, f.beacon); err != nil {
			return err
		}
	}
	out, err := f.play(g, o)
	if waits, ok := errors.AsType[*turn.NoBeaconError](err); ok {
		return mistakes(turn.ClosedWords(waits.Stage, waits.Closed), waits.Hint(), "%s", waits)
	}
	if nr, ok := errors.AsType[*turn.NotReadyError](err); ok {
		refusal := refusedTurn{Game: nr.Game, Due: nr.Due, Phase: nr.Round, Missing: []string{}, Bad: map[string][]orders.Diagnostic{}}
		for _, b := range nr.Bad {
			refusal.Bad[b.File] = b.Diagnostics
		}
		for _, s := range nr.Missing {
			refusal.Missing = append(refusal.Missing, s.Name)
		}
		if f.asJSON {
			if err := printJSON(cmd.OutOrStdout(), refusal); err != nil {
				return err
			}
		}
		return verbError(console.NotReady(g, nr))
	}
	if errors.Is(err, turn.ErrOver) {
		return fault.New("how it ended: "+g.CommandLine("status"), "%s", err)
	}
	if err != nil {
		return err
	}
	if f.asJSON {
		told := console.ResolvedTurn{Game: g.ID(), Turn: out.Turn, Phase: out.Round, Dir: out.Dir, Mails: len(out.Mails), Missing: out.Missing}
		if f.all || !f.dry { // a dry run reveals the result only to a referee
			told.Deadline, told.Result = out.Deadline, out.State.Result
		}
		if f.all {
			told.Events = out.Events[out.Told:]
		}
		return printJSON(cmd.OutOrStdout(), told)
	}
	tell := console.Resolved
	if f.all {
		tell = console.Played
	}
	return tell(cmd.OutOrStdout(), g, out)
}

// play resolves the turn. In a game with public dice it first closes the orders.
func (f turnFlags) play(g *vault.Game, o turn.Options) (*turn.Outcome, error) {
	if g.SharedSettings().PublicDice() && !f.dry {
		if _, err := turn.Close(g, "starpost", o); err != nil {
			return nil, err
		}
	}
	return turn.Resolve(g, o)
}

// readBeacon reads a file with a round of a game's beacon, as a relay returns it or a turn stores it.
func readBeacon(g *vault.Game, file string) (beacon.Beacon, error) {
	chain, err := publicdice.ChainOf(g)
	if err != nil {
		return beacon.Beacon{}, err
	}
	data, err := readFile("beacon", file, maxBeacon)
	if err != nil {
		return beacon.Beacon{}, err
	}
	b, err := relay.Parse(chain.Hash, data)
	if err != nil {
		return beacon.Beacon{}, fault.New("save the answer of a relay as it is", "%s: %s", file, err)
	}
	return b, nil
}

// maxBeacon limits the size of a beacon file, in bytes.
const maxBeacon = 4 << 10
