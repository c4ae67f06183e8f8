package stores

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"path"
	"strings"

	"github.com/spf13/cobra"

	"starpost/pbem/fault"
	"starpost/pbem/move"
	records "starpost/pbem/record"
	"starpost/pbem/record/directory"
	games "starpost/pbem/record/postgres"
	"starpost/pbem/store/postgres"
)

// Flag adds the flag for a game in a database.
func Flag(cmd *cobra.Command) {
	cmd.PersistentFlags().String("store", "", "find the game in the PostgreSQL database at this `URL`, not in a directory")
}

// Tree returns where the given game is kept, and a function that closes the connection to it.
func (k Kit) Tree(cmd *cobra.Command, name string) (records.Tree, func() error, error) {
	at := ""
	if f := cmd.Flags().Lookup("store"); f != nil {
		at = f.Value.String()
	}
	if rest, ok := strings.CutPrefix(name, "postgres:"); ok && at == "" { // as in hints
		name, at = path.Base(rest), "postgres://"+strings.TrimLeft(path.Dir(rest), "/")
	}
	if at == "" {
		return directory.At(name), func() error { return nil }, nil
	}
	return k.treeIn(cmd.Context(), at, name)
}

// treeIn returns the record of a game in a database. A password comes from PGPASSWORD or ~/.pgpass.
func (k Kit) treeIn(ctx context.Context, at, name string) (records.Tree, func() error, error) {
	if u, err := url.Parse(at); err == nil {
		if _, open := u.User.Password(); open || u.Query().Has("password") {
			return nil, nil, k.Usage("take it out, and set PGPASSWORD or write ~/.pgpass", "the URL has a password in it, where lists of processes show it")
		}
	}
	in, err := games.Open(ctx, postgres.Place{URL: at})
	if err != nil {
		return nil, nil, err
	}
	tree, err := in.At(name)
	if err != nil {
		return nil, nil, errors.Join(err, in.Close())
	}
	return tree, in.Close, nil
}

// Move returns "starpost move".
func (k Kit) Move() *cobra.Command {
	var to string
	cmd := &cobra.Command{
		Use:   "move GAME --to URL|DIR [--store URL]",
		Short: "Move a game into a database, or out of it",
		Long: `Moves a game from its directory into the PostgreSQL database at a URL, or with --store
from there into a new directory. All files are copied with their times, read back, and
compared byte for byte, and every turn is replayed from them; only then does the new
place count instead of the old. A directory keeps its files, with a note in MOVED of
where the game went; a database keeps nothing.

If the command is killed, the game counts in one place, or in none until you run the
same command again. Move a game out of a directory only while no daemon serves it and
none of its mails wait to be sent; hosts of a database may run meanwhile. The tables
must exist: starpost store init.`,
		Example: `  starpost move games/wolf --to postgres://starpost@db.example.org/starpost
  starpost move wolf --store postgres://starpost@db.example.org/starpost --to games/wolf`,
		Args:              k.Exactly("a game"),
		ValidArgsFunction: k.GameFirst,
		RunE: func(cmd *cobra.Command, args []string) error {
			if to == "" {
				return k.Usage("such as --to postgres://starpost@db.example.org/starpost", "where to? --to is missing")
			}
			return k.moveGame(cmd, args[0], to)
		},
	}
	cmd.Flags().StringVar(&to, "to", "", "where the game goes: the `URL` of a database, or a new directory")
	Flag(cmd)
	return cmd
}

func (k Kit) moveGame(cmd *cobra.Command, name, to string) (err error) {
	from, end, err := k.Tree(cmd, name)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, end()) }()
	there, endThere := records.Tree(directory.At(to)), func() error { return nil }
	if strings.HasPrefix(to, "postgres:") || strings.HasPrefix(to, "postgresql:") {
		if there, endThere, err = k.treeIn(cmd.Context(), to, path.Base(from.Place(""))); err != nil {
			return err
		}
	}
	defer func() { err = errors.Join(err, endThere()) }()
	at, ended := k.Progress(cmd.ErrOrStderr(), -1, "verifying")
	done, err := move.Game(from, there, k.Catalogue(), at)
	ended()
	if err != nil {
		return occupied(there.Place(""), err)
	}
	if in, ok := from.(*games.Tree); ok {
		fence, err := in.Lock()
		if err == nil {
			err = in.Erase(fence)
		}
		if err != nil {
			return fmt.Errorf("the game is moved, but its old place could not be cleared: %w", err)
		}
	}
	fmt.Fprintf(cmd.OutOrStdout(), "%s: %d files, %d bytes, verified\n", there.Place(""), done.Files, done.Bytes)
	return nil
}

// occupied adds a hint to the error if the new place is not empty.
func occupied(place string, err error) error {
	if !errors.Is(err, records.ErrExists) {
		return err
	}
	return &fault.Fault{Path: place, Problem: "something is already there", Way: "name a place where nothing is", Err: err}
}
