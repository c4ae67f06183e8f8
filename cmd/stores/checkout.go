package stores

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"starpost/pbem/console"
	"starpost/pbem/fault"
	"starpost/pbem/move"
	records "starpost/pbem/record"
	"starpost/pbem/record/directory"
	games "starpost/pbem/record/postgres"
	"starpost/pbem/referee"
	"starpost/pbem/vault"
)

// Checkout returns "starpost checkout".
func (k Kit) Checkout(now func() time.Time) *cobra.Command {
	var by, why string
	var cancel bool
	cmd := &cobra.Command{
		Use:   "checkout GAME DIR --store URL",
		Short: "Copy a game from a database into a directory, to work on it there",
		Long: `Copies a game from a PostgreSQL database into a new directory and locks it in the
database until "starpost checkin DIR" brings it back. In the directory every command
works, and you can edit the order files by hand. If the game's clock is running the
checkout pauses it, and the hosts inform the captains; to play a turn in the directory,
resume it there. Mails about the game wait, and are answered after the return.

If the copy fails, the pause ends. If the command is killed, run it again.

--cancel, without DIR, abandons the copy: the game continues in the database as it was
when it was checked out, still paused.`,
		Example: `  starpost checkout wolf work --store postgres://starpost@db.example.org/starpost
  starpost turn work
  starpost checkin work
  starpost checkout wolf --cancel --store postgres://starpost@db.example.org/starpost`,
		Args:              cobra.RangeArgs(1, 2),
		ValidArgsFunction: k.GameFirst,
		RunE: func(cmd *cobra.Command, args []string) error {
			tree, end, err := k.Tree(cmd, args[0])
			if err != nil {
				return err
			}
			in, ok := tree.(*games.Tree)
			switch {
			case !ok:
				err = k.Usage("add --store URL; a game in a directory is worked on there", "%s is not in a database", args[0])
			case cancel && len(args) == 1:
				err = k.cancel(cmd, args[0], in)
			case cancel || len(args) == 1:
				err = k.Usage("starpost checkout GAME DIR, or starpost checkout GAME --cancel", "a checkout needs a directory, --cancel none")
			default:
				err = k.checkout(cmd, in, args[1], referee.Act{By: by, Why: why, Now: now()}, now)
			}
			return errors.Join(err, end())
		},
	}
	cmd.Flags().StringVar(&by, "by", referee.ByReferee, "your `NAME`, as captains see it")
	cmd.Flags().StringVar(&why, "why", "the referee is working on the game", "the reason, which captains see: `TEXT`")
	cmd.Flags().BoolVar(&cancel, "cancel", false, "abandon the copy that was checked out")
	Flag(cmd)
	return cmd
}

func (k Kit) checkout(cmd *cobra.Command, in *games.Tree, dir string, a referee.Act, now func() time.Time) error {
	host, err := os.Hostname()
	if err != nil {
		return err
	}
	full, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	g, err := vault.Open(in, k.Catalogue())
	if err != nil {
		return err
	}
	to := directory.At(dir)
	c := move.Checkout{Store: cmd.Flag("store").Value.String(), Game: g.Name(), Since: a.Now.UTC().Truncate(time.Second)}
	if _, holder, err := in.Kept(); err != nil {
		return err
	} else if holder == "" { // if there is a holder, move.Out checks whether this checkout was cut short
		there, err := to.ReadDir(".")
		switch {
		case err != nil && !errors.Is(err, fs.ErrNotExist):
			return err
		case len(there) > 0 && !move.CutShort(to): // checked before the captains are told of a pause
			return occupied(to.Place(""), records.ErrExists)
		}
		if c.Paused, err = pause(g, a); err != nil {
			return err
		}
	}
	at, ended := k.Progress(cmd.ErrOrStderr(), -1, "verifying")
	done, err := move.Out(in, to, c, move.Holder(full, host, c.Since), k.Catalogue(), at)
	ended()
	if err != nil {
		return errors.Join(occupied(to.Place(""), err), goOn(in, c, k.Catalogue(), now))
	}
	fmt.Fprintf(cmd.OutOrStdout(), "%s: %d files, %d bytes, verified; to bring the game back: %s\n", to.Place(""), done.Files, done.Bytes, records.CommandLine(to, "checkin"))
	return nil
}

// pause stops the clock of a game and returns the time of the pause, or zero if someone else had stopped it. If this
// command was killed after pausing, it returns the time of that pause.
func pause(g *vault.Game, a referee.Act) (time.Time, error) {
	who, err := console.Who(g, a.By)
	if err != nil {
		return time.Time{}, err
	}
	a.By = who.Name
	t, err := g.Timing()
	switch {
	case err != nil || t.Turn == 0:
		return time.Time{}, err
	case !t.Stands():
		if t, err = referee.Pause(g, a); err != nil {
			return time.Time{}, err
		}
	case t.Paused == nil || t.Paused.By != a.By || t.Paused.Why != a.Why:
		return time.Time{}, nil
	}
	return t.Paused.Since, nil
}

// goOn ends the pause made by a checkout that failed before its lock was kept.
func goOn(in *games.Tree, c move.Checkout, rules vault.Catalogue, now func() time.Time) error {
	if c.Paused.IsZero() {
		return nil
	}
	if _, holder, err := in.Kept(); err != nil || holder != "" {
		return err
	}
	return resume(in, c, rules, "the checkout failed", now())
}

// cancel removes the lock in the database.
func (k Kit) cancel(cmd *cobra.Command, name string, in *games.Tree) error {
	was, err := in.Abandon()
	if err != nil {
		return err
	}
	if !was {
		return fault.New("see where it is: "+records.CommandLine(in, "status"), "%s is not checked out", name)
	}
	fmt.Fprintf(cmd.OutOrStdout(), "%s: the copy is abandoned; if the game is paused, resume it: %s\n", name, records.CommandLine(in, "referee", "resume"))
	return nil
}

// Checkin returns "starpost checkin".
func (k Kit) Checkin(now func() time.Time) *cobra.Command {
	var paused bool
	cmd := &cobra.Command{
		Use:   "checkin DIR",
		Short: "Bring a game back into the database that it was checked out of",
		Long: `Replays every turn of the game in a directory, brings it back into the database from
which "starpost checkout" took it, in one transaction, and unlocks it there. A pause made
by the checkout ends, unless you add --paused. The directory keeps its files but is no
longer a game.

The command refuses a copy abandoned with "starpost checkout --cancel". If it is killed,
run it again.`,
		Example:           "  starpost checkin work",
		Args:              k.Exactly("a directory"),
		ValidArgsFunction: k.GameFirst,
		RunE: func(cmd *cobra.Command, args []string) error {
			return k.checkin(cmd, args[0], paused, now())
		},
	}
	cmd.Flags().BoolVar(&paused, "paused", false, "leave the game paused")
	cmd.Flags().String("store", "", "the `URL` of the database, if it has changed")
	return cmd
}

func (k Kit) checkin(cmd *cobra.Command, dir string, paused bool, now time.Time) (err error) {
	from := directory.At(dir)
	c, err := move.ReadCheckout(from)
	if errors.Is(err, fs.ErrNotExist) {
		return fault.New("a game that never was in a database goes there by starpost move", "%s was not checked out of a database", dir)
	}
	if err != nil {
		return err
	}
	if at := cmd.Flag("store").Value.String(); at != "" {
		c.Store = at
	}
	tree, end, err := k.treeIn(cmd.Context(), c.Store, c.Game)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, end()) }()
	if !c.Paused.IsZero() && !paused {
		if err := resume(from, c, k.Catalogue(), "the game is back from its referee", now); err != nil {
			return err
		}
	}
	at, ended := k.Progress(cmd.ErrOrStderr(), -1, "verifying")
	done, err := move.In(from, tree.(*games.Tree), c, k.Catalogue(), at) //nolint:forcetypeassert // treeIn has no others
	ended()
	if err == nil {
		fmt.Fprintf(cmd.OutOrStdout(), "%s: %d files, %d bytes, verified\n", tree.Place(""), done.Files, done.Bytes)
	}
	return err
}

// resume ends the pause made by the checkout, unless that was done already or the game has left the directory.
func resume(from records.Tree, c move.Checkout, rules vault.Catalogue, why string, now time.Time) error {
	g, err := vault.Open(from, rules)
	if errors.Is(err, vault.ErrNotAGame) {
		return nil
	}
	if err != nil {
		return err
	}
	t, err := g.Timing()
	if err != nil || t.Paused == nil || !t.Paused.Since.Equal(c.Paused) {
		return err
	}
	_, err = referee.Resume(g, referee.Act{By: t.Paused.By, Why: why, Now: now})
	return err
}
