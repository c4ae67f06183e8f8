package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"starpost/cmd/about"
	"starpost/cmd/breakable"
	"starpost/cmd/keeper"
	"starpost/cmd/metrics"
	"starpost/pbem/beacon/relay"
	"starpost/pbem/config"
	"starpost/pbem/daemon"
	"starpost/pbem/daemon/games"
	"starpost/pbem/daemon/process"
	"starpost/pbem/digest"
	"starpost/pbem/rating"
	"starpost/templates/composer"
)

func serveCommand() *cobra.Command {
	var file, from string
	var once, takeOver bool
	cmd := &cobra.Command{
		Use:   "serve --config FILE [--once] [--from DATE] [--take-over]",
		Short: "Run games by mail",
		Long: `Runs the games of a configuration: reads orders from the mailbox, answers each mail,
resolves turns when all orders are in or time is up, and mails the reports. You can stop
it at any time (Ctrl-C): nothing is lost or done twice. With --once, for use with cron,
it handles what is in the mailbox, resolves what is due, sends everything and exits.

The exit code is 1 if a server cannot be reached or a game is in trouble, 2 if the
program crashed, and 3 if a retry cannot help until you fix something.

Mails already in the mailbox on the first start, and those already read, stay where they
are; --from accepts those that came since that date.

Only one daemon may read a mailbox: a second one exits with code 3. With --take-over the
second serves the mailbox from now on, and the first exits.

An annotated configuration is examples/starpost.toml. Check yours first with starpost
config check FILE and starpost doctor --config FILE.`,
		Example: `  starpost serve --config /etc/starpost.toml
  */10 * * * * starpost serve --config /etc/starpost.toml --once
  starpost serve --config /etc/starpost.toml --from 2026-11-01`,
		Args: exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error { return serve(cmd, file, once, takeOver, from) },
	}
	cmd.Flags().StringVar(&file, "config", "", "the configuration, a TOML `FILE`")
	completeConfig(cmd)
	cmd.Flags().BoolVar(&once, "once", false, "handle what is there, then exit")
	cmd.Flags().StringVar(&from, "from", "", "accept mails since this `DATE`, such as 2026-11-01, from before the first start")
	cmd.Flags().BoolVar(&takeOver, "take-over", false, "take the mailboxes over from another daemon")
	return cmd
}

// since parses the date of --from: a day, which begins at midnight UTC, or a time.
func since(text string) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	t, err := time.Parse(time.DateOnly, text)
	if err != nil {
		t, err = time.Parse(time.RFC3339, text)
	}
	if err != nil {
		return t, usage("write a day as 2026-11-01, or a moment as 2026-11-01T18:00:00Z", "--from %q is not a date", text)
	}
	if t.After(time.Now()) {
		return t, usage("future mails are accepted without it", "--from %s is in the future", text)
	}
	return t, nil
}

func serve(cmd *cobra.Command, file string, once, takeOver bool, day string) (err error) {
	from, err := since(day)
	if err != nil {
		return err
	}
	c, err := loadConfig(file)
	if err != nil {
		return err
	}
	log := logger(cmd.ErrOrStderr(), c)
	for _, w := range c.Warnings {
		log.Warn("configuration", "problem", w)
	}
	o := process.Options{Config: c, Catalogue: catalogue(), Allocate: allocators(), Library: library(), Log: log, Version: about.Version(), From: from, TakeOver: takeOver}
	pages := &keeper.Group{}
	for _, part := range c.Communities() {
		if o.Composer == "" { // the page contains no game: one serves all
			o.Composer = composer.Address(part.SiteURL(), about.Version())
		}
		k, err := newKeeper(part, log)
		if err != nil {
			return err
		}
		pages.Add(part.Own(), k)
	}
	o.Ratings = func(of *config.Config) func() *rating.Book { return pages.Known(of.Own()) }
	if c.Beacon != nil {
		o.Beacons = relay.Relays(c.Beacon.Relays)
	}
	if err := breakable.Apply(&o); err != nil {
		return err
	}
	var counts *metrics.Metrics
	if c.Metrics.Listen != "" && !once {
		counts = metrics.New(about.Version())
		o.Watch = counts.Watch
	}
	o.Watch = pages.Watching(o.Watch)
	o.Digest = func(ctx context.Context, now time.Time) (subject, text string, err error) {
		all, err := digest.Gather(ctx, c, catalogue(), now)
		if err != nil {
			return "", "", err
		}
		var b strings.Builder
		err = all.Print(&b)
		return all.Subject(), b.String() + "\nTo see this at any time: starpost status --config " + c.File + "\n", err
	}
	// Errors that a restart would not fix end like mistakes in the configuration.
	defer func() {
		if daemon.NeedsOperator(err) {
			err = mistakes(nil, wayOut(err), "%s", err)
		}
	}()
	d, err := daemon.Open(o)
	if err != nil {
		return err
	}
	defer func() {
		if cerr := d.Close(); cerr != nil && err == nil {
			err = fmt.Errorf("close the state directory: %w", cerr)
		}
	}()
	pages.WhenPaired(d.Wake)
	if once {
		pages.Write(cmd.Context())
		sum, err := d.Once(cmd.Context())
		log.Info("done", "sent", sum.Sent, "deferred", sum.Deferred, "failed", sum.Failed)
		pages.Once(cmd.Context())
		return err
	}
	if counts != nil {
		var games func() []games.GameStatus
		if c.Metrics.Games {
			games = d.Games
		}
		counts.Ask(d.Status, games)
		end, err := counts.Listen(c.Metrics.Listen, log)
		if err != nil {
			return err
		}
		defer end()
	}
	defer pages.Keep(cmd.Context())()
	return d.Serve(cmd.Context())
}

// logger returns a logger as configured; by default text on a terminal, JSON elsewhere.
func logger(w io.Writer, c *config.Config) *slog.Logger {
	o := &slog.HandlerOptions{Level: c.Log.Level.Level}
	f, isFile := w.(*os.File)
	if c.Log.Format == config.LogText || c.Log.Format == "" && isFile && term.IsTerminal(int(f.Fd())) {
		return slog.New(slog.NewTextHandler(w, o))
	}
	return slog.New(slog.NewJSONHandler(w, o))
}
