package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"starpost/cmd/about"
	"starpost/cmd/cups"
	"starpost/cmd/keeper"
	"starpost/pbem/config"
	"starpost/pbem/cup"
	"starpost/pbem/cup/play"
	"starpost/pbem/feed"
	"starpost/pbem/notify"
	"starpost/pbem/rating"
	records "starpost/pbem/record"
	"starpost/pbem/site"
	"starpost/pbem/store/hosted"
)

func siteCommand(now func() time.Time) *cobra.Command {
	var file, out, club string
	cmd := &cobra.Command{
		Use:   "site --config FILE [--club NAME] [--out DIR]",
		Short: "Write pages about the games for a web server",
		Long: `Writes pages about the games of a configuration into a folder: a list, a page and a
replay for each game, results, and an Atom feed. They are plain files for any web server
and contain only what everyone may know.

The folder must be empty, new, or made by this command. Pages of unchanged games stay as
they are. If [site] dir in the configuration names a folder, starpost serve keeps it up
to date. Games of a club appear only on that club's own pages.`,
		Example: `  starpost site --config /etc/starpost.toml --out /var/www/starpost`,
		Args:    exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := lookAtCommunity(file, club)
			if err != nil {
				return err
			}
			if out == "" {
				if c.Site == nil {
					return usage("give --out DIR, or name the folder in the configuration: [site] dir", "where are the pages to go?")
				}
				out = c.Site.Dir
			}
			sum, err := writeSite(cmd.Context(), c, out, now())
			if err != nil {
				return err
			}
			fmt.Fprintf(cmd.OutOrStdout(), "%s: games %d, pages written %d, removed %d\n", out, sum.Games, sum.Written, sum.Removed)
			return errors.Join(sum.Problems...)
		},
	}
	cmd.Flags().StringVar(&file, "config", "", "the daemon's configuration, a TOML `FILE`")
	clubFlag(cmd, &club)
	cmd.Flags().StringVar(&out, "out", "", "the `DIR` for the pages (default: [site] dir of the configuration)")
	completeConfig(cmd)
	return cmd
}

func recordCommand(now func() time.Time) *cobra.Command {
	var file, club string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "record [CAPTAIN] --config FILE [--club NAME]",
		Short: "Show captains' ratings and games",
		Long: `Shows the ratings of all captains by rule set, from the finished games of a
configuration; with CAPTAIN, that captain's games. Ratings use Glicko-2, with their
deviation: 95 times in 100 the true strength is within two deviations.

Only games between people count: two sides, an address for each captain at the end,
and dice that nobody could predict. No address is shown.`,
		Example: `  starpost record --config /etc/starpost.toml
  starpost record Ann --config /etc/starpost.toml --json`,
		Args: atMost("captain"),
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := lookAtCommunity(file, club)
			if err != nil {
				return err
			}
			sum, err := writeSite(cmd.Context(), c, "", now())
			if err != nil {
				return err
			}
			for _, p := range sum.Problems {
				fmt.Fprintln(cmd.ErrOrStderr(), p)
			}
			if len(args) == 0 {
				return show(cmd, asJSON, sum.Book, func(w io.Writer) { fmt.Fprint(w, sum.Book.Text()) })
			}
			found := sum.Book.Find(args[0])
			if len(found) == 0 {
				return usage(nearest(args[0], sum.Book.Names(), "there are "), "no captain called %q has finished a game that counts", args[0])
			}
			return show(cmd, asJSON, found, func(w io.Writer) {
				for _, r := range found {
					fmt.Fprintln(w, r.Text())
				}
			})
		},
	}
	cmd.Flags().StringVar(&file, "config", "", "the daemon's configuration, a TOML `FILE`")
	clubFlag(cmd, &club)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	completeConfig(cmd)
	return cmd
}

func clubFlag(cmd *cobra.Command, club *string) {
	cmd.Flags().StringVar(club, "club", "", "the club `NAME` of the configuration (default: the first mailbox's)")
}

// lookAtCommunity is lookAtConfig for a club of the configuration, or for the first mailbox if club is "".
func lookAtCommunity(file, club string) (*config.Config, error) {
	c, err := lookAtConfig(file)
	if err != nil {
		return nil, err
	}
	part, names := c.Community(club)
	if part == nil {
		return nil, usage(nearest(club, names, "its clubs: "), "there is no club called %q in %s", club, file)
	}
	return part, nil
}

// writeSite writes the pages; without a folder it only reads the games for ratings.
func writeSite(ctx context.Context, c *config.Config, out string, now time.Time) (sum site.Summary, err error) {
	trees, end, err := hosted.Candidates(ctx, c)
	defer func() { err = errors.Join(err, end()) }()
	if err != nil {
		return sum, err
	}
	kept := make(map[string]records.Tree, len(trees))
	places := make([]string, len(trees))
	for i, tree := range trees {
		places[i] = tree.Place("")
		kept[places[i]] = tree
	}
	at := func(place string) (records.Tree, bool) {
		tree, ok := kept[place]
		return tree, ok
	}
	o := site.Options{
		Dirs: places, At: at, Holds: c.Holds, Cups: cup.In(c.Own()), Feeds: feed.In(c.Own()), Scores: rating.Measured(c.State), Catalogue: catalogue(), Families: families(), Folder: out, Cache: filepath.Join(c.Own(), "site"), Public: len(c.Notify) > 0,
		Name: c.Name, Address: c.Address, Practice: c.Lobby != nil && c.Lobby.Practice > 0, URL: c.SiteURL(), Version: about.Version(), Now: now,
	}
	if out == "" {
		o.Cache = filepath.Join(c.Own(), "ratings")
	}
	return site.Write(ctx, o)
}

// newKeeper returns the keeper of a community's pages, ratings and cups, nil if its configuration has none of them.
func newKeeper(c *config.Config, log *slog.Logger) (*keeper.Keeper, error) {
	_, games := c.NewGames()
	if c.Site == nil && c.Lobby == nil && !games {
		return nil, nil
	}
	folder := ""
	if c.Site != nil {
		folder = c.Site.Dir
	}
	work := keeper.Work{
		Write: func(ctx context.Context, now time.Time) (site.Summary, error) {
			if c.Site == nil && c.Lobby == nil { // only captains in cups are rated
				if names, err := cup.In(c.Own()).Names(); err != nil || len(names) == 0 {
					return site.Summary{}, err
				}
			}
			return writeSite(ctx, c, folder, now)
		},
		Cups: func(now time.Time) (play.Host, bool) { return cupHost(c, now) }, Log: log,
	}
	if len(c.Notify) > 0 {
		var err error
		if work.Notices, err = notify.New(c.Notify, c.Own()); err != nil {
			return nil, err
		}
		work.Notices.URL, work.Notices.Log = c.SiteURL(), log
	}
	return keeper.New(work), nil
}

// cupHost returns where the cups of a configuration are played, or false if it has no folder for new games.
func cupHost(c *config.Config, now time.Time) (play.Host, bool) {
	folder, ok := c.NewGames()
	return play.Host{
		Cups: cup.In(c.Own()), Scores: rating.Measured(c.State), Library: library(), Catalogue: catalogue(), Folder: folder, Robot: c.Address, Templates: c.Templates, Now: now,
	}, ok
}

// cupCommand returns the commands for cups.
func cupCommand(now func() time.Time) *cobra.Command {
	return cups.Command(cups.Kit{
		Now: now, Usage: usage, Nearest: nearest, Exactly: exactly, AtMost: atMost, Show: show,
		Mistakes: func(hint, format string, args ...any) error { return mistakes(nil, hint, format, args...) },
		Read:     func(what, name string) ([]byte, error) { return readFile(what, name, maxScenario) },
		Config:   lookAtCommunity, Host: cupHost, Complete: completeConfig,
		Look: func(ctx context.Context, c *config.Config, now time.Time) (site.Summary, error) {
			return writeSite(ctx, c, "", now)
		},
	})
}
