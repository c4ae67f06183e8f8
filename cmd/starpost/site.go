package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"path/filepath"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"
	"starpost/pbem/config"
	"starpost/pbem/daemon/process"
	"starpost/pbem/fault"
	"starpost/pbem/rating"
	"starpost/pbem/site"
)

func siteCommand(now func() time.Time) *cobra.Command {
	var file, out string
	cmd := &cobra.Command{
		Use:   "site --config FILE [--out DIR]",
		Short: "Write pages about the games for a web server",
		Long: `Writes pages about the games of a configuration into a folder: a list, a page and a
replay for each game, results, and an Atom feed. They are plain files for any web
server, ask nothing of anyone, and hold only what everybody may know.

The folder is one of its own: empty, not there yet, or made by this command before.
Pages of games in which nothing changed stay as they are. Where [site] dir of the
configuration names a folder, starpost serve keeps it up to date by itself.`,
		Example: `  starpost site --config /etc/starpost.toml --out /var/www/starpost`,
		Args:    exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := loadConfigBy(config.LoadWithoutSecrets, file)
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
	cmd.Flags().StringVar(&out, "out", "", "the `DIR` for the pages (default: [site] dir of the configuration)")
	completeFlag(cmd, "config", tomlFile)
	return cmd
}

func recordCommand(now func() time.Time) *cobra.Command {
	var file string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "record [CAPTAIN] --config FILE",
		Short: "Tell how captains are rated and what they have played",
		Long: `Tells the ratings of all captains by rule set, from the finished games of a
configuration; with CAPTAIN what he has played. Ratings are by Glicko-2, with their
deviation: 95 of 100 times the true strength is within two of them.

Games between people count: two sides, an address for each captain at the end, and
dice that no one could foresee. No address is shown.`,
		Example: `  starpost record --config /etc/starpost.toml
  starpost record Ann --config /etc/starpost.toml --json`,
		Args: atMost("captain"),
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := loadConfigBy(config.LoadWithoutSecrets, file)
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
	cmd.Flags().BoolVar(&asJSON, "json", false, "machine output")
	completeFlag(cmd, "config", tomlFile)
	return cmd
}

// writeSite writes the pages, or with no folder only looks through the games for ratings.
func writeSite(ctx context.Context, c *config.Config, out string, now time.Time) (site.Summary, error) {
	dirs, err := c.GameDirs()
	if err != nil {
		return site.Summary{}, err
	}
	o := site.Options{
		Dirs: dirs, Catalogue: catalogue(), Folder: out, Cache: filepath.Join(c.State, "site.json"),
		Name: c.Name, Address: c.Address, URL: c.SiteURL(), Version: version(), Now: now,
	}
	if out == "" {
		o.Cache = filepath.Join(c.State, "ratings.json")
	}
	return site.Write(ctx, o)
}

// siteKeeper keeps the pages and the ratings up to date while games are served. The nil one
// has nothing to keep.
type siteKeeper struct {
	book   atomic.Pointer[rating.Book]
	config *config.Config
	log    *slog.Logger
	played chan struct{} // something happened in a game
}

// siteEvery is how often the pages are looked at though no turn was played: seats and
// deadlines change, too.
const siteEvery = 5 * time.Minute

func newSiteKeeper(c *config.Config, log *slog.Logger) *siteKeeper {
	if c.Site == nil && c.Lobby == nil {
		return nil
	}
	return &siteKeeper{config: c, log: log, played: make(chan struct{}, 1)}
}

// known is what captains have played, as far as games were looked through; nil for not yet.
func (k *siteKeeper) known() *rating.Book {
	if k == nil {
		return nil
	}
	return k.book.Load()
}

// watching is what hears of turns, and passes on what it hears.
func (k *siteKeeper) watching(next func(process.Event)) func(process.Event) {
	if k == nil {
		return next
	}
	return func(e process.Event) {
		if e.Kind == process.Resolved || e.Kind == process.Over {
			select {
			case k.played <- struct{}{}:
			default: // it is due to be written already
			}
		}
		if next != nil {
			next(e)
		}
	}
}

// write brings the pages up to date. Trouble is logged: games go on without pages.
func (k *siteKeeper) write(ctx context.Context) {
	if k == nil {
		return
	}
	folder := ""
	if k.config.Site != nil {
		folder = k.config.Site.Dir
	}
	sum, err := writeSite(ctx, k.config, folder, time.Now())
	if err != nil && ctx.Err() == nil {
		k.log.Error("writing the site failed, will retry", "err", err, "hint", fault.Hint(err))
		return
	}
	k.book.Store(sum.Book)
	for _, p := range sum.Problems {
		k.log.Warn("game has no page or an old one", "err", p)
	}
	if sum.Written+sum.Removed > 0 {
		k.log.Info("site written", "pages", sum.Written+sum.Removed)
	}
}

// keep writes the pages now and after each turn, until ctx ends. To wait for the end of that
// call end.
func (k *siteKeeper) keep(ctx context.Context) (end func()) {
	if k == nil {
		return func() {}
	}
	ctx, stop := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		ticker := time.NewTicker(siteEvery)
		defer ticker.Stop()
		for {
			k.write(ctx)
			select {
			case <-ctx.Done():
				return
			case <-k.played:
			case <-ticker.C:
			}
		}
	}()
	return func() { stop(); <-done }
}
