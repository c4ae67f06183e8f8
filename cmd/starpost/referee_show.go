package main

import (
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"starpost/pbem/config"
	"starpost/pbem/console"
	"starpost/pbem/referee"
	"starpost/pbem/vault"
)

// truthFlags are those of the commands with which a referee looks at a turn.
type truthFlags struct {
	turn   int
	given  bool // a turn was named
	rev    int  // its revision; 0: the one that counts
	config string
	by     string
	asJSON bool
}

func (f *truthFlags) define(cmd *cobra.Command) {
	cmd.Flags().IntVar(&f.turn, "turn", 0, "the turn: `N`; without, the last that was resolved")
	cmd.Flags().IntVar(&f.rev, "revision", 0, "which resolution of the turn: `K`; without, the one that counts")
	cmd.Flags().StringVar(&f.config, "config", "", "the daemon's configuration, a TOML `FILE`: for the mails that came and went")
	completeFlag(cmd, "config", tomlFile)
	cmd.Flags().StringVar(&f.by, "by", "", "who looks, where a referee plays: `NAME`")
	cmd.Flags().BoolVar(&f.asJSON, "json", false, "machine output")
}

// open opens the game, with the mails that the daemon knows of, and fills in the
// turn.
func (f *truthFlags) open(cmd *cobra.Command, dir string) (*vault.Game, referee.Postbag, error) {
	g, err := vault.Open(dir, catalogue())
	if err != nil {
		return nil, referee.Postbag{}, err
	}
	if f.given = cmd.Flags().Changed("turn"); !f.given {
		f.turn = g.Turn()
	}
	if f.rev < 0 || f.rev == 0 && cmd.Flags().Changed("revision") {
		return nil, referee.Postbag{}, usage("revisions are counted from 1, the first resolution", "there is no revision %d", f.rev)
	}
	if f.turn < 0 {
		return nil, referee.Postbag{}, usage("turns are counted from 0, the set-up", "there is no turn %d", f.turn)
	}
	if f.config == "" {
		return g, referee.Postbag{}, nil
	}
	c, err := loadConfigBy(config.Read, f.config)
	if err != nil {
		return nil, referee.Postbag{}, err
	}
	return g, referee.Postbag{State: c.State}, nil
}

func showCommand(now func() time.Time) *cobra.Command {
	var f truthFlags
	cmd := &cobra.Command{
		Use:   "show DIR [--turn N] [--revision K] [--config FILE]",
		Short: "Show the whole truth of a turn",
		Long: `Shows all that is known of a turn: the order sets that it was played with and what
was wrong with them, what was done for ships without one, every event in words with
its rule and who may see it, every die with its name, the number that it was thrown
against and its value, rulings, the journal, and the mails that went out. With the
configuration of the daemon also the mails that came, by what proof, and what became
of those that went out.

The turn that is due is shown as it stands: whose orders are in, what is wrong with
them, and the time. Everything is for referees only: there is much in it that no
captain may know.`,
		Example:           "  starpost referee wolf show --turn 3\n  starpost referee wolf show --turn 4 --config starpost.toml",
		Args:              exactly("a game directory"),
		ValidArgsFunction: gameFirst(cobra.ShellCompDirectiveNoFileComp),
		RunE: func(cmd *cobra.Command, args []string) error {
			g, bag, err := f.open(cmd, args[0])
			if err != nil {
				return err
			}
			if err := allowed(g, f.by, "show", f.turn, now()); err != nil {
				return err
			}
			due, err := g.Due()
			if err != nil {
				return err
			}
			if due > 0 && f.turn == due && f.given {
				return f.showDue(cmd, g, bag, now())
			}
			t, err := referee.Show(cmd.Context(), g, f.turn, f.rev, bag)
			if err != nil {
				return err
			}
			if f.asJSON {
				return printJSON(cmd.OutOrStdout(), t)
			}
			return console.Truth(cmd.OutOrStdout(), g, t)
		},
	}
	f.define(cmd)
	return cmd
}

func (f *truthFlags) showDue(cmd *cobra.Command, g *vault.Game, bag referee.Postbag, now time.Time) error {
	t, err := console.Coming(cmd.Context(), g, bag, now)
	if err != nil {
		return err
	}
	if f.asJSON {
		return printJSON(cmd.OutOrStdout(), t)
	}
	return t.Print(cmd.OutOrStdout(), g.Dir(), now)
}

func traceCommand(now func() time.Time) *cobra.Command {
	var f truthFlags
	var as string
	cmd := &cobra.Command{
		Use:   "trace DIR EVENT [--turn N] [--revision K] [--as SHIP]",
		Short: "Show how an event came about and what came of it",
		Long: `Shows the chain to which an event belongs: the line of the orders that began it
(set, line, text, and with the configuration of the daemon the mail that it came by),
what it follows from, the tables and dice that decided it, and what followed from it:
damage, explosions, losses, points, victory.

EVENT is the event's number in the truth of the turn, as "show" gives it. With --as it
is the number that the report of that ship's captain gives it, as in his protests.
TURN.EVENT, such as 3.17, names the turn too.`,
		Example:           "  starpost referee wolf trace 42 --turn 3\n  starpost referee wolf trace 3.17 --as Hood",
		Args:              exactly("a game directory", "an event"),
		ValidArgsFunction: gameFirst(cobra.ShellCompDirectiveNoFileComp),
		RunE: func(cmd *cobra.Command, args []string) error {
			g, bag, err := f.open(cmd, args[0])
			if err != nil {
				return err
			}
			seq, err := f.event(args[1])
			if err != nil {
				return err
			}
			if err := allowed(g, f.by, "trace", f.turn, now()); err != nil {
				return err
			}
			if as != "" {
				if f.turn == 0 {
					return usage("name one that was resolved with --turn", "in turn 0, the set-up, nothing happens")
				}
				if f.rev > 0 {
					return usage("leave one of the two out", "--as is about the reports of the resolution that counts, not of --revision %d", f.rev)
				}
				if seq, err = referee.EventOf(g, f.turn, as, seq); err != nil {
					return err
				}
			}
			t, err := referee.Follow(cmd.Context(), g, f.turn, f.rev, seq, bag)
			if err != nil {
				return err
			}
			if f.asJSON {
				return printJSON(cmd.OutOrStdout(), t)
			}
			console.Trace(cmd.OutOrStdout(), t)
			return nil
		},
	}
	f.define(cmd)
	cmd.Flags().StringVar(&as, "as", "", "EVENT is as the report for `SHIP` numbers it")
	return cmd
}

// event reads "42" or "3.42".
func (f *truthFlags) event(text string) (int, error) {
	at, number, both := strings.Cut(text, ".")
	if !both {
		at, number = "", text
	}
	seq, err := strconv.Atoi(number)
	if err == nil && both {
		var n int
		if n, err = strconv.Atoi(at); err == nil && f.given && n != f.turn {
			return 0, usage("name it once", "the turn is %d in %s and %d in --turn", n, text, f.turn)
		}
		f.turn = n
	}
	if err != nil || seq < 1 || f.turn < 0 {
		return 0, usage("such as 42, or 3.42 for that of turn 3", "%q is no event", text)
	}
	return seq, nil
}

// number reads a number of something on the command line, from 1.
func number(text, what string) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		return 0, usage("such as 1", "%q is no number of a %s", text, what)
	}
	return n, nil
}
