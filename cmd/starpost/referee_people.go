package main

import (
	"fmt"
	"net/mail"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"starpost/pbem/console"
	"starpost/pbem/referee"
	"starpost/pbem/vault"
)

// allowed wants to know who acts on a game, or looks at a turn of it, in which a
// referee plays: he must be one of its referees. A look of the one who plays at
// what his side may not know is noted, and told to all.
func allowed(g *vault.Game, by, looks string, at int, now time.Time) error {
	if !g.Settings().Interested() {
		return nil
	}
	if by == "" || by == referee.ByReferee {
		var names []string
		for _, r := range g.Settings().Referees {
			names = append(names, r.Name)
		}
		return usage("one of: "+strings.Join(names, ", "), "a referee of %s plays in it: say with --by who you are", g.ID())
	}
	r, err := referee.Named(g, by)
	if err != nil || r.Plays == "" || looks == "" {
		return err
	}
	return referee.Looked(g, referee.Act{By: r.Name, Now: now}, looks, at)
}

// peopleCommands are those about who rules and who commands.
func peopleCommands(now func() time.Time) []*cobra.Command {
	return []*cobra.Command{becomeCommand(now), replaceCommand(now), ejectCommand(now), inviteCommand(now), keyCommand(now)}
}

// people runs what is about people on a game.
func (f *pastFlags) people(cmd *cobra.Command, dir string, now time.Time, must bool, do func(console.People) error) error {
	a, err := f.act(cmd, now, must)
	if err != nil {
		return err
	}
	g, err := vault.Open(dir, catalogue())
	if err != nil {
		return err
	}
	if err := allowed(g, a.By, "", 0, now); err != nil {
		return err
	}
	return do(console.People{Game: g, Act: a, W: cmd.OutOrStdout()})
}

func becomeCommand(now func() time.Time) *cobra.Command {
	var f pastFlags
	var end bool
	cmd := &cobra.Command{
		Use:   "become DIR SHIP --by NAME [--end]",
		Short: "Command the ships of a captain besides him",
		Long: `Has a referee command the ships of a captain besides him, until --end: order sets for
them in his mails count as the captain's, and the robot sends him templates for them.
All captains are told.`,
		Example:           "  starpost referee wolf become Hood --by Rita --why \"Ann is ill\"\n  starpost referee wolf become Hood --by Rita --end",
		Args:              exactly("a game directory", "a ship"),
		ValidArgsFunction: gameFirst(cobra.ShellCompDirectiveNoFileComp),
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.people(cmd, args[0], now(), false, func(p console.People) error { return p.Become(args[1], end) })
		},
	}
	f.definePeople(cmd)
	cmd.Flags().BoolVar(&end, "end", false, "give them back")
	return cmd
}

// definePeople leaves out machine output: there is nothing in it.
func (f *pastFlags) definePeople(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.why, "why", "", "the reason, which the captains are told: `TEXT`")
	cmd.Flags().StringVar(&f.by, "by", referee.ByReferee, "who acts: `NAME`")
}

func replaceCommand(now func() time.Time) *cobra.Command {
	var f pastFlags
	cmd := &cobra.Command{
		Use:   "replace DIR CAPTAIN ADDRESS [--why TEXT]",
		Short: "Give a captain's seat to somebody else",
		Long: `Gives a captain's seat to another address, whoever had it. The last report goes there
with a new turn key; who had the seat is told that no more mails come. So are the
other captains, without addresses.`,
		Example:           `  starpost referee wolf replace Kirk carol@example.org --why "Ann has no more time"`,
		Args:              exactly("a game directory", "a captain", "an address"),
		ValidArgsFunction: gameFirst(cobra.ShellCompDirectiveNoFileComp),
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.people(cmd, args[0], now(), false, func(p console.People) error { return p.Replace(args[1], args[2]) })
		},
	}
	f.definePeople(cmd)
	return cmd
}

func ejectCommand(now func() time.Time) *cobra.Command {
	var f pastFlags
	cmd := &cobra.Command{
		Use:   "eject DIR CAPTAIN --why TEXT",
		Short: "Take a captain's seat from him",
		Long: `Takes a captain's seat from him. A robot plays it until somebody has it: by an answer
to invite, or by replace. All captains are told, with the reason.`,
		Example:           `  starpost referee wolf eject Kor --why "no orders for three turns"`,
		Args:              exactly("a game directory", "a captain"),
		ValidArgsFunction: gameFirst(cobra.ShellCompDirectiveNoFileComp),
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.people(cmd, args[0], now(), true, func(p console.People) error { return p.Eject(args[1]) })
		},
	}
	f.definePeople(cmd)
	return cmd
}

func inviteCommand(now func() time.Time) *cobra.Command {
	var f pastFlags
	var seat string
	cmd := &cobra.Command{
		Use:   "invite DIR ADDRESS --seat SHIP | invite DIR NAME=ADDRESS",
		Short: "Ask somebody to take a free seat, or register another referee",
		Long: `With --seat the robot asks an address whether it takes the seat of a captain that
nobody holds; it is his when he answers that mail, also in a game that is not open.

NAME=ADDRESS registers another referee. The robot mails him his key, and he may act on
the game by mail. All captains are told his name.`,
		Example:           "  starpost referee wolf invite carol@example.org --seat Hood\n  starpost referee wolf invite Rita=rita@example.org",
		Args:              exactly("a game directory", "an address"),
		ValidArgsFunction: gameFirst(cobra.ShellCompDirectiveNoFileComp),
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.people(cmd, args[0], now(), false, func(p console.People) error { return p.Invite(args[1], seat) })
		},
	}
	f.definePeople(cmd)
	cmd.Flags().StringVar(&seat, "seat", "", "the seat of the captain of `SHIP`")
	return cmd
}

func keyCommand(now func() time.Time) *cobra.Command {
	var f pastFlags
	var renew bool
	cmd := &cobra.Command{
		Use:   "key DIR NAME [--renew]",
		Short: "Print a referee's key",
		Long: `Prints the key with which a referee's mails are his while the turn that is due is due.
The robot sends it with each turn. With --renew it is another one from now on, and the
robot mails it.`,
		Example:           "  starpost referee wolf key Rita\n  starpost referee wolf key Rita --renew",
		Args:              exactly("a game directory", "a referee"),
		ValidArgsFunction: gameFirst(cobra.ShellCompDirectiveNoFileComp),
		RunE: func(cmd *cobra.Command, args []string) error {
			g, err := vault.Open(args[0], catalogue())
			if err != nil {
				return err
			}
			r, err := referee.Named(g, args[1])
			if err != nil {
				return err
			}
			if renew {
				a, err := f.act(cmd, now(), false)
				if err != nil {
					return err
				}
				if err := referee.Renew(g, a, r.Name); err != nil {
					return err
				}
			}
			fmt.Fprintln(cmd.OutOrStdout(), referee.Key(g, g.Turn()+1, r.Name))
			return nil
		},
	}
	f.definePeople(cmd)
	cmd.Flags().BoolVar(&renew, "renew", false, "make it another one")
	return cmd
}

// parseReferees reads NAME=ADDRESS, and who of them plays, NAME=SHIP.
func parseReferees(list, plays []string, captains []vault.Captain) ([]vault.Referee, error) {
	var out []vault.Referee
	for _, one := range list {
		name, addr, ok := strings.Cut(one, "=")
		a, err := mail.ParseAddress(addr)
		if !ok || name == "" || err != nil {
			return nil, usage("such as --referee Rita=rita@example.org", "--referee %q is not NAME=ADDRESS", one)
		}
		out = append(out, vault.Referee{Name: name, Address: a.Address})
	}
	for _, one := range plays {
		name, ship, ok := strings.Cut(one, "=")
		at := slices.IndexFunc(out, func(r vault.Referee) bool { return strings.EqualFold(r.Name, name) })
		if !ok || at < 0 {
			return nil, usage("such as --referee Rita=rita@example.org --plays Rita=Hood", "--plays %q is not NAME=SHIP of a referee", one)
		}
		who := slices.IndexFunc(captains, func(c vault.Captain) bool { return strings.EqualFold(c.Ships[0], ship) })
		if who < 0 {
			return nil, usage(fmt.Sprintf("give --captain %s=ADDRESS too", ship), "--plays: no captain is named for ship %s", ship)
		}
		out[at].Plays = ship // its captain's name is known when the game is made
	}
	return out, nil
}
